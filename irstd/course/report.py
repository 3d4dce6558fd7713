"""Reports: a notebook executed on the user's runs, as one HTML page."""

from __future__ import annotations

import datetime
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

from irstd._base.arguments import with_progress
from irstd.course._page import get_tags, to_html
from irstd.course.files import check_output, write_output
from irstd.course.lab import find_course_folder

TEMPLATE = "07_your_own_runs.ipynb"
OF_COLLECTIONS = Path(__file__).parent / "page" / "collections.ipynb"
LEFT_OUT = "template"  # tag of cells left out of reports


def write_report(
    output: str,
    title: str,
    parameters: dict[str, Any],
    inputs: Sequence[str],
    *,
    short: bool,
    progress: bool,
) -> None:
    """Write a report on runs or score tables as one HTML page.

    `parameters` are those in the cells with the tag ``parameters``, such as `runs`, `qrels`,
    `reference` and `folder`; dicts of `runs` and `qrels` are for several collections. No file of
    `inputs` is replaced. A `short` page fits one sheet of A4.
    """
    check_output(output, inputs, ".html")
    folder = parameters.get("folder")
    for path in inputs:
        if folder and Path(folder).resolve() == Path(path).resolve().parent:
            raise ValueError(f"{path}: a table could replace it; choose another --folder")
    facts = [str(datetime.date.today())]
    if "qrels" in parameters:
        facts.append(f"relevant from grade {parameters['min_relevance']}")
    references = parameters.get("reference", ())
    if isinstance(references, str):
        references = [references]
    if references and not short:
        names = ", ".join(Path(name).name for name in references)
        facts.append(f"column standardized: by {names}; tests are of raw scores")
    template = find_course_folder() / TEMPLATE
    if isinstance(parameters.get("qrels"), dict):
        template = OF_COLLECTIONS
    notebook = _execute(template, parameters, progress)
    write_output(to_html(notebook, title, facts, short=short), output)
    if output != "-":
        click.echo(f"The report is in {output}")


def _execute(template: Path, parameters: dict[str, Any], progress: bool) -> Any:
    """Execute a notebook in this process, without the user's settings."""
    from unittest import mock

    import matplotlib.pyplot as plt
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.core.pylabtools import select_figure_formats
    from traitlets.config import Config

    notebook = _import_nbformat().read(template, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if LEFT_OUT not in get_tags(cell)]
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, VIRTUAL_ENV=sys.prefix),  # no modules from another environment
        plt.style.context("default"),
        pd.option_context("display.float_format", None, "display.max_colwidth", None),
    ):
        plt.switch_backend("agg")
        config = Config(HistoryManager={"enabled": False})
        shell: Any = InteractiveShell.instance(ipython_dir=folder, config=config)
        select_figure_formats(shell, {"png"})
        shell.display_formatter.formatters["text/html"].for_type(pd.DataFrame, _table_to_html)
        try:
            for cell in with_progress(notebook.cells, progress):
                if cell.cell_type == "code":
                    cell.outputs = _run_cell(cell, shell)
                if "parameters" in get_tags(cell):
                    shell.user_ns.update(parameters)
        finally:
            shell.restore_sys_module_state()
            shell.clear_instance()
    return notebook


def _import_nbformat() -> Any:
    """Import nbformat without its check of web addresses, whose grammar takes seconds."""
    grammar = "rfc3987_syntax"
    sys.modules.setdefault(grammar, None)  # type: ignore[arg-type]
    import nbformat

    if sys.modules[grammar] is None:
        del sys.modules[grammar]
    return nbformat


def _run_cell(cell: Any, shell: Any) -> list:
    """Run a cell and return its outputs: displays, value and figures."""
    import matplotlib.pyplot as plt
    from IPython.display import display
    from IPython.utils.capture import capture_output
    from nbformat.v4 import new_output

    with capture_output(stderr=False) as caught:
        result = shell.run_cell(cell.source)
        result.raise_error()  # also an interruption
        for value in (result.result, *map(plt.figure, plt.get_fignums())):
            if value is not None and not getattr(value, "empty", False):
                display(value)
    plt.close("all")
    return [new_output("display_data", output.data) for output in caught.outputs]


def _table_to_html(table: pd.DataFrame) -> str:
    """Return a table as HTML, with a single header row."""
    table = table.rename_axis(index=None, columns=table.index.name)  # type: ignore[call-overload]
    return table.to_html(na_rep="–", border=0)
