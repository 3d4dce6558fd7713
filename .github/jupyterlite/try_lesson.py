"""Run a lesson of the built page in Chromium.

At the root of the repository: python .github/jupyterlite/try_lesson.py [NOTEBOOK]

It exits with an error that names the first cell which fails.
"""

import http.server
import shutil
import sys
import threading
from functools import partial
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

SITE = Path(__file__).parent / "site"
MINUTES = 15  # Pyodide and its packages are some 100 MB
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

CELLS = """() => {
    const panel = jupyterapp.shell.currentWidget;
    return panel.content.model.sharedModel.cells.filter(cell => cell.cell_type === 'code').map(
        cell => ({source: cell.source, count: cell.execution_count, outputs: cell.outputs}));
}"""
READY = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
}"""
RUN = "() => jupyterapp.commands.execute('notebook:run-all-cells')"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Server of a folder, on this machine alone."""

    def log_message(self, *_: object) -> None:
        """Log no request."""


def serve(folder: Path) -> str:
    """Serve a folder while this process lives, and return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def run_step(page: Page, name: str, script: str) -> None:
    """Run a script in the page, with a time limit."""
    print(name, flush=True)
    late = f"new Promise((_, no) => setTimeout(() => no(Error('not in time')), {MINUTES * 60_000}))"
    page.evaluate(f"Promise.race([({script})(), {late}])")


def first_error(cells: list[dict]) -> str:
    """Return the first cell that failed or was not run, with its error; empty if none."""
    for number, cell in enumerate(cells):
        errors = [output for output in cell["outputs"] if output["output_type"] == "error"]
        if errors or (cell["source"].strip() and cell["count"] is None):
            reasons = [f"{output['ename']}: {output['evalue']}" for output in errors]
            return f"cell {number}:\n{cell['source']}\n{reasons or 'was not run'}"
    return ""


def main(notebook: str = "02_standardization.ipynb") -> None:
    """Run a lesson in JupyterLite, and report where it stops."""
    with sync_playwright() as playwright:
        (program, *_) = filter(None, map(shutil.which, BROWSERS))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        refused: list[str] = []
        page.on("requestfailed", lambda request: refused.append(request.url))
        page.set_default_timeout(MINUTES * 60_000)
        page.goto(f"{serve(SITE)}/lab/index.html?path={notebook}")
        try:
            page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.content?.model")
            run_step(page, "the kernel starts", READY)
            run_step(page, "the cells run", RUN)
            error = first_error(page.evaluate(CELLS))
        except Error as stopped:
            error = stopped.message
        browser.close()
    if error:
        sys.exit(f"{notebook}: {error}\nnot loaded: {sorted(set(refused)) or 'nothing'}")
    print(notebook, "ran to its end")


if __name__ == "__main__":
    main(*sys.argv[1:])
