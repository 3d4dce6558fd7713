"""A question to answer before a result is shown: predict, then run."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

import ipywidgets as widgets

from irstd._base.arguments import check_choice

VERDICTS = {True: ("#d9ead3", "Yes."), False: ("#fce5cd", "Not so.")}


class Prediction(widgets.VBox):
    """A card: a question, its answers (`choice`), and a sentence on the chosen one (`text`)."""

    def __init__(self, question: str, answers: Mapping[str, str], right: str) -> None:
        self.question, self._answers, self._right = question, dict(answers), right
        options, layout = list(answers), {"border": "1px solid #bbb", "padding": "4px 12px"}
        self.choice = widgets.RadioButtons(options=options, value=None, layout={"width": "auto"})
        self.choice.observe(self._say, "value")
        self.text, asked = widgets.HTML(), widgets.HTML(f"<p><b>Predict.</b> {question}</p>")
        super().__init__([asked, self.choice, self.text], layout=layout)

    def __repr__(self) -> str:
        words = html.unescape(re.sub(r"<[^>]+>", "", self.question))
        return f"Predict. {words} ({' / '.join(self._answers)})"

    def _say(self, change: Mapping[str, str]) -> None:
        colour, verdict = VERDICTS[change["new"] == self._right]
        style, said = f"background:{colour};color:black", self._answers[change["new"]]
        self.text.value = f'<p style="{style};padding:4px 8px"><b>{verdict}</b> {said}</p>'


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
