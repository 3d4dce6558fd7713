"""The mean over several collections, each with as much weight: of systems, and of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy

from irstd._base.arrays import ratio
from irstd._base.several import MEAN, ByCollection
from irstd.significance.corrections import corrected
from irstd.significance.pair_tables import Rules, by_t
from irstd.significance.pairwise import pairwise_tests

PAIR = ["system_a", "system_b"]


def means_over_collections(tables: ByCollection, level: float) -> pd.DataFrame:
    """The mean over collections of each system's means, its interval, and topics, by system.

    Each collection has its own topics, drawn anew: with the variance v_c of a mean over n_c of k
    collections, the mean over these has the variance sum(v_c) / k^2, with Satterthwaite's degrees
    of freedom. The collections are these k, and no sample.
    """
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    errors = pd.DataFrame({name: table.sem() for name, table in tables.items()})
    sizes = pd.DataFrame({name: table.count() for name, table in tables.items()})
    mean = means.mean(axis=1, skipna=False)
    error, df = _se_of_mean(errors, sizes - 1)
    half = scipy.stats.t.ppf((1 + level) / 2, df) * error
    topics = sizes.sum(axis=1, skipna=False)
    columns = {"mean": mean, "low": mean - half, "high": mean + half, "topics": topics}
    return pd.DataFrame(columns)


def pairs_over_collections(
    tables: ByCollection,
    *,
    baseline: str | Sequence[str] | None = None,
    correction: str | None = None,
    clusters: Mapping | pd.Series | None = None,
) -> pd.DataFrame:
    """`pairwise_tests` by t of each collection, and of the mean over them, corrected together.

    The first column is ``collection``; the rows of ``mean`` are of the pairs that are on all. Its
    error is that of `means_over_collections`. `tables` are checked by `check_collections`.
    """
    if clusters is None:
        clusters = dict.fromkeys(tables)
    tests = {}
    for name, table in tables.items():
        if not isinstance(clusters, Mapping) or name not in clusters:
            raise ValueError(f"clusters must be a dict by collection; {name} has none")
        tests[name] = pairwise_tests(
            table,
            baseline=baseline,
            missing="pairwise",
            clusters=clusters[name],
        )
    tests[MEAN] = _tests_of_mean(tests)
    table = pd.concat(tests, names=["collection"]).reset_index(level="collection")
    return corrected(table.reset_index(drop=True), correction)


def _tests_of_mean(tests: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Tests of the mean difference over collections, of the pairs that are on all."""
    by_pair = {
        name: of_one.dropna(subset="difference").set_index(PAIR) for name, of_one in tests.items()
    }
    parts: Any = pd.concat(by_pair, axis=1, join="inner").swaplevel(axis=1)
    error, df = _se_of_mean(parts["se"], parts["df"])
    columns = by_t(parts["difference"].mean(axis=1).to_numpy(), error, df, Rules())
    for name in ("topics", "clusters"):
        if name in parts:
            columns[name] = parts[name].sum(axis=1).to_numpy()
    return pd.DataFrame(columns, parts.index).reset_index()


def _se_of_mean(errors: pd.DataFrame, dfs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The error of a mean over collections, and Satterthwaite's degrees of freedom, by row."""
    parts = (errors.to_numpy() / errors.shape[1]) ** 2
    variance = parts.sum(axis=1)
    of_each = dfs.to_numpy()
    df = ratio(variance**2, (parts**2 / of_each).sum(axis=1))
    return np.sqrt(variance), np.where(variance == 0, of_each.min(axis=1), df)
