"""Tests and intervals of the mean over several collections, each with as much weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.several import MEAN, check_collections
from irstd.significance.corrections import adjusted
from irstd.significance.equivalence import margin_pvalues

PAIR = ["system_a", "system_b"]
FAMILIES = ("all", "collection")


def tests_of_collections(
    test: Callable[..., pd.DataFrame],
    collections: Mapping[str, pd.DataFrame],
    correction: str | None,
    family: str,
    clusters: Any,
    options: Mapping[str, Any],
) -> pd.DataFrame:
    """The tests of each collection, by `test`, and those of the mean over them; see there."""
    alternative = options["alternative"]
    level = options["level"]
    margin = options["margin"]
    tables = check_collections(collections)
    parts = []
    for name, table in tables.items():
        of_collection = None
        if clusters is not None:
            of_collection = _clusters_of(clusters, name)
        tests = test(table, clusters=of_collection, **options)
        if "topics" not in tests:
            tests["topics"] = len(table)
        tests.insert(0, "collection", name)
        parts.append(tests)
    means, df = test_means(pd.concat(parts), len(tables), alternative, level)
    if margin is not None:
        means["margin_pvalue"] = margin_pvalues(means, df, margin, alternative, level)
    parts.append(means)
    result = pd.concat(parts, ignore_index=True)
    if correction is None:
        return result
    families = [result]
    if family == "collection":
        families = [part for part in parts if len(part)]
    columns = {"adjusted_pvalue": "pvalue"}
    if margin is not None:
        columns["margin_pvalue"] = "margin_pvalue"
    for corrected, column in columns.items():
        by_family = [adjusted(part[column].to_numpy(), correction) for part in families]
        result[corrected] = np.concatenate(by_family)
    return result


def _clusters_of(clusters: Any, name: str) -> Any:
    """The clusters of one collection."""
    if not isinstance(clusters, Mapping) or name not in clusters:
        raise ValueError(f"clusters must be a dict of clusters by collection; {name} has none")
    return clusters[name]


def means_over_collections(tables: Mapping[str, pd.DataFrame], level: float) -> pd.DataFrame:
    """The mean over collections of each system's means, and its interval, by system.

    Each collection has its own topics, drawn anew: with the variance v_c of a mean over n_c of k
    collections, the mean over these has the variance sum(v_c) / k^2, with Satterthwaite's degrees
    of freedom. The collections are these k, and no sample.
    """
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    variances = pd.DataFrame({name: table.var() / table.count() for name, table in tables.items()})
    topics = pd.DataFrame({name: table.count() for name, table in tables.items()})
    mean = means.sum(axis=1, skipna=False) / len(tables)
    error, df = _error_of_mean(variances.to_numpy(), topics.to_numpy())
    half = stats.t.ppf((1 + level) / 2, df) * error
    return pd.DataFrame({"mean": mean, "low": mean - half, "high": mean + half})


def test_means(
    tests: pd.DataFrame, k: int, alternative: str, level: float
) -> tuple[pd.DataFrame, np.ndarray]:
    """Tests of the mean difference over k collections, of the pairs that are on all, and their df.

    `tests` has the rows of `pairwise_tests` by t for each collection, with its name and its topics.
    """
    counts = tests.groupby(PAIR, sort=False)["difference"].transform("count")  # NaN: too few topics
    on_all = tests[counts == k]
    if on_all.empty:
        return tests.iloc[:0].copy(), np.empty(0)
    # Pairs x collections
    first = on_all.drop_duplicates(PAIR)
    pairs = pd.MultiIndex.from_frame(first[PAIR])
    wide = on_all.pivot(index=PAIR, columns="collection").loc[pairs]
    difference = wide["difference"].to_numpy().mean(axis=1)
    topics = wide["topics"].to_numpy()
    units = topics if "clusters" not in wide else wide["clusters"].to_numpy()
    quantile = _quantile(level, alternative, units - 1)
    half = wide["difference"] - wide["low"]
    if alternative == "less":
        half = wide["high"] - wide["difference"]
    error, df = _error_of_mean((half.to_numpy() / quantile) ** 2, units)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0, 0.0, difference / error)
    half_of_mean = _quantile(level, alternative, df) * error
    table = pd.DataFrame(
        {
            "difference": difference,
            "low": difference - half_of_mean,
            "high": difference + half_of_mean,
            "effect_size": np.nan,
            "statistic": t,
            "direction": np.sign(difference).astype(int),
            "pvalue": _pvalue(t, df, alternative),
            "topics": topics.sum(axis=1),
        },
        index=pairs,
    ).reset_index()
    if alternative == "less":
        table["low"] = -np.inf
    elif alternative == "greater":
        table["high"] = np.inf
    table.insert(0, "collection", MEAN)
    if "clusters" in wide:
        table["clusters"] = units.sum(axis=1)
    return table, df


def _error_of_mean(variances: np.ndarray, topics: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The error of a mean over collections, and Satterthwaite's degrees of freedom, by row."""
    k = variances.shape[1]
    parts = variances / k**2
    variance = parts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = variance**2 / (parts**2 / (topics - 1)).sum(axis=1)
    df = np.where(variance == 0, topics.min(axis=1) - 1, df)
    return np.sqrt(variance), df


def _quantile(level: float, alternative: str, df: np.ndarray) -> np.ndarray:
    share = level if alternative != "two-sided" else (1 + level) / 2
    return stats.t.ppf(share, df)


def _pvalue(t: np.ndarray, df: np.ndarray, alternative: str) -> np.ndarray:
    if alternative == "greater":
        return stats.t.sf(t, df)
    if alternative == "less":
        return stats.t.cdf(t, df)
    return 2 * stats.t.sf(np.abs(t), df)
