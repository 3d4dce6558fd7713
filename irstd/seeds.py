"""Tests over topics and training seeds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_level
from irstd._base.arrays import se_of_means, t_estimate
from irstd._base.matrix import check_scores
from irstd._base.messages import list_items, listed, warn
from irstd._base.several import MEAN

__all__ = ["name_seeds", "seed_test"]

FACETS = ["system", "seed"]
NO_SEED = "none"
Seeds = str | Mapping[str, tuple[str, str]]  # see `name_seeds`


def name_seeds(
    scores: pd.DataFrame,
    seeds: Seeds,
    *,
    without: Sequence[str] = (),
) -> pd.DataFrame:
    """Name the columns of a score matrix by system and training seed.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, one column per system and seed.
    seeds : str or dict
        A regular expression for names of columns, with the groups ``system`` and ``seed``, such as
        ``r"(?P<system>.*)-s(?P<seed>[0-9]+)"``; or a dict of ``(system, seed)`` by column.
    without : list of str, optional
        Columns of systems without a seed, such as BM25.

    Returns
    -------
    DataFrame
        The same scores, with columns ``(system, seed)``; the seed is "none" for systems without
        one. The matrix of means over seeds is
        ``named.T.groupby("system", sort=False).mean().T``.

    Raises
    ------
    ValueError
        If the expression lacks a group, or a column neither matches it nor is in `without`.

    Examples
    --------
    >>> scores = pd.DataFrame([[0.1, 0.3, 0.2]], ["1"], ["a-s1", "a-s2", "b-s1"])
    >>> name_seeds(scores, r"(?P<system>.*)-s(?P<seed>[0-9]+)")
    system    a         b
    seed      1    2    1
    topic
    1       0.1  0.3  0.2
    """
    table = check_scores(scores)
    pairs = _match_seeds(table.columns, seeds)
    for column in without:
        check_choice(column, table.columns, "without")
        pairs[column] = (column, NO_SEED)
    unnamed = list_items(table.columns.difference([*pairs]), "columns")
    if unnamed:
        raise ValueError(
            f"seeds does not match {unnamed}: list systems without seeds, such as BM25, in"
            " without=[...]"
        )
    return _label_columns(table, pairs)


def split_seeds(scores: pd.DataFrame, seeds: Seeds) -> pd.DataFrame:
    """Name the columns of complete scores; those that do not match are without seed."""
    pairs = _match_seeds(scores.columns, seeds)
    if not pairs:
        raise ValueError(f"seeds={seeds!r} matches none of the columns {listed(scores.columns)}")
    without_seed = {column: (column, NO_SEED) for column in scores}
    return _label_columns(scores, without_seed | pairs)


def _match_seeds(columns: pd.Index, seeds: Seeds) -> dict[Any, tuple]:
    """Return the system and seed of each column that `seeds` matches."""
    if isinstance(seeds, str):
        pattern = re.compile(seeds)
        if not pattern.groupindex.keys() >= set(FACETS):
            raise ValueError(
                f"seeds must have the groups (?P<system>...) and (?P<seed>...), got {seeds!r}"
            )
        matches = {column: pattern.fullmatch(column) for column in columns}
        seeds = {name: (match["system"], match["seed"]) for name, match in matches.items() if match}
    pairs = {column: tuple(seeds.get(column, ())) for column in columns}
    missing = {None, ""}  # the seed 0 is none of them
    return {name: x for name, x in pairs.items() if len(x) == 2 and missing.isdisjoint(x)}


def _label_columns(scores: pd.DataFrame, pairs: dict[Any, tuple]) -> pd.DataFrame:
    """Replace column names by (system, seed), or raise if two columns have the same."""
    labels = [pairs[column] for column in scores]
    columns = pd.MultiIndex.from_tuples(labels, names=FACETS)
    if columns.has_duplicates:
        repeated = listed(scores.columns[columns.duplicated(keep=False)])
        raise ValueError(f"seeds gives the same system and seed to columns {repeated}")
    return scores.set_axis(columns, axis=1)


def seed_test(
    scores: pd.DataFrame, system: str, baseline: str, *, level: float = 0.95
) -> pd.Series:
    """Test a system against a baseline over topics and training seeds.

    Parameters
    ----------
    scores : DataFrame
        Columns ``(system, seed)``, as `name_seeds` gives them: at least two seeds of both systems,
        better three and as many of each. Against a system without seeds (`name_seeds`,
        ``without``), at least three are needed.
    system, baseline : str
        Names of two systems.
    level : float, default 0.95
        Confidence level of the interval.

    Returns
    -------
    Series
        Named for the system, with the index

        ========== =====================================================================
        difference mean of the system - mean of the baseline, over topics and seeds
        low, high  its interval at `level`
        statistic  t, difference / se, see Notes
        df         its degrees of freedom
        pvalue     two-sided
        by_seed    share of the error variance that is due to seeds, not topics
        ========== =====================================================================

    Raises
    ------
    ValueError
        If a system has a single seed, or two against a system without seeds; if the two systems
        differ by a constant.

    Warns
    -----
    UserWarning
        If one system has at least five times as many seeds as the other.

    Notes
    -----
    The result generalizes to other topics *and* other seeds. A paired test of means over seeds
    treats these seeds as the only ones, and one on topics x seeds treats seeds as topics. With d
    the differences by topic of the means over seeds, n topics, r seeds, and m_s the means over
    topics by seed,

        se^2 = var(d) / n + var(m_s) / r of both systems - rest,

    where rest is the variance of seed x topic by n r, which both parts count; se^2 is at least the
    larger part. Seeds are taken to be normal: with 3 or 5 seeds against none, it rejected .15 to
    .18 where a fifth of the runs diverged, and .11 with 3 exponential ones. The degrees of freedom
    are Satterthwaite's where both systems have the same number of seeds, three or more: two equal
    systems whose seeds vary alike then differ significantly at .05 in .03 to .06 of cases. With two
    seeds each, or unequal numbers, they are fewer, those of the parts averaged by 1 / df: .02 to
    .06 (.01 to .03 with two each; .07 at five to one, with a warning). Where the seeds of only one
    system vary, 3 and 3 seeds reject .06 to .08, 2 and 2 .05 to .10, and 5 or 10 against 2 that
    vary .08 to .11. Two seeds against a system without seeds rejected .05 to .14, and are refused.

    References
    ----------
    Clark (1973), doi:10.1016/S0022-5371(73)80014-3 (quasi-F).

    Examples
    --------
    >>> import irstd
    >>> runs = irstd.load_dataset("sim-trec8").iloc[:, :6]
    >>> runs.columns = pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["system", "seed"])
    >>> seed_test(runs, "a", "b").round(3)
    difference    0.104
    low          -0.107
    high          0.315
    statistic     1.393
    df            3.830
    pvalue        0.239
    by_seed       0.964
    Name: a, dtype: float64
    """
    if not isinstance(scores, pd.DataFrame) or list(scores.columns.names) != FACETS:
        raise ValueError("scores must have columns (system, seed): see irstd.seeds.name_seeds")
    # check_scores needs one name per column, for its messages.
    names = ["{}, seed {}".format(*pair) for pair in scores.columns]
    table = check_scores(scores.set_axis(names, axis=1)).set_axis(scores.columns, axis=1)
    return compare_seeds(pd.concat({"scores": table}), system, baseline, level)


def compare_seeds(
    scores: pd.DataFrame, system: str, baseline: str, level: float = 0.95
) -> pd.Series:
    """Test mean differences over collections, topics and seeds.

    Rows are by collection and topic. A seed is the same trained model on all k collections:
    variances of topics and rests are summed over them and divided by k^2, and means by seed are
    averaged.
    """
    level = check_level(level)
    samples = [(name, _select_system(scores, name)) for name in (system, baseline)]
    means = [of_system.mean(axis=1) for _, of_system in samples]
    differences = (means[0] - means[1]).groupby(level=0)
    n_topics = differences.size()
    k = len(n_topics)
    variances = list(differences.var() / n_topics / k**2)
    dfs = list(n_topics - 1)
    from_topics = sum(variances)  # those of seeds are appended below
    rest = 0.0
    n_seeds = []
    for name, of_system in samples:
        if of_system.isna().any(axis=None):
            raise ValueError(f"{name} must have the same seeds on all collections")
        by_collection = of_system.groupby(level=0)
        rest += sum(_estimate_interaction(part) for _, part in by_collection) / k**2
        by_seed = by_collection.mean().mean()
        r = len(by_seed)
        n_seeds.append(r)
        if r > 1:
            variances.append(by_seed.var() / r)
            dfs.append(r - 1)
    if sorted(n_seeds) == [1, 2]:
        raise ValueError(
            f"of {system} and {baseline}, one has no seeds and the other has 2: against a system"
            " without seeds, 3 or more are needed"
        )
    if 1 < min(n_seeds) <= max(n_seeds) / 5:
        warn(
            f"{system} has {n_seeds[0]} seeds, {baseline} has {n_seeds[1]}: if one has five times"
            " as many, up to 7% of true null hypotheses are rejected at alpha .05"
        )
    parts = np.array(variances)
    # Topics and seeds both count the rest, so one is taken off; but the error is not less than
    # that of either.
    variance = max(parts.sum() - rest, from_topics, parts.sum() - from_topics)
    if variance == 0:
        raise ValueError(
            f"no standard error: {system} and {baseline} have the same difference on all topics"
        )
    if n_seeds[0] == n_seeds[1] != 2:
        df = variance**2 / (parts**2 / dfs).sum()  # Satterthwaite
    else:
        df = parts.sum() / (parts / dfs).sum()
    estimate = t_estimate(differences.mean().mean(), np.sqrt(variance), df, level)
    estimate |= {"df": df, "by_seed": 1 - from_topics / variance}
    order = ["difference", "low", "high", "statistic", "df", "pvalue", "by_seed"]
    return pd.Series(estimate, order, name=system)


def seed_tests(
    tables: Mapping[str, pd.DataFrame], means: pd.Series, baselines: Sequence[str]
) -> pd.DataFrame:
    """Run `seed_test` on all systems and baselines, by table column.

    `means` has those of each column and system; the column ``mean`` is over all of the tables.
    """
    tested = means.dropna().drop(index=baselines, level="system", errors="ignore")
    samples = {name: pd.concat({name: table}) for name, table in tables.items()}
    samples[MEAN] = pd.concat(tables)
    rows = []
    for column, system in tested.index:
        for baseline in baselines:
            pair = {"column": column, "system_a": system, "system_b": baseline}
            rows.append(pair | compare_seeds(samples[column], system, baseline).to_dict())
    tests = pd.DataFrame(rows)
    return tests.assign(direction=np.sign(tests["difference"]).astype(int))


def _select_system(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return one system's scores by seed; raise if it has a single seed."""
    check_choice(name, table.columns.unique("system"), "system")
    of_system = table.loc[:, [name]].droplevel("system", axis=1)
    if of_system.shape[1] == 1 and of_system.columns[0] != NO_SEED:
        raise ValueError(
            f"{name!r} must have at least 2 seeds, found 1: list systems without seeds, such as"
            " BM25, in name_seeds(..., without=[...])"
        )
    return of_system


def _estimate_interaction(table: pd.DataFrame) -> float:
    """Return the seed-topic interaction's contribution to a mean's variance."""
    r = table.shape[1]
    if r == 1:  # of a system without seeds
        return 0.0
    error, _ = se_of_means(table.to_numpy())
    return error**2 / r
