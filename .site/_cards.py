"""What the lessons have a kernel for, on a page without one: questions that open, still widgets."""

import ast
import re
from html import escape


def open_cards(lesson):
    """Put a card that opens in place of each `predict`; its code, which answers it, goes."""
    for cell in lesson["cells"]:
        shown = [output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
        if any("".join(text).startswith("Predict. ") for text in shown):
            call = ast.parse("".join(cell["source"])).body[-1].value
            given = dict(zip(("question", "answers", "right"), call.args, strict=False))
            given |= {argument.arg: argument.value for argument in call.keywords}
            show(cell, card(**{name: ast.literal_eval(value) for name, value in given.items()}))
            cell["metadata"].setdefault("tags", []).append("remove-input")


def show(cell, html):
    """Give a cell one output."""
    cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}]


def show_widgets(lesson):
    """Show the picture with which a widget begins."""
    for cell in lesson["cells"]:
        found = re.search(r"(?m)^(?:irstd\.|widgets\.)?(explore\w*)\(", "".join(cell["source"]))
        if found and cell.get("outputs"):
            said = f"The widget {found[1]} as it begins, without its controls, which need a kernel"
            show(cell, f'<img src="../_static/{found[1]}.png" alt="{said}">')


def card(question, answers, right):
    """Return the question with its answers, as HTML."""
    choices = "".join(
        f"<details><summary>{escape(answer)}</summary>"
        f"<p><b>{'Yes.' if answer == right else 'Not so.'}</b> {said}</p></details>"
        for answer, said in answers.items()
    )
    return f"<div><p><b>Predict.</b> {question}</p>{choices}</div>"
