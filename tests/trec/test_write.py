"""Writing: whole or not at all, and nothing replaced that a user would miss."""

import os
import stat
import tempfile
import threading

import pytest

from irstd.trec._write import write_bytes, write_text


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask():
    """The umask of most machines."""
    before = os.umask(0o022)
    yield
    os.umask(before)


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
    write_text("scores\n", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_standard_output_as_a_file_keeps_what_it_has(tmp_path):
    with (tmp_path / "out").open("w") as file:
        file.write("before\n")
        file.flush()
        write_text("scores\n", f"/dev/fd/{file.fileno()}")
    assert (tmp_path / "out").read_text() == "before\nscores\n"


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="needs a folder in memory")
def test_a_file_in_memory_is_replaced_like_any_other():
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for text in ("first\n", "second\n"):
            write_text(text, f"{folder}/scores.csv")
        with open(f"{folder}/scores.csv") as file:
            assert file.read() == "second\n"


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    link.symlink_to(target)
    for text in ("new", "newer"):
        write_text(text, link)
        assert (link.is_symlink(), target.read_text()) == (True, text)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="loop"):
        write_text("x", tmp_path / "loop")


def test_modes_are_kept_and_new_files_obey_the_umask(tmp_path, umask):
    path = tmp_path / "x"
    write_text("1", path)
    assert mode(path) == 0o644
    for kept in (0o600, 0o640, 0o666):
        path.chmod(kept)
        write_text("2", path)
        assert mode(path) == kept
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"is read-only: .*x'"):
        write_text("3", path)
    assert path.read_text() == "2"


def test_the_umask_of_other_threads_is_left_alone(tmp_path, umask, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the umask is the whole process's"))
    write_bytes(b"x", tmp_path / "x")
    assert mode(tmp_path / "x") == 0o644


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "the name of the file is empty"),
        ("folder", "Is a directory: '{}folder'"),
        (".", "Is a directory"),
        ("absent/x", "there is no folder: '{}absent'"),
        ("folder/../absent/x", "there is no folder"),
        ("x" * 300, "File name too long: '{}xxx"),
    ],
)
def test_what_cannot_be_written_is_said_by_its_name(tmp_path, monkeypatch, name, said):
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError) as raised:
        write_text("x", name)
    assert said.format("") in str(raised.value)
    assert ".tmp" not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_name_as_long_as_there_can_be_is_written(tmp_path):
    write_text("x", tmp_path / ("y" * 255))
    assert (tmp_path / ("y" * 255)).read_text() == "x"


def test_a_failed_write_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_text("x", "/dev/full")
