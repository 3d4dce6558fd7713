"""The table of a paper: several metrics, each tested by itself against a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.clusters import Clusters
from irstd._base.messages import listed, warn
from irstd.compare.captions import (
    comparison,
    on_contradictions,
    on_gaps,
    on_groups,
    on_margin,
    what_is_bold,
)
from irstd.compare.columns import Columns, Rules, of_collections, of_metrics
from irstd.compare.forms import ComparisonTable
from irstd.compare.marks import arrows, marks_of_groups, marks_of_letters, with_equivalent


def comparison_table(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    family: str = "all",
    clusters: Clusters | None = None,
    margin: float | None = None,
    letters: bool = False,
    seeds: str | Mapping[str, tuple[str, str]] | None = None,
    beside: pd.DataFrame | None = None,
    printed: pd.DataFrame | None = None,
    better: Mapping[str, str] | None = None,
) -> ComparisonTable:
    """The table of a paper: systems by metrics, or by collections, each column with its tests.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        Scores in one metric, or several with columns ``(metric, system)``, each with the baseline.
        Means are over the topics that a system has, tests over those that both have. Or scores in
        one metric by the name of their collection: a column for each, with its number of topics,
        and their mean, in which each collection has as much weight.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen; a list, if
        a mark shall mean: than each of these. None: no system is tested; marked is the group that
        holds the best, see `rank_intervals`, at the level 1 - alpha, which needs five topics.
    correction, method
        As in `pairwise_tests`, but for tests of spread, which say nothing of means. The family that
        is corrected for are the pairs of one metric. Of collections, ``"t"`` only.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    family : {"all", "collection"}, default "all"
        Of collections, what is corrected together: all tests of the table, or those of each column.
    clusters, margin
        As in `pairwise_tests`. With a margin, ``"="`` marks systems that are equivalent to the
        baseline: their difference is within it by two one-sided tests, corrected.
    letters : bool, default False
        Without a baseline: mark all systems by letters of significance, from tests of all pairs by
        `method` and `correction`; those that share one are not significantly different.
    seeds : str or dict, optional
        Which columns are one system with several seeds, as in `name_seeds`; the others have none,
        as BM25. Cells are means over seeds, with their standard deviation; tests are those of
        `seed_test`, with other topics and other seeds in mind. For one metric.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.
    printed : DataFrame, optional
        Means that others print, of systems whose scores by topic are not to be had: a row for each,
        in columns of the table. They stand below, without a test.
    better : dict of str to str, optional
        By column, ``"larger"`` or ``"smaller"``: which is better. Of the metrics, larger, unless it
        is said otherwise here; of the columns beside, none is, and nothing is bold, unless it is
        said: ``{"ms per query": "smaller"}``. Of collections, larger.

    Returns
    -------
    ComparisonTable
        An object with the table as text (``str``), as LaTeX (``to_latex()``), and in numbers.

    Notes
    -----
    A mark of the mean over collections is for *these* collections and other topics; what is to be
    expected of other *collections like these* is the random-effects mean of `combine_collections`,
    in ``tests`` and in the caption if there are three or more, and no seeds. These are two
    questions: a gain on one of several can be certain of these, and say little of others.

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
    rules = Rules(
        baseline=baseline,
        correction=correction,
        method=method,
        alpha=alpha,
        family=family,
        clusters=clusters,
        margin=margin,
        letters=letters,
    ).checked()
    baseline = rules.baseline
    if isinstance(scores, Mapping):
        columns = of_collections(scores, rules, seeds)
    else:
        columns = of_metrics(scores, rules, seeds, better)
    several = isinstance(scores, Mapping) and len(columns.interval) > 0
    if isinstance(beside, pd.Series):
        beside = beside.to_frame(beside.name or "beside")
    signs = _signs(better, list(columns.means.columns), beside)
    if isinstance(scores, Mapping) and min(signs.values()) < 0:
        raise ValueError(
            "better is of metrics: of errors on several collections, give the negative"
        )
    first = columns.means.columns[-1 if isinstance(scores, Mapping) else 0]
    means = columns.means.sort_values(first, ascending=signs[first] < 0, kind="stable")
    beside = _beside(beside, means)
    printed = _printed(printed, means)
    tested_all = len(printed) == 0
    marks, sentences = _marks_and_what_they_mean(columns, rules, means, signs, tested_all)
    marks = marks.reindex(index=means.index, columns=means.columns).fillna("")
    unfinished = columns.unfinished.loc[means.index]
    with_gaps = columns.counts[columns.unfinished.any(axis=1)]
    caption = [f"{columns.what}; {what_is_bold(signs, beside)}.", *sentences]
    if len(printed):
        caption.append(f"Not tested, as printed elsewhere: {listed(printed.index, 20)}.")
        if means.max().max() <= 1 < printed.max().max():
            warn("comparison_table: printed has numbers above 1, scores none: are they in percent?")
    caption += on_gaps(means, beside, with_gaps, columns.topics, baseline)
    caption += columns.notes
    tests = columns.tests
    if isinstance(baseline, str) and not letters:
        tests = {name: pairs.droplevel("system_b") for name, pairs in tests.items()}
    return ComparisonTable(
        means=means,
        marks=marks,
        tests=pd.concat(tests, axis=1),
        spread=columns.spread.loc[means.index],
        interval=columns.interval.reindex(means.index) if several else columns.interval,
        beside=beside,
        printed=printed,
        caption=" ".join(caption),
        _unfinished=unfinished,
        _better=signs,
        _heads=columns.heads,
    )


def _beside(beside: pd.DataFrame | None, means: pd.DataFrame) -> pd.DataFrame:
    """The columns beside the means, a row a system as these."""
    if beside is None:
        return means[[]]
    lacking = listed(means.index.difference(beside.index, sort=False))
    if lacking:
        raise ValueError(f"beside must have a row for each system, and has none for {lacking}")
    return beside.loc[means.index]


def _printed(printed: pd.DataFrame | None, means: pd.DataFrame) -> pd.DataFrame:
    """The rows that others print, in all columns of the table."""
    if printed is None:
        return means.iloc[:0]
    if not isinstance(printed, pd.DataFrame):
        raise TypeError(
            f"printed must be a DataFrame, a row a system, got {type(printed).__name__}"
        )
    for column in printed.columns:
        check_choice(column, list(means.columns), "the columns of printed")
    repeated = printed.index.intersection(means.index)
    if len(repeated) or not printed.index.is_unique:
        raise ValueError(
            f"printed must have other systems than scores, each once: {listed(repeated)}"
        )
    return printed.astype(float).reindex(columns=means.columns)


def _marks_and_what_they_mean(
    columns: Columns,
    rules: Rules,
    means: pd.DataFrame,
    signs: Mapping[str, int],
    tested_all: bool,
) -> tuple[pd.DataFrame, list[str]]:
    """The marks of systems by column, and the sentences of the caption on them."""
    how = f"({columns.how}, p ≤ {rules.alpha:g})"
    if rules.letters:
        marks = marks_of_letters(columns.tests, means, signs, rules.alpha)
        meaning = f"Systems that share a letter are not significantly different {how}"
        return marks, [f"{meaning}, which is no sign that they are equal."]
    if rules.baseline is None:
        marks = marks_of_groups(columns.tests)
        return marks, on_groups(marks, 1 - rules.alpha, tested_all)
    tested = {name: columns.tests[name] for name in means.columns}
    marks, contradicted = arrows(tested, rules.correction, rules.alpha, signs)
    sentences = [f"{comparison(marks, rules.baseline)} {how}."]
    sentences += on_contradictions(contradicted)
    if rules.margin is not None:
        marks = with_equivalent(marks, tested, rules.alpha)
        sentences += on_margin(marks, rules.baseline, rules.margin)
    return marks, sentences


def _signs(
    better: Mapping[str, str] | None, metrics: list[str], beside: pd.DataFrame | None
) -> dict[str, int]:
    """Of each column that has a best: 1 if larger is better, -1 if smaller is."""
    signs = dict.fromkeys(metrics, 1)
    columns = metrics if beside is None else [*metrics, *beside.columns]
    if not isinstance(better or {}, Mapping):
        raise TypeError(f'better must be a dict such as {{"latency": "smaller"}}, got {better!r}')
    for column, which in (better or {}).items():
        check_choice(column, columns, "the columns of better")
        check_choice(which, ("larger", "smaller"), "better")
        signs[column] = 1 if which == "larger" else -1
    return signs
