"""The `irstd` command, with CSV input and output for pipelines."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click import Choice, argument, option

import irstd
from irstd._base.messages import describe_missing_package, import_optional
from irstd.course.files import check_output, read_table, write_output
from irstd.course.lab import copy_course, find_course_folder, open_lab
from irstd.course.report import write_report
from irstd.course.student import make_solutions_sheet, write_student_version
from irstd.metrics.names import find_metric
from irstd.own_runs.reading import is_data_set
from irstd.standardize import METHODS
from irstd.trec import find_files
from irstd.trec.written_scores import format_scores


class Commands(click.Group):
    """Group of commands with each error and each warning in one sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; raise ClickException for the errors of irstd and of files."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # from libraries; those of irstd are UserWarnings
            warnings.simplefilter("default", UserWarning)  # each once
            warnings.showwarning = _print_warning  # type: ignore[assignment]
            try:
                return super().invoke(ctx)
            except (click.exceptions.Exit, BrokenPipeError):  # which click handles
                raise
            except click.BadOptionUsage as error:
                raise click.UsageError(f"{error} See --help of the command.") from error
            except (OSError, ValueError, RuntimeError, ModuleNotFoundError, MemoryError) as error:
                raise click.ClickException(escape_unprintable(_describe_error(error))) from error


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run the command and return its exit code.

    It is 0 after success, 1 after an error or an interruption, and 2 after wrong usage.
    """
    if arguments is None and isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")  # also in files and pipes
    try:
        irstd_command.main(arguments, prog_name="irstd")
    except SystemExit as done:
        return done.code


def _describe_error(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return describe_missing_package(error.name.partition(".")[0])
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    message = str(error) or type(error).__name__
    # What is to be given in Python is no option of a command.
    if re.search(r"\b(topic|system|metric|value|names)=|read_parquet", message):
        message += "; read it with irstd.read_scores, and write it with irstd.write_scores"
    return message


def _print_warning(message: Warning | str, *_: Any) -> None:
    """Print a warning without its source line."""
    click.echo(f"irstd: warning: {escape_unprintable(str(message))}", err=True)


def escape_unprintable(text: str) -> str:
    """Escape unprintable characters, which could control a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def refuse_metrics(_: Any, __: Any, files: tuple[str, ...]) -> tuple[str, ...]:
    """Raise if a metric stands among files, as in ``-m AP nDCG``."""
    for name in files:
        if find_metric(name) and not Path(name).exists():
            raise click.UsageError(f"{name} is not a file; a metric needs its own -m: -m {name}")
    return files


OUTPUT_HELP = 'Output file; "-" is standard output.'
OUTPUT = option("-o", "--output", default="-", metavar="FILE", help=OUTPUT_HELP)
QUIET = option(
    "-q", "--quiet", "progress", is_flag=True, help="Hide the progress bar.",
    callback=lambda ctx, param, quiet: not quiet and bool(sys.stderr and sys.stderr.isatty()),
)  # fmt: skip
GRADE = option(
    "--min-relevance",
    default=1,
    metavar="GRADE",
    help="Lowest relevant grade; lower grades have no gain, even in nDCG.",
)
FACTORS = option(
    "--factors",
    nargs=2,
    metavar="MEANS SDS",
    help="Published factors: two CSV files.",
)
FACTOR_NAMES = option(
    "--factor-names", type=Choice(["irstd", "page"]), default="irstd",
    help='Origin of the metric names; "page" is the factor page of 2008, where DCG is JDCG.',
)  # fmt: skip
REFERENCE = option(
    "--reference",
    metavar="SCORES",
    help="Standardizing systems: a file of scores, or a data set such as trec8.",
)
FOLDER = click.Path(path_type=Path, resolve_path=True)
NOTEBOOKS = option(
    "--notebooks", metavar="FOLDER", type=FOLDER, help="Folder of your own notebooks."
)


@click.group(
    cls=Commands,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(irstd.__version__, message="%(prog)s %(version)s")
def irstd_command() -> None:
    """Interpret and compare retrieval scores: a course and a toolkit.

    \b
    irstd lab                                            the course, in JupyterLab
    irstd report runs/*.gz qrels.txt -o report.html      a report on your runs
    irstd evaluate runs/*.gz qrels.txt -m AP | irstd standardize > standardized.csv

    See irstd COMMAND --help for options and examples.
    """


@irstd_command.command()
@argument("files", nargs=-1, metavar="[RUNS... QRELS]", callback=refuse_metrics)
@option(
    "--scores",
    "table",
    metavar="SCORES",
    help="Score table or data set, instead of RUNS and QRELS.",
)
@option(
    "--collection",
    "collections",
    nargs=3,
    multiple=True,
    metavar="NAME RUNS QRELS",
    help="Name, runs and judgments of a collection; give at least two.",
)
@option(
    "--seeds",
    metavar="PATTERN",
    help="With --collection: pattern of run names, such as (?P<system>.*)-s(?P<seed>.*)",
)
@FACTORS
@REFERENCE
@option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    help="Metric to report, the main one first; repeatable. By default, AP, or all of SCORES.",
)
@option(
    "--smaller-is-better",
    multiple=True,
    metavar="METRIC",
    help="Metric for which smaller is better; repeatable.",
)
@GRADE
@option(
    "--missing",
    type=Choice(["zero", "nan"]),
    default="nan",
    help="Score of a topic that a run lacks.",
)
@option("--baseline", metavar="SYSTEM", help="System to test all others against.")
@option("--folder", help="Folder for the tables and figures as separate files.")
@option("--short", is_flag=True, help="Write only the first page.")
@option("--title", help="Title of the report; by default, the names of its data.")
@QUIET
@option("-o", "--output", default="report.html", metavar="FILE", help=OUTPUT_HELP)
def report(
    files: tuple[str, ...],
    table: str | None,
    collections: tuple[tuple[str, str, str], ...],
    factors: Any,
    output: str,
    title: str | None,
    short: bool,
    progress: bool,
    **given: Any,
) -> None:
    """Write a report on your runs.

    The report says which run is best, whether that is significant, and what is missing: the output
    of the notebook 07_your_own_runs, as one HTML page. RUNS are run files, quoted patterns, or a
    folder; QRELS is the file of judgments. A run that lacks topics is listed separately; with
    --missing zero it scores 0 on them. Without arguments, the report is an example.

    \b
    examples:
      irstd report runs/ qrels.txt --reference trec8 -m AP -m P@10 --folder tables
      irstd report --scores ap.csv
      irstd report --collection fiqa fiqa/runs fiqa.tsv --collection nq nq/runs nq.tsv
    """
    if factors and given["reference"]:
        raise click.UsageError("--factors and --reference exclude each other")
    inputs = [*files, table, given["reference"], *(factors or ())]
    given["reference"] = factors or given["reference"]
    parameters = {name: value for name, value in given.items() if value or value == 0}
    data = "An example: engines on the documentation of numpy and scipy"
    if collections:
        excluded = parameters.keys() & {"reference", "smaller_is_better", "folder"}
        if files or table or excluded or len(given["metrics"]) > 1:
            raise click.UsageError(
                "--collection excludes RUNS and QRELS, --scores, --factors, --reference,"
                " --smaller-is-better, --folder and a second --metric"
            )
        parameters["runs"] = {name: runs for name, runs, _ in collections}
        parameters["qrels"] = {name: qrels for name, _, qrels in collections}
        if len(collections) < 2 or len(parameters["runs"]) < len(collections):
            raise click.UsageError("--collection must be given twice or more, with different names")
        inputs = [*parameters["runs"].values(), *parameters["qrels"].values()]
        data = f"Runs on {', '.join(parameters['qrels'])}"
    elif given["seeds"]:
        raise click.UsageError("--seeds needs --collection")
    elif (table and files) or len(files) == 1:
        raise click.UsageError("expected RUNS and QRELS, or --scores")
    elif files:
        parameters |= {"runs": files[:-1], "qrels": files[-1]}
        data = f"Runs on {Path(files[-1]).name}"
    elif table:
        parameters = {"metrics": None, "runs": table} | parameters  # all metrics of a table
        data = f"Scores of {Path(table).name}"
    paths = list(filter(None, inputs))
    write_report(output, title or data, parameters, paths, short=short, progress=progress)


@irstd_command.command()
@argument("files", nargs=-1, metavar="RUNS... QRELS", callback=refuse_metrics)
@option("-m", "--metric", "metrics", multiple=True, help="Metric, such as AP or P@20; repeatable.")
@option("--depth", type=int, help="Number of ranks to evaluate; by default, all.")
@GRADE
@option(
    "--gain",
    type=Choice(["linear", "exponential"]),
    default="linear",
    help="Gain of a grade in DCG and nDCG.",
)
@option(
    "--missing",
    type=Choice(["zero", "nan", "raise"]),
    default="zero",
    help="Score of a topic that a run lacks.",
)
@option(
    "--unjudged",
    type=Choice(["zero", "drop"]),
    default="zero",
    help="Unjudged documents are not relevant (zero) or removed (drop).",
)
@option(
    "--ignore-identical-ids",
    is_flag=True,
    default=None,
    help="Ignore documents whose id equals the topic id, as BEIR does.",
)
@option("--jobs", "n_jobs", default=1, help="Number of threads; -1 is one per core.")
@QUIET
@OUTPUT
def evaluate(files: tuple[str, ...], metrics: tuple[str, ...], output: str, **options: Any) -> None:
    """Score run files, and write the scores as CSV.

    One metric gives one row per topic and one column per system; several metrics (by default, all
    eleven) give rows of topic,metric,system,score. RUNS are run files (TREC or MS MARCO),
    quoted patterns, or a folder; QRELS is the file of judgments (TREC or BEIR).

    \b
    example:
      irstd evaluate runs/*.gz qrels.txt -m AP -m P@20 -o scores.csv
    """
    if len(files) < 2:
        raise click.UsageError("expected run files, then QRELS, the file of judgments")
    *names, qrels = files
    runs = find_files(names)
    check_output(output, [*runs, qrels], ".csv")
    requested: str | tuple[str, ...] = metrics or irstd.METRICS
    if len(metrics) == 1:
        requested = metrics[0]  # a single metric gives a wide table
    scores = irstd.evaluate(runs, qrels, requested, **options)
    write_output(format_scores(scores), output)


@irstd_command.command()
@argument("scores", default="-")
@FACTORS
@FACTOR_NAMES
@REFERENCE
@option("-m", "--metric", help="Metric of SCORES, or the one to standardize if there are several.")
@option("--method", type=Choice(METHODS), default="normal", help="Standardization method.")
@option(
    "--zero-sd",
    type=Choice(["neutral", "drop", "raise"]),
    default="neutral",
    help="Topics on which all systems score the same: neutral gives .5 (z 0), drop omits.",
)
@OUTPUT
def standardize(
    scores: str,
    factors: Any,
    factor_names: str,
    reference: str | None,
    metric: Any,
    output: str,
    **options: Any,
) -> None:
    """Standardize a score table, and write it as CSV.

    SCORES is a file; by default, standard input. Factors are the mean and standard deviation of the
    standardizing systems' scores on each topic. Without factors or a reference, the systems of
    SCORES are the standardizing systems.

    \b
    examples:
      irstd standardize scores.csv --factors means.csv sds.csv > standardized.csv
      irstd standardize ap.csv --reference robust2003 --metric AP --method z -o z.csv
      irstd standardize ap.csv --reference trec8 --metric AP -o standardized.csv
    """
    if factors and reference:
        raise click.UsageError("--factors and --reference exclude each other")
    if metric in METHODS:
        raise click.UsageError(f"--metric {metric}: {metric!r} is a method: give --method {metric}")
    check_output(output, [scores, *(factors or ()), reference or "-"], ".csv")
    table = read_table(scores, metric)
    against: Any = None
    if factors:
        against = irstd.Factors.from_csv(*factors, names=factor_names)
    elif is_data_set(reference):
        against = reference
    elif reference:
        against = read_table(reference, metric)
    write_output(format_scores(irstd.standardize(table, against, **options)), output)


@irstd_command.command()
@argument("scores")
@option("-m", "--metric", help="Metric of SCORES, or the only one to use; by default, all.")
@option(
    "-o",
    "--output",
    nargs=2,
    metavar="MEANS SDS",
    help="Output files for means and standard deviations.",
)
@option("--trec-eval", metavar="FILE", help="Output file for trec_eval -Z.")
def factors(scores: str, metric: str | None, output: Any, trec_eval: str | None) -> None:
    """Write standardization factors for publication.

    Factors are the mean and standard deviation of the standardizing systems' scores on each topic;
    they serve to standardize later systems. SCORES are those of the standardizing systems: a file,
    "-" for standard input, or a data set.

    \b
    example:
      irstd factors robust2003 --metric AP -o means.csv sds.csv
    """
    targets = [*(output or ()), *filter(None, [trec_eval])]
    if not targets:
        raise click.UsageError("nothing to write: give --output or --trec-eval")
    for n, target in enumerate(targets):
        check_output(target, [scores, *targets[:n]])
    table = read_table(scores, metric)
    if table.columns.nlevels == 1 and "metric" not in table.attrs:
        raise click.UsageError(f"{scores} does not name its metric: give it with --metric")
    published = irstd.standardization_factors(table)
    if output:
        published.to_csv(*output)
    if trec_eval:
        published.to_trec_eval(trec_eval)


@irstd_command.command(context_settings={"ignore_unknown_options": True})
@argument("folder", default="~/irstd-course")
@argument("options", nargs=-1, metavar="[-- JUPYTERLAB-OPTION ...]")
@option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@option("--copy-only", is_flag=True, help="Copy the notebooks without starting JupyterLab.")
def lab(folder: str, options: tuple[str, ...], no_browser: bool, copy_only: bool) -> None:
    """Open the course in JupyterLab.

    Copies missing notebooks of the course to FOLDER, by default ~/irstd-course, and opens
    JupyterLab there. Existing notebooks are kept as they are. Options after "--" are JupyterLab's.

    \b
    example:
      irstd lab ~/ir-course --no-browser -- --port=8899
    """
    if folder.startswith("-"):
        raise click.UsageError(f"{folder}: give FOLDER first, then JupyterLab's options")
    home = Path(folder).expanduser().resolve()
    if not copy_only:
        import_optional("jupyterlab.labapp")  # before any file is written
    click.echo("\n".join([*copy_course(home), f"The course is in {home}"]))
    warnings.simplefilter("ignore")  # those of JupyterLab are for its developers
    if not copy_only:
        sys.exit(open_lab(home, [*options, *["--no-browser"] * no_browser]))


@irstd_command.command()
@argument("folder", type=FOLDER)
@NOTEBOOKS
def student(folder: Path, notebooks: Path | None) -> None:
    """Copy the course for students.

    For lecturers: copies the notebooks to a new FOLDER, without cells tagged lecturer. Students can
    read the solutions of the course with irstd.solution.

    \b
    example:
      irstd student handout --notebooks my-course
    """
    written = write_student_version(folder, notebooks)
    click.echo(f"{len(written)} notebooks for students are in {folder}")


@irstd_command.command()
@NOTEBOOKS
@OUTPUT
def solutions(notebooks: Path | None, output: str) -> None:
    """Write the answers to predictions and exercises.

    For lecturers: one Markdown sheet, ordered by lesson, with solutions, common mistakes and hints.

    \b
    example:
      irstd solutions --notebooks my-course -o solutions.md
    """
    check_output(output, (notebooks or find_course_folder()).glob("*"), ".md")
    write_output(make_solutions_sheet(notebooks), output)


if __name__ == "__main__":
    sys.exit(main())
