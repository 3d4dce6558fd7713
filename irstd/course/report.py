"""`irstd report`: the notebook on one's own runs, executed with them, as one page of HTML."""

from __future__ import annotations

import html
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import irstd
from irstd.course.lab import course_folder
from irstd.factors import Factors
from irstd.trec import read_qrels
from irstd.trec._files import find_files
from irstd.trec._write import write_bytes, write_text

TEMPLATE = "07_your_own_runs.ipynb"
LEFT_OUT = ("template", "interactive")  # tags of cells that mean nothing on a page
EXPORT = "export"  # tag of cells that write files, which are gone if no folder is given
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
<footer>{title}, by irstd {version}</footer>
</main>
</body>
</html>
"""
STYLE = """
body { margin: 0; font: 17px/1.55 system-ui, sans-serif; color: #1b1b1b; background: #fff; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .6em; }
h1 { margin-top: .5em; }
a { color: #0b5394; }
a.anchor-link, .prompt, .output_prompt { display: none; }
img { display: block; max-width: 100%; height: auto; margin: 1rem 0; }
.output_subarea, .output_html { overflow-x: auto; }
pre { white-space: pre-wrap; font-size: .9em; }
.input_area pre { background: #f4f4f4; padding: .6rem .8rem; border-radius: 4px; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
table, table.dataframe { border: 0; font-size: .92em; }
th, td { padding: .25rem .55rem; text-align: right; border: 0; border-bottom: 1px solid #ddd; }
thead th { border-bottom: 2px solid #888; vertical-align: bottom; }
tbody th { font-weight: 600; text-align: left; overflow-wrap: anywhere; }
footer { margin-top: 3rem; padding-top: .5rem; border-top: 1px solid #ddd; color: #555; }
@media print { body { font-size: 11pt; } img, table { break-inside: avoid; } }
"""


def write_report(
    runs: Sequence[str],
    qrels: str,
    output: str,
    *,
    factors: tuple[str, str] | None = None,
    other: str | None = None,
    metric: str = "AP",
    folder: str | None = None,
    code: bool = False,
    progress: bool = True,
) -> None:
    """Run the notebook on one's own runs with `runs` and `qrels`, and write it as HTML.

    Parameters
    ----------
    runs : list of str
        Run files, patterns or a folder.
    qrels : str
        The file of relevance judgments.
    output : str
        The page. It holds all it shows: pictures, style, no address of anything elsewhere.
    factors : (str, str), optional
        CSV files of the means and standard deviations by topic.
    other : str, optional
        A data set's name or a table of scores, to compare with.
    metric : str, default "AP"
        What is looked at closely.
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
    given = {
        "runs": [str(file.absolute()) for file in find_files(list(runs))],
        "qrels": str(Path(qrels).absolute()),
        "means": factors and str(Path(factors[0]).absolute()),
        "sds": factors and str(Path(factors[1]).absolute()),
        "other": str(Path(other).absolute()) if other and Path(other).exists() else other,
        "metric": metric,
        "folder": folder and str(Path(folder).absolute()),
    }
    page = Path(output).absolute()
    if not page.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {page.parent} to write {page.name} to")
    with warnings.catch_warnings(action="ignore"):  # the notebook says them
        read_qrels(qrels)
        if factors:
            Factors.from_csv(*factors)
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    notebook = _execute(given, page.with_suffix(".failed.ipynb"), progress)
    n = len(given["runs"])
    title = f"{n} run{'s' * (n > 1)} on {Path(qrels).name}"
    left_out = LEFT_OUT if folder else (*LEFT_OUT, EXPORT)
    write_text(to_html(notebook, title, left_out, code=code), page)


def to_html(notebook, title: str, left_out: Sequence[str], *, code: bool = False) -> str:
    """A page that needs nothing from elsewhere, with a text alternative for each picture."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter
    from traitlets.config import Config

    notebook.metadata.pop("widgets", None)  # they need a kernel
    for cell in notebook.cells:
        image = cell.metadata.get("mystnb", {}).get("image", {})
        cell.metadata["alt"] = image.get("alt", "a figure, described in the text beside it")
    config = Config()
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_cell_tags = left_out
    config.HTMLExporter.preprocessors = ["nbconvert.preprocessors.TagRemovePreprocessor"]
    exporter = HTMLExporter(
        config=config, template_name="basic", exclude_input=not code, exclude_anchor_links=True
    )
    body, _ = exporter.from_notebook_node(notebook)
    style = STYLE + (HtmlFormatter().get_style_defs(".highlight") if code else "")
    return PAGE.format(title=html.escape(title), style=style, body=body, version=irstd.__version__)


def _execute(parameters: dict, failed: Path, progress: bool):
    # A python3 kernel that the user has registered elsewhere must not run the report.
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
        import papermill  # slow, and needed by no other command

        executed = Path(folder, TEMPLATE)
        try:
            return papermill.execute_notebook(
                str(course_folder() / TEMPLATE),
                str(executed),
                parameters=parameters,
                kernel_name="python3",
                progress_bar=progress,
                extra_arguments=["--IPKernelApp.log_level=ERROR"],  # not that it is on loopback
            )
        except papermill.PapermillExecutionError as error:
            write_bytes(executed.read_bytes(), failed)
            raise RuntimeError(
                f"{error.ename}: {error.evalue} (the notebook stopped there; it is {failed})"
            ) from error
