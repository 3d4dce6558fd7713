"""The course in a folder of the user's own: what is absent is copied, what is there stays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from irstd._base.messages import needed
from irstd.trec.disk import write_files

START = "00_start_here.ipynb"
DATA = "data"  # the folder beside the notebooks of what they read
HANDOUT = ".irstd-handout"  # in a folder that `irstd student` has written
# Read by JupyterLab in place of its defaults, so that it does not ask on its first start, over the
# page, whether it may fetch news. The user's own settings still come first.
SETTINGS = Path(__file__).resolve().parent / "jupyterlab"
VIEW = "application/vnd.jupyter.widget-view+json"


def course_folder() -> Path:
    """Where the notebooks of this installation are: in the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_notebooks", package.parent / "notebooks"):
        if (folder / START).is_file():
            return folder
    raise FileNotFoundError(f"the notebooks of the course are not beside {package}")


def beside(source: Path) -> dict[Path, bytes]:
    """What the notebooks of a folder read, by its place in the folder."""
    files = [file for file in sorted((source / DATA).glob("*")) if file.is_file()]
    return {file.relative_to(source): file.read_bytes() for file in files}


def hide_answers(notebook: Any) -> None:
    """Clear what the cells from a prediction to the next heading show: they give the answer."""
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


def _read_for_reader(file: Path) -> bytes:
    """Return a notebook as a reader gets it."""
    nbformat = needed("nbformat")
    notebook = nbformat.read(file, as_version=4)
    hide_answers(notebook)
    return f"{nbformat.writes(notebook)}\n".encode()


def copy_course(target: Path, source: Path | None = None) -> list[str]:
    """Copy those notebooks of the course to `target` that are not there.

    Parameters
    ----------
    target : Path
        The user's folder; it is made if it is not there. Whatever is in it stays as it is. To a
        hand-out (see `irstd.course.student`) nothing is copied.
    source : Path, optional
        The course; by default that of this installation.

    Returns
    -------
    list of str
        A sentence on the notebooks that are there and are not those of the course, if any.

    Raises
    ------
    ValueError
        If `target` is the folder of the course itself.
    """
    source = source or course_folder()
    target.mkdir(parents=True, exist_ok=True)
    if target.samefile(source):
        raise ValueError(f"{target} holds the course itself: give another folder")
    if (target / HANDOUT).exists():
        return []
    notebooks = sorted(source.glob("*.ipynb"))
    contents = {Path(file.name): _read_for_reader(file) for file in notebooks}
    changed = []
    for name, content in (contents | beside(source)).items():
        mine = target / name
        if not (mine.exists() or mine.is_symlink()):
            mine.parent.mkdir(exist_ok=True)
            write_files({mine: content})
            if mine.suffix == ".ipynb":
                sign(mine)
        elif not mine.is_file() or mine.read_bytes() != content:
            changed.append(name.stem)
    said = f"These differ from the course as installed, and stay as they are: {', '.join(changed)}"
    return [said] if changed else []


def sign(notebook: Path) -> None:
    """Trust a notebook of ours as one that was run here, so that JupyterLab shows all of it."""
    nbformat = needed("nbformat")
    notary = needed("nbformat.sign").NotebookNotary()
    notary.sign(nbformat.read(notebook, as_version=4))


def keep_still(model: dict[str, Any], **_: Any) -> None:
    """Save of a widget what is seen without a kernel; its view would be an error message then."""
    if model["type"] != "notebook" or not model.get("content"):
        return
    model["content"]["metadata"].pop("widgets", None)
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data.pop(VIEW, None)


def need_lab() -> None:
    """Raise unless JupyterLab is installed."""
    needed("jupyterlab.labapp")


def open_lab(target: Path, arguments: list[str]) -> int:
    """Start JupyterLab in `target`, in this process, and return its exit code when it ends."""
    start_lab = needed("jupyterlab.labapp").main
    # A python3 kernel that the user has registered elsewhere must not run the course.
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
    start = f"/{START}" if (target / START).exists() else ""
    command = [f"--LabApp.default_url=/lab/tree{start}", *arguments]
    command.append(f"--LabApp.app_settings_dir={SETTINGS}")
    command.append("--ContentsManager.pre_save_hook=irstd.course.lab.keep_still")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container there often is no one else
    os.chdir(target)
    return start_lab(command) or 0
