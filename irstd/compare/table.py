"""The table of a paper: systems by metrics, or by collections, each column with its tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from irstd._base.clusters import Clusters
from irstd._base.several import ByCollection
from irstd.compare.captions import on_gaps, on_marks, on_numbers
from irstd.compare.columns import cells_of, columns_of
from irstd.compare.paper import ComparisonTable
from irstd.compare.tested import Comparison, marks_of, tests_of
from irstd.seeds import Seeds, seed_tests
from irstd.significance.corrections import corrected


def comparison_table(
    scores: pd.DataFrame | ByCollection,
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    clusters: Clusters | None = None,
    seeds: Seeds | None = None,
    beside: pd.DataFrame | None = None,
) -> ComparisonTable:
    """The table of a paper: systems by metrics, or by collections, each column with its tests.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        Scores in one metric, or several with columns ``(metric, system)``, each with the baseline;
        larger is better, so give the negative of an error. Means are over the topics that a system
        has, tests over those that both have. Or scores in one metric by the name of their
        collection: a column for each, and their mean, in which each has as much weight.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen; a list, if
        a mark shall mean: than each of these. None: no system is tested; marked is the confidence
        set for the best at the level 1 - alpha, see `rank_intervals`, of the systems that have all
        topics, which must be five.
    correction, method
        As in `pairwise_tests`, but for tests of spread, which say nothing of means. Corrected
        together are the pairs of one metric; of collections, all pairs of the table. Without a
        baseline, of collections, and with seeds: ``"t"`` only.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    clusters
        As in `pairwise_tests`; clusters of several collections in a dict of these.
    seeds : str or dict, optional
        Which columns are one system with several seeds, as in `name_seeds`; the others have none,
        as BM25. Cells are means over seeds, with their standard deviation; tests are those of
        `seed_test`, with other topics and other seeds in mind. For one metric, and one baseline.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.

    Returns
    -------
    ComparisonTable
        An object that prints as the table, with ``to_latex()``, and with all numbers: ``cells``,
        ``tests``, ``means`` and ``marks``.

    Notes
    -----
    A mark of the mean over collections is for *these* collections and other topics; what is to be
    expected of other *collections like these* is the random-effects mean of `combine_collections`.
    These are two questions: a gain on one of several can be certain of these, and say little of
    others.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8", ["AP", "P@10"]).iloc[:, ::43]
    >>> table = comparison_table(scores, scores["AP"].columns[0])
    >>> table.marks["P@10"].tolist(), table.to_latex().count("textbf")
    (['', '', '↓'], 2)
    >>> ap = irstd.load_dataset("sim-robust2004-all").iloc[:, ::40]
    >>> parts = {"old": ap[:100], "new": ap[100:]}
    >>> comparison_table(parts, ap.columns[0]).means.columns.tolist()
    ['old', 'new', 'mean']
    """
    if isinstance(baseline, str):
        baseline = [baseline]
    if baseline is not None:
        baseline = list(dict.fromkeys(baseline))
    how = Comparison(baseline, method, correction, alpha, clusters, seeds)
    columns = columns_of(scores, baseline, seeds)
    cells = cells_of(columns, 1 - alpha)
    systems = cells.index.unique("system")
    if beside is not None and not beside.index.isin(systems).any():
        raise ValueError("beside must have rows of the systems in the table, and has none of them")
    beside = pd.DataFrame(beside, index=systems)
    _check_beside(beside, columns.sizes)
    if seeds is None or baseline is None:  # with seeds there is one
        tests = tests_of(columns, how)
    else:
        tests = corrected(seed_tests(columns.by_seed, cells["mean"], baseline), correction)
    cells = cells.join(marks_of(tests, how)).fillna({"mark": ""})
    caption = [
        on_numbers(columns, alpha),
        on_marks(cells["mark"], tests, how),
        on_gaps(cells, beside),
    ]
    return ComparisonTable(cells, tests, beside, " ".join(filter(None, caption)))


def _check_beside(beside: pd.DataFrame, tested: Iterable[str]) -> None:
    """Refuse what is no number, and a name that another column has."""
    for column, kind in beside.select_dtypes(exclude="number").dtypes.items():
        raise TypeError(f"beside must be numbers, and {column} is {kind}")
    names = pd.Index([*tested, *beside.columns])
    for column in names[names.duplicated()]:
        raise ValueError(f"two columns would be called {column}: rename that of beside")
