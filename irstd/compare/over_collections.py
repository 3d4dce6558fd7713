"""The mean over several collections, each with as much weight: of systems, and of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arrays import ratio
from irstd._base.several import MEAN
from irstd.significance.corrections import corrected
from irstd.significance.means import pairwise_tests
from irstd.significance.tested_pairs import Rules, by_t, within_margin

PAIR = ["system_a", "system_b"]


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
    error, df = _error_of_mean(np.sqrt(variances.to_numpy()), topics.to_numpy() - 1)
    half = stats.t.ppf((1 + level) / 2, df) * error
    return pd.DataFrame({"mean": mean, "low": mean - half, "high": mean + half})


def pairs_over_collections(
    tables: Mapping[str, pd.DataFrame],
    *,
    baseline: str | Sequence[str] | None = None,
    correction: str | None = None,
    level: float = 0.95,
    clusters: Mapping | pd.Series | None = None,
    margin: float | None = None,
) -> pd.DataFrame:
    """`pairwise_tests` by t of each collection, and of the mean over them, corrected together.

    The first column is ``collection``; the rows of ``mean`` are of the pairs that are on all. Its
    error is that of `means_over_collections`. `tables` are checked by `check_collections`.
    """
    parts = {}
    for name, table in tables.items():
        of_collection = None
        if clusters is not None:
            if not isinstance(clusters, Mapping) or name not in clusters:
                raise ValueError(f"clusters must be a dict by collection; {name} has none")
            of_collection = clusters[name]
        parts[name] = pairwise_tests(
            table,
            baseline=baseline,
            level=level,
            missing="pairwise",
            clusters=of_collection,
            margin=margin,
        )
    parts[MEAN] = _tests_of_mean(list(parts.values()), Rules(level=level, margin=margin))
    tests = pd.concat(parts, names=["collection"]).reset_index(level="collection")
    return corrected(tests.reset_index(drop=True), correction)


def _tests_of_mean(parts: Sequence[pd.DataFrame], rules: Rules) -> pd.DataFrame:
    """Tests of the mean difference over collections, of the pairs that are on all."""
    tables = [part.dropna(subset="difference").set_index(PAIR) for part in parts]
    on_all = tables[0].index
    for table in tables[1:]:
        on_all = on_all[on_all.isin(table.index)]

    def of_each(column: str) -> np.ndarray:
        """Pairs x collections."""
        return np.column_stack([table.loc[on_all, column] for table in tables])

    error, df = _error_of_mean(of_each("error"), of_each("df"))
    columns = by_t(of_each("difference").mean(axis=1), error, df, rules)
    for column in ("topics", "clusters", "differ"):
        if column in tables[0]:
            columns[column] = of_each(column).sum(axis=1)
    if rules.margin is not None:
        columns |= within_margin(columns, columns["differ"], rules)
    return pd.DataFrame(columns, on_all).reset_index()


def _error_of_mean(errors: np.ndarray, dfs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The error of a mean over collections, and Satterthwaite's degrees of freedom, by row."""
    parts = (errors / errors.shape[1]) ** 2
    variance = parts.sum(axis=1)
    df = ratio(variance**2, (parts**2 / dfs).sum(axis=1))
    return np.sqrt(variance), np.where(variance == 0, dfs.min(axis=1), df)
