"""A question to answer before a result is shown: predict, then run."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

import ipywidgets as widgets

from irstd._checks import check_choice

COLOURS = {True: "#d9ead3", False: "#fce5cd"}  # told apart by the words, too


class Prediction(widgets.VBox):
    """A card: a question, its answers (`choice`), and a sentence on the chosen one (`text`)."""

    def __init__(self, question: str, answers: Mapping[str, str], right: str) -> None:
        self.question, self._answers, self._right = question, dict(answers), right
        self.choice = widgets.RadioButtons(
            options=list(self._answers), value=None, layout={"width": "auto"}
        )
        self.text = widgets.HTML()
        self.choice.observe(self._say, "value")
        super().__init__(
            [widgets.HTML(f"<p><b>Predict.</b> {question}</p>"), self.choice, self.text]
        )
        self.layout.border = "1px solid #bbb"
        self.layout.padding = "4px 12px"

    def __repr__(self) -> str:
        """Show the question as text, where a page has no widgets."""
        words = html.unescape(re.sub(r"<[^>]+>", "", self.question))
        return f"Predict. {words} ({' / '.join(self._answers)})"

    def _say(self, change: Mapping[str, str]) -> None:
        right = change["new"] == self._right
        verdict = "Yes." if right else "Not so."
        self.text.value = (
            f'<p style="background:{COLOURS[right]};color:black;padding:4px 8px">'
            f"<b>{verdict}</b> {self._answers[change['new']]}</p>"
        )


def predict(question: str, answers: Mapping[str, str], right: str) -> Prediction:
    """Ask the reader for a guess before the result.

    Parameters
    ----------
    question : str
        One sentence, as HTML.
    answers : mapping of str to str
        Two to four answers, and for each the sentence that is shown once it is chosen: for a wrong
        one, what the mistake is.
    right : str
        Which of the answers is right.

    Returns
    -------
    Prediction
        A card. Setting its ``choice.value`` shows the sentence in ``text.value``, also without a
        notebook.

    Raises
    ------
    ValueError
        If there are fewer than two or more than four answers, or `right` is none of them.

    Examples
    --------
    >>> from irstd.widgets import predict
    >>> card = predict("Is 2 + 2 four?", {"yes": "It is.", "no": "Count again."}, right="yes")
    >>> card.choice.value = "no"
    >>> "Not so." in card.text.value, "Count again." in card.text.value
    (True, True)
    """
    if not 2 <= len(answers) <= 4:
        raise ValueError(f"answers must be two to four, got {len(answers)}")
    check_choice(right, answers, "right")
    return Prediction(question, answers, right)
