"""Build the course with JupyterLite, which runs Python in the browser.

At the root of the repository: python .github/jupyterlite/build.py

It writes `site` beside this file: JupyterLite with copies of the notebooks, the wheel of irstd, and
the wheels that Pyodide lacks, in the versions of `.ci/constraints.txt`. Options go to
`jupyter lite build`, as `--pyodide=...tar.bz2` for a Pyodide that is not loaded from its CDN.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
WHEELS = HERE / "pypi"
CONTENT = HERE / "content"

# What lessons import and Pyodide does not have: pure Python, in the versions of our constraints.
PURE = ["anywidget", "bm25s", "pooch", "psygnal", "seaborn", "snowballstemmer"]
# Packages are named, and no requirement of irstd's wheel is looked up: isal cannot be there.
FIRST_CELL = """\
import sys

if sys.platform == "emscripten":  # in the browser alone: install what the lesson imports
    %pip install -q numpy pandas scipy matplotlib statsmodels joblib tqdm click Jinja2 ipywidgets
    %pip install -q {pure}
    %pip install -q --no-deps ir-standardization=={version}"""


def run(*command: str, cwd: Path = ROOT) -> None:
    """Run a command, and stop where it fails."""
    subprocess.run([sys.executable, "-m", *command], check=True, cwd=cwd)


def find_wheel_version() -> str:
    """Return the version of the wheel of irstd."""
    (wheel,) = WHEELS.glob("ir_standardization-*.whl")
    return wheel.name.split("-")[1]


def pin_packages() -> list[str]:
    """Return the packages in `PURE`, pinned as in `.ci/constraints.txt`."""
    lines = CONSTRAINTS.read_text(encoding="utf-8")
    pins = []
    for name in PURE:
        (version,) = re.findall(rf"^{name}==([^\s;]+)", lines, re.MULTILINE)
        pins.append(f"{name}=={version}")
    return pins


def add_first_cell(notebook: Path, first_cell: str) -> nbformat.NotebookNode:
    """Return a notebook with a first cell that installs missing packages."""
    book = nbformat.read(notebook, as_version=4)
    cell = nbformat.v4.new_code_cell(first_cell, id="install")
    book.cells.insert(0, cell)
    book.metadata["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)"}
    return book


def main(*options: str) -> None:
    """Build the site from scratch."""
    for folder in (WHEELS, CONTENT, HERE / "site"):
        shutil.rmtree(folder, ignore_errors=True)
    run("build", "--wheel", "--outdir", str(WHEELS), ".")
    anywhere = ["--no-deps", "--only-binary=:all:", "--platform=any", "--abi=none"]
    run("pip", "download", "-q", *anywhere, "-d", str(WHEELS), *pin_packages())
    first_cell = FIRST_CELL.format(pure=" ".join(pin_packages()), version=find_wheel_version())
    shutil.copytree(ROOT / "notebooks", CONTENT, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for notebook in sorted(CONTENT.glob("*.ipynb")):
        nbformat.write(add_first_cell(notebook, first_cell), notebook)
    run("jupyterlite_core", "build", *options, cwd=HERE)


if __name__ == "__main__":
    main(*sys.argv[1:])
