"""Promises of the project as a whole: one set of versions, one test command, a clean structure."""

import ast
import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from campaigns import write_six_runs
from processes import run_python
from scipy.stats import norm, zscore
from texts import ROOT, code_of, read

import irstd

SETTINGS = tomllib.loads(read("pyproject.toml"))
PROJECT = SETTINGS["project"]
EXTRAS = PROJECT["optional-dependencies"]
README = read("README.md")
RECIPE = yaml.safe_load(read(".github/conda/recipe.yaml"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ON_CONDA = {"isal": "python-isal", "matplotlib": "matplotlib-base"}


def parts(requirement):
    name, bounds = re.fullmatch(r"([A-Za-z0-9_-]+)(?:\[.*\])?([^;]*)(?:;.*)?", requirement).groups()
    return name, bounds


def requirements(extras):
    """What is installed with some extras, and those that they take in."""
    items = list(PROJECT["dependencies"])
    for extra in extras:
        for item in EXTRAS[extra]:
            taken_in = re.fullmatch(r"ir-standardization\[(.+)\]", item)
            if taken_in:
                items += requirements(taken_in[1].split(","))
            else:
                items.append(item)
    return items


def test_the_core_is_small():
    assert len(PROJECT["dependencies"]) <= 10


def test_conda_installs_what_pip_does():
    conda = yaml.safe_load(read("environment.yml"))["dependencies"]
    packages = dict(parts(item) for item in conda if isinstance(item, str))
    assert packages.pop("nbval") == "=0.11"
    assert packages.pop("pytest") == dict(parts(item) for item in requirements(["test"]))["pytest"]
    assert packages.pop("python") == PROJECT["requires-python"]
    assert packages.pop("pip") == ""
    expected = dict(parts(item) for item in requirements(["course"]))
    assert packages == {ON_CONDA.get(name, name): bounds for name, bounds in expected.items()}
    assert conda[-1] == {"pip": ["--editable .[test]"]}  # README's tests run in it


def test_every_dependency_has_its_pinned_version():
    pins = read(".ci/constraints.txt")
    for name in {parts(item)[0] for item in requirements(EXTRAS)}:
        assert re.search(rf"(?m)^{name}==\d", pins), f"{name} is not in constraints.txt"
    assert "http:" not in pins and "file:" not in pins


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for path in (ROOT / "irstd").rglob("*.py")}


def imports(path):
    """All that a file imports, wherever it does so: modules, as `irstd.trec.runs`."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {path.name}"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inside & FILES.keys() or {node.module}
    return names


# Where the name that is imported is not that of the package.
PACKAGES = {"IPython": "ipython", "bs4": "beautifulsoup4"}
OPTIONAL = {"ir-measures", "bm25s", "snowballstemmer"}  # imported where they are needed


def extras_of(path):
    """The extras that a file may take for granted."""
    folder, place, *_ = path.relative_to(ROOT).parts
    if folder == ".site":
        return ["course", "site"]
    if place in ("course", "plots", "widgets"):
        return ["course"]
    return []


@pytest.mark.parametrize("folder", ["irstd", ".site"])
def test_every_import_is_declared(folder):
    """What comes only with another package is gone when that one does without it."""
    for path in (ROOT / folder).rglob("*.py"):
        optional = re.findall(r'import_optional\("([\w.]+)"\)', path.read_text("utf-8"))
        items = requirements(["course"] if optional else extras_of(path))
        declared = OPTIONAL | {parts(item)[0].lower() for item in items}
        names = imports(path).union(optional)
        tops = {name.partition(".")[0] for name in names}
        tops -= {"irstd", "_sources"} | sys.stdlib_module_names
        for name in tops:
            package = PACKAGES.get(name, name.replace("_", "-"))
            assert package in declared, (
                f"{path.relative_to(ROOT)} imports {name}: declare {package} in pyproject.toml"
                " (of irstd in environment.yml, too) and pin it in .ci/constraints.txt, or say in"
                " PACKAGES what its package is called"
            )


def test_the_version_is_said_once_in_each_place():
    """A release has its date; what is not released yet may stand above it."""
    citation = yaml.safe_load(read(".github/CITATION.cff"))
    archive = json.loads(read(".zenodo.json"))
    versions = [citation["version"], archive["version"], RECIPE["package"]["version"]]
    assert versions == [irstd.__version__] * 3
    assert f"version = {{{irstd.__version__}}}" in README
    assert citation["title"] in README and citation["authors"][0]["name"] in README
    changelog = read(".github/CHANGELOG.md")
    released = re.findall(r"(?m)^## (\S+), \d{4}-\d\d-\d\d$", changelog)
    assert released[0] == irstd.__version__


def test_the_conda_recipe_asks_for_what_pip_does():
    asked = {
        ON_CONDA.get(name, name) + bounds for name, bounds in map(parts, PROJECT["dependencies"])
    }
    found = {line.replace(" ", "") for line in RECIPE["requirements"]["run"]}
    assert found == asked | {"python>=3.11", "jinja2"}  # Jinja2 is pandas' output-formatting
    command, entry = RECIPE["build"]["python"]["entry_points"][0].split(" = ")
    assert PROJECT["scripts"][command] == entry


def test_ci_runs_the_test_command_of_the_readme():
    commands = re.findall(r"```sh\n(.+)\n```", README)
    assert any(command.endswith("/irstd lab") for command in commands)
    assert "pip install irstd" not in README  # the package of somebody else
    (tests,) = [command for command in commands if "pytest" in command]
    assert tests in read(".ci/run").splitlines()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")  # there are six
def test_the_example_of_the_readme_standardizes_as_scipy_does(tmp_path, monkeypatch):
    write_six_runs(tmp_path, "mine")
    monkeypatch.chdir(tmp_path)
    shutil.copy("runs/odd.gz", "mine.run")
    _, code = code_of(README)
    results = {"irstd": irstd}
    exec(code, results)
    scores = results["scores"]["AP"]
    expected = norm.cdf(zscore(scores, axis=1, ddof=1))[:, scores.columns.get_loc("mine")]
    assert results["standardized"]["AP"]["mine"].to_numpy() == pytest.approx(expected, abs=1e-12)


def test_the_first_example_of_the_readme_answers_from_beirs_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, _ = code_of(README)
    rng = np.random.default_rng(0)
    grid = pd.MultiIndex.from_product([range(30), range(100, 120)], names=["query_id", "doc_id"])
    pairs = grid.to_frame(index=False).astype(str)
    for name in ("scifact", "nfcorpus", "fiqa"):
        Path("runs", name).mkdir(parents=True)
        Path(name, "qrels").mkdir(parents=True)
        qrels = pairs.groupby("query_id").sample(3, random_state=rng).assign(score=1)
        qrels.columns = ["query-id", "corpus-id", "score"]
        qrels.to_csv(f"{name}/qrels/test.tsv", sep="\t", index=False)
        for system in ("bm25", "mine-seed1", "mine-seed2", "mine-seed3"):
            run = pairs.assign(score=rng.random(len(pairs)))
            irstd.write_run(run, f"runs/{name}/{system}", tag=system)
    results = {}
    exec(code, results)
    shown = capsys.readouterr().out
    for name, scores in results["scores"].items():
        alone = irstd.evaluate(f"runs/{name}/*", f"{name}/qrels/test.tsv", "nDCG@10")
        pd.testing.assert_frame_equal(scores, alone)
        assert f"{scores['bm25'].mean():.3f}" in shown
    assert "scifact 30" in shown


@pytest.mark.parametrize("folder", ["notebooks/00_start_here.ipynb", "README.md"])
def test_the_map_of_the_course_has_each_notebook(folder):
    text = read(folder)
    rows = re.findall(r"\[`(\d\d_\w+)`\]\((?:notebooks/)?(\w+)\.ipynb\)", text)
    names = [path.stem for path in NOTEBOOKS]
    assert set(rows) >= set(zip(names, names, strict=True))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_as_it_ran(path):
    """Strict nbval compares nothing of a cell without an execution count.

    Neither state nor view of a widget is stored: without a kernel they are an error message.
    """
    assert path.stat().st_size < 1_000_000
    notebook = json.loads(path.read_text("utf-8"))
    assert "widgets" not in notebook["metadata"]
    cells = notebook["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"])]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    for cell in code:
        is_widget = re.search(r"(?m)^(\w+\.)?explore\w*\(", "".join(cell["source"]))
        assert not any(tag.startswith("nbval-") for tag in cell["metadata"].get("tags", []))
        for output in cell["outputs"]:
            data = output.get("data", {})
            assert output["output_type"] != "error" and output.get("name") != "stderr"
            assert "application/vnd.jupyter.widget-view+json" not in data
            assert "text/html" in data or not is_widget
    pictures = [c for c in code if any("image/png" in o.get("data", {}) for o in c["outputs"])]
    texts = [cell["metadata"].get("mystnb", {})["image"]["alt"] for cell in pictures]
    assert len(set(texts)) == len(texts)


MODULES = {
    name: imports(path) for name, path in FILES.items() if name not in ("irstd", "irstd.__main__")
}
# The wings, and which of them each may import; and what stands at the root.
AT_THE_ROOT = {"_base", "trec", "significance", "rankings", "datasets"}
WINGS = {
    "_base": "",
    "trec": "_base",
    "significance": "_base",
    "rankings": "_base significance",
    "compare": "_base trec significance rankings resample",
    "resample": "_base significance rankings",
    "simulate": "_base trec",
    "documentation": "_base simulate",
    "datasets": "_base trec simulate documentation",
    "plots": "_base trec rankings",
    "widgets": "_base trec datasets compare judges significance rankings simulate plots",
    "judges": "_base trec compare rankings significance",
    "own_runs": "_base metrics trec datasets compare significance rankings",
    "course": "_base trec datasets own_runs plots widgets",
}


def wing(module):
    place = module.split(".")[1] if module.startswith("irstd.") else ""
    return place if place in WINGS else None


def test_imports_flow_one_way():
    modules = dict(MODULES)
    while modules:
        free = {name for name, needs in modules.items() if not needs & modules.keys()}
        assert free, f"imports go in circles among {sorted(modules)}"
        modules = {name: needs for name, needs in modules.items() if name not in free}


def test_no_import_goes_up_to_another_wing():
    for name, needs in MODULES.items():
        own = wing(name)
        allowed = {own, *WINGS[own].split()} if own else AT_THE_ROOT
        assert {wing(need) for need in needs} - {None} <= allowed, name


def test_the_public_names_are_there_and_documented():
    assert len(set(irstd.__all__)) == len(irstd.__all__) <= 46
    assert {*irstd.__all__, "plots", "widgets"} <= set(dir(irstd))
    for name in irstd.__all__:
        assert getattr(irstd, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'standardise'"):
        _ = irstd.standardise


@pytest.mark.night
def test_a_type_checker_sees_the_public_names(tmp_path):
    """Those that are imported late, too, and none that is not there."""
    lines = ["import irstd", "reveal_type(irstd.explore)", "irstd.standardise"]
    (tmp_path / "use.py").write_text("\n".join(lines))
    done = run_python("-m", "mypy", "--config-file=", "use.py", cwd=tmp_path)
    assert 'Revealed type is "def (scores' in done.stdout
    assert '"standardise"' in done.stdout
