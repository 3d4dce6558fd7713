"""The recipes of CONTRIBUTING, carried out on a copy of the repository as they are written.

The first line of a block of code says where the rest goes, as in ``# FILE, below: LINE``: LINE is
the beginning of one line of FILE. Lines of shell are run.
"""

import hashlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from texts import ROOT, read

TEXT = read(".github/CONTRIBUTING.md")
PLACE = re.compile(r"# (?P<file>\S+), (?P<where>[a-z ]+)(?:[:,] (?P<what>.+))?")


@pytest.fixture
def copy(tmp_path):
    """All files of the repository, as they are now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("needs the repository: git says which files are its own")
    folder = tmp_path / "copy"
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    return folder


def section(title):
    """What stands below a heading."""
    (text,) = re.findall(rf"(?ms)^##+ {title}\n(.+?)(?=^##+ |\Z)", TEXT)
    return text


def blocks(title):
    """The blocks of code of a section: the language and the text of each."""
    return re.findall(r"(?ms)^```(\w+)\n(.+?)\n```$", section(title))


def commands(title):
    """The lines of shell of a section, as lists of words."""
    lines = []
    for language, text in blocks(title):
        if language == "sh":
            lines += text.replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines]


def carry_out(title, copy, **names):
    """Make the changes of a recipe."""
    for language, text in blocks(title):
        if language != "sh":
            for name, value in names.items():
                text = text.replace(name, value)
            head, _, body = text.partition("\n")
            change(copy, head, body, language)


def change(copy, head, body, language):
    """Put a text where the first line of its block says."""
    place = PLACE.fullmatch(head)
    assert place, f"the first line of a block says where it goes: {head}"
    file, where, what = copy / place["file"], place["where"], place["what"]
    if where == "a cell":
        add_cell(file, body, language, what)
    elif where in ("at the end", "a solution"):
        if where == "a solution":
            body = f"\n## {what}\n\n```{language}\n{body}\n```"
        old = file.read_text(encoding="utf-8")
        file.write_text(f"{old.rstrip()}\n{body}\n", encoding="utf-8")
    else:
        lines = file.read_text(encoding="utf-8").splitlines()
        found = [n for n, line in enumerate(lines) if line.strip().startswith(what)]
        assert len(found) == 1, f"{len(found)} lines of {place['file']} begin with {what!r}"
        first = found[0] + (where == "below")
        last = found[0] + (where != "above")
        assert where in ("above", "below", "instead of"), head
        lines[first:last] = [body]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def add_cell(file, source, language, tag):
    """A cell above the quiz of a notebook."""
    notebook = nbformat.read(file, as_version=4)
    if language == "markdown":
        cell = nbformat.v4.new_markdown_cell(source)
    else:
        cell = nbformat.v4.new_code_cell(source)
    if tag:
        cell.metadata["tags"] = [tag]
    sources = [other.source for other in notebook.cells]
    quiz = next(n for n, text in enumerate(sources) if text.startswith("## Quiz"))
    notebook.cells.insert(quiz, cell)
    nbformat.write(notebook, file)


def run(words, copy, **variables):
    """A command of the virtual environment, in the copy and with the copy's irstd."""
    name = Path(words[0]).name
    start = [sys.executable] if name == "python" else [sys.executable, "-m", name]
    paths = os.pathsep.join([str(copy), str(copy / "notebooks")])
    environment = {**os.environ, "PYTHONPATH": paths, **variables}
    for variable in ("IRSTD_DATA", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "MPLBACKEND"):
        if variable not in variables:
            environment.pop(variable, None)
    if name == "pytest":
        words = [*words, "-q", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*start, *words[1:]],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def all_pass(title, copy):
    """The commands of a recipe end well, and some tests ran."""
    for words in commands(title):
        done = run(words, copy)
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
        assert Path(words[0]).name != "pytest" or re.search(r"\d+ passed", done.stdout)
    style = run(["ruff", "check", "-q", "irstd", "tests"], copy)
    assert style.returncode == 0, style.stdout


def shown(code, copy, **variables):
    """What a line of Python prints in the copy."""
    done = run(["python", "-c", f"import irstd; print({code})"], copy, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_map_names_each_module_once():
    mapped = []
    for module, job in re.findall(r"(?m)^\| `([\w/.]+)` \| (.+) \|$", section("Map")):
        if module.endswith("/"):
            mapped += [module + name for name in re.findall(r"`(\w+\.py)`", job)]
        else:
            mapped.append(module)
    files = (path.relative_to(ROOT / "irstd") for path in (ROOT / "irstd").rglob("*.py"))
    assert sorted(mapped) == sorted(str(path) for path in files if path.name != "__init__.py")


BOARD = "irstd.leaderboard(irstd.load_dataset('sim-trec8'))"
THREE = "irstd.load_dataset('sim-trec8').iloc[:, :3]"
RECIPES = {  # and what is so in the copy afterwards
    "A metric": "0 < irstd.load_dataset('sim-trec8', 'SetR').max(axis=None) <= 1",
    "A test of pairs": f"len(irstd.pairwise_tests({THREE}, 'rank_t')) == 3",
    "A form of score tables": "'.psv' in irstd.trec.score_files.SEPARATORS",
    "A column of the leaderboard": f"'median' in {BOARD}",
    "A command": "'leaderboard' in __import__('irstd.__main__').__main__.irstd_command.commands",
}


def by_time(title):
    mark = pytest.mark.night if title == "A metric" else pytest.mark.release
    return pytest.param(title, marks=mark)


@pytest.mark.parametrize("title", [by_time(title) for title in RECIPES])
def test_a_recipe(title, copy):
    carry_out(title, copy)
    all_pass(title, copy)
    assert shown(RECIPES[title], copy) == "True"


def write_example(copy):
    """The file of the recipe's data set in a folder of data, and its SHA-256."""
    file = copy / "data" / "example" / "scores.csv"
    file.parent.mkdir(parents=True)
    file.write_text("topic,a,b\n1,.2,.5\n2,.4,.1\n3,.3,.3\n")
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.release
def test_a_public_data_set(copy):
    data = str(copy / "data")
    carry_out("A public data set", copy, HASH=write_example(copy), OWNER="example")
    all_pass("A public data set", copy)
    assert shown("irstd.load_dataset('example').shape", copy, IRSTD_DATA=data) == "(3, 2)"
    told = ["pytest", "tests/datasets", "-k", "metrics_of_the_catalogue and example"]
    assert "1 passed" in run(told, copy, IRSTD_DATA=data).stdout


@pytest.mark.release
def test_an_exercise(copy):
    carry_out("An exercise", copy)
    all_pass("How to refresh outputs", copy)
    all_pass("An exercise", copy)
    assert "right" in shown("irstd.check('01.5', 0.25)", copy)
