"""Pages in Chromium: what they ask for and complain of, and a notebook in JupyterLab."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import nbformat

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page
    from serving import Server

PATIENCE = 180_000  # ms; the machine may be slow and busy
OPTIONS = [
    "--no-sandbox",  # does not work in most containers; the pages are our own
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # asked for is enough to fail
]

READY = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session.kernel;
    const starting = () => kernel.connectionStatus !== 'connected'
        || ['unknown', 'starting', 'restarting'].includes(kernel.status);
    while (starting()) await new Promise(resolve => setTimeout(resolve, 50));
    return panel;
}"""
RUN_ALL = f"""async () => {{
    const panel = await ({READY})();
    await jupyterapp.commands.execute('notebook:run-all-cells');
    return panel.content.model.sharedModel.cells.filter(cell => cell.cell_type === 'code').map(
        cell => ({{source: cell.source, count: cell.execution_count, outputs: cell.outputs}}));
}}"""
TOO_LATE = """new Promise((_, fail) =>
    setTimeout(() => fail(new Error('the notebook has not run after five minutes')), 300_000))"""
# What is sent to the kernel is under way until the kernel says that it is idle again after it; what
# a widget sends too, which JupyterLab has done beside the cells, so that no order holds there.
COUNT_MESSAGES = """() => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    window.underWay = new Set();
    kernel.anyMessage.connect((_, {msg, direction}) => {
        if (direction === 'send' && msg.channel === 'shell') underWay.add(msg.header.msg_id);
    });
    kernel.iopubMessage.connect((_, msg) => {
        if (msg.content.execution_state === 'idle') underWay.delete(msg.parent_header.msg_id);
    });
}"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
RESTART = "jupyterapp.shell.currentWidget.sessionContext.restartKernel().then(() => null)"
SHUT_DOWN = "jupyterapp.shell.currentWidget.sessionContext.shutdown()"


@dataclass
class Watch:
    """What a page asks for, and what goes wrong in it: errors in its console, dialogs."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))

    def elsewhere(self) -> list[str]:
        """Requests that leave this machine."""
        here = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:", "about:")
        return [url for url in self.requests if not url.startswith(here)]


@dataclass
class Notebook:
    """A notebook in JupyterLab, mostly run from the top."""

    page: Page
    watch: Watch
    cells: list[dict]  # of code: source, count and outputs of each

    @classmethod
    def run(cls, context: BrowserContext, server: Server, name: str) -> Notebook:
        """Open it, and run it from the top."""
        opened = cls.open(context, server, name)
        opened.run_all()
        return opened

    @classmethod
    def of(cls, context: BrowserContext, server: Server, name: str, *code: str) -> Notebook:
        """Write a notebook with these cells and one of text below, and run it."""
        cells = [nbformat.v4.new_code_cell(source) for source in code]
        book = nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_markdown_cell()])
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(book, server.folder / name)
        return cls.run(context, server, name)

    @classmethod
    def open(cls, context: BrowserContext, server: Server, name: str) -> Notebook:
        """Open it as it is stored."""
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        opened = cls(page, Watch(page), [])
        page.goto(server.notebook(name))
        opened.wait_until_shown()
        return opened

    def wait_until_shown(self) -> None:
        self.page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")
        self.page.evaluate(f"async () => {{ await ({READY})(); }}")
        self.page.evaluate(DRAWN)

    def run_all(self) -> None:
        self.cells = self.page.evaluate(f"() => Promise.race([({RUN_ALL})(), {TOO_LATE}])")
        self.page.evaluate(COUNT_MESSAGES)
        self.page.evaluate(DRAWN)

    def save_and_reload(self) -> None:
        """Save, load the page anew, and wait for its kernel."""
        self.page.evaluate("jupyterapp.commands.execute('docmanager:save').then(() => null)")
        self.page.reload()
        self.wait_until_shown()

    def restart_kernel(self) -> None:
        self.page.evaluate(RESTART)
        self.page.evaluate(f"async () => {{ await ({READY})(); }}")

    def settle(self) -> None:
        """Wait until the kernel has done what it was asked, and the page has been drawn."""
        self.page.wait_for_function("underWay.size === 0")
        self.page.evaluate(DRAWN)

    def close(self) -> None:
        self.page.evaluate(SHUT_DOWN)
        self.page.close()
