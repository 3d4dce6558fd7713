"""The ``irstd`` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import irstd
from irstd._lab import copy_course, open_lab

DESCRIPTION = "What does a retrieval score mean, and can two be compared? A course and a toolkit."
LAB = """\
Copies the notebooks of the course to a folder of yours and opens JupyterLab there. What you change
stays as you leave it: when the course has a newer version of a notebook that you have changed (or
run and saved), it is put beside yours as NAME.new.ipynb.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 0 done, 1 failed, 2 misused."""
    parser = argparse.ArgumentParser(prog="irstd", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"irstd {irstd.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        usage="irstd lab [-h] [--no-browser] [--copy-only] [FOLDER] [-- JUPYTERLAB-OPTION ...]",
        description=LAB,
        epilog="examples: irstd lab; irstd lab ~/ir-course; irstd lab --no-browser -- --port=8899",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lab.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path("~/irstd-course"),
        metavar="FOLDER",
        help="where to (default: %(default)s)",
    )
    lab.add_argument("--no-browser", action="store_true", help="only print the address to open")
    lab.add_argument("--copy-only", action="store_true", help="do not start JupyterLab")
    lab.set_defaults(run=_lab)

    given = list(sys.argv[1:] if arguments is None else arguments)
    options, passed = given, []
    if given[:1] == ["lab"] and "--" in given:
        cut = given.index("--")
        options, passed = given[:cut], given[cut + 1 :]
    parsed = parser.parse_args(options)
    parsed.passed = passed
    try:
        return parsed.run(parsed)
    except (OSError, ValueError, ModuleNotFoundError) as error:
        print(f"irstd {parsed.command}: {error}", file=sys.stderr)
        return 1


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


if __name__ == "__main__":
    sys.exit(main())
