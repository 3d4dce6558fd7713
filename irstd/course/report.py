"""`irstd report`: the notebook on one's own runs, executed with them, as one page of HTML."""

from __future__ import annotations

import datetime
import os
import tempfile
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

import irstd
from irstd._checks import check_choice
from irstd.course._page import to_html
from irstd.course.lab import course_folder
from irstd.trec import find_files
from irstd.trec._tables import parse_run
from irstd.trec._write import same_file, write_bytes, write_text
from irstd.trec.runs import name_systems

TEMPLATE = "07_your_own_runs.ipynb"
LEFT_OUT = ("template", "interactive")  # tags of cells that mean nothing on a page
EXPORT = "export"  # tag of cells that write files, which are gone if no folder is given
COLUMNS = ("mean", "sd", "gmap", "standardized")
EXPORTS = ("scores", "standardized", "leaderboard", "means", "sds", "pairs", "intervals")


def write_report(
    runs: Sequence[str],
    qrels: str | None,
    output: str,
    *,
    scores: str | None = None,
    factors: tuple[str, str] | None = None,
    reference: str | None = None,
    other: str | None = None,
    metrics: Sequence[str] = (),
    min_relevance: int = 1,
    baseline: str | None = None,
    columns: Sequence[str] = (),
    folder: str | None = None,
    code: bool = False,
    progress: bool = True,
) -> None:
    """Run the notebook on one's own runs with `runs` and `qrels`, and write it as HTML.

    Parameters
    ----------
    runs : list of str
        Run files, patterns or a folder; none if there are `scores`.
    qrels : str
        The file of relevance judgments.
    output : str
        The page. It holds all it shows: pictures, style, no address of anything elsewhere.
    scores : str, optional
        A table of scores, in place of runs and judgments.
    factors : (str, str), optional
        CSV files of the means and standard deviations by topic.
    reference : str, optional
        A data set's name or a table of scores: the standardizing systems.
    other : str, optional
        A data set's name or a table of scores, to compare with.
    metrics : list of str, optional
        The first is looked at closely; by default AP, or what the table has. With one or none, all
        of the course are shown beside it.
    min_relevance : int, default 1
        The lowest grade that is relevant.
    baseline : str, optional
        The system that the others are compared with; by default the best.
    columns : list of str, optional
        Of the table for a paper: metrics, and ``mean``, ``sd``, ``gmap``, ``standardized``.
    folder : str, optional
        Where the tables and figures go; it is made if it is not there.
    code : bool, default False
        Show the code as well.
    progress : bool, default True
        Show a progress bar.

    Raises
    ------
    ValueError, OSError
        If a file is not what it should be: before the notebook is run, as far as that can be.
    RuntimeError
        If the notebook fails; what it had done is left beside `output`, as ``.failed.ipynb``.
    """
    metric, *more = list(metrics) or (_metrics_of(scores) if scores else ["AP"])
    files = find_files(list(runs)) if not scores else []
    page = Path(output).expanduser().absolute()
    tables = [str(name) for name in (scores, reference, other) if name]
    inputs = [*files, *filter(None, [qrels, *(factors or ()), *tables])]
    _check_outputs(page, folder, [Path(path) for path in inputs])
    others = [name for name in (reference, other) if name]
    metric, *more = _check_inputs(qrels, factors, others, [metric, *more])
    _check_names(files, scores, metric, baseline)
    for column in columns:
        check_choice(column, [*COLUMNS, metric, *(more or irstd.METRICS)], "column")
    if folder:
        Path(folder).expanduser().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        notebook = _execute(
            {
                "runs": [_named(file, place) for file in files] or None,
                "qrels": qrels and _named(qrels, place),
                "table": scores and _named(scores, place),
                "means": factors and _named(factors[0], place),
                "sds": factors and _named(factors[1], place),
                "reference": reference and _named(reference, place),
                "other": other and _named(other, place),
                "metric": metric,
                "more": more or None,
                "min_relevance": min_relevance,
                "baseline": baseline,
                "columns": list(columns) or None,
                "folder": folder and str(Path(folder).expanduser().absolute()),
            },
            Path(place),
            page.with_suffix(".failed.ipynb"),
            progress,
        )
    n, source = len(files), _shown(Path(str(scores or qrels)).name)
    title = f"{n} run{'s' * (n != 1)} on {source}" if files else f"The scores of {source}"
    about = {"metric": metric, "judgments" if files else "scores": source}
    about |= {"relevant from grade": str(min_relevance)} if min_relevance != 1 else {}
    about |= {"standardized by": _shown(Path(reference).name)} if reference else {}
    about |= {"compared with": _shown(Path(other).name)} if other else {}
    about["date"] = datetime.date.today().isoformat()
    left_out = LEFT_OUT if folder else (*LEFT_OUT, EXPORT)
    write_text(to_html(notebook, title, about, left_out, code=code), page)


def _check_outputs(page: Path, folder: str | None, inputs: Sequence[Path]) -> None:
    if page.is_dir():
        raise ValueError(f"{page}: is a folder; expected the name of a file to write")
    if not page.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {page.parent} to write {page.name} to")
    written = [page]
    if folder:
        home = Path(folder).expanduser()
        kinds = (".csv", ".tex", ".png", ".svg")
        written += [home / f"{name}{kind}" for name in EXPORTS for kind in kinds]
    for target in written:
        for source in inputs:
            if same_file(target, source):
                raise ValueError(f"{source}: would be replaced by what is written; choose another"
                                 f" {'file' if target == page else 'folder'}")  # fmt: skip


def _check_inputs(
    qrels: str | None,
    factors: tuple[str, str] | None,
    tables: Sequence[str],
    metrics: list[str],
) -> list[str]:
    """Read what is soon read, score a run of one document; irstd's names of the metrics."""
    with warnings.catch_warnings(action="ignore"):  # the notebook says them
        if qrels:
            irstd.read_qrels(qrels)
            run = pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "score": [1.0]})
            judged = pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "relevance": [1]})
            scored = irstd.evaluate({"run": run}, judged, metrics)
            metrics = [str(metric) for metric in scored.columns.unique(0)]
        if factors:
            irstd.Factors.from_csv(*factors)
        for table in tables:
            if not Path(table).expanduser().exists() and table in irstd.list_datasets().index:
                irstd.load_dataset(table, metrics[0])
            else:
                irstd.read_scores(table)
    return metrics


def _check_names(
    files: Sequence[Path], scores: str | None, metric: str, baseline: str | None
) -> None:
    """Refuse a metric that is not in the table, and a baseline that is none of the runs."""
    names: Collection[str] = ()
    with warnings.catch_warnings(action="ignore"):
        if scores:
            table = irstd.read_scores(scores)
            if table.columns.nlevels > 1:
                check_choice(metric, table.columns.unique(0), "metric")
            names = table.columns.unique(-1)
        elif baseline is not None:  # all files are read for it: a name may be that of a file
            names = name_systems(files, [parse_run(file).tags for file in files])
    if baseline is not None:
        check_choice(baseline, names, "baseline")


def _metrics_of(path: str) -> list[str]:
    """The metrics of a table of scores, if it names them."""
    with warnings.catch_warnings(action="ignore"):
        table = irstd.read_scores(path)
    if table.columns.nlevels > 1:
        return [str(metric) for metric in table.columns.unique(0)]
    return [table.attrs.get("metric", "score")]


def _shown(name: str) -> str:
    """A name, with a mark in place of what is not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _named(path: str | Path, place: str) -> str:
    """The absolute path of a file, or of a link to it if its name is not UTF-8; else the word."""
    file = Path(path).expanduser()
    if not file.exists():
        return str(path)  # of a data set
    try:
        str(file.absolute()).encode()
        return str(file.absolute())
    except UnicodeEncodeError:
        link = Path(place, f"{len(os.listdir(place))} {_shown(file.name)}")
        link.symlink_to(file.absolute())
        return str(link)


def _execute(parameters: dict, place: Path, failed: Path, progress: bool) -> Any:
    """The notebook, executed where no file of the user's is a module or a setting."""
    executed = place / TEMPLATE
    with _surroundings(place), warnings.catch_warnings(action="ignore"):
        import papermill  # slow, and needed by no other command

        try:
            return papermill.execute_notebook(
                str(course_folder() / TEMPLATE),
                str(executed),
                parameters=parameters,
                kernel_name="python3",
                progress_bar=progress,
                cwd=str(place),
                # It need not say that it listens on loopback only.
                extra_arguments=["--IPKernelApp.log_level=ERROR"],
            )
        except papermill.PapermillExecutionError as error:
            write_bytes(executed.read_bytes(), failed)
            raise RuntimeError(
                f"{error.ename}: {error.evalue} (the notebook stopped there; it is {failed})"
            ) from error


@contextmanager
def _surroundings(place: Path) -> Iterator[None]:
    """Environment variables of a kernel that works with nothing but what is installed."""
    before = dict(os.environ)
    (place / "matplotlibrc").touch()  # found before the user's
    os.environ |= {
        "IPYTHONDIR": str(place / "ipython"),  # no start-up files
        "JUPYTER_PREFER_ENV_PATH": "1",  # not a python3 kernel that is registered elsewhere
        "PYTHONSAFEPATH": "1",
    }
    for name in ("IRSTD_DATA", "IRSTD_CACHE"):
        if os.environ.get(name):
            os.environ[name] = str(Path(os.environ[name]).expanduser().absolute())
    for name in ("MPLBACKEND", "PYTHONSTARTUP"):
        os.environ.pop(name, None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
