"""A lesson of one's own, with two exercises of one's own, as a lecturer writes it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

NAME = "10_means"
SOLUTIONS = {  # question: solution, what it shows, a wrong answer
    "**1.** The mean of the numbers?": ("answer = sum(numbers) / 4\nanswer", "2.5", "answer = 3"),
    "**2.** Their ends?": (
        "ends = min(numbers), max(numbers)\nanswer = [*ends]\nanswer", "[1, 4]", "answer = [4, 1]",
    ),
}  # fmt: skip


def write_lesson(folder: Path) -> Path:
    cells = [new_code_cell("import irstd\n\nnumbers = [1, 2, 3, 4]", execution_count=1)]
    cells.append(new_markdown_cell("Leave the solution unrun.", metadata={"tags": ["lecturer"]}))
    for n, (question, (solution, shown, _)) in enumerate(SOLUTIONS.items(), start=1):
        output = new_output("execute_result", {"text/plain": shown}, execution_count=n + 1)
        tagged = {"metadata": {"tags": ["solution"]}, "execution_count": n + 1}
        check = f'irstd.check("10.{n}", answer, file="exercises.csv")'
        cells += [
            new_markdown_cell(question),
            new_code_cell(""),
            new_code_cell(solution, outputs=[output], **tagged),
            new_code_cell(check, metadata={"tags": ["check"]}),
        ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    folder.mkdir()
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / f"{NAME}.ipynb")
    return folder
