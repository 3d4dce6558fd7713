"""Systems that were trained several times: what the seed adds to systems and topics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import ratio, t_estimate
from irstd._base.matrix import check_scores
from irstd._base.messages import listed

FACETS = ["system", "seed"]
NO_SEED = "none"
Seeds = str | Mapping[str, tuple[str, str]]  # see `name_seeds`


def name_seeds(
    scores: pd.DataFrame,
    seeds: Seeds,
    *,
    without: Sequence[str] = (),
) -> pd.DataFrame:
    """Tell which columns of a score matrix are one system, trained with several seeds.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, one column per system and seed.
    seeds : str or dict
        A regular expression for names of columns, with the groups ``system`` and ``seed``, as
        ``r"(?P<system>.*)-s(?P<seed>[0-9]+)"``; or (system, seed) by column.
    without : list of str, optional
        Columns of systems without a seed, such as BM25, which would score the same again.

    Returns
    -------
    DataFrame
        The same scores, columns ``(system, seed)``, the seed "none" of those without. Their means
        over seeds, a score matrix again, are
        ``named.T.groupby("system", sort=False).mean().T``.

    Examples
    --------
    >>> scores = pd.DataFrame([[0.1, 0.3, 0.2]], ["1"], ["a-s1", "a-s2", "b-s1"])
    >>> name_seeds(scores, r"(?P<system>.*)-s(?P<seed>[0-9]+)").columns.tolist()
    [('a', '1'), ('a', '2'), ('b', '1')]
    """
    table = check_scores(scores, complete=False)
    for column in without:
        check_choice(column, table.columns, "without")
    if not isinstance(seeds, Mapping):
        seeds = _split_names(table.columns.tolist(), seeds)
    pairs = []
    unnamed = []
    for column in table.columns:
        pair = seeds.get(column)
        if column in without:
            pairs.append((column, NO_SEED))
        elif pair and len(pair) == 2:
            pairs.append((pair[0], pair[1]))
        else:
            unnamed.append(column)
    if unnamed:
        columns = listed(unnamed)
        raise ValueError(
            f"seeds does not tell system and seed of the columns {columns}; those of systems that"
            " have no seed, such as BM25, are named by without=[...]"
        )
    table.columns = pd.MultiIndex.from_tuples(pairs, names=FACETS)
    return check_seeds(table)


def seeds_of(scores: pd.DataFrame, seeds: Seeds) -> pd.DataFrame:
    """As `name_seeds`; columns of which `seeds` does not tell are systems without seeds."""
    table = check_scores(scores, complete=False)
    known = seeds if isinstance(seeds, Mapping) else _split_names(table.columns.tolist(), seeds)
    without = [column for column in table.columns if column not in known]
    if len(without) == table.shape[1]:
        raise ValueError(f"seeds={seeds!r} fits no column: {listed(without)}")
    return name_seeds(table, seeds, without=without)


def _split_names(columns: list[str], pattern: str) -> dict[str, tuple[str, str]]:
    """System and seed of the columns whose whole name fits a regular expression."""
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        raise ValueError(f"seeds is no regular expression ({error}): {pattern!r}") from error
    if "system" not in groups or "seed" not in groups:
        raise ValueError(f"seeds needs the groups (?P<system>...) and (?P<seed>...): {pattern!r}")
    pairs = {}
    for column in columns:
        fit = re.fullmatch(pattern, column)
        if fit and fit["system"] and fit["seed"]:
            pairs[column] = (fit["system"], fit["seed"])
    return pairs


def check_seeds(scores: pd.DataFrame, *, least: int = 1) -> pd.DataFrame:
    """Scores with columns (system, seed), all present, each system with so many seeds or more."""
    if not isinstance(scores, pd.DataFrame) or list(scores.columns.names) != FACETS:
        raise ValueError("scores must have columns (system, seed): see irstd.name_seeds")
    # check_scores knows one name per column, and says it in its messages.
    names = ["{}, seed {}".format(*pair) for pair in scores.columns]
    table = check_scores(scores.set_axis(names, axis=1)).set_axis(scores.columns, axis=1)
    counts = seeds_by_system(table)
    few = listed(counts.index[counts < least])
    if few:
        raise ValueError(
            f"this needs {least} seeds or more, fewer are there of {few}; a system that has none,"
            " such as BM25, is named by name_seeds(..., without=[...])"
        )
    return table


def seeds_by_system(table: pd.DataFrame) -> pd.Series:
    """How many seeds each system has."""
    return table.columns.get_level_values("system").value_counts()


def seed_test(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    system: str,
    baseline: str,
    *,
    level: float = 0.95,
) -> pd.Series:
    """Test a system against a baseline, both trained several times, on topics and seeds at once.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        Columns ``(system, seed)``, as `name_seeds` gives them; two seeds or more of each of the
        two, better three, and alike: 2 against 5 reject .06 to .08 of true nulls at .05 where seeds
        matter much. A system without seeds (`name_seeds`, ``without``) is the same on all. Of
        several collections by name, the mean over them is tested: each has its own topics, and a
        seed is one trained model on all.
    system, baseline : str
        Two systems.
    level : float, default 0.95
        Of the interval.

    Returns
    -------
    Series
        ``difference`` (of the means over topics and seeds), ``low``, ``high``, ``statistic`` (t),
        ``df``, ``pvalue`` (two-sided) and ``by_seed``, the share of the error variance that comes
        from seeds.

    Notes
    -----
    The result is meant for other topics *and* other seeds. A paired test of means over seeds takes
    these seeds for the only ones, and one on topics x seeds takes seeds for topics. With d the
    differences by topic of the means over seeds, and m_s the means over topics by seed,

        error^2 = var(d) / n + var(m_s) / r of both systems - rest,

    where rest is the variance of seed x topic by n r, which both parts count; not less than either
    part. The degrees of freedom are Satterthwaite's. Of k collections, var(d) / n and the rest are
    their sums by k^2, and m_s is the mean over collections.

    References
    ----------
    Clark (1973), doi:10.1016/S0022-5371(73)80014-3 (quasi-F).

    Examples
    --------
    >>> import irstd
    >>> runs = irstd.load_dataset("sim-trec8").iloc[:, :6]
    >>> runs.columns = pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["system", "seed"])
    >>> seed_test(runs, "a", "b").index.tolist()
    ['difference', 'low', 'high', 'statistic', 'df', 'pvalue', 'by_seed']
    """
    level = check_real(level, "level", 0, 1, open_="low high")
    tables = list(scores.values()) if isinstance(scores, Mapping) else [scores]
    of_collections = [_check_pair(table, system, baseline) for table in tables]
    k = len(of_collections)
    differences = []
    variances = []  # of the topics of each collection
    rests = []
    squares = 0.0
    for table in of_collections:
        ours = _of_system(table, system)
        theirs = _of_system(table, baseline)
        by_topic = ours.mean(axis=1) - theirs.mean(axis=1)
        differences.append(by_topic.mean())
        variances.append(by_topic.var() / len(table) / k**2)
        rests.append((_rest(ours) + _rest(theirs)) / k**2)
        squares += variances[-1] ** 2 / (len(table) - 1)
    from_topics = sum(variances)
    from_seeds = 0.0
    for name in (system, baseline):
        of_seeds = _means_by_seed([_of_system(table, name) for table in of_collections], name)
        r = len(of_seeds)
        if r > 1:
            variance_of_seeds = of_seeds.var() / r
            from_seeds += variance_of_seeds
            squares += variance_of_seeds**2 / (r - 1)
    # Both parts count the rest, so one is taken off; but the error is not less than either.
    variance = max(from_topics + from_seeds - sum(rests), from_topics, from_seeds)
    if variance == 0:
        raise ValueError(f"{system} and {baseline} differ by a constant, which has no error")
    df = variance**2 / squares  # Satterthwaite: each part by its square over its own
    estimate = t_estimate(sum(differences) / k, np.sqrt(variance), df, level)
    result = {
        "difference": estimate["difference"],
        "low": estimate["low"],
        "high": estimate["high"],
        "statistic": estimate["statistic"],
        "df": df,
        "pvalue": estimate["pvalue"],
        "by_seed": 1 - from_topics / variance,
    }
    return pd.Series(result, name=system)


def _check_pair(scores: pd.DataFrame, system: str, baseline: str) -> pd.DataFrame:
    """The scores of two systems on one collection, each with two seeds or with none."""
    table = check_seeds(scores)
    absent = {system, baseline} - set(table.columns.get_level_values("system"))
    if absent:
        raise ValueError(f"scores have no system {listed(absent)}")
    for name in (system, baseline):
        if list(table[name].columns) != [NO_SEED]:
            check_seeds(table[[name]], least=2)
    return table


def _of_system(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The scores of one system, by seed."""
    return table.loc[:, [name]].droplevel("system", axis=1)


def _means_by_seed(tables: Sequence[pd.DataFrame], name: str) -> pd.Series:
    """The mean over topics, and over collections, of each seed of a system."""
    first = tables[0].columns
    for table in tables:
        if set(table.columns) != set(first):
            raise ValueError(f"{name} must have the same seeds on all collections")
    means = [table[first].mean() for table in tables]
    return sum(means[1:], means[0]) / len(means)


def _rest(table: pd.DataFrame) -> float:
    """What seeds x topics add to the variance of a mean over both."""
    values = table.to_numpy()
    n, r = values.shape
    if r == 1:  # of a system without seeds
        return 0.0
    residuals = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    df = (n - 1) * (r - 1)
    return float((residuals**2).sum() / (df * n * r))


def seed_components(scores: pd.DataFrame) -> pd.Series:
    """`variance_components` of systems, topics and seeds: score ~ topic x (system / seed)."""
    table = check_seeds(scores, least=2)
    counts = seeds_by_system(table)
    if counts.nunique() > 1:
        raise ValueError(f"all systems must have as many seeds, found {listed(counts.unique())}")
    r = int(counts.iloc[0])
    m = len(counts)
    n = len(table)
    if min(m, n) < 2:
        raise ValueError(f"this needs two systems and topics or more, found {m} and {n}")
    # Columns are sorted by system, then seed: topics x systems x seeds.
    values = table.sort_index(axis=1).to_numpy().reshape(n, m, r)
    components = _components(values)
    # One, r and very many seeds: the noise of a difference of means over n topics and so many.
    for name, seeds in (("erho2", r), ("erho2_one", 1), ("erho2_many", np.inf)):
        per_seed = components["seeds"] + components["rest"] / n
        noise = components["interaction"] / n + per_seed / seeds
        components[name] = float(ratio(components["systems"], components["systems"] + noise))
    return pd.Series(components, name="components")


def _components(values: np.ndarray) -> dict[str, float]:
    """Variances by their source, from mean squares; a negative estimate is given as 0."""
    n, m, r = values.shape
    mean = values.mean()
    of_system = values.mean(axis=(0, 2))
    of_topic = values.mean(axis=(1, 2))
    of_seed = values.mean(axis=0)  # systems x seeds
    cells = values.mean(axis=2)  # topics x systems
    interaction = cells - of_system - of_topic[:, None] + mean
    residuals = values - cells[:, :, None] - of_seed + of_system[:, None]
    seeds_in_system = of_seed - of_system[:, None]
    # Sums of squares over their degrees of freedom
    df_interaction = (n - 1) * (m - 1)
    df_seeds = m * (r - 1)
    df_rest = (n - 1) * m * (r - 1)
    ms_systems = n * r * of_system.var(ddof=1)
    ms_topics = m * r * of_topic.var(ddof=1)
    ms_interaction = r * (interaction**2).sum() / df_interaction
    ms_seeds = n * (seeds_in_system**2).sum() / df_seeds
    ms_rest = (residuals**2).sum() / df_rest
    # What is expected of each mean square, solved for the variances
    systems = (ms_systems - ms_interaction - ms_seeds + ms_rest) / (n * r)
    topics = (ms_topics - ms_interaction) / (m * r)
    seeds = (ms_seeds - ms_rest) / n
    both = (ms_interaction - ms_rest) / r
    return {
        "systems": max(0.0, float(systems)),
        "topics": max(0.0, float(topics)),
        "seeds": max(0.0, float(seeds)),
        "interaction": max(0.0, float(both)),
        "rest": float(ms_rest),
    }
