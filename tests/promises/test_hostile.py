"""Files, places and frames that are broken, odd or malicious: refused with a place, or right."""

import gzip
import os
import zlib

import pandas as pd
import pytest
from processes import run_python

import irstd

LINE = b"301 Q0 d7 1 2.5 me\n"


def test_a_gzip_file_cut_at_any_byte_is_refused(tmp_path):
    whole = gzip.compress(LINE * 1 + b"302 Q0 d7 1 2.5 me\n")
    for size in range(2, len(whole)):
        (tmp_path / "a.run").write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"a\.run: the gzip file is cut off or damaged"):
            irstd.read_run(tmp_path / "a.run")


@pytest.mark.parametrize("read", [irstd.read_run, irstd.read_qrels, irstd.read_scores])
def test_what_is_no_file_is_said(read, tmp_path):
    with pytest.raises((IsADirectoryError, ValueError)):
        read(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "absent")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError):
        read(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it: to open it would hang
    for name in ("/dev/zero", tmp_path / "pipe"):
        with pytest.raises(ValueError, match="is a device, a pipe or a socket; expected a file"):
            read(name)


def bomb(line: bytes, times: int) -> bytes:
    """A gzip file, but for its end, of 10 MB of lines that many times: made in no time."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(line * (10_000_000 // len(line)))
    block += packer.flush(zlib.Z_FULL_FLUSH)  # what comes after does not look back
    return gzip.compress(b"")[:10] + block * times


BOMBS = {"endless": b"0", "lines": LINE}


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
    said = run_python("-c", code, *paths).stdout.splitlines()
    assert said.pop() == f"{paths.pop()}: 1 lines"
    for line, path in zip(said, paths, strict=True):
        assert line.startswith(f"{path}: the gzip file holds over ")


def test_a_large_file_is_no_bomb(tmp_path, monkeypatch):
    """Beyond the limit, in one member and in several: by what it holds for its size."""
    monkeypatch.setattr("irstd.trec.disk.UNPACKED", 50_000)
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
    for paths in (tmp_path, f"{tmp_path}/*"):
        with pytest.warns(UserWarning, match="given by name: absent, folder, loop, pipe"):
            assert list(irstd.read_runs(paths)) == ["me"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two runs of one topic, and qrels; names are relative to it."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.run").write_text(f"1 Q0 d1 1 2 {name}\n1 Q0 d2 2 1 {name}\n")
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d3 1\n")
    return tmp_path


def frame(**columns):
    return pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "score": [1.0]} | columns)


QRELS = pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "relevance": [1]})


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (["a.run", "./a.run"], "files given twice: .*a.run"),
        (["*.run", "b.run"], "files given twice: .*b.run"),
        (["a.run", ""], "expected a path, a folder, a pattern .*; got ''"),
        ([], "no file is given; expected a path"),
    ],
)
def test_paths_that_cannot_be_meant_are_refused(folder, runs, said):
    with pytest.raises(ValueError, match=said):
        irstd.evaluate(runs, QRELS)


TWICE = pd.DataFrame([["1", "d1", "d2", 1.0]], columns=["query_id", "doc_id", "doc_id", "score"])
UNPAIRED = pd.Series(["\udc80"], dtype=object)


@pytest.mark.parametrize(
    ("run", "error", "said"),
    [
        (frame().iloc[:0], ValueError, "run 'x': no topic in common"),
        (TWICE, ValueError, "run 'x' must have one column 'doc_id'"),
        (frame(query_id=["1\0"]), ValueError, "no topic in common"),
        (pd.concat([frame(), frame(query_id=[1])]), TypeError, r"got '1' \(str\), 1 \(int\)"),
        (frame(doc_id=UNPAIRED), ValueError, "surrogates not allowed"),
        (frame(doc_id=[b"d1"]), TypeError, r"got b'd1' \(bytes\)"),
        (frame(score=[True]), ValueError, "score must be a finite number"),
        (frame(score=pd.to_datetime(["2020-01-01"])), ValueError, "be a finite number"),
    ],
)
def test_frames_that_say_two_things_are_refused(run, error, said):
    with pytest.raises(error, match=said):
        irstd.evaluate({"x": run}, QRELS)


def test_frames_with_other_rows_and_types_are_read():
    run = pd.concat([frame(), frame(doc_id=["d2"], score=[3.0])])
    several = run.set_index(["query_id", "doc_id"], drop=False)
    kinds = run.convert_dtypes(dtype_backend="pyarrow")
    parts = run.astype({"query_id": "category", "doc_id": "category"})
    for other in (several, kinds, parts, run.astype({"score": "Float64"}), run.assign(docid=0)):
        assert irstd.evaluate({"x": other}, QRELS, "RR").loc["1", "x"] == 0.5


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("wrong", ["b.run", "qrels"])
def test_a_malformed_file_is_said_by_any_number_of_workers(folder, wrong, n_jobs):
    """With two, runs are taken apart while another thread reads the qrels."""
    (folder / wrong).write_text("1 0 d1\n")
    with pytest.raises(ValueError, match=f"{wrong}:1: expected"):
        irstd.evaluate("*.run", "qrels", "AP", n_jobs=n_jobs)
