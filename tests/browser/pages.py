"""Pages in Chromium: what they ask for and complain of, and a notebook in JupyterLab."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from serving import Server

SIZES = ((1280, 800), (1920, 1080))
PATIENCE = 180_000  # ms; the machine may be slow and busy
OPTIONS = [
    "--no-sandbox",  # does not work in most containers; the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # asked for is enough to fail
]

RUN_ALL = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session.kernel;
    const starting = () => kernel.connectionStatus !== 'connected'
        || ['unknown', 'starting'].includes(kernel.status);
    while (starting()) await new Promise(resolve => setTimeout(resolve, 50));
    await jupyterapp.commands.execute('notebook:run-all-cells');
    return panel.content.model.sharedModel.cells.filter(cell => cell.cell_type === 'code').map(
        cell => ({source: cell.source, count: cell.execution_count, outputs: cell.outputs}));
}"""
# An empty request to the kernel is answered after all that was asked before it.
KERNEL_IS_DONE = """async () => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    await kernel.requestExecute({code: '', silent: true, store_history: false}).done;
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""
SHUT_DOWN = "jupyterapp.shell.currentWidget.sessionContext.shutdown()"


@dataclass
class Watch:
    """What a page asks for, and the errors in its console."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._listen)

    def _listen(self, message) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url')})")

    def elsewhere(self) -> list[str]:
        """Requests that leave this machine."""
        places = [(urlsplit(url), url) for url in self.requests]
        return [
            url
            for parts, url in places
            if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1"
        ]


@dataclass
class Notebook:
    """A notebook in JupyterLab, run from the top."""

    name: str
    page: Page
    watch: Watch
    cells: list[dict]  # of code, each with its source, count and outputs

    @classmethod
    def open(cls, browser: Browser, server: Server, name: str) -> Notebook:
        width, height = SIZES[0]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        watch = Watch(page)
        page.goto(server.notebook(name))
        page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        notebook = cls(name, page, watch, page.evaluate(RUN_ALL))
        notebook.settle()
        return notebook

    def settle(self) -> None:
        """Wait until the kernel has done what it was asked, and the page has been drawn."""
        self.page.evaluate(KERNEL_IS_DONE)

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(
            "width => document.getElementById('main').offsetWidth === width", arg=width
        )
        self.settle()

    def outputs(self, key: str, value: str) -> list[dict]:
        """All outputs whose `key` is `value`."""
        return [out for cell in self.cells for out in cell["outputs"] if out.get(key) == value]

    def close(self) -> None:
        self.page.evaluate(SHUT_DOWN)
        self.page.close()
