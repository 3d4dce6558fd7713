"""Systems that were trained several times: what the seed adds to systems and topics."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.arguments import check_real
from irstd._base.arrays import ratio, t_estimate
from irstd._base.matrix import check_scores
from irstd._base.messages import listed

FACETS = ["system", "seed"]


def name_seeds(scores: pd.DataFrame, seeds: str | Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Tell which columns of a score matrix are one system, trained with several seeds.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, one column per system and seed.
    seeds : str or dict
        A regular expression for names of columns, with the groups ``system`` and ``seed``, as
        ``r"(?P<system>.*)-s(?P<seed>[0-9]+)"``; or (system, seed) by column.

    Returns
    -------
    DataFrame
        The same scores, columns ``(system, seed)``. Their means over seeds, a score matrix again,
        are ``named.T.groupby("system", sort=False).mean().T``.

    Examples
    --------
    >>> scores = pd.DataFrame([[0.1, 0.3, 0.2]], ["1"], ["a-s1", "a-s2", "b-s1"])
    >>> name_seeds(scores, r"(?P<system>.*)-s(?P<seed>[0-9]+)").columns.tolist()
    [('a', '1'), ('a', '2'), ('b', '1')]
    """
    table = check_scores(scores, complete=False)
    columns: list[str] = table.columns.tolist()
    if isinstance(seeds, Mapping):
        found = {column: seeds.get(column) for column in columns}
    else:
        if not {*FACETS} <= {*re.compile(seeds).groupindex}:
            raise ValueError(f"seeds needs the groups (?P<system>...) and (?P<seed>...): {seeds!r}")
        fits = {column: re.fullmatch(seeds, column) for column in columns}
        found = {c: (fit["system"], fit["seed"]) if fit else None for c, fit in fits.items()}
    if unnamed := listed(column for column, pair in found.items() if not pair):
        raise ValueError(f"seeds does not tell system and seed of the columns {unnamed}")
    pairs = [pair for pair in found.values() if pair]
    table.columns = pd.MultiIndex.from_tuples(pairs, names=FACETS)
    return check_seeds(table)


def check_seeds(scores: pd.DataFrame, *, least: int = 1) -> pd.DataFrame:
    """Scores with columns (system, seed), all present, each system with so many seeds or more."""
    if not isinstance(scores, pd.DataFrame) or list(scores.columns.names) != FACETS:
        raise ValueError("scores must have columns (system, seed): see irstd.name_seeds")
    plain = scores.set_axis([", seed ".join(map(str, pair)) for pair in scores.columns], axis=1)
    table = check_scores(plain).set_axis(scores.columns, axis=1)
    counts = table.columns.get_level_values("system").value_counts()
    if few := listed(counts.index[counts < least]):
        raise ValueError(f"this needs {least} seeds or more, fewer are there of {few}")
    return table


def seed_test(
    scores: pd.DataFrame, system: str, baseline: str, *, level: float = 0.95
) -> pd.Series:
    """Test a system against a baseline, both trained several times, on topics and seeds at once.

    Parameters
    ----------
    scores : DataFrame
        Columns ``(system, seed)``, as `name_seeds` gives them; two seeds or more of each of the
        two, not necessarily as many.
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
    part. The degrees of freedom are Satterthwaite's.

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
    table = check_seeds(scores, least=2)
    if absent := listed({system, baseline} - set(table.columns.get_level_values("system"))):
        raise ValueError(f"scores have no system {absent}")
    n, pair = len(table), [table[system].to_numpy(), table[baseline].to_numpy()]
    by_topic = pair[0].mean(axis=1) - pair[1].mean(axis=1)
    of_topics, rest = by_topic.var(ddof=1) / n, 0.0
    of_seeds: list[tuple[float, int]] = []
    for part in pair:
        r, means = len(part.T), part.mean(axis=0)
        noise = part - part.mean(axis=1, keepdims=True) - means + part.mean()
        of_seeds.append((means.var(ddof=1) / r, r - 1))
        rest += (noise**2).sum() / ((n - 1) * (r - 1) * n * r)
    seeds = sum(variance for variance, _ in of_seeds)
    variance = max(of_topics + seeds - rest, of_topics, seeds)
    if variance == 0:
        raise ValueError(f"{system} and {baseline} differ by a constant, which has no error")
    df = variance**2 / sum(v**2 / k for v, k in [(of_topics, n - 1), *of_seeds])
    found = t_estimate(by_topic.mean(), np.sqrt(variance), df, level)
    p = found.pop("pvalue")
    by_seed = 1 - of_topics / variance
    return pd.Series(found | {"df": df, "pvalue": p, "by_seed": by_seed}, name=system)


def seed_components(scores: pd.DataFrame) -> pd.Series:
    """`variance_components` of systems, topics and seeds: score ~ topic x (system / seed)."""
    table = check_seeds(scores, least=2)
    counts = table.columns.get_level_values("system").value_counts()
    if counts.nunique() > 1:
        raise ValueError(f"all systems must have as many seeds, found {listed(counts.unique())}")
    table = table.sort_index(axis=1)
    r, m, n = int(counts.iloc[0]), len(counts), len(table)
    if min(m, n) < 2:
        raise ValueError(f"this needs two systems and topics or more, found {m} and {n}")
    x = table.to_numpy().reshape(n, m, r)
    mean, of_system, of_topic = x.mean(), x.mean(axis=(0, 2)), x.mean(axis=(1, 2))
    cells, of_seed = x.mean(axis=2), x.mean(axis=0)
    both = cells - of_system - of_topic[:, None] + mean
    noise = x - cells[:, :, None] - of_seed + of_system[:, None]
    rest = (noise**2).sum() / ((n - 1) * m * (r - 1))
    ms_both = r * (both**2).sum() / ((n - 1) * (m - 1))
    ms_seeds = n * ((of_seed - of_system[:, None]) ** 2).sum() / (m * (r - 1))
    found = {
        "systems": (n * r * of_system.var(ddof=1) - ms_both - ms_seeds + rest) / (n * r),
        "topics": (m * r * of_topic.var(ddof=1) - ms_both) / (m * r),
        "seeds": (ms_seeds - rest) / n,
        "interaction": (ms_both - rest) / r,
        "rest": rest,
    }
    components = {name: max(0.0, float(value)) for name, value in found.items()}
    of_systems, per_topic = components["systems"], components["interaction"] / n
    for name, seeds in (("erho2", r), ("erho2_one", 1), ("erho2_many", np.inf)):
        noise = per_topic + (components["seeds"] + components["rest"] / n) / seeds
        components[name] = float(ratio(of_systems, of_systems + noise))
    return pd.Series(components, name="components")
