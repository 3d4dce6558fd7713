"""The course as students get it: questions and checks, without the solutions."""

from __future__ import annotations

from pathlib import Path

from irstd.course.lab import course_folder
from irstd.trec._write import write_text


def write_student_version(target: Path, source: Path | None = None) -> list[Path]:
    """Write the notebooks of the course with the cells tagged ``solution`` emptied.

    Each exercise keeps its question, one empty cell and its check, whose output is cleared. All
    other outputs stay, so that the notebooks can be read before they are run.

    Parameters
    ----------
    target : Path
        A folder; it is made if it is not there.
    source : Path, optional
        The course; by default that of this installation.

    Returns
    -------
    list of Path
        The notebooks written.

    Raises
    ------
    FileExistsError
        If a notebook of the same name is in `target`: somebody may have worked on it.
    """
    import nbformat

    files = sorted((source or course_folder()).glob("*.ipynb"))
    there = [file.name for file in files if (target / file.name).exists()]
    if there:
        raise FileExistsError(f"{target} holds {there[0]} already: give another folder")
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        notebook.cells = _without_solutions(notebook.cells)
        write_text(nbformat.writes(notebook) + "\n", target / file.name)
        written.append(target / file.name)
    return written


def _without_solutions(cells: list) -> list:
    kept = []
    for cell in cells:
        tags = cell.metadata.get("tags", [])
        if "solution" in tags:
            if cell.cell_type != "code" or (kept and _is_empty_code(kept[-1])):
                continue  # the empty cell before it is the place for the answer
            cell.source = ""
            cell.metadata.pop("jupyter", None)  # it was folded away
        if cell.cell_type == "code" and {"solution", "check"} & set(tags):
            cell.outputs, cell.execution_count = [], None
        kept.append(cell)
    return kept


def _is_empty_code(cell) -> bool:
    return cell.cell_type == "code" and not cell.source.strip()
