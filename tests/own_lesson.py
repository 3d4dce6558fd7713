"""A lesson of one's own, with two exercises of one's own, as a lecturer writes it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

NAME = "10_means"
SOLUTIONS = {  # question: solution, a wrong answer
    "**1.** The mean of the numbers?": ("answer_10_1 = sum(numbers) / 4", "answer_10_1 = 3"),
    "**2.** Their ends?": (
        "ends = min(numbers), max(numbers)\nanswer_10_2 = [*ends]", "answer_10_2 = [4, 1]",
    ),
}  # fmt: skip


EXERCISES = """\
exercise,role,place,value,digits,within,text
10.1,value,,2.5,1,,
10.1,hint,,,,,Add them up.
10.1,mistake,,3.0,1,,Divide by four.
10.2,value,,1,0,,
10.2,value,,4,0,,
"""


def write_lesson(folder: Path) -> Path:
    cells = [new_code_cell("import irstd\n\nnumbers = [1, 2, 3, 4]", execution_count=1)]
    cells.append(new_markdown_cell("Go round the class.", metadata={"tags": ["lecturer"]}))
    sheet = ["# Solutions"]
    for n, (question, (solution, _)) in enumerate(SOLUTIONS.items(), start=1):
        check = f'irstd.check("10.{n}", answer_10_{n}, file="exercises.csv")'
        cells += [
            new_markdown_cell(question),
            new_code_cell(f"answer_10_{n} = ..."),
            new_code_cell(check, metadata={"tags": ["check"]}),
        ]
        sheet.append(f"## 10.{n}\n\nBy hand.\n\n```python\n{solution}\n```")
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    (folder / "solutions").mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / f"{NAME}.ipynb")
    (folder / "exercises.csv").write_text(EXERCISES, "utf-8")
    (folder / "solutions" / f"{NAME}.md").write_text("\n\n".join(sheet) + "\n", "utf-8")
    return folder
