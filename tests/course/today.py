"""The table of notebook 10, ``today.csv``, by the functions that the notebook defines.

In some twenty minutes, where the real data are (IRSTD_DATA): ``python tests/course/today.py``.
"""

import json
import re
import sys
import warnings
from pathlib import Path

import pandas as pd

import irstd

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TABLE = NOTEBOOKS / "today.csv"
TWO = {"robust2004": "nVDCG", "terabyte2006": "nVDCG"}  # of which two metrics are public
TWO |= {f"web{year}": "nVDCG@20" for year in range(2010, 2015)}
OLD = [*"trec5 trec6 trec7 trec8 robust2003 web2004 genomics2004 enterprise2006".split(), *TWO]


def functions(starts="def |import numpy"):
    """What the cells of the notebook define that start so; by default all functions."""
    cells = json.loads((NOTEBOOKS / "10_today.ipynb").read_text(encoding="utf-8"))["cells"]
    names = {}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and re.match(starts, source):
            exec(source, names)
    return names


def matrices(ask, on_scores, on_judges):
    """Kind, data, matrix, what is asked of it, and whether its runs have groups."""
    load, mean = irstd.load_dataset, lambda x: pd.DataFrame(by_one(ask, x)).mean()
    for year in (2019, 2020):
        every, kept = load(f"judges-dl{year}"), {}
        for judge in every.columns.unique(0):
            x = every[judge].dropna()
            if len(x) >= 40 and not any(x.equals(y) for y in kept.values()):
                kept[judge] = x
        both = pd.concat(kept, axis=1)
        yield "new", f"DL {year}", kept["original"], ask, True
        yield "new", f"DL {year}", both, on_judges, True
        yield "by models", f"{year} by models", both.drop(columns="original", level=0), mean, True
    board = load("mteb-retrieval").dropna(axis="columns")
    yield "new", "MTEB", board.loc[:, ~board.T.duplicated()], ask, True
    for name in OLD:
        yield "old AP", f"{name} AP", load(name), ask, False
    for name, metric in TWO.items():
        x = load(name, metric)
        both = pd.concat({"AP": load(name).loc[x.index], metric: x}, axis=1)
        yield "old nVDCG", f"{name} {metric}", x, ask, False
        yield "metric", f"{name} {metric} less AP", both, less(ask), False
    runs = pd.concat({m: load("robust2003-runs", m) for m in ("AP", "nRBP.9")}, axis=1)
    yield "metric", "six runs nRBP.9 less AP", runs, less(on_scores), True


def by_one(ask, x):
    return [pd.Series(ask(x[name])) for name in x.columns.unique(0)]


def less(ask):
    """By the second metric less by the first."""
    return lambda x: by_one(ask, x)[1] - by_one(ask, x)[0]


def parts_of(x, groups):
    """Topics, in fifty parts if there are many; runs, by the letters that their tags begin with."""
    count, tags = len(x) if len(x) <= 60 else 50, {}
    for name in x.columns if groups else ():
        tag = (name if isinstance(name, str) else name[-1]).rpartition("/")[2]
        tags.setdefault(re.match("[A-Za-z]+|.+", tag)[0].lower(), []).append(name)
    return [x.index[k::count] for k in range(count)], list(tags.values())


def answers(left_out, kind, data, x, function, groups):
    """The rows of one matrix."""
    value, (topics, tags) = function(x), parts_of(x, groups)
    columns = {"value": value, "se_topics": left_out(x, topics, 0, function)}
    columns["se_groups"] = left_out(x, tags, 1, function) if tags else 0 * value
    df = min(len(part) for part in (topics, tags) if part) - 1
    found = pd.DataFrame(columns).rename_axis("claim").reset_index()
    return found.assign(kind=kind, data=data, df=df)


if __name__ == "__main__":
    sys.path.insert(0, str(NOTEBOOKS))
    warnings.simplefilter("ignore")  # of topics without a scale
    n = functions()
    asked = matrices(n["ask"], n["on_scores"], n["on_judges"])
    rows = pd.concat([answers(n["left_out"], *each) for each in asked])
    rows.to_csv(TABLE, index=False, float_format="%.4g")
