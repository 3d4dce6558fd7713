"""Storage of the reader's guesses at predictions, beside the notebook."""

from __future__ import annotations

import json
from pathlib import Path

import anywidget
from traitlets import Unicode, observe

from irstd.trec.disk import write_text

FILE = Path("guesses.json")  # in the working folder: guesses by prediction


class Guess(anywidget.AnyWidget):
    """Card of a prediction that stores the reader's first guess."""

    _esm = Path(__file__).parent / "guess.js"
    card = Unicode().tag(sync=True)
    guess = Unicode().tag(sync=True)

    def __init__(self, name: str, card: str) -> None:
        self.name = name
        super().__init__(card=card, guess=read_guesses().get(name, ""))

    @observe("guess")
    def _save_guess(self, _: dict) -> None:
        """Save the guess along with the guesses at other predictions."""
        guesses = read_guesses()
        if self.guess and guesses.get(self.name) != self.guess:
            guesses[self.name] = self.guess
            write_text(json.dumps(guesses, indent=1) + "\n", FILE)


def read_guesses() -> dict[str, str]:
    """Read the saved guesses, by prediction."""
    if FILE.exists():
        return json.loads(FILE.read_text(encoding="utf-8"))
    return {}
