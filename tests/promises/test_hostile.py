"""Files that are broken, odd or malicious: a clear error with a place, and nothing lost."""

import ast
import gzip
import os
from pathlib import Path

import pytest

import irstd

LINE = b"301 Q0 d7 1 2.5 me\n"


@pytest.fixture
def file(tmp_path):
    def write(data, name="a.run"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


def test_a_gzip_file_cut_at_any_byte_is_refused(file):
    whole = gzip.compress(LINE * 1 + b"302 Q0 d7 1 2.5 me\n")
    for size in range(2, len(whole)):
        with pytest.raises(ValueError, match=r"a\.run: the gzip file is cut off or damaged"):
            irstd.read_run(file(whole[:size]))


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


def test_nothing_in_the_package_evaluates_or_unpickles():
    """No pickle, no eval, no archive: what comes from a file is data."""
    banned = {"pickle", "marshal", "shelve", "dill", "tarfile", "zipfile", "shutil"}
    calls = {"eval", "exec", "compile", "__import__", "np.load"}
    for path in (Path(__file__).parents[2] / "irstd").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name not in calls, path
                assert not name.endswith((".read_pickle", ".to_pickle", ".extractall")), path
            if isinstance(node, ast.Import):
                assert not banned & {alias.name.split(".")[0] for alias in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in banned, path
