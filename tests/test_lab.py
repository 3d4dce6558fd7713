"""The copy of the course that a student works on, and the irstd command."""

import json
import os
import subprocess
import sys

import pytest

from irstd import _lab
from irstd.__main__ import main


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


def test_the_course_is_copied_and_a_second_copy_changes_nothing(course, tmp_path):
    mine = tmp_path / "deep" / "mine"
    assert _lab.copy_course(mine, course) == []
    assert content(mine) == content(course)
    assert _lab.copy_course(mine, course) == []


def test_an_untouched_notebook_is_brought_up_to_date(course, tmp_path):
    _lab.copy_course(tmp_path / "mine", course)
    (course / "01_metrics.ipynb").write_text("second")
    assert _lab.copy_course(tmp_path / "mine", course) == [
        "01_metrics.ipynb was brought up to date"
    ]
    assert content(tmp_path / "mine") == content(course)


def test_a_changed_notebook_is_never_overwritten(course, tmp_path):
    mine = tmp_path / "mine"
    _lab.copy_course(mine, course)
    (mine / "01_metrics.ipynb").write_text("my answers")
    assert _lab.copy_course(mine, course) == []
    for version in ("second", "third"):
        (course / "01_metrics.ipynb").write_text(version)
        said = "01_metrics.ipynb has changes of yours: the new version is 01_metrics.new.ipynb"
        assert _lab.copy_course(mine, course) == [said]
        assert _lab.copy_course(mine, course) == []
        assert content(mine)["01_metrics.ipynb"] == "my answers"
        assert content(mine)["01_metrics.new.ipynb"] == version


def test_the_version_beside_is_not_overwritten_either(course, tmp_path):
    mine = tmp_path / "mine"
    _lab.copy_course(mine, course)
    for name, text in [
        ("01_metrics.ipynb", "my answers"),
        ("01_metrics.new.ipynb", "more of mine"),
    ]:
        (mine / name).write_text(text)
    (course / "01_metrics.ipynb").write_text("second")
    said = "01_metrics.ipynb and 01_metrics.new.ipynb have changes of yours: left alone"
    assert _lab.copy_course(mine, course) == [said]
    assert content(mine)["01_metrics.new.ipynb"] == "more of mine"


def test_a_file_that_was_there_before_the_course_is_the_users(course, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01_metrics.ipynb").write_text("not from here")
    _lab.copy_course(mine, course)
    assert content(mine)["01_metrics.ipynb"] == "not from here"
    assert content(mine)["01_metrics.new.ipynb"] == "first 01_metrics.ipynb"


def test_a_deleted_notebook_is_copied_again(course, tmp_path):
    _lab.copy_course(tmp_path / "mine", course)
    (tmp_path / "mine" / "01_metrics.ipynb").unlink()
    _lab.copy_course(tmp_path / "mine", course)
    assert content(tmp_path / "mine") == content(course)


def test_the_command_copies_the_course_of_this_installation(tmp_path, capsys):
    assert main(["lab", str(tmp_path / "mine"), "--copy-only"]) == 0
    assert f"The course is in {tmp_path / 'mine'}" in capsys.readouterr().out
    assert content(tmp_path / "mine").keys() == content(_lab.course_folder()).keys()


def test_jupyterlab_is_started_on_the_first_notebook_of_the_copy(tmp_path, monkeypatch):
    started = {}

    def call(command, cwd):
        overrides = next(a.split("=")[1] for a in command if "app_settings_dir" in a)
        with open(f"{overrides}/overrides.json") as file:
            started.update(command=command, cwd=cwd, overrides=json.load(file))
        return 3

    monkeypatch.setattr(subprocess, "call", call)
    assert main(["lab", str(tmp_path), "--", "--no-browser", "--port=8899"]) == 3
    assert started["command"][:4] == [sys.executable, "-m", "jupyterlab", "00_start_here.ipynb"]
    assert {"--no-browser", "--port=8899"} <= set(started["command"])
    assert started["cwd"] == tmp_path
    assert ("--allow-root" in started["command"]) == (os.geteuid() == 0)
    assert started["overrides"][_lab.PLUGIN]["fetchNews"] == "false"


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["lab", str(tmp_path / "file"), "--copy-only"]) == 1
    assert capsys.readouterr().err.startswith("irstd lab: ")


def test_a_wrong_command_is_a_usage_message(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["labs"])
    assert "invalid choice: 'labs'" in capsys.readouterr().err
