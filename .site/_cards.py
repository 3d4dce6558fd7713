"""Questions of the lessons on a page without a kernel: each answer opens what is said of it."""

from __future__ import annotations

import ast
from html import escape
from typing import Any


def open_cards(notebook: dict[str, Any]) -> None:
    """Put a card that opens in place of each `predict`; its code, which answers it, goes."""
    for cell in notebook["cells"]:
        shown = [output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
        if not any("".join(text).startswith("Predict. ") for text in shown):
            continue
        call = ast.parse("".join(cell["source"])).body[-1].value  # type: ignore[attr-defined]
        given = dict(zip(("question", "answers", "right"), call.args, strict=False))
        given |= {argument.arg or "": argument.value for argument in call.keywords}
        card = _page(**{name: ast.literal_eval(value) for name, value in given.items()})
        cell["outputs"] = [
            {"output_type": "display_data", "metadata": {}, "data": {"text/html": card}}
        ]
        cell["metadata"].setdefault("tags", []).append("remove-input")


def _page(question: str, answers: dict[str, str], right: str) -> str:
    choices = "".join(
        f"<details><summary>{escape(answer)}</summary>"
        f"<p><b>{'Yes.' if answer == right else 'Not so.'}</b> {said}</p></details>"
        for answer, said in answers.items()
    )
    return f"<div><p><b>Predict.</b> {question}</p>{choices}</div>"
