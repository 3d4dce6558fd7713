"""Lessons begin where pyarrow, isal and anywidget do not exist, as in a browser alone."""

import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
READ_RUNS = ("01", "06", "07")  # or judgments
LESSONS = [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.stem[:2] not in READ_RUNS]

RUN = """
import json, os, sys
REFUSED = {"pyarrow", "isal", "anywidget"}
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
import matplotlib
matplotlib.use("Agg")
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    for cell in cells:
        exec(compile("".join(cell["source"]), path, "exec"), names)
        if any("image/png" in output.get("data", {}) for output in cell["outputs"]):
            break
    else:
        raise SystemExit(f"{path} has no picture")
    import irstd
    try:
        irstd.explore(irstd.load_dataset("sim-trec8"))
    except ModuleNotFoundError as error:
        assert "pip install anywidget" in str(error), error
    else:
        raise SystemExit("explore works without anywidget")
assert not REFUSED & set(sys.modules)
"""


@pytest.mark.slow
def test_each_lesson_but_those_that_read_runs_comes_to_its_first_picture():
    assert len(LESSONS) > 6
    command = [sys.executable, "-W", "ignore", "-c", RUN, *map(str, LESSONS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
