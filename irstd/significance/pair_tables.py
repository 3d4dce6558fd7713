"""Tables of paired tests, one row per pair of systems."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice, make_generator
from irstd._base.arrays import chunks, order_labels, ratio, se_of_means, snap_to_zero, t_estimate
from irstd._base.clusters import encode_clusters
from irstd._base.messages import listed, warn
from irstd.significance.corrections import add_adjusted_pvalues, check_correction
from irstd.significance.pair_tests import METHODS, Method, Rules, least_topics
from irstd.significance.pairs import Pairs, Positions

BLOCK = 4_000_000  # numbers held at a time
MOST_PAIRS = 2_000_000  # tests of 2,000 systems take some ten seconds and 1 GB
COLUMNS = (
    "system_a system_b difference low high effect_size se df statistic direction pvalue topics wins"
    " ties losses"
).split()


def tabulate_tests(scores: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Test pairs of systems, each pair on the topics that both have.

    A pair with too few topics for the test has p = 1.
    """
    method = METHODS[rules.method]
    if method.of_all and scores.isna().any(axis=None):
        raise ValueError(
            f"method={rules.method!r} compares all systems at once: scores must have no NaN"
        )
    systems = scores.columns
    for system in rules.baselines or ():
        check_choice(system, systems, "baseline")
    # Sorted by label, so that random draws do not depend on the order of the scores.
    scores = scores.iloc[order_labels(scores.index), order_labels(systems)]
    codes = None
    if rules.clusters is not None:
        codes = encode_clusters(rules.clusters, scores.index)
    first, second = _find_pairs(systems, rules)
    check_correction(rules, len(first), len(scores))
    position = scores.columns.get_indexer(systems)
    i = position[first]
    j = position[second]
    is_known = scores.notna().to_numpy()
    _, patterns = np.unique(is_known, axis=1, return_inverse=True)
    patterns = patterns.ravel()
    values = scores.fillna(0).to_numpy()
    parts = []
    # Pairs with the same missing topics are tested together.
    for group in pd.Series(i).groupby([patterns[i], patterns[j]]).indices.values():
        has_both = is_known[:, i[group[0]]] & is_known[:, j[group[0]]]
        common = values[has_both]
        clusters = None if codes is None else codes[has_both]
        blocks = chunks(len(group), len(values), BLOCK)
        if method.random:
            blocks = [slice(None)]  # the draws are the same for all pairs
        for block in blocks:
            rows = group[block]
            pairs = Pairs(common, i[rows], j[rows], clusters)
            parts.append(_test_pairs(pairs, rules).set_axis(rows))
    tests = pd.concat(parts).sort_index()
    tests["system_a"] = systems[first]
    tests["system_b"] = systems[second]
    untested = tests[tests["difference"].isna()]
    if len(untested):
        names = listed(untested["system_a"] + " vs. " + untested["system_b"], 2)
        warn(f"pairs with too few topics in common for a test have p = 1: {names}")
    tests = tests.reindex(columns=[*COLUMNS, *tests.columns.difference(COLUMNS)])
    return add_adjusted_pvalues(tests, rules.correction)


def _find_pairs(systems: pd.Index, rules: Rules) -> Positions:
    """Return the positions of the systems of each pair to test."""
    baselines = rules.baselines
    if baselines is None:
        _refuse_too_many_pairs(len(systems), METHODS[rules.method])
        return np.triu_indices(len(systems), 1)
    others = np.flatnonzero(~systems.isin(baselines))
    if not baselines or not len(others):
        raise ValueError("baseline must name at least one system, and leave at least one to test")
    positions = systems.get_indexer(pd.Index(baselines))
    return np.tile(others, len(baselines)), np.repeat(positions, len(others))


def _refuse_too_many_pairs(n_systems: int, method: Method) -> None:
    """Raise if tests of all pairs would need too much memory."""
    n_pairs = n_systems * (n_systems - 1) // 2
    most = MOST_PAIRS
    if method.of_all:
        most = MOST_PAIRS // 4  # tested together, as they share random draws
    if n_pairs > most:
        raise ValueError(
            f"{n_pairs:,} pairs of {n_systems:,} systems would take {n_pairs / most:.0f} GB of"
            f" memory or more: give baseline=, or at most {int((2 * most) ** 0.5):,} systems"
        )


def _test_pairs(pairs: Pairs, rules: Rules) -> pd.DataFrame:
    """Test pairs, and count wins, ties and losses of the first system."""
    n = len(pairs.values)
    wins = (pairs.differences > 0).sum(axis=0)
    losses = (pairs.differences < 0).sum(axis=0)
    tests = pd.DataFrame({"topics": n, "wins": wins, "ties": n - wins - losses, "losses": losses})
    units = n
    if pairs.clusters is not None:
        units = np.unique(pairs.clusters).size
        tests["clusters"] = units
    columns = {"difference": np.nan, "direction": 0, "pvalue": 1.0}
    if units >= least_topics(rules.method):
        columns = run_test(pairs, rules)
        columns["direction"] = np.sign(columns["direction"]).astype(int)
    return tests.assign(**columns)


def run_test(pairs: Pairs, rules: Rules) -> dict:
    """Return statistics, p-values, differences and intervals by pair."""
    method = METHODS[rules.method]
    if method.spread is not None:
        spread = method.spread(pairs.values)
        first = spread[pairs.i]
        second = spread[pairs.j]
        difference = snap_to_zero(first - second, np.maximum(first, second))
        columns = {"difference": difference, "direction": difference}
    elif method.direction is not None:
        columns = {"difference": pairs.mean, "direction": method.direction(pairs)}
    else:
        columns = _estimate_means(pairs, rules)
    if rules.method != "t":
        options: dict = {}
        if method.signed:
            options["alternative"] = rules.alternative
        if method.random:
            options |= {"trials": rules.trials, "rng": make_generator(rules.seed)}
        columns["statistic"], columns["pvalue"] = method.test(pairs, **options)
    return columns


def _estimate_means(pairs: Pairs, rules: Rules) -> dict:
    """Return t-tests and intervals of mean differences (simultaneous for Tukey)."""
    se = pairs.se
    df = pairs.df
    of_all = METHODS[rules.method].of_all
    if of_all:
        se_one_mean, df = se_of_means(pairs.values)
        se = np.full_like(pairs.mean, np.sqrt(2) * se_one_mean)
    columns = t_estimate(pairs.mean, se, df, rules.level, rules.alternative)
    if of_all:
        n_systems = pairs.values.shape[1]
        half = scipy.stats.studentized_range.ppf(rules.level, n_systems, df) * se / np.sqrt(2)
        columns |= {"low": pairs.mean - half, "high": pairs.mean + half}
    effect_size = ratio(pairs.mean, pairs.sd)
    return columns | {"se": se, "df": df, "direction": pairs.mean, "effect_size": effect_size}
