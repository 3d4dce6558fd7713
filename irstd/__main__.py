"""The `irstd` command: CSV in, CSV out, fit for pipelines; errors as sentences, exit codes."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
import pandas as pd

import irstd
from irstd._checks import listed, warn
from irstd.course.answers import write_exercises
from irstd.course.lab import copy_course, course_folder, open_lab
from irstd.course.report import write_report
from irstd.course.student import FORMATS, solutions_sheet, write_student_version
from irstd.factors import UNNAMED
from irstd.standardize import METHODS
from irstd.trec import find_files
from irstd.trec._write import same_file, write_text
from irstd.trec.scores import scores_text

LIMIT = 2000  # characters of a message that are printed
SENTENCES = (OSError, ValueError, RuntimeError, ModuleNotFoundError)  # errors that explain


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the command, and return its exit code: 0 done, 1 failed, 2 misused, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = " ".join(["irstd", *(word for word in words[:1] if word in irstd_command.commands)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of libraries; irstd's own are UserWarnings
            warnings.simplefilter("always", UserWarning)
            _say_once(name)
            with irstd_command.make_context("irstd", words) as context:
                return irstd_command.invoke(context) or 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        usage = error.ctx.get_usage() if error.ctx else f"Usage: {name} --help"
        return _fail(f"{usage}\n{name}", error.format_message(), 2)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _fail(name, "interrupted", 130)
    except MemoryError as error:
        return _fail(name, f"there is not enough memory for this. {error}")
    except SENTENCES as error:
        return _fail(name, _sentence(error))
    except Exception as error:
        if os.environ.get("IRSTD_DEBUG"):
            raise
        return _fail(
            name,
            f"this is a bug in irstd ({type(error).__name__}: {error}). Please report it, with the"
            " traceback that the same command shows after IRSTD_DEBUG=1 is set",
        )


def _fail(name: str, sentence: str, code: int = 1) -> int:
    click.echo(f"{name}: {printable(sentence)}", err=True)
    return code


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _say_once(name: str) -> None:
    """Print each warning as a sentence, and once."""
    said = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        sentence = str(message).removeprefix(f"{name.removeprefix('irstd ')}: ")
        if sentence not in said:
            said.add(sentence)
            click.echo(f"{name}: warning: {printable(sentence)}", err=True)

    warnings.showwarning = show


def printable(text: str) -> str:
    """A text of which nothing, such as the tag of a run, can change how a terminal works."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:LIMIT])
    return shown + ("..." if len(text) > LIMIT else "")


class Given(click.ParamType):
    """A text that is not empty, as one from a variable that is not set would be."""

    name = "text"

    def convert(self, value: str, param: Any, ctx: Any) -> str:
        if not value:
            self.fail("it is empty", param, ctx)
        return value


GIVEN = Given()
OUTPUT = click.option(
    "-o", "--output", default="-", type=GIVEN, metavar="FILE", help='"-" is standard output.'
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
MIN_RELEVANCE = click.option(
    "--min-relevance", type=int, default=1, metavar="GRADE", help="Relevant from here on."
)
FACTORS = click.option(
    "--factors", nargs=2, type=GIVEN, metavar="MEANS SDS", help="Files of factors, as published."
)
REFERENCE = click.option(
    "--reference", type=GIVEN, metavar="SCORES", help="Standardizing systems: a file or a data set."
)

OWN_NOTEBOOKS = click.option(
    "--notebooks", type=GIVEN, metavar="FOLDER", help="Yours, in place of the course's."
)


@click.group(
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(irstd.__version__, message="%(prog)s %(version)s")
def irstd_command() -> None:
    """What does a retrieval score mean, and can two be compared? A course and a toolkit.

    \b
    irstd lab                                            the course, in JupyterLab
    irstd report runs/*.gz qrels.txt -o report.html      what there is to say of your runs
    irstd evaluate runs/*.gz qrels.txt -m AP | irstd standardize > standardized.csv

    irstd COMMAND --help tells more, with examples.
    """


def command(name: str, *examples: str, **more: Any) -> Callable:
    """A command whose help ends in examples."""
    epilog = "\n".join(
        ["\b", "examples:", *(f"  irstd {name} {words}".rstrip() for words in examples)]
    )
    return irstd_command.command(name, epilog=epilog, **more)


class Lab(click.Command):
    """A command that hands on what comes after ``--``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        cut = args.index("--") if "--" in args else len(args)
        ctx.obj = args[cut + 1 :]
        return super().parse_args(ctx, args[:cut])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- JUPYTERLAB-OPTION ...]"]


@command("lab", "", "~/ir-course", "--no-browser -- --port=8899", cls=Lab)
@click.argument("folder", default="~/irstd-course", type=GIVEN)
@click.option("--no-browser", is_flag=True, help="Only print the address to open.")
@click.option("--copy-only", is_flag=True, help="Do not start JupyterLab.")
@click.pass_obj
def lab(passed: list[str], folder: str, no_browser: bool, copy_only: bool) -> int:
    """Open the course in JupyterLab.

    Copies the notebooks of the course to FOLDER and opens JupyterLab there. A notebook that is in
    FOLDER already stays as it is: for those of a newer version, give a new folder.
    """
    home = Path(folder).expanduser().resolve()
    try:
        sentences = copy_course(home)
    except OSError as error:
        raise OSError(f"the course cannot be copied to {home} ({_sentence(error)})") from error
    for sentence in [*sentences, f"The course is in {home}"]:
        click.echo(sentence)
    if copy_only:
        return 0
    warnings.simplefilter("ignore")  # those of JupyterLab are for its developers
    return open_lab(home, passed + ["--no-browser"] * no_browser)


@command(
    "report",
    "runs/*.gz qrels.txt -o report.html",
    "runs/ qrels.txt --reference robust2003 --baseline bm25",
    "runs/ qrels.txt -m nVDCG -m P@10 --min-relevance 2 --folder tables",
    "--scores ap.csv --other trec8",
)
@click.argument("files", nargs=-1, type=GIVEN, metavar="RUNS... QRELS")
@click.option("--scores", type=GIVEN, metavar="FILE", help="A table, in place of RUNS and QRELS.")
@FACTORS
@REFERENCE
@click.option("--other", type=GIVEN, metavar="SCORES", help="To compare with: as for --reference.")
@click.option(
    "-m", "--metric", multiple=True, type=GIVEN, help="AP, or others: the main one first."
)
@MIN_RELEVANCE
@click.option("--baseline", type=GIVEN, metavar="SYSTEM", help="Compared with all; else the best.")
@click.option(
    "--column", multiple=True, type=GIVEN, help="Of the table for a paper: P@10, gmap ..."
)
@click.option("--folder", type=GIVEN, help="Where tables and figures go; else none are kept.")
@click.option("--code", is_flag=True, help="Show the code as well.")
@QUIET
@click.option("-o", "--output", default="report.html", type=GIVEN, metavar="FILE")
def report(
    files: tuple[str, ...],
    scores: str | None,
    metric: tuple[str, ...],
    column: tuple[str, ...],
    quiet: bool,
    output: str,
    **options: Any,
) -> None:
    """Write a page on your runs.

    Runs the notebook 07_your_own_runs with your files, and writes what it shows as one page of
    HTML: what is missing, scores raw and standardized, leaderboard, tests, hard topics. RUNS are
    run files, patterns in quotes, or a folder; QRELS is the file of relevance judgments.
    """
    if scores and files:
        raise click.UsageError("--scores comes in place of RUNS and QRELS")
    if not scores and len(files) < 2:
        raise click.UsageError("expected RUNS and QRELS, or --scores")
    if options["factors"] and options["reference"]:
        raise click.UsageError("--factors and --reference exclude each other")
    options |= {
        "scores": scores,
        "metrics": metric,
        "columns": column,
        "progress": _progress(quiet),
    }
    write_report(files[:-1], files[-1] if files else None, output, **options)


@command(
    "evaluate",
    "runs/*.gz qrels.txt -m AP -o ap.csv",
    "runs/ qrels.txt -m AP -m P@20 -m RBP.8 --jobs 2 > scores.csv",
)
@click.argument("runs", nargs=-1, required=True, type=GIVEN)
@click.argument("qrels", type=GIVEN)
@click.option("-m", "--metric", multiple=True, type=GIVEN, help="AP, P@20, ...; again for more.")
@click.option("--depth", type=int, default=1000, help="Documents that count.")
@MIN_RELEVANCE
@click.option(
    "--missing",
    type=click.Choice(["zero", "nan", "raise"]),
    default="zero",
    help="The score of a topic that a run lacks.",
)
@click.option("--jobs", type=int, default=1, help="Processes; -1 is one for each core.")
@QUIET
@OUTPUT
def evaluate(
    runs: tuple[str, ...],
    qrels: str,
    metric: tuple[str, ...],
    jobs: int,
    quiet: bool,
    output: str,
    **options: Any,
) -> None:
    """Score run files, as CSV.

    One metric gives one line per topic and one column per system; several give lines
    topic,metric,system,score. By default, all eleven metrics. RUNS are run files, patterns in
    quotes, or a folder, plain or gzipped; QRELS is the file of relevance judgments. DCG and nDCG
    are Jarvelin and Kekalainen's: what trec_eval, ir_measures and ranx call nDCG is nVDCG here.
    """
    files = find_files(list(runs))
    check_output(output, [*files, Path(qrels)])
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # workers take no modules from this folder
    names = metric[0] if len(metric) == 1 else metric or irstd.METRICS
    options |= {"n_jobs": jobs, "progress": _progress(quiet)}
    _write(scores_text(irstd.evaluate(files, qrels, names, **options)), output)


@command(
    "standardize",
    "scores.csv --factors means.csv sds.csv > standardized.csv",
    "mine.csv --reference everybody.csv --method z -o z.csv",
    "ap.csv --reference robust2003 --metric AP",
)
@click.argument("scores", default="-", type=GIVEN)
@FACTORS
@REFERENCE
@click.option("-m", "--metric", type=GIVEN, help="That of SCORES.")
@click.option("--method", type=click.Choice(METHODS), default="normal")
@click.option(
    "--zero-sd",
    type=click.Choice(["neutral", "drop", "raise"]),
    default="neutral",
    help="What becomes of a topic on which all score the same.",
)
@OUTPUT
def standardize(
    scores: str,
    factors: tuple[str, str] | None,
    reference: str | None,
    metric: str | None,
    output: str,
    **options: Any,
) -> None:
    """Standardize a table of scores, as CSV.

    Reads scores by topic (one column per system, or lines topic,system,score with perhaps a metric,
    or the output of trec_eval -q) and writes them standardized, in the same form. SCORES is a file;
    by default, standard input. Without factors or a reference, the systems standardize each other.
    """
    if factors and reference:
        raise click.UsageError("--factors and --reference exclude each other")
    inputs = [*(factors or ()), *([reference] if reference else []), scores]
    check_output(output, map(Path, inputs))
    table = read_table(scores)
    against: Any = None
    if metric and table.columns.nlevels == 1:
        table.attrs["metric"] = metric
    if factors:
        against = irstd.Factors.from_csv(*factors)
        names = against.mean.columns.to_list()
        if table.columns.nlevels == 1 and "metric" not in table.attrs and names != [UNNAMED]:
            warn(f"the scores are taken for {listed(names)}, as the factors are; --metric says it")
    elif reference:
        several = table.columns.nlevels > 1
        named = [str(name) for name in table.columns.unique(0)] if several else [metric or ""]
        against = read_table(reference, list(filter(None, named)))
        if table.columns.nlevels == 1 and against.columns.nlevels > 1:
            against = against[metric]
    _write(scores_text(irstd.standardize(table, against, **options)), output)


@command(
    "factors",
    "scores.csv -o means.csv sds.csv",
    "robust2003 --metric AP --trec-eval factors.txt",
)
@click.argument("scores", type=GIVEN)
@click.option("-m", "--metric", multiple=True, type=GIVEN, help="Of SCORES; again for more.")
@click.option("-o", "--output", nargs=2, type=GIVEN, metavar="MEANS SDS", help="Two CSV files.")
@click.option("--trec-eval", type=GIVEN, metavar="FILE", help="The file for trec_eval -Z.")
def factors(
    scores: str,
    metric: tuple[str, ...],
    output: tuple[str, str] | None,
    trec_eval: str | None,
) -> None:
    """Write standardization factors, to be published.

    SCORES are those of the standardizing systems: a file, "-" for standard input, or a data set.
    The factors are their mean and standard deviation on each topic.
    """
    targets = [*(output or ()), *([trec_eval] if trec_eval else [])]
    if not targets:
        raise click.UsageError("nothing to write: give --output or --trec-eval")
    for n, target in enumerate(targets):
        check_output(target, [Path(path) for path in (scores, *targets[:n])])
    table = read_table(scores, list(metric))
    if table.columns.nlevels > 1:
        table = table[list(metric)] if metric else table
    elif len(metric) == 1:
        table = pd.concat({metric[0]: table}, axis=1, names=["metric", "system"])
    else:
        raise click.UsageError("say of which metric the scores are, by --metric")
    made = irstd.standardization_factors(table)
    if output:
        made.to_csv(*output)
    if trec_eval:
        made.to_trec_eval(trec_eval)


@command("datasets", "", "sim-trec8 > scores.csv", "trec8 --metric P@10")
@click.argument("name", required=False, type=GIVEN)
@click.option("-m", "--metric", default="AP", type=GIVEN)
@OUTPUT
def datasets(name: str | None, metric: str, output: str) -> None:
    """List the data sets, or print one as CSV.

    Simulated collections, which are always there, and public scores of TREC systems, which are
    fetched once and verified.
    """
    check_output(output, [])
    if name is not None:
        return _write(scores_text(irstd.load_dataset(name, metric)), output)
    table = irstd.list_datasets().reset_index().drop(columns=["licence", "citation"])
    return _write(table.to_string(index=False) + "\n", output)


@command("student", "handout", "handout --notebooks my-course", "course --format nbgrader")
@click.argument("folder", type=GIVEN)
@OWN_NOTEBOOKS
@click.option("--format", type=click.Choice(FORMATS), default=FORMATS[0], help="Who grades.")
@click.option("--points", type=click.IntRange(1), default=1, help="Of each exercise, if graded.")
def student(folder: str, notebooks: str | None, format: str, points: int) -> None:
    """Write the course without its solutions.

    For lecturers: copies the notebooks to FOLDER, a new one, with the solution cells left out. The
    checks of the exercises stay, and tell students whether they are right.

    For nbgrader and otter-grader, what is written still has the solutions: `nbgrader
    generate_assignment LESSON` and `otter assign LESSON.ipynb dist` take them out.
    """
    target = Path(folder).expanduser().resolve()
    written = write_student_version(target, _own(notebooks), format=format, points=points)
    kind = "without solutions" if format == FORMATS[0] else f"for {format}"
    click.echo(f"{len(written)} notebooks {kind} are in {target}")


@command("solutions", "-o solutions.md", "--notebooks my-course")
@OWN_NOTEBOOKS
@OUTPUT
def solutions(notebooks: str | None, output: str) -> None:
    """Write the lecturer's sheet: each exercise with its solution, answer, mistakes and hints."""
    folder = _own(notebooks) or course_folder()
    check_output(output, folder.iterdir())
    return _write(solutions_sheet(folder), output)


@command("exercises", "my-course")
@click.argument("folder", type=GIVEN)
def exercises(folder: str) -> None:
    """Write FOLDER/exercises.csv for exercises of your own, from what their solutions show.

    The texts, hints and mistakes in it are yours to fill in, and stay when it is written again.
    """
    click.echo(f"the exercises are in {write_exercises(Path(folder).expanduser().resolve())}")


def _own(notebooks: str | None) -> Path | None:
    return Path(notebooks).expanduser().resolve() if notebooks else None


def _progress(quiet: bool) -> bool:
    return not quiet and sys.stderr is not None and sys.stderr.isatty()


def check_output(path: str, inputs: Iterable[Path]) -> None:
    """Refuse, before any work is done, a file that cannot be written or is read."""
    file = Path(path).expanduser()
    if path == "-":
        return
    if file.is_dir():
        raise ValueError(f"{path}: is a folder; expected the name of a file to write")
    if not file.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {file.parent} to write to")
    if any(same_file(file, other) for other in inputs):
        raise ValueError(f"{path}: this command uses that file already; choose another name")


def read_table(source: str, metrics: list[str] | None = None) -> pd.DataFrame:
    """Scores of a file, of standard input ("-"), or of a data set in some metrics."""
    if source == "-":
        return _read_standard_input()
    if not Path(source).expanduser().exists() and source in irstd.list_datasets().index:
        if not metrics:
            raise click.UsageError(f"{source} is a data set: say in which metric, by --metric")
        return irstd.load_dataset(source, metrics)
    return irstd.read_scores(source)


def _read_standard_input() -> pd.DataFrame:
    if sys.stdin is None:
        raise OSError("standard input is closed")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "standard input")
        file.write_bytes(sys.stdin.buffer.read())
        try:
            return irstd.read_scores(file)
        except ValueError as error:
            raise ValueError(str(error).replace(str(file), file.name)) from error


def _write(text: str, output: str) -> None:
    if output != "-":
        write_text(text, output)
    elif sys.stdout is None:
        raise OSError("standard output is closed")
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
