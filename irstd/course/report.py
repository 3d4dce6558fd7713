"""`irstd report`: the notebook on one's own runs, executed with them, as one page of HTML."""

from __future__ import annotations

import datetime
import logging
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import irstd
from irstd._base.checks import check_choice, with_progress
from irstd.course._files import check_output, read_table, write_output
from irstd.course._page import to_html
from irstd.course.lab import course_folder
from irstd.trec import find_files
from irstd.trec._files import same_file

TEMPLATE = "07_your_own_runs.ipynb"
LEFT_OUT = ("template", "interactive")  # tags of cells that mean nothing on a page
EXPORT = "export"  # tag of cells that write files, which are gone if no folder is given
FILES = ("qrels", "table", "means", "sds", "reference", "other")  # or names of data sets
COLUMNS = ("mean", "sd", "gmap", "standardized")
EXPORTS = ("scores", "standardized", "leaderboard", "means", "sds", "pairs", "intervals")


def write_report(output: str, *, code: bool = False, progress: bool = True, **given: Any) -> None:
    """Run the notebook on one's own runs with what is given, and write it as HTML.

    `given` are parameters of the notebook, which says what they are. What is not as it should be is
    a ValueError or OSError, before the notebook is run; if that fails, it is a RuntimeError, which
    says where the notebook is kept.
    """
    folder, runs = given.get("folder"), list(given.get("runs") or [])
    files = find_files(runs) if runs else []
    named = {k: _absolute(str(file)) for k, file in given.items() if k in FILES and file}
    _check_outputs(output, folder, [*files, *map(Path, named.values())])
    metric, *more = _check_inputs(given, files)
    if folder:
        Path(folder).expanduser().mkdir(parents=True, exist_ok=True)
        named["folder"] = _absolute(folder)
    parameters = {name: value for name, value in given.items() if value}
    parameters |= {"metric": metric, "more": more or None, "runs": [*map(_absolute, files)] or None}
    left_out = LEFT_OUT if folder else (*LEFT_OUT, EXPORT)
    notebook = _execute(parameters | named, left_out, progress)
    n, source = len(files), Path(named.get("table") or named["qrels"]).name
    title = f"{n} run{'s' * (n != 1)} on {source}" if files else f"The scores of {source}"
    about = {"metric": metric, "judgments" if files else "scores": source}
    if given.get("min_relevance", 1) != 1:
        about["relevant from grade"] = str(given["min_relevance"])
    for name, said in {"reference": "standardized by", "other": "compared with"}.items():
        about |= {said: Path(named[name]).name} if name in named else {}
    about["date"] = datetime.date.today().isoformat()
    write_output(to_html(notebook, title, about, left_out, code=code), output)


def _check_outputs(output: str, folder: str | None, inputs: Sequence[Path]) -> None:
    check_output(output, inputs)
    for path in [*inputs, Path(output)] if folder else []:
        file = Path(os.path.realpath(path.expanduser()))
        if file.stem in EXPORTS and same_file(file.parent, str(folder)):
            raise ValueError(f"{path}: would be replaced by a table; choose another folder")


def _check_inputs(given: dict[str, Any], files: list[Path]) -> list[str]:
    """Refuse what the notebook would refuse after a while; irstd's names of the metrics."""
    metrics = [given.get("metric", "AP"), *given.get("more", ())]
    with warnings.catch_warnings(action="ignore"):  # the notebook says them
        if table := given.get("table"):
            scores = read_table(table, given.get("metric"))
            if "metric" not in given:
                metrics = scores.attrs.get("metrics", [scores.attrs.get("metric", "score")])
        else:
            irstd.read_qrels(str(given["qrels"]))
            run, judged = irstd.as_run({"1": {"d": 1.0}}), irstd.as_qrels({"1": {"d": 1}})
            metrics = [*irstd.evaluate({"run": run}, judged, metrics).columns.unique(0)]
        if given.get("means"):
            irstd.Factors.from_csv(str(given["means"]), str(given["sds"]))
        for source in filter(None, [given.get("reference"), given.get("other")]):
            read_table(source, metrics[:1])
    for column in given.get("columns", ()):
        check_choice(column, [*COLUMNS, metrics[0], *(metrics[1:] or irstd.METRICS)], "column")
    return metrics


def _absolute(path: str | Path) -> str:
    """The absolute path of a file; else the word, which is that of a data set."""
    file = Path(path).expanduser()
    return str(file.absolute()) if file.exists() else str(path)


def _execute(parameters: dict[str, Any], left_out: Sequence[str], progress: bool) -> Any:
    """The notebook, executed where no file of the user's is a module or a setting."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(course_folder() / TEMPLATE, as_version=4)
    given = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    after = [cell.metadata.get("tags") for cell in notebook.cells].index(["parameters"]) + 1
    notebook.cells.insert(after, nbformat.v4.new_code_cell(given))
    with tempfile.TemporaryDirectory() as place:
        Path(place, "matplotlibrc").touch()  # found before the user's
        unwanted = {"MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS"}
        surroundings = {name: os.environ[name] for name in os.environ.keys() - unwanted}
        surroundings |= {"IPYTHONDIR": place, "PYTHONSAFEPATH": "1"}
        for name in {"IRSTD_DATA", "IRSTD_CACHE"} & {*surroundings}:
            surroundings[name] = _absolute(surroundings[name])
        # Not a python3 kernel that the user has registered elsewhere; no word on loopback.
        os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # what Ctrl-C left unfinished
        quiet = ["--IPKernelApp.log_level=CRITICAL"]
        where = {"metadata": {"path": place}}
        client = NotebookClient(notebook, resources=where, timeout=None, extra_arguments=quiet)
        client.create_kernel_manager().connection_file = str(Path(place, "kernel.json"))
        try:
            with client.setup_kernel(env=surroundings):
                for n, cell in enumerate(with_progress(notebook.cells, progress)):
                    if not {*cell.metadata.get("tags", [])} & {*left_out}:
                        client.execute_cell(cell, n)
        except CellExecutionError as error:
            failed = Path(tempfile.mkdtemp(), TEMPLATE)
            nbformat.write(notebook, failed)
            said = f"{error.ename}: {error.evalue} (the notebook stopped there; it is {failed})"
            raise RuntimeError(said) from error
    return notebook
