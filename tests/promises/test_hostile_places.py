"""What is no plain file, what may not be read, what goes away, and little memory or no space."""

import gzip
import os
import subprocess
import sys
import zlib

import pytest

import irstd
from irstd.datasets import _fetch

LINE = b"301 Q0 d7 1 2.5 me\n"
NOBODY = 65534


def bomb(line: bytes, times: int) -> bytes:
    """A gzip file, but for its end, of 10 MB of lines that many times: made in no time."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(line * (10_000_000 // len(line)))
    block += packer.flush(zlib.Z_FULL_FLUSH)  # what comes after does not look back
    return gzip.compress(b"")[:10] + block * times


BOMBS = {"endless": b"0", "lines": LINE, "blank": b"\n", "comment": b"#"}


@pytest.mark.slow
def test_bombs_are_refused_by_a_process_with_little_memory(tmp_path):
    """Gigabytes in a few megabytes, and half a gigabyte for all there is to do."""
    for name, line in BOMBS.items():
        (tmp_path / name).write_bytes(bomb(line, 300))
    (tmp_path / "members").write_bytes(gzip.compress(LINE * 1_000_000) * 100)
    (tmp_path / "zz-small").write_bytes(gzip.compress(LINE))
    code = """if True:
        import resource, sys, irstd
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 500_000_000,) * 2)
        for path in sys.argv[1:]:
            try:
                print(f"{path}: {len(irstd.read_run(path))} lines")
            except ValueError as error:
                print(error)
    """
    paths = sorted(map(str, tmp_path.iterdir()))
    said = subprocess.run(
        [sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert said.pop() == f"{paths.pop()}: 1 lines"
    for line, path in zip(said, paths, strict=True):
        assert line.startswith(f"{path}: the gzip file holds more than ")


def test_a_large_file_is_no_bomb(tmp_path, monkeypatch):
    """Beyond the limit, in one member and in several: by what it holds for its size."""
    monkeypatch.setattr("irstd.trec._files.UNPACKED", 50_000)
    lines = b"".join(b"%d Q0 d%d 1 %f me\n" % (i % 50, i, 1 / (i + 1)) for i in range(10_000))
    for members in (gzip.compress(lines), gzip.compress(lines[:999]) + gzip.compress(lines[999:])):
        (tmp_path / "a.run").write_bytes(members)
        assert len(irstd.read_run(tmp_path / "a.run")) == 10_000


@pytest.fixture
def pipe():
    """As a shell makes of <(...): its name for what is written into it."""
    ends = []

    def filled(data):  # less than a pipe holds
        reads, writes = os.pipe()
        ends.append(reads)
        os.write(writes, data)
        os.close(writes)
        return f"/dev/fd/{reads}"

    yield filled
    for end in ends:
        os.close(end)


def test_pipes_of_a_shell_are_read_to_their_end(pipe):
    assert len(irstd.read_run(pipe(gzip.compress(LINE)))) == 1
    runs = [pipe(LINE), pipe(LINE.replace(b"me", b"you"))]
    scores = irstd.evaluate(runs, pipe(b"301 0 d7 1\n"), "AP", n_jobs=2)
    assert scores.loc["301"].to_dict() == {"me": 1, "you": 1}


def test_a_folder_of_runs_may_hold_what_is_no_file(tmp_path):
    (tmp_path / "a.run").write_bytes(LINE)
    (tmp_path / "folder").mkdir()
    (tmp_path / "absent").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it: to open it would hang
    assert list(irstd.read_runs(tmp_path)) == list(irstd.read_runs(f"{tmp_path}/*")) == ["me"]


@pytest.mark.parametrize("key", ["../up.csv", "/etc/passwd", "source/../../up.csv"])
def test_a_key_that_leads_out_of_the_cache_has_no_source(key, tmp_path, monkeypatch):
    monkeypatch.setenv("IRSTD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IRSTD_DATA", raising=False)
    with pytest.raises(KeyError):
        _fetch.fetch_file(key)
    assert list(tmp_path.iterdir()) == []
