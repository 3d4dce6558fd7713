"""Writing: whole or not at all, and nothing replaced that a user would miss."""

import gzip
import os
import stat
import threading
from pathlib import Path

import pytest

from irstd.trec.disk import write_files, write_text


def test_a_device_and_a_pipe_are_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_text("scores\n", pipe)
    reader.join()
    assert read == [b"scores\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_text("x", "/dev/full")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    link.symlink_to(target)
    for text in ("new", "newer"):
        write_text(text, link)
        assert (link.is_symlink(), target.read_text()) == (True, text)


def test_modes_are_kept_and_new_files_obey_the_umask(tmp_path):
    path = tmp_path / ("y" * 252 + ".gz")  # as long as a name can be
    before = os.umask(0o022)
    try:
        write_text("1", path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        for kept in (0o600, 0o666):
            path.chmod(kept)
            write_text("2", path)
            assert stat.S_IMODE(path.stat().st_mode) == kept
    finally:
        os.umask(before)
    assert gzip.decompress(path.read_bytes()) == b"2"


@pytest.mark.parametrize("name", ["folder", ".", "absent/x", "x" * 300])
def test_what_cannot_be_written_is_said_by_its_name_and_nothing_is(tmp_path, monkeypatch, name):
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError) as raised:
        write_files({"first": b"x", name: b"x"})
    assert name in str(raised.value)
    assert ".tmp" not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_the_file_that_cannot_be_replaced_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "replace", lambda part, _: part.rmdir())  # raises
    with pytest.raises(NotADirectoryError, match="one'$"):
        write_files({"one": b"1", "two": b"2"})
