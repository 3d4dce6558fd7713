"""Predictions: questions to answer before a result is shown.

They are in ``predictions.csv`` beside this file: a row with the role ``question``, then one row per
option, with the role ``right`` or ``wrong`` and a comment. All texts are HTML.
"""

from __future__ import annotations

import csv
import functools
import html
import importlib
import itertools
import re
from dataclasses import dataclass
from importlib.resources import files
from operator import itemgetter
from typing import Any

from irstd._base.arguments import check_choice

CARD = "border:1px solid #999;padding:4px 12px;max-width:46em"
RIGHT = "background:rgba(80,170,80,.25);padding:4px 8px"  # on light and on dark pages
WRONG = "background:rgba(240,150,50,.25);padding:4px 8px"
# In JupyterLab, the answer is a screen below the card until an option is opened.
UNANSWERED = ".jp-NotebookPanel .irstd-predict:not(:has(details[open]))"
GAP = (
    f"<style>{UNANSWERED} {{ margin-bottom: 80vh }} "
    f'{UNANSWERED}::after {{ content: "Click your guess; the lesson goes on below." }}</style>'
)


@dataclass(frozen=True)
class Prediction:
    """Multiple-choice question; clicking an option opens a comment on it.

    Returned by `predict`. It is plain HTML, so it works without a kernel, and in exported pages,
    too. With a kernel, the first option opened is saved in ``guesses.json`` beside the notebook,
    and reopened.

    Attributes
    ----------
    name : str
        Number of the notebook and of the question in it.
    question : str
        The question, in HTML.
    options : tuple of (str, bool, str)
        Each option, True if it is right, and the comment on it.
    """

    name: str
    question: str
    options: tuple[tuple[str, bool, str], ...]  # option, True if right, comment

    def __repr__(self) -> str:
        words = html.unescape(re.sub(r"<[^>]+>", "", self.question))
        return f"Predict. {words} ({' / '.join(option for option, _, _ in self.options)})"

    def _repr_html_(self) -> str:
        card = [f'<div class="irstd-predict" style="{CARD}"><p><b>Predict.</b> {self.question}</p>']
        for option, is_right, comment in self.options:
            style, verdict = (RIGHT, "Yes.") if is_right else (WRONG, "Not so.")
            card.append(
                f'<details name="predict-{self.name}"><summary>{html.escape(option)}</summary>'
                f'<p style="{style}"><b>{verdict}</b> {comment}</p></details>'
            )
        return "".join([*card, GAP, "</div>"])

    def _repr_mimebundle_(self, **settings: Any) -> Any:
        try:
            guess = importlib.import_module("irstd.widgets.guess")
        except ModuleNotFoundError:  # without anywidget no guess is saved
            return {}
        card = guess.Guess(self.name, self._repr_html_())
        data, about = card._repr_mimebundle_(**settings)
        return data | {"text/plain": repr(self)}, about


def predict(name: str) -> Prediction:
    """Ask for a guess at a result before it is shown.

    Parameters
    ----------
    name : str
        Number of the notebook and of the question in it, such as "02.1".

    Returns
    -------
    Prediction
        A card, shown in the notebook if the call is the last line of a cell: the question, and
        options to click.

    Raises
    ------
    ValueError
        If there is no such question.

    Examples
    --------
    >>> from irstd.widgets import predict
    >>> print(predict("05.1").question)
    How many of the 110 systems differ significantly from themselves on T7 and R3?
    """
    predictions = read_predictions()
    check_choice(name, predictions, "name")
    return predictions[name]


@functools.cache
def read_predictions() -> dict[str, Prediction]:
    """Read all predictions of the course, by name."""
    predictions = {}
    with (files("irstd.widgets") / "predictions.csv").open(encoding="utf-8") as lines:
        for name, rows in itertools.groupby(csv.DictReader(lines), itemgetter("prediction")):
            question, *options = rows
            choices = tuple((row["option"], row["role"] == "right", row["text"]) for row in options)
            predictions[name] = Prediction(name, question["text"], choices)
    return predictions
