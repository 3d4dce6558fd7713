"""Storage of the reader's guesses at predictions, beside the notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import anywidget
from traitlets import Unicode, observe

from irstd.trec.disk import write_text

if TYPE_CHECKING:
    from irstd.widgets.prediction import Prediction

FILE = Path("guesses.json")  # in the working folder: guesses by prediction


class Guess(anywidget.AnyWidget):
    """Card of a prediction that stores the reader's first guess."""

    _esm = """
    function render({ model, el }) {
      el.innerHTML = model.get("card");
      const note = document.createElement("p");
      el.firstChild.append(note);
      const options = [...el.querySelectorAll("details")];
      const nameOf = (option) => option.querySelector("summary").textContent;
      const show = () => {
        const guess = model.get("guess");
        note.textContent = guess && `Your guess: ${guess}`;
      };
      const guessed = options.find((option) => nameOf(option) === model.get("guess"));
      if (guessed) guessed.open = true;
      for (const option of options)
        option.addEventListener("toggle", () => {
          if (!option.open || model.get("guess")) return;
          model.set("guess", nameOf(option));
          model.save_changes();
          show();
        });
      show();
    }
    export default { render };
    """
    card = Unicode().tag(sync=True)
    guess = Unicode().tag(sync=True)

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        guess = read_guesses().get(prediction.name, "")
        super().__init__(card=prediction._repr_html_(), guess=guess)

    @observe("guess")
    def _save_guess(self, _: dict) -> None:
        """Save the guess, with those at other predictions."""
        guesses = read_guesses()
        if self.guess and guesses.get(self.prediction.name) != self.guess:
            guesses[self.prediction.name] = self.guess
            write_text(json.dumps(guesses, indent=1) + "\n", FILE)


def read_guesses() -> dict[str, str]:
    """Read the saved guesses, by prediction."""
    if FILE.exists():
        return json.loads(FILE.read_text(encoding="utf-8"))
    return {}
