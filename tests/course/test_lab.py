"""The copy of the course that a student works on, and the irstd command."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from jupyterlab import labapp
from nbformat.sign import NotebookNotary

from irstd.__main__ import main
from irstd.course import lab as copies
from irstd.course import student


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "installed"
    folder.mkdir()
    for name in ("00_start_here.ipynb", "01_metrics.ipynb"):
        (folder / name).write_text(first(name))
    return folder


def first(name):
    """A notebook as it is installed."""
    text = nbformat.v4.new_markdown_cell(name, id="first")
    output = nbformat.v4.new_output("stream", text="before any prediction")
    code = nbformat.v4.new_code_cell(outputs=[output], id="second")
    return nbformat.writes(nbformat.v4.new_notebook(cells=[text, code])) + "\n"


def content(folder):
    return {file.name: file.read_text() for file in folder.glob("[!.]*")}


def test_what_is_there_is_never_touched(course, tmp_path):
    """Answers, notebooks from elsewhere, links and folders of the name of a notebook."""
    mine, start = tmp_path / "mine", "00_start_here.ipynb"
    mine.mkdir()
    (mine / "01_metrics.ipynb").write_text("my answers")
    said = "These differ from the installed course and are kept: 01_metrics"
    for _ in range(2):
        assert copies.copy_course(mine, course) == [said]
        expected = {start: first(start), "01_metrics.ipynb": "my answers"}
        assert content(mine) == expected
    (mine / "01_metrics.ipynb").unlink()
    (mine / "01_metrics.ipynb").symlink_to(tmp_path / "nowhere")
    assert copies.copy_course(mine, course) == [said]
    assert (mine / "01_metrics.ipynb").is_symlink()
    with pytest.raises(ValueError, match="holds the course itself"):
        copies.copy_course(course, course)


def test_what_is_copied_is_trusted_and_what_was_there_is_not(course, tmp_path, monkeypatch):
    """JupyterLab shows all of what it trusts; a notebook from elsewhere is its user's to trust."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "signatures"))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01_metrics.ipynb").write_text(first("from elsewhere"))
    copies.copy_course(mine, course)
    trusted = {}
    for file in mine.glob("*.ipynb"):
        notebook = nbformat.read(file, as_version=4)
        trusted[file.name] = NotebookNotary().check_signature(notebook)
    assert trusted == {"00_start_here.ipynb": True, "01_metrics.ipynb": False}


@pytest.mark.parametrize("by", ["lab", "student"])
def test_no_answer_to_a_prediction_is_in_a_readers_copy(tmp_path, by):
    """All other outputs are: below 06, 07 and 10, which predict nothing, all."""
    write = {"lab": copies.copy_course, "student": student.write_student_version}[by]
    write(tmp_path / "mine")
    pictures = {True: 0, False: 0}
    for file in copies.find_course_folder().glob("*.ipynb"):
        after_prediction = False
        mine = nbformat.read(tmp_path / "mine" / file.name, 4).cells
        stored = nbformat.read(file, 4).cells
        for cell, full in zip(mine, stored, strict=True):
            after_prediction &= not cell.source.startswith("#")
            if cell.source.startswith("widgets.predict("):
                after_prediction = True
                assert cell.outputs == full.outputs
            elif cell.cell_type == "code" and "check" not in cell.metadata.get("tags", []):
                assert cell.outputs == ([] if after_prediction else full.outputs)
                pictures[after_prediction] += "image/png" in str(full.outputs)
    assert pictures[True] > 15 and pictures[False] > 15


def test_to_a_hand_out_nothing_is_copied(tmp_path):
    """Else every student would have the lecturer's notes beside it."""
    student.write_student_version(tmp_path, copies.find_course_folder())
    (tmp_path / "01_metrics.ipynb").unlink()
    assert copies.copy_course(tmp_path) == []
    assert not (tmp_path / "01_metrics.ipynb").exists()


def test_drop_widget_views_keeps_the_picture_of_a_widget():
    outputs = [{"data": {copies.VIEW: {}, "text/html": "picture"}}]
    printed = {"output_type": "stream", "text": "printed"}
    content = {"metadata": {"widgets": {}}, "cells": [{"outputs": [printed, *outputs]}]}
    copies.drop_widget_views({"type": "notebook", "content": content})
    assert content["metadata"] == {} and outputs == [{"data": {"text/html": "picture"}}]


def test_without_jupyterlab_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    assert main(["lab", str(tmp_path)]) == 1
    assert "pip install jupyterlab" in capsys.readouterr().err


def test_what_comes_after_the_folder_goes_to_jupyterlab(tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr("irstd.__main__.open_lab", lambda *given: called.append(given) or 3)
    assert main(["lab", str(tmp_path / "a"), "--no-browser", "--", "--port", "8899"]) == 3
    assert called == [(tmp_path / "a", ["--port", "8899", "--no-browser"])]


def test_the_command_copies_the_course_and_opens_jupyterlab_quietly(tmp_path, monkeypatch):
    """That it does so is seen in tests/browser."""
    given = []
    monkeypatch.setattr(labapp, "main", lambda arguments: given.extend(arguments) or 3)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.delenv("JUPYTER_PREFER_ENV_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "mine", "--copy-only"]) == 0 and not given
    assert main(["lab", "mine", "--no-browser"]) == 3
    start, browser, settings, hook, *root = given
    assert start == "--LabApp.default_url=/lab/tree/00_start_here.ipynb"
    assert hook == "--ContentsManager.pre_save_hook=irstd.course.lab.drop_widget_views"
    assert browser == "--no-browser" and root == ["--allow-root"] * (os.geteuid() == 0)
    assert Path.cwd() == tmp_path / "mine"
    read = {
        file.name for file in (copies.find_course_folder() / "data").iterdir() if file.is_file()
    }
    assert content(Path("data")).keys() == read
    assert os.environ["JUPYTER_PREFER_ENV_PATH"] == "1" and "MPLBACKEND" not in os.environ
    overrides = Path(settings.partition("=")[2], "overrides.json").read_text()
    assert '"fetchNews": "false"' in overrides
