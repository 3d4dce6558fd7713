"""A question to answer before a result is shown: predict, then run."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

import ipywidgets as widgets

from irstd._base.arguments import check_choice

GREEN = "#d9ead3"
ORANGE = "#fce5cd"


class Prediction(widgets.VBox):
    """A card: a question, its answers (`choice`), and a sentence on the chosen one (`text`)."""

    def __init__(self, question: str, answers: Mapping[str, str], right: str) -> None:
        self.question = question
        self._answers = dict(answers)
        self._right = right
        self.choice = widgets.RadioButtons(
            options=list(answers), value=None, layout={"width": "auto"}
        )
        self.choice.observe(self._say, "value")
        self.text = widgets.HTML()
        title = widgets.HTML(f"<p><b>Predict.</b> {question}</p>")
        layout = {"border": "1px solid #bbb", "padding": "4px 12px"}
        super().__init__([title, self.choice, self.text], layout=layout)

    def __repr__(self) -> str:
        words = html.unescape(re.sub(r"<[^>]+>", "", self.question))
        answers = " / ".join(self._answers)
        return f"Predict. {words} ({answers})"

    def _say(self, change: Mapping[str, str]) -> None:
        answer = change["new"]
        if answer == self._right:
            colour = GREEN
            verdict = "Yes."
        else:
            colour = ORANGE
            verdict = "Not so."
        style = f"background:{colour};color:black;padding:4px 8px"
        sentence = self._answers[answer]
        self.text.value = f'<p style="{style}"><b>{verdict}</b> {sentence}</p>'


def predict(question: str, answers: Mapping[str, str], right: str) -> Prediction:
    """Ask the reader for a guess before the result.

    Parameters
    ----------
    question : str
        One sentence, as HTML.
    answers : mapping of str to str
        Two to four answers, and for each the sentence that is shown once it is chosen.
    right : str
        Which of the answers is right.

    Returns
    -------
    Prediction
        A card. Setting its ``choice.value`` shows the sentence in ``text.value``.

    Examples
    --------
    >>> from irstd.widgets import predict
    >>> card = predict("Is 2 + 2 four?", {"yes": "It is.", "no": "Count again."}, right="yes")
    >>> card.choice.value = "no"
    >>> "Not so." in card.text.value, "Count again." in card.text.value
    (True, True)
    """
    check_choice(right, answers, "right")
    return Prediction(question, answers, right)
