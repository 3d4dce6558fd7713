"""The course as students get it: questions and checks, without the solutions."""

from __future__ import annotations

from pathlib import Path

from irstd.course.lab import HANDOUT, course_folder
from irstd.trec._write import write_text

NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells that a hand-out does not have


def write_student_version(target: Path, source: Path | None = None) -> list[Path]:
    """Write the notebooks of the course without their solutions.

    Cells tagged ``solution`` (and ``lecturer``: what is said of solutions) are left out. Each
    exercise keeps its question, one empty cell and its check, whose output is cleared. All other
    outputs stay, so that the notebooks can be read before they are run. `irstd lab` copies nothing
    to the folder.

    Parameters
    ----------
    target : Path
        A folder; it is made if it is not there.
    source : Path, optional
        The course, or notebooks of your own; by default those of this installation.

    Returns
    -------
    list of Path
        The notebooks written.

    Raises
    ------
    FileNotFoundError
        If `source` has no notebooks.
    FileExistsError
        If a notebook of the same name is in `target`: somebody may have worked on it.
    """
    import nbformat

    source = source or course_folder()
    files = sorted(source.glob("*.ipynb"))
    if not files:
        raise FileNotFoundError(f"{source}: there are no notebooks (*.ipynb) in this folder")
    there = [file.name for file in files if (target / file.name).exists()]
    if there:
        raise FileExistsError(f"{target} holds {there[0]} already: give another folder")
    target.mkdir(parents=True, exist_ok=True)
    write_text("Written by irstd student: the course without its solutions.\n", target / HANDOUT)
    written = []
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        notebook.cells = [c for c in notebook.cells if not NOT_FOR_STUDENTS & set(_tags(c))]
        for cell in notebook.cells:
            if cell.cell_type == "code" and "check" in _tags(cell):
                cell.outputs, cell.execution_count = [], None
        write_text(nbformat.writes(notebook) + "\n", target / file.name)
        written.append(target / file.name)
    return written


def _tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])
