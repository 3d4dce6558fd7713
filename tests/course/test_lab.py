"""The copy of the course that a student works on, and the irstd command."""

import os
import sys
from pathlib import Path

import pytest
from jupyterlab import labapp

from irstd.__main__ import main
from irstd.course import lab as copies
from irstd.course import student


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "installed"
    folder.mkdir()
    for name in ("00_start_here.ipynb", "01_metrics.ipynb"):
        (folder / name).write_text(f"first {name}")
    return folder


def content(folder):
    return {
        file.name: file.read_text()
        for file in sorted(folder.iterdir())
        if not file.name.startswith(".")
    }


def test_what_is_there_is_never_touched(course, tmp_path):
    """Answers, notebooks from elsewhere, links and folders of the name of a notebook."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01_metrics.ipynb").write_text("my answers")
    said = "These differ from the course as installed, and stay as they are: 01_metrics"
    assert copies.copy_course(mine, course) == [said]
    assert copies.copy_course(mine, course) == [said]
    assert content(mine) == {
        "00_start_here.ipynb": "first 00_start_here.ipynb",
        "01_metrics.ipynb": "my answers",
    }
    (mine / "01_metrics.ipynb").unlink()
    (mine / "01_metrics.ipynb").symlink_to(tmp_path / "nowhere")
    assert copies.copy_course(mine, course) == [said]
    assert (mine / "01_metrics.ipynb").is_symlink()
    with pytest.raises(ValueError, match="holds the course itself"):
        copies.copy_course(course, course)


def test_to_a_hand_out_nothing_is_copied(course, tmp_path):
    """Else every student would have the solutions beside it."""
    student.write_student_version(tmp_path / "handout", copies.course_folder())
    (tmp_path / "handout" / "01_metrics.ipynb").unlink()
    before = content(tmp_path / "handout")
    assert copies.copy_course(tmp_path / "handout") == []
    assert content(tmp_path / "handout") == before
    assert not any('"solution"' in text for text in before.values())


def test_an_interrupted_copy_leaves_no_half_file_and_is_made_up_for(course, tmp_path, monkeypatch):
    mine = tmp_path / "deep" / "mine"
    replace = os.replace

    def fail(source, target):
        if target.name == "01_metrics.ipynb":
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "replace", fail)
        copies.copy_course(mine, course)
    assert [file.name for file in mine.iterdir()] == ["00_start_here.ipynb"]
    for _ in range(2):
        assert copies.copy_course(mine, course) == []
        assert content(mine) == content(course)


def test_the_command_copies_the_course_of_this_installation(tmp_path, capsys):
    assert main(["lab", str(tmp_path / "mine"), "--copy-only"]) == 0
    assert f"The course is in {tmp_path / 'mine'}" in capsys.readouterr().out
    given = {file.name for file in copies.course_folder().glob("*.ipynb")}
    assert content(tmp_path / "mine").keys() == given | {"ledger.py", "claims.csv"}


def test_jupyterlab_opens_the_copy_quietly_in_this_environment(tmp_path, monkeypatch):
    """That it does so is seen in tests/browser."""
    given = []
    monkeypatch.setattr(labapp, "main", lambda arguments: given.extend(arguments))
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.delenv("JUPYTER_PREFER_ENV_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "mine", "--no-browser"]) == 0
    start, browser, settings, *root = given
    assert start == "--LabApp.default_url=/lab/tree/00_start_here.ipynb"
    assert browser == "--no-browser" and root in ([], ["--allow-root"])
    assert Path.cwd() == tmp_path / "mine"
    assert os.environ["JUPYTER_PREFER_ENV_PATH"] == "1" and "MPLBACKEND" not in os.environ
    overrides = Path(settings.partition("=")[2], "overrides.json").read_text()
    assert '"fetchNews": "false"' in overrides


def test_without_jupyterlab_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    assert main(["lab", str(tmp_path)]) == 1
    assert "pip install jupyterlab" in capsys.readouterr().err


def test_what_comes_after_the_folder_goes_to_jupyterlab(tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr("irstd.__main__.open_lab", lambda *given: called.append(given) or 3)
    assert main(["lab", str(tmp_path / "a"), "--no-browser", "--", "--port", "8899"]) == 3
    assert called == [(tmp_path / "a", ["--port", "8899", "--no-browser"])]
