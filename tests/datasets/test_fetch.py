"""Downloads, from a server on this machine that is good, wrong, absent or breaks off."""

import hashlib
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import irstd
from irstd.datasets import _fetch, load

# pooch leaves the connection of a failed download to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

KEY = "sigir2019-statistical/adhoc8_ap.csv"
CONTENT = b"run1,run2\n" + b"0.25,0.5\n" * 50


class Handler(BaseHTTPRequestHandler):
    """Answers /good, /wrong and /cut; anything else is not found."""

    def do_GET(self):
        kind = self.path.split("/")[1]
        self.server.asked.append(self.path)
        if kind not in ("good", "wrong", "cut"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        body = {"good": CONTENT, "wrong": CONTENT[::-1], "cut": CONTENT[:100]}[kind]
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def source(server, tmp_path, monkeypatch):
    """Points the source of the file at a path of the server; the cache and IRSTD_DATA are empty."""
    monkeypatch.setenv("IRSTD_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("IRSTD_DATA", str(tmp_path / "data"))

    def use(kind, port=server.server_port):
        url = f"http://127.0.0.1:{port}/{kind}/adhoc8_ap.csv"
        monkeypatch.setattr(_fetch, "REGISTRY", registry_of(tmp_path, {KEY: CONTENT}, url))

    use("good")
    return use


def registry_of(folder, contents, url="http://127.0.0.1:1/"):
    """A registry of these contents by key, all at one address."""
    path = folder / "registry.txt"
    lines = [f"{key} {hashlib.sha256(c).hexdigest()} {url}" for key, c in contents.items()]
    path.write_text("\n".join(lines))
    return path


def test_a_file_is_downloaded_once_with_a_progress_bar(source, server, tmp_path, capfd):
    scores = irstd.load_dataset("trec8")
    assert scores.shape == (50, 2)
    assert scores.index[0] == "401"
    assert "100%" in capfd.readouterr().err
    irstd.load_dataset("trec8")
    assert server.asked == ["/good/adhoc8_ap.csv"]
    assert irstd.fetch_dataset("trec8") == tmp_path / "cache" / KEY
    assert irstd.fetch_dataset("trec8").read_bytes() == CONTENT


def test_the_folder_of_the_user_comes_first(source, server, tmp_path):
    path = tmp_path / "data" / KEY
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    assert irstd.fetch_dataset("trec8") == path
    assert server.asked == []
    path.write_bytes(CONTENT + b"0,0\n")
    with pytest.raises(ValueError, match=r"adhoc8_ap\.csv: is not the file that is expected"):
        irstd.fetch_dataset("trec8")


def test_wrong_bytes_are_refused_and_not_kept(source, tmp_path):
    source("wrong")
    with pytest.raises(ValueError, match=r"adhoc8_ap\.csv\) does not match the known hash"):
        irstd.load_dataset("trec8")
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("kind", ["absent", "cut", None])
def test_what_cannot_be_had_is_one_sentence_that_says_how_to_get_it(source, tmp_path, kind):
    source(kind or "good", **({} if kind else {"port": 1}))
    with pytest.raises((ConnectionError, ValueError), match="^(?!.*\\n).*adhoc8_ap.csv") as caught:
        irstd.load_dataset("trec8")
    if kind != "cut":
        assert isinstance(caught.value, ConnectionError)
        assert "is not on this machine and could not be downloaded" in str(caught.value)
        assert "IRSTD_DATA" in str(caught.value) and str(tmp_path / "cache") in str(caught.value)
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
    (tmp_path / "cache" / KEY).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "cache" / KEY).write_bytes(CONTENT[:-1])
    source("absent")
    with pytest.raises(ConnectionError, match=f"{KEY} is damaged at .* could not be downloaded"):
        irstd.load_dataset("trec8")


def test_what_is_no_file_in_the_cache_is_not_read(source, server, tmp_path):
    (tmp_path / "cache" / KEY).parent.mkdir(parents=True)
    os.mkfifo(tmp_path / "cache" / KEY)
    with pytest.raises(ValueError, match=f"{KEY}: is not a file"):
        irstd.load_dataset("trec8")
    assert server.asked == []


def test_a_folder_of_the_user_that_is_not_there_is_said(source, tmp_path, monkeypatch):
    monkeypatch.setenv("IRSTD_DATA", str(tmp_path / "registry.txt"))
    with pytest.raises(ValueError, match=r"IRSTD_DATA names .*registry.txt, which is no folder"):
        irstd.load_dataset("trec8")


def test_a_changed_file_of_the_cache_is_not_used(source, server):
    _fetch.fetch_file(KEY).write_bytes(CONTENT[:-1] + b"6")
    assert _fetch.fetch_file(KEY).read_bytes() == CONTENT
    assert len(server.asked) == 2


def test_every_file_has_a_key_in_the_folder_and_a_pinned_address():
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


def test_run_files_are_a_folder_and_a_score_matrix(runs):
    assert irstd.fetch_dataset("robust2003-runs") == runs / "trectools"
    assert irstd.load_dataset("robust2003-runs", "RR").to_dict() == {
        "a": {"601": 0.5, "602": 0.0},
        "b": {"601": 0.5, "602": 0.0},
    }


def test_run_files_that_cannot_be_had_are_named(runs, tmp_path):
    (runs / "trectools/runs/input.b.gz").unlink()
    with pytest.warns(UserWarning, match=r"1 of 3 files could not be had: input\.b\.gz"):
        folder = irstd.fetch_dataset("robust2003-runs")
    assert folder == tmp_path / "cache" / "trectools"
    assert [path.name for path in (folder / "runs").iterdir()] == ["input.a.gz"]
    (runs / "trectools/qrels/robust03_qrels.txt").unlink()
    (folder / "qrels/robust03_qrels.txt").unlink()
    with pytest.raises(ConnectionError, match="robust03_qrels.txt is not on this machine"):
        irstd.fetch_dataset("robust2003-runs")


def test_every_file_of_the_catalogue_is_in_the_registry(trec_data):
    entries = load._catalogue().values()
    keys = [key for about in entries for key in about.get("files", {}).values()]
    keys += [about["qrels"] for about in entries if "qrels" in about]
    folders = {about["folder"] for about in entries if "folder" in about}
    registry = _fetch.store().registry
    others = {key for key in registry if key.split("/")[0] not in folders}
    assert others <= set(keys) <= set(registry)
    there = [key for key in keys if (trec_data / key).exists()]
    assert all(_fetch.given_file(key) == trec_data / key for key in there)
