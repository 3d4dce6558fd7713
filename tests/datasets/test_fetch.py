"""Downloads, from a server on this machine that is good, wrong or absent."""

import hashlib
import re
import threading
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler

import pytest

import irstd
from irstd.datasets import _fetch, load

# pooch leaves the connection of a failed download to the garbage collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:unclosed <socket:ResourceWarning"
)

KEY = "sigir2019-statistical/adhoc6_ap.csv"
CONTENT = b"run1,run2\n" + b"0.25,0.5\n" * 50


@pytest.fixture
def served(tmp_path):
    """What a server on this machine has, which says nothing of what it is asked."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "adhoc6_ap.csv").write_bytes(CONTENT)
    with HTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield folder / "adhoc6_ap.csv", server.server_port
        server.shutdown()


@pytest.fixture
def source(served, tmp_path, monkeypatch):
    """The server as the source of the file; the cache and IRSTD_DATA are empty."""
    monkeypatch.setenv("IRSTD_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("IRSTD_DATA", str(tmp_path / "data"))
    path, port = served
    registry = registry_of(tmp_path, {KEY: CONTENT}, f"http://127.0.0.1:{port}/adhoc6_ap.csv")
    monkeypatch.setattr(_fetch, "REGISTRY", registry)
    return path


def registry_of(folder, contents, url="http://127.0.0.1:1/"):
    """A registry of these contents by key, all at one address."""
    path = folder / "registry.txt"
    lines = [f"{key} {hashlib.sha256(c).hexdigest()} {url}" for key, c in contents.items()]
    path.write_text("\n".join(lines))
    return path


def test_fetch_downloads_a_file_once(source, tmp_path, capfd):
    scores = irstd.load_dataset("trec6")
    assert (scores.shape, scores.index[0]) == ((50, 2), "301")
    assert "100%" in capfd.readouterr().err
    path = irstd.datasets.fetch_dataset("trec6")
    assert (path, path.read_bytes()) == (tmp_path / "cache" / KEY, CONTENT)
    path.write_bytes(CONTENT[:-1] + b"6")  # what is changed is not used
    assert irstd.load_dataset("trec6").equals(scores)
    source.unlink()
    assert irstd.load_dataset("trec6").equals(scores)
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(ConnectionError, match=f"{KEY} is damaged at .* could not be downloaded"):
        irstd.load_dataset("trec6")


def test_fetch_prefers_the_folder_of_the_user(source, tmp_path, monkeypatch):
    path = tmp_path / "data" / KEY
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    assert irstd.datasets.fetch_dataset("trec6") == path
    path.write_bytes(CONTENT + b"0,0\n")
    with pytest.raises(ValueError, match=r"adhoc6_ap\.csv: is not the expected file"):
        irstd.datasets.fetch_dataset("trec6")
    monkeypatch.setenv("IRSTD_DATA", str(tmp_path / "registry.txt"))
    with pytest.raises(ValueError, match=r"IRSTD_DATA is .*registry.txt, which is not a folder"):
        irstd.load_dataset("trec6")


@pytest.mark.parametrize("kind", ["wrong", "absent"])
def test_fetch_keeps_nothing_of_a_failed_download(source, tmp_path, kind):
    said = ["IRSTD_DATA", str(tmp_path / "cache"), "could not be downloaded"]
    if kind == "wrong":
        source.write_bytes(CONTENT[::-1])
        said = ["does not match the known hash"]
    else:
        source.unlink()
    error = ConnectionError if kind == "absent" else ValueError
    with pytest.raises(error, match="^(?!.*\\n).*adhoc6_ap.csv") as caught:
        irstd.load_dataset("trec6")
    assert all(part in str(caught.value) for part in said)
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_registry_has_pinned_addresses():
    files = _fetch.store()
    for key in files.registry:
        assert re.fullmatch(r"[\w-]+(/[\w-]+)?/\w[\w.-]+", key)
        assert re.fullmatch(r"[0-9a-f]{64}", files.registry[key])
        assert re.match(r"https://raw\.githubusercontent\.com/[\w-]+/[\w-]+/[0-9a-f]{40}/",
                        files.urls[key])  # fmt: skip
        assert key.startswith("mteb/") or files.urls[key].endswith("/" + key.rsplit("/", 1)[1])


RUN = b"601 Q0 d1 1 2 %s\n601 Q0 d2 2 1 %s\n"
TRECTOOLS = {
    "trectools/runs/input.a.gz": RUN.replace(b"%s", b"a"),
    "trectools/runs/input.b.gz": RUN.replace(b"%s", b"b"),
    "trectools/qrels/robust03_qrels.txt": b"601 0 d2 1\n602 0 d1 1\n",
}


@pytest.fixture
def runs(source, tmp_path, monkeypatch):
    monkeypatch.setattr(_fetch, "REGISTRY", registry_of(tmp_path, TRECTOOLS))
    for key, content in TRECTOOLS.items():
        path = tmp_path / "data" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "data"


def test_fetch_folder_names_missing_run_files(runs):
    assert irstd.datasets.fetch_dataset("robust2003-runs") == runs / "trectools"
    scores = irstd.load_dataset("robust2003-runs", "RR")
    assert scores.loc["601"].tolist() == [0.5, 0.5] and scores.loc["602"].tolist() == [0, 0]
    (runs / "trectools/runs/input.b.gz").unlink()
    with pytest.warns(UserWarning, match=r"1 of 3 files are not in .*: input\.b\.gz"):
        folder = irstd.datasets.fetch_dataset("robust2003-runs")
    assert folder == runs / "trectools"
    (runs / "trectools/qrels/robust03_qrels.txt").unlink()
    with pytest.raises(ConnectionError, match="robust03_qrels.txt is not on this machine"):
        irstd.datasets.fetch_dataset("robust2003-runs")


def test_registry_has_the_files_of_the_catalogue():
    keys = set()
    folders = set()
    for about in load._read_catalogue().values():
        keys |= {*about.get("files", {}).values(), about.get("qrels")}
        folders.add(about.get("folder"))
        if "authors" in about:
            keys |= {f"{about['authors']}.mn.csv", f"{about['authors']}.sd.csv"}
    registry = _fetch.store().registry
    others = {key for key in registry if key.split("/")[0] not in folders}
    assert others <= keys - {None} <= set(registry)
