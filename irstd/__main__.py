"""The ``irstd`` command."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import irstd
from irstd._commands import evaluate_runs, show_datasets, standardize_scores
from irstd.course.lab import copy_course, open_lab
from irstd.course.report import write_report
from irstd.course.student import write_student_version
from irstd.standardize import METHODS

DESCRIPTION = """\
What does a retrieval score mean, and can two be compared? A course and a toolkit.

  irstd lab                                            the course, in JupyterLab
  irstd report runs/*.gz qrels.txt -o report.html      what there is to say of your runs
  irstd evaluate runs/*.gz qrels.txt -m AP | irstd standardize > standardized.csv
"""
RUNS = "run files, a pattern in quotes, or a folder; plain or gzipped"
QRELS = "the file of relevance judgments"
OUTPUT = 'the file to write; "-", the default, is standard output'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 0 done, 1 failed, 2 misused, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    passed: list[str] = []
    if given[:1] == ["lab"] and "--" in given:
        cut = given.index("--")
        given, passed = given[:cut], given[cut + 1 :]
    options = _parser().parse_args(given)
    options.passed = passed
    name = f"irstd {options.command}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda message, *_: print(
                f"{name}: warning: {message}", file=sys.stderr
            )
            return options.run(options) or 0
    except BrokenPipeError:  # the reader, such as head, has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    except (OSError, ValueError, RuntimeError, ModuleNotFoundError) as error:
        print(f"{name}: {_sentence(error)}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="irstd",
        description=DESCRIPTION,
        epilog="irstd COMMAND --help tells more, with examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"irstd {irstd.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_add_lab, _add_report, _add_evaluate, _add_standardize, _add_datasets):
        add(commands)
    _add_student(commands)
    return parser


def _add(
    commands, name: str, run: Callable, short: str, text: str, examples: Sequence[str], **more
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=short,
        description=text,
        epilog="\n  ".join(["examples:", *examples]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **more,
    )
    command.set_defaults(run=run)
    return command


def _add_lab(commands) -> None:
    command = _add(
        commands,
        "lab",
        _lab,
        "open the course in JupyterLab",
        "Copies the notebooks of the course to a folder of yours and opens JupyterLab there. What\n"
        "you change stays as you leave it: when the course has a newer version of a notebook that\n"
        "you have changed (or run and saved), it is put beside yours as NAME.new.ipynb.",
        ["irstd lab", "irstd lab ~/ir-course", "irstd lab --no-browser -- --port=8899"],
        usage="irstd lab [-h] [--no-browser] [--copy-only] [FOLDER] [-- JUPYTERLAB-OPTION ...]",
    )
    command.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("~/irstd-course"),
        metavar="FOLDER",
        help="where to (default: %(default)s)",
    )
    command.add_argument("--no-browser", action="store_true", help="only print the address to open")
    command.add_argument("--copy-only", action="store_true", help="do not start JupyterLab")


def _add_report(commands) -> None:
    command = _add(
        commands,
        "report",
        lambda o: write_report(
            o.runs,
            o.qrels,
            o.output,
            factors=o.factors,
            other=o.other,
            metric=o.metric,
            folder=o.folder,
            code=o.code,
            progress=not o.quiet,
        ),
        "write a page on your runs",
        "Runs the notebook 07_your_own_runs with your files, and writes what it shows as one page\n"
        "of HTML: what is missing, scores raw and standardized, leaderboard, tests, hard topics.",
        [
            "irstd report runs/*.gz qrels.txt -o report.html",
            "irstd report runs/ qrels.txt --factors means.csv sds.csv -o report.html",
            "irstd report runs/ qrels.txt --metric nVDCG --other trec8 --folder tables",
        ],
    )
    command.add_argument("runs", nargs="+", metavar="RUNS", help=RUNS)
    command.add_argument("qrels", metavar="QRELS", help=QRELS)
    _add_factors(command, "standardize against these; by default the runs standardize each other")
    command.add_argument("--other", metavar="SCORES", help="a data set or a table, to compare with")
    command.add_argument("--metric", default="AP", help="looked at closely (default: %(default)s)")
    command.add_argument("--folder", help="where tables and figures go (default: none are kept)")
    command.add_argument("--code", action="store_true", help="show the code as well")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    command.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="default: %(default)s"
    )


def _add_evaluate(commands) -> None:
    command = _add(
        commands,
        "evaluate",
        lambda o: evaluate_runs(
            o.runs,
            o.qrels,
            o.metric or list(irstd.METRICS),
            o.output,
            depth=o.depth,
            min_relevance=o.min_relevance,
            missing=o.missing,
            n_jobs=o.jobs,
            progress=sys.stderr.isatty(),
        ),
        "score run files, as CSV",
        "Scores of run files by topic. One metric gives a line a topic and a column a system;\n"
        "several give lines topic,metric,system,score. By default, all eleven metrics.",
        [
            "irstd evaluate runs/*.gz qrels.txt -m AP -o ap.csv",
            "irstd evaluate runs/ qrels.txt -m AP -m P@20 -m RBP.8 --jobs 2 > scores.csv",
        ],
    )
    command.add_argument("runs", nargs="+", metavar="RUNS", help=RUNS)
    command.add_argument("qrels", metavar="QRELS", help=QRELS)
    command.add_argument("-m", "--metric", action="append", help="once for each (AP, nDCG@20, ...)")
    command.add_argument("--depth", type=int, default=1000, help="documents (default: %(default)s)")
    command.add_argument(
        "--min-relevance", type=int, default=1, metavar="GRADE", help="relevant from here on (1)"
    )
    command.add_argument(
        "--missing",
        choices=["zero", "nan", "raise"],
        default="zero",
        help="the score of a topic that a run lacks (default: %(default)s)",
    )
    command.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help=OUTPUT)


def _add_standardize(commands) -> None:
    command = _add(
        commands,
        "standardize",
        lambda o: standardize_scores(
            o.scores, o.factors, o.reference, o.output, method=o.method, zero_sd=o.zero_sd
        ),
        "standardize a table of scores, as CSV",
        "Reads scores by topic (a column a system, or lines topic,system,score with perhaps a\n"
        "metric, or the output of trec_eval -q) and writes them standardized, in the same form.",
        [
            "irstd standardize scores.csv --factors means.csv sds.csv > standardized.csv",
            "irstd evaluate runs/ qrels.txt -m AP | irstd standardize --method z -o z.csv",
            "irstd standardize mine.csv --reference everybody.csv",
        ],
    )
    command.add_argument(
        "scores", nargs="?", default="-", metavar="SCORES", help="default: standard input"
    )
    choice = command.add_mutually_exclusive_group()
    _add_factors(choice, "standardize against these, as published with a collection")
    choice.add_argument("--reference", metavar="SCORES", help="scores of the standardizing systems")
    command.add_argument("--method", choices=METHODS, default="normal", help="default: %(default)s")
    command.add_argument(
        "--zero-sd",
        choices=["neutral", "drop", "raise"],
        default="neutral",
        help="what to do with a topic on which all score the same (default: %(default)s)",
    )
    command.add_argument("-o", "--output", default="-", metavar="FILE", help=OUTPUT)


def _add_datasets(commands) -> None:
    command = _add(
        commands,
        "datasets",
        lambda o: show_datasets(o.name, o.metric, o.output),
        "list the data sets, or print one as CSV",
        "Simulated collections, which are always there, and public scores of TREC systems, which\n"
        "are fetched once and verified.",
        ["irstd datasets", "irstd datasets sim-trec8 > scores.csv", "irstd datasets trec8"],
    )
    command.add_argument("name", nargs="?", metavar="NAME", help="print the scores of this one")
    command.add_argument("-m", "--metric", default="AP", help="default: %(default)s")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help=OUTPUT)


def _add_student(commands) -> None:
    command = _add(
        commands,
        "student",
        _student,
        "write the course without its solutions",
        "For lecturers: copies the notebooks with the solution cells emptied. The checks of the\n"
        "exercises stay, and tell students whether they are right.",
        ["irstd student handout"],
    )
    command.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder")


def _add_factors(command, text: str) -> None:
    command.add_argument("--factors", nargs=2, metavar=("MEANS", "SDS"), help=text)


def _lab(options: argparse.Namespace) -> int:
    folder = options.folder.expanduser().resolve()
    try:
        said = copy_course(folder)
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}" if error.strerror else error
        raise OSError(f"the course cannot be copied to {folder} ({reason})") from error
    for sentence in said:
        print(sentence)
    print(f"The course is in {folder}", flush=True)
    if options.copy_only:
        return 0
    return open_lab(folder, options.passed + ["--no-browser"] * options.no_browser)


def _student(options: argparse.Namespace) -> None:
    written = write_student_version(options.folder.expanduser().resolve())
    print(f"{len(written)} notebooks without solutions are in {written[0].parent}")


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
