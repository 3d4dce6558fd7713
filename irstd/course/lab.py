"""Copying of the course to the user's folder, and JupyterLab to open it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from irstd._base.messages import import_optional
from irstd.trec.disk import write_files

START = "00_start_here.ipynb"
DATA = "data"  # subfolder with the files that notebooks read
EXERCISES = "exercises.csv"  # the lecturer's exercises, beside the notebooks
HANDOUT = ".irstd-handout"  # marks a folder written by `irstd student`
# Settings of JupyterLab, so that its first start does not ask whether to fetch news. The user's own
# settings have priority.
SETTINGS = Path(__file__).resolve().parent / "jupyterlab"
VIEW = "application/vnd.jupyter.widget-view+json"


def find_course_folder() -> Path:
    """Return the folder of the course notebooks, in the package or a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_notebooks", package.parent / "notebooks"):
        if (folder / START).is_file():
            return folder
    raise FileNotFoundError(f"the course notebooks are missing beside {package}: reinstall irstd")


def read_lessons(folder: Path) -> dict[Path, Any]:
    """Read the notebooks in a folder."""
    read = import_optional("nbformat").read
    notebooks = {}
    for file in sorted(folder.glob("*.ipynb")):
        try:
            notebooks[file] = read(file, as_version=4)
        except Exception as error:  # of nbformat, jsonschema, json
            raise ValueError(f"{file}: cannot be read as a notebook ({error})") from error
    if not notebooks:
        raise FileNotFoundError(f"{folder}: has no notebooks (*.ipynb)")
    return notebooks


def hide_answers(notebook: Any) -> None:
    """Clear outputs that answer a prediction, up to the next heading."""
    is_after_prediction = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            is_after_prediction = False
        if cell.cell_type != "code":
            continue
        if "predict(" in cell.source:
            is_after_prediction = True
        elif is_after_prediction:
            cell.outputs, cell.execution_count = [], None


def encode_lessons(notebooks: dict[Path, Any], folder: Path) -> dict[Path, bytes]:
    """Encode notebooks without answers to predictions, and read the files beside them."""
    write = import_optional("nbformat").writes
    contents = {}
    for file, notebook in notebooks.items():
        hide_answers(notebook)
        contents[Path(file.name)] = f"{write(notebook)}\n".encode()
    for file in sorted([*folder.glob(f"{DATA}/*"), *folder.glob(EXERCISES)]):
        if file.is_file():
            contents[file.relative_to(folder)] = file.read_bytes()
    return contents


def copy_course(target: Path, source: Path | None = None) -> list[str]:
    """Copy missing notebooks of the course to `target`.

    Parameters
    ----------
    target : Path
        The user's folder, created if missing. Existing files are kept. Nothing is copied to a
        hand-out (see `irstd.course.student`).
    source : Path, optional
        Folder of the course; by default, that of this installation.

    Returns
    -------
    list of str
        A sentence with the files that differ from those of the course, if any.

    Raises
    ------
    ValueError
        If `target` is the folder of the course itself.
    """
    source = source or find_course_folder()
    target.mkdir(parents=True, exist_ok=True)
    if target.samefile(source):
        raise ValueError(f"{target}: holds the course itself; choose another folder")
    if (target / HANDOUT).exists():
        return []
    changed = []
    for name, content in encode_lessons(read_lessons(source), source).items():
        copy = target / name
        if not (copy.exists() or copy.is_symlink()):
            copy.parent.mkdir(exist_ok=True)
            write_files({copy: content})
            if copy.suffix == ".ipynb":
                trust_notebook(copy)
        elif not copy.is_file() or copy.read_bytes() != content:
            changed.append(name.stem)
    sentence = f"These differ from the installed course and are kept: {', '.join(changed)}"
    return [sentence] if changed else []


def trust_notebook(notebook: Path) -> None:
    """Mark a notebook as trusted, so that JupyterLab shows all its outputs."""
    nbformat = import_optional("nbformat")
    notary = import_optional("nbformat.sign").NotebookNotary()
    notary.sign(nbformat.read(notebook, as_version=4))


def drop_widget_views(model: dict[str, Any], **_: Any) -> None:
    """Remove widget states and views, which are errors without a kernel."""
    if model["type"] != "notebook" or not model.get("content"):
        return
    model["content"]["metadata"].pop("widgets", None)
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data.pop(VIEW, None)


def open_lab(target: Path, arguments: list[str]) -> int:
    """Run JupyterLab in `target`, in this process; return its exit code."""
    start_lab = import_optional("jupyterlab.labapp").main
    # A python3 kernel registered for another environment must not run the course.
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    os.environ.pop("MPLBACKEND", None)  # kernels inherit it, and would show no figures
    start = f"/{START}" if (target / START).exists() else ""
    command = [f"--LabApp.default_url=/lab/tree{start}", *arguments]
    command.append(f"--LabApp.app_settings_dir={SETTINGS}")
    command.append("--ContentsManager.pre_save_hook=irstd.course.lab.drop_widget_views")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # containers often have no other user
    os.chdir(target)
    return start_lab(command) or 0
