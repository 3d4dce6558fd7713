"""Notebook 06 on other scores: shuffled systems, random tables, and fewer topics.

``python tests/course/replication_runs.py nulls`` and ``... topics`` write `nulls.csv` and
`topics.csv`, by which `claims.csv` says what could hardly have failed, and the errors over topics.
"""

import contextlib
import io
import json
import sys
import warnings
import zlib
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from scipy import stats

import irstd
from data import ledger as book

HERE = Path(__file__).parent
NOTEBOOK = HERE.parents[1] / "notebooks" / "06_replication.ipynb"
# Of null scores the errors are not looked at, so fewer draws do.
FEWER_DRAWS = {
    "ours = 0, 10_000": "ours = 0, 1_000",
    "120_000": "1_500",
    "20_000": "1_500",
    "100_000": "2_000",
    "trials=4000": "trials=400",
}


def computing_cells():
    """The cells of the notebook that compute, without those that only show."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    sources = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if "table = ledger(ours)" in source:
            return sources
        shows = any(word in source for word in ("plt.subplots", "plot.bar", "_ = plots"))
        if cell["cell_type"] == "code" and not shows:
            lines = [line for line in source.splitlines() if not line.startswith("%")]
            sources.append("\n".join(lines))
    raise AssertionError("no cell makes the ledger")


def no_error(function, *tables, groups=0):
    """What `jackknife` gives, without its error: here each run is one draw."""
    found = pd.Series(function(*tables)).items()
    every = {name: book.Estimate(float(value), 0.0) for name, value in found}
    return every.get(0, every)


def run(changed, skip=(), fewer_draws=None):
    """The values of all rows, with `changed(dataset, scores)` in the place of public scores.

    A cell that stops with an error of `skip` gives no more rows, as where no system is above .5.
    """
    load = irstd.load_dataset

    def load_changed(name, metric="AP"):
        return changed(name, load(name, metric))

    source = "\n\n\n".join(computing_cells())
    for draws, fewer in (fewer_draws or {}).items():
        assert draws in source, draws
        source = source.replace(draws, fewer)
    state = {}
    quiet = contextlib.redirect_stdout(io.StringIO())
    with (
        mock.patch.object(irstd, "load_dataset", load_changed),
        mock.patch.object(book, "jackknife", no_error),
        quiet,
        warnings.catch_warnings(action="ignore"),
    ):
        for cell in source.split("\n\n\n"):
            with contextlib.suppress(*skip):
                exec(cell, state)
    return state["ours"]


def generator(name, scores, draw):
    """Random numbers of a collection, the same for its metrics."""
    return np.random.default_rng([zlib.crc32(name.encode()), *scores.shape, draw])


def shuffled(draw):
    """No system is better than another: on each topic the scores change owners."""

    def change(name, scores):
        rng = generator(name, scores, draw)
        order = rng.random(scores.shape).argsort(axis=1)
        values = np.take_along_axis(scores.to_numpy(), order, axis=1)
        return pd.DataFrame(values, scores.index, scores.columns)

    return change


def random_tables(draw):
    """Random scores between 0 and 1, with the means of these systems and about their spread."""

    def change(name, scores):
        rng = generator(name, scores, draw)
        mean = scores.mean().clip(0.001, 0.999)
        more = np.median(mean * (1 - mean) / scores.var(ddof=0)) - 1
        values = rng.beta(mean * more, (1 - mean) * more, scores.shape)
        return pd.DataFrame(values, scores.index, scores.columns)

    return change


def without(group, groups):
    """Of each fifty topics, six or so are left out: the same ones on all collections."""

    def change(name, scores):
        numbers = scores.index.astype(str).str.extract(r"(\d+)$")[0].astype(int)
        return scores[(numbers % groups != group).to_numpy()]

    return change


STOPS = (ValueError, KeyError, IndexError)  # of a cell, where null scores have no such systems
NULLS = {"shuffled": shuffled, "random": random_tables}
DRAWS = 20
GROUPS = 8


def passes(values):
    """By row, whether a value keeps to the rule; an error that it may have is not asked."""
    claims = book.claims()
    found = {}
    for row, value in values.items():
        ours = value.value if isinstance(value, book.Estimate) else value
        claim = claims.loc[row]
        if np.isfinite(np.ravel(np.asarray(ours, float))).any():
            verdict = book.verdict(claim["rule"], claim["printed"], np.nan_to_num(ours))
            found[row] = verdict in book.HOLDS
    return pd.Series(found, dtype=float)


def nulls():
    """The share of null tables that pass, by row."""
    shares = {}
    for name, null in NULLS.items():
        runs = [passes(run(null(draw), STOPS, FEWER_DRAWS)) for draw in range(DRAWS)]
        shares[name] = pd.concat(runs, axis=1).mean(axis=1)
    return pd.DataFrame(shares).reindex(book.claims().index)


def errors():
    """The jackknife error over topics of each value of a row, as text, in the order of values.

    Few groups, as random draws differ between runs, and count as luck of topics; widened by
    Student's t, as errors of so few are rough.
    """
    wide = stats.t.isf(stats.norm.sf(book.SURE), GROUPS - 1) / book.SURE
    less = [run(without(group, GROUPS), STOPS) for group in range(GROUPS)]
    found = {}
    for row in book.claims().index:
        given = [ours[row] for ours in less if row in ours]
        values = [np.ravel(x.value if isinstance(x, book.Estimate) else x) for x in given]
        if len({len(value) for value in values}) == 1 and len(values) > GROUPS / 2:
            error = np.std(np.array(values, float), axis=0) * np.sqrt(len(values) - 1) * wide
            found[row] = ", ".join(f"{x:.2g}" for x in error)
    return pd.Series(found, name="se_topics").reindex(book.claims().index)


if __name__ == "__main__":
    tables = {"nulls": nulls, "topics": errors}
    for name in sys.argv[1:] or tables:
        tables[name]().to_csv(HERE / f"{name}.csv", float_format="%.4g", lineterminator="\n")
