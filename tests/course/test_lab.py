"""The copy of the course that a student works on, and the irstd command."""

import json
import os
import subprocess
import sys
import time
from urllib.request import Request, urlopen

import pytest

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


@pytest.fixture
def lab(tmp_path):
    """The command as a process of its own, once it serves; and a function that asks its server."""
    runtime = tmp_path / "jupyter"
    # Somebody's own kernel of the same name, which must not run the course.
    other = runtime / "kernels" / "python3" / "kernel.json"
    other.parent.mkdir(parents=True)
    spec = {"argv": ["other", "{connection_file}"], "display_name": "other", "language": "python"}
    other.write_text(json.dumps(spec))
    folders = {f"JUPYTER_{name}_DIR": str(runtime) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "irstd", "lab", str(tmp_path / "mine"), "--no-browser"]
    with open(tmp_path / "log", "w+") as log:
        process = subprocess.Popen(
            [*command, "--", "--port=0"], env=os.environ | folders,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            running = runtime / f"jpserver-{process.pid}.json"

            def ask(path):
                server = json.loads(running.read_text())
                token = {"Authorization": f"token {server['token']}"}
                with urlopen(Request(server["url"] + path, headers=token), timeout=30) as answer:
                    return answer.geturl(), answer.read().decode()

            for _ in range(600):
                assert process.poll() is None, (tmp_path / "log").read_text()
                try:
                    ask("api")
                    break
                except (OSError, ValueError):  # not there, half written, or not listening yet
                    time.sleep(0.1)

            yield process, ask
        finally:
            process.terminate()
            process.wait(timeout=30)


def test_jupyterlab_opens_the_copy_quietly_in_this_environment(lab, tmp_path):
    process, ask = lab
    address, page = ask("")
    assert address.endswith("/lab/tree/00_start_here.ipynb")
    assert "<title>JupyterLab</title>" in page
    files = json.loads(ask("api/contents")[1])["content"]
    assert {file["name"] for file in files} == content(tmp_path / "mine").keys()
    kernels = json.loads(ask("api/kernelspecs")[1])
    assert kernels["default"] == "python3"
    assert kernels["kernelspecs"]["python3"]["spec"]["display_name"] != "other"
    news = json.loads(ask("lab/api/settings/@jupyterlab/apputils-extension:notification")[1])
    assert news["schema"]["properties"]["fetchNews"]["default"] == "false"
    process.terminate()
    assert process.wait(timeout=30) == 0


def test_without_jupyterlab_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    assert main(["lab", str(tmp_path)]) == 1
    assert "pip install jupyterlab" in capsys.readouterr().err


def test_what_comes_after_the_folder_goes_to_jupyterlab(tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr("irstd.__main__.open_lab", lambda *given: called.append(given) or 3)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["lab", str(tmp_path / "a"), "--no-browser", "--", "--port", "8899"]) == 3
    assert main(["lab", "--", "--port=8899"]) == 3
    assert called == [
        (tmp_path / "a", ["--port", "8899", "--no-browser"]),
        (tmp_path / "irstd-course", ["--port=8899"]),
    ]
