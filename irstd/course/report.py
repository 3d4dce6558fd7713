"""`irstd report`: the notebook on one's own runs, executed with them, as one page of HTML."""

from __future__ import annotations

import contextlib
import datetime
import gc
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import irstd
from irstd._base.arguments import check_choice, with_progress
from irstd.course._page import to_html
from irstd.course.files import check_output, read_table, write_output
from irstd.course.lab import course_folder
from irstd.datasets.load import PUBLISHED, factor_files
from irstd.trec import find_files
from irstd.trec.files import same_file

TEMPLATE = "07_your_own_runs.ipynb"
OF_COLLECTIONS = Path(__file__).parent / "page" / "collections.ipynb"
LEFT_OUT = ("template", "interactive")  # tags of cells that mean nothing on a page
EXPORT = "export"  # tag of cells that write files, which are gone if no folder is given
FILES = ("qrels", "table", "means", "sds", "reference", "other")  # or names of data sets
NOTHING_NAMED = "engines on the documentation of numpy and scipy"
COLUMNS = ("mean", "sd", "gmap", "standardized")
EXPORTS = ("scores", "standardized", "leaderboard", "means", "sds", "pairs", "differences")


def write_report(
    output: str,
    *,
    code: bool = False,
    short: bool = False,
    title: str | None = None,
    progress: bool = True,
    **given: Any,
) -> None:
    """Run the notebook on one's own runs with what is given, and write it as HTML.

    A `short` page is one sheet of A4: who leads, the picture of differences, a table.

    `given` are parameters of the notebook, which says what they are. What is not as it should be is
    a ValueError or OSError, before the notebook is run; if that fails, it is a RuntimeError, which
    says where the notebook is kept.
    """
    folder = given.get("folder")
    reference = given.get("reference")
    given |= _published_factors(reference)
    files = []
    if given.get("runs"):
        files = find_files(given["runs"])
    named = {}
    for name in FILES:
        if given.get(name):
            named[name] = _absolute(str(given[name]))
    _check_outputs(output, folder, [*files, *map(Path, named.values())])
    metric, *more = _check_inputs(given, files)
    if folder:
        Path(folder).expanduser().mkdir(parents=True, exist_ok=True)
        named["folder"] = _absolute(folder)
    parameters = {name: value for name, value in given.items() if value}
    parameters["metric"] = metric
    parameters["more"] = more or None
    parameters["runs"] = [_absolute(file) for file in files] or None
    left_out = list(LEFT_OUT)
    if not folder:
        left_out.append(EXPORT)
    template = course_folder() / TEMPLATE
    notebook = _execute(template, parameters | named, left_out, progress)
    about = {"metric": metric}
    if files:
        source = Path(named["qrels"]).name
        number = "1 run" if len(files) == 1 else f"{len(files)} runs"
        title = title or f"{number} on {source}"
        about["judgments"] = source
    else:
        source = Path(named.get("table", NOTHING_NAMED)).name
        title = title or f"The scores of {source}"
        about["scores"] = source
    if given.get("min_relevance", 1) != 1:
        about["relevant from grade"] = str(given["min_relevance"])
    if reference:
        about["standardized by"] = Path(reference).name
    if "other" in named and not short:
        about["compared with"] = Path(named["other"]).name
    about["date"] = datetime.date.today().isoformat()
    write_output(to_html(notebook, title, about, left_out, code=code, short=short), output)


def write_collections_report(
    output: str,
    collections: Mapping[str, tuple[str, str]],
    *,
    metric: str = "AP",
    baseline: str | None = None,
    seeds: str | None = None,
    missing: str = "nan",
    title: str | None = None,
    progress: bool = True,
    **page: bool,
) -> None:
    """Write a page on one metric on several collections, given as (runs, qrels) by name.

    `page`: ``code`` and ``short``, as in `write_report`.
    """
    if len(collections) < 2:
        raise ValueError("a page on collections needs two or more; of one, give RUNS and QRELS")
    runs = {}
    qrels = {}
    for name, (files, judgments) in collections.items():
        irstd.read_qrels(judgments)
        runs[name] = [_absolute(file) for file in find_files(files)]
        qrels[name] = _absolute(judgments)
    read = [Path(file) for files in runs.values() for file in files]
    check_output(output, [*read, *map(Path, qrels.values())])
    parameters = {
        "runs": runs,
        "qrels": qrels,
        "metric": metric,
        "baseline": baseline,
        "seeds": seeds,
        "missing": missing,
    }
    notebook = _execute(OF_COLLECTIONS, parameters, ["parameters"], progress)
    about = {
        "metric": metric,
        "collections": ", ".join(collections),
        "judgments": ", ".join(dict.fromkeys(Path(name).name for name in qrels.values())),
        "date": datetime.date.today().isoformat(),
    }
    title = title or f"{len(collections)} collections, by {metric}"
    write_output(to_html(notebook, title, about, ["parameters"], **page), output)


def plain(text: object) -> str:
    """A text that Markdown and HTML show as it is."""
    return re.sub(r"[^\w\s,:;().-]|_|\.(?=\S)", lambda sign: f"&#{ord(sign[0])};", str(text))


def _published_factors(reference: str | None) -> dict[str, Any]:
    """In place of a reference such as "trec8:factors", the files that were published."""
    if not reference or not reference.endswith(PUBLISHED):
        return {}
    means, sds = factor_files(reference.removesuffix(PUBLISHED))
    names = {"means": str(means), "sds": str(sds), "factor_names": "page"}
    return names | {"reference": None}


def _check_outputs(output: str, folder: str | None, inputs: Sequence[Path]) -> None:
    check_output(output, inputs)
    if not folder:
        return
    for path in [*inputs, Path(output)]:
        file = Path(os.path.realpath(path.expanduser()))
        if file.stem in EXPORTS and same_file(file.parent, str(folder)):
            raise ValueError(f"{path}: would be replaced by a table; choose another folder")


def _check_inputs(given: dict[str, Any], files: list[Path]) -> list[str]:
    """Refuse what the notebook would refuse after a while; irstd's names of the metrics."""
    metrics = [given.get("metric", "AP"), *given.get("more", ())]
    with warnings.catch_warnings(action="ignore"):  # the notebook says them
        if given.get("table"):
            scores = read_table(given["table"], given.get("metric"))
            if "metric" not in given:
                metrics = scores.attrs.get("metrics", [scores.attrs.get("metric", "score")])
        else:
            if files:
                irstd.read_qrels(str(given["qrels"]))
            run = irstd.as_run({"1": {"d": 1.0}})
            judged = irstd.as_qrels({"1": {"d": 1}})
            names = irstd.evaluate({"run": run}, judged, metrics).columns.unique(0)
            metrics = names.tolist()
        if given.get("means"):
            factor_names = given.get("factor_names", "irstd")
            irstd.Factors.from_csv(given["means"], given["sds"], names=factor_names)
        for source in filter(None, [given.get("reference"), given.get("other")]):
            read_table(source, metrics[:1])
    for name in given.get("smaller_is_better") or ():
        check_choice(name, metrics, "smaller_is_better")
    others = metrics[1:] or irstd.METRICS
    for column in given.get("columns", ()):
        check_choice(column, [*COLUMNS, metrics[0], *others], "column")
    return metrics


def _absolute(path: str | Path) -> str:
    file = Path(path).expanduser()  # a word that is no file is the name of a data set
    if file.exists():
        return str(file.absolute())
    return str(path)


def _execute(
    template: Path, parameters: dict[str, Any], left_out: Sequence[str], progress: bool
) -> Any:
    """The notebook, executed in this process, where no file of the user's is a setting."""
    # A second's work for jsonschema, on a kind of address that no notebook has.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from unittest import mock

    from IPython.core import display_functions, interactiveshell, pylabtools
    from IPython.utils.capture import capture_output
    from nbformat import read, v4, write
    from traitlets.config import Config

    class Shell(interactiveshell.InteractiveShell):
        """One of its own, or an error: never that of a notebook one is in."""

    notebook = read(template, as_version=4)
    given = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    after = [cell.metadata.get("tags") for cell in notebook.cells].index(["parameters"]) + 1
    notebook.cells.insert(after, v4.new_code_cell(given))
    # Figures go nowhere, and modules do not come from an environment that is active elsewhere.
    set_here = {"MPLBACKEND": "agg", "VIRTUAL_ENV": sys.prefix}
    with mock.patch.dict(os.environ, set_here), tempfile.TemporaryDirectory() as place:
        with contextlib.chdir(place):
            Path("matplotlibrc").touch()  # found before the user's
            import matplotlib.pyplot as plt
        gc.freeze()  # statsmodels looks for garbage in all that is not frozen
        shell = Shell.instance(ipython_dir=place, config=Config(HistoryManager={"enabled": False}))
        shell.display_trap.hook = lambda value: value is None or display_functions.display(value)
        pylabtools.select_figure_formats(shell, {"png"})
        try:
            for cell in with_progress(notebook.cells, progress):
                if cell.cell_type == "code" and not {*cell.metadata.get("tags", [])} & {*left_out}:
                    plt.close("all")
                    with capture_output(stderr=False) as caught:
                        shell.run_cell(cell.source).raise_error()  # an interruption, too
                        display_functions.display(*map(plt.figure, plt.get_fignums()))
                    cell.outputs = [v4.new_output("display_data", o.data) for o in caught.outputs]
        except Exception as error:
            cell.outputs = [v4.new_output("stream", text=caught.stdout)]
            failed = Path(tempfile.mkdtemp(), template.name)
            write(notebook, failed)
            said = f"{type(error).__name__}: {error} (the notebook stopped there; it is {failed})"
            raise RuntimeError(said) from error
        finally:
            shell.restore_sys_module_state()
            Shell.clear_instance()
    return notebook
