"""`irstd report`: a notebook executed on the user's runs, as one page of HTML."""

from __future__ import annotations

import contextlib
import datetime
import gc
import importlib.util
import os
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irstd._base.arguments import with_progress
from irstd.course._page import SHORT, outputs, tags, to_html
from irstd.course.files import check_output, write_output
from irstd.course.lab import course_folder
from irstd.own_runs.summary import count, plain
from irstd.trec import find_files
from irstd.trec.disk import same_file

TEMPLATE = "07_your_own_runs.ipynb"
OF_COLLECTIONS = Path(__file__).parent / "page" / "collections.ipynb"
LEFT_OUT = ("template",)  # tags of cells that are not for a page
EXPORT = "export"  # tag of cells that write files
NOTHING_NAMED = "engines on the documentation of numpy and scipy"
NEEDED = ("IPython", "matplotlib", "nbconvert", "nbformat", "seaborn", "bs4")  # of extra [course]
EXPORTS = ("scores", "standardized", "leaderboard", "means", "sds", "pairs", "differences")


def write_report(
    output: str,
    *,
    short: bool = False,
    title: str | None = None,
    progress: bool = True,
    **given: Any,
) -> None:
    """Write a report on runs or on a table of scores as one page of HTML.

    `given` are parameters of the notebook, which documents them. Input that cannot be read raises
    ValueError or OSError. If the notebook fails otherwise, RuntimeError says where it is kept. A
    `short` page is one sheet of A4.
    """
    parameters = {name: value for name, value in given.items() if value}
    about = {"date": datetime.date.today().isoformat()}
    inputs = [Path(name) for name in _collect_names(given, "qrels", "reference", "other")]
    source = NOTHING_NAMED
    if given.get("qrels"):
        files = find_files(given["runs"])
        inputs += files
        parameters["runs"] = [_make_absolute(file) for file in files]
        parameters["qrels"] = _make_absolute(given["qrels"])
        source = f"{count(len(files), 'run')} on {Path(given['qrels']).name}"
    elif given.get("runs"):
        inputs.append(Path(given["runs"]))
        parameters["runs"] = _make_absolute(given["runs"])
        parameters["metrics"] = given.get("metrics") or None
        source = f"The scores of {Path(given['runs']).name}"
    for parameter in ("reference", "other"):
        names = [_make_absolute(name) for name in _collect_names(given, parameter)]
        if names:
            parameters[parameter] = names if len(names) > 1 else names[0]
            about[parameter] = ", ".join(Path(name).name for name in names)
    _check_outputs(output, given.get("folder"), inputs)
    left_out = [*LEFT_OUT, EXPORT]
    if given.get("folder"):
        left_out.remove(EXPORT)
        parameters["folder"] = _make_absolute(given["folder"])
    notebook = _execute(course_folder() / TEMPLATE, parameters, left_out, progress)
    if given.get("min_relevance", 1) != 1:
        about["relevant from grade"] = str(given["min_relevance"])
    write_output(to_html(notebook, title or source, about, short=short), output)


def write_collections_report(
    output: str,
    collections: Mapping[str, tuple[str, str]],
    *,
    short: bool = False,
    title: str | None = None,
    progress: bool = True,
    **given: Any,
) -> None:
    """Write a report on several collections in one metric.

    `collections` maps the name of each to its (runs, qrels).
    """
    if len(collections) < 2:
        raise ValueError("--collection: give two or more; for one collection, give RUNS and QRELS")
    runs = {}
    qrels = {}
    for name, (files, judgments) in collections.items():
        runs[name] = [_make_absolute(file) for file in find_files(files)]
        qrels[name] = _make_absolute(judgments)
    read = [Path(file) for files in runs.values() for file in files]
    check_output(output, [*read, *map(Path, qrels.values())])
    parameters = {name: value for name, value in given.items() if value}
    parameters |= {"runs": runs, "qrels": qrels}
    notebook = _execute(OF_COLLECTIONS, parameters, LEFT_OUT, progress)
    about = {"date": datetime.date.today().isoformat()}
    title = title or f"Runs on {', '.join(collections)}"
    write_output(to_html(notebook, title, about, short=short), output)


def _collect_names(given: Mapping[str, Any], *parameters: str) -> list[str]:
    """Return the files or data sets given as some parameters."""
    names: list[str] = []
    for value in map(given.get, parameters):
        if value:
            names += [value] if isinstance(value, str) else value
    return names


def _check_outputs(output: str, folder: str | None, inputs: Sequence[Path]) -> None:
    check_output(output, inputs)
    if not folder:
        return
    for path in [*inputs, Path(output)]:
        file = Path(os.path.realpath(path.expanduser()))
        if file.stem in EXPORTS and same_file(file.parent, str(folder)):
            raise ValueError(
                f"{path}: a table of the report would replace it; choose another --folder"
            )


def _make_absolute(path: str | Path) -> str:
    file = Path(path).expanduser()  # if it is no file, the name of a data set
    if file.exists():
        return str(file.absolute())
    return str(path)


def _execute(
    template: Path, parameters: dict[str, Any], left_out: Sequence[str], progress: bool
) -> Any:
    """Execute the notebook in this process, without the user's settings."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        message = (
            f"a report needs {', '.join(missing)}, not installed: install irstd's extra [course]"
        )
        raise ModuleNotFoundError(message)
    _import_nbformat()
    from unittest import mock

    from IPython.core import interactiveshell, pylabtools
    from IPython.display import display
    from IPython.utils.capture import capture_output
    from nbformat import v4, write
    from traitlets.config import Config

    class Shell(interactiveshell.InteractiveShell):
        """A shell apart from that of a notebook which runs this."""

    notebook = _insert_parameters(template, parameters, left_out)
    # Figures open no window, and modules do not come from another active environment.
    environment = {"MPLBACKEND": "agg", "VIRTUAL_ENV": sys.prefix}
    with (
        mock.patch.dict(os.environ, environment),
        tempfile.TemporaryDirectory() as place,
        warnings.catch_warnings(record=True, action="always") as raised,
    ):
        with contextlib.chdir(place):
            Path("matplotlibrc").touch()  # found before the user's
            import matplotlib.pyplot as plt
        gc.freeze()  # statsmodels looks for garbage in all that is not frozen
        shell = Shell.instance(ipython_dir=place, config=Config(HistoryManager={"enabled": False}))
        shell.display_trap.hook = _display_value
        pylabtools.select_figure_formats(shell, {"png"})
        try:
            for cell in with_progress(notebook.cells, progress):
                if cell.cell_type == "code":
                    plt.close("all")
                    with capture_output(stderr=False) as caught:
                        shell.run_cell(cell.source).raise_error()  # an interruption, too
                        display(*map(plt.figure, plt.get_fignums()))
                    cell.outputs = [v4.new_output("display_data", o.data) for o in caught.outputs]
        except Exception as error:
            if isinstance(error, (ValueError, OSError)) and not any(map(outputs, notebook.cells)):
                raise  # without any output yet, the input cannot be read
            cell.outputs = [v4.new_output("stream", text=caught.stdout)]
            failed = Path(tempfile.mkdtemp(), template.name)
            write(notebook, failed)
            text = f"{type(error).__name__}: {error} (the notebook stopped there: see {failed})"
            raise RuntimeError(text) from error
        finally:
            shell.restore_sys_module_state()
            Shell.clear_instance()
            gc.unfreeze()
    _add_warnings(notebook, raised)
    return notebook


def _import_nbformat() -> None:
    """Import nbformat without its grammar of URIs, which would take a second."""
    grammar = "rfc3987_syntax"
    if grammar in sys.modules:
        return
    sys.modules[grammar] = None  # type: ignore[assignment]
    try:
        import nbformat  # noqa: F401
    finally:
        del sys.modules[grammar]


def _insert_parameters(template: Path, parameters: dict[str, Any], left_out: Sequence[str]) -> Any:
    """Return the template without outputs, and with the parameters that were given."""
    from nbformat import read, v4

    notebook = read(template, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not {*tags(cell)} & {*left_out}]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    given = [f"{name} = {value!r}" for name, value in parameters.items()]
    after = max(n for n, cell in enumerate(notebook.cells) if "parameters" in tags(cell))
    notebook.cells.insert(after + 1, v4.new_code_cell("\n".join(given)))
    return notebook


def _add_warnings(notebook: Any, raised: Sequence[warnings.WarningMessage]) -> None:
    """Add the warnings of the cells to the end of the first page."""
    from nbformat import v4

    lines = []
    for warning in raised:  # those of cells are from no file
        if issubclass(warning.category, UserWarning) and not Path(warning.filename).exists():
            lines.append(f"- {plain(warning.message)}.")
    if lines:
        last = max(n for n, cell in enumerate(notebook.cells) if SHORT in tags(cell))
        cell = v4.new_markdown_cell("\n".join(dict.fromkeys(lines)), metadata={"tags": [SHORT]})
        notebook.cells.insert(last + 1, cell)


def _display_value(value: Any) -> None:
    """Display the value of a cell, unless it is None or an empty table."""
    from IPython.display import display

    if value is not None and not getattr(value, "empty", False):
        display(value)
