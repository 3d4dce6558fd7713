"""Lessons begin where pyarrow, isal and anywidget do not exist, as in a browser alone."""

import pytest
from processes import run_python
from texts import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REAL_DATA = ("06",)
RUN = """
import json, os, sys
sys.modules.update(dict.fromkeys(["pyarrow", "isal", "anywidget"]))
import matplotlib
matplotlib.use("Agg")
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    book = json.load(open(path, encoding="utf-8"))
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    pictures = [any("image/png" in o.get("data", {}) for o in cell["outputs"]) for cell in cells]
    names = {}
    for cell in cells[: pictures.index(True) + 1]:
        source = "".join(cell["source"])
        if "widgets.judge(" not in source:  # which needs anywidget, as explore does
            exec(source, names)
import irstd
try:
    irstd.explore(irstd.load_dataset("sim-trec8"))
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.night
def test_each_lesson_but_that_on_real_data_comes_to_its_first_picture():
    lessons = [path for path in NOTEBOOKS if path.stem[:2] not in REAL_DATA]
    done = run_python("-W", "ignore", "-c", RUN, *lessons)
    assert (done.returncode, done.stderr) == (0, "")
    assert "this needs anywidget, which is not installed: pip install " in done.stdout
