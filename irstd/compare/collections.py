"""Comparison across collections: how alike systems score on two sets of topics."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from irstd._base import arrays
from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_flag,
    generator,
)
from irstd._base.matrix import check_alike, check_same, check_scores, match, warn_of_common
from irstd._base.messages import listed, warn
from irstd.rankings.correlation import rank_correlation
from irstd.standardize import Reference, by_method

Scores = pd.DataFrame | pd.Series
MEANS = ("arithmetic", "geometric")


def rmse(c: Scores, d: Scores) -> float:
    """Root mean squared difference of what the same systems score on two collections.

    Parameters
    ----------
    c, d : DataFrame or Series
        Score matrices of the same systems on two sets of topics, or the systems' means.

    Returns
    -------
    float
        In the unit of the scores: sqrt(mean_s (M_s^C - M_s^D)^2).

    Examples
    --------
    >>> rmse(pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"b": 0.4, "a": 0.3}))
    0.1
    """
    means_c, means_d = _means(c, d, 1)
    return float(np.sqrt(((means_c - means_d) ** 2).mean()))


def drmse(c: Scores, d: Scores, *, mean: str = "arithmetic") -> float:
    """RMSE over the spread of the systems: how far a system moves, against how far systems differ.

    Parameters
    ----------
    c, d : DataFrame or Series
        Score matrices of the same systems on two sets of topics, or the systems' means.
    mean : {"arithmetic", "geometric"}, default "arithmetic"
        Of the two standard deviations of the system means (ddof=1), by which to divide.

    Returns
    -------
    float
        2 RMSE / (sd_C + sd_D), or RMSE / sqrt(sd_C sd_D). It does not depend on the unit of the
        scores. NaN if all systems score the same.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, section 4.

    Examples
    --------
    >>> c, d = pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"a": 0.3, "b": 0.4})
    >>> round(drmse(c, d), 4), round(drmse(10 * c, 10 * d), 4)
    (1.4142, 1.4142)
    """
    check_choice(mean, MEANS, "mean")
    return float(arrays.drmse_rows(*_means(c, d, 2), mean))


def _means(c: Scores, d: Scores, least: int) -> tuple[np.ndarray, np.ndarray]:
    """The means of the same systems, of so many or more, side by side."""
    c, d = (
        given if isinstance(given, pd.Series) else check_scores(given, name).mean()
        for given, name in ((c, "c"), (d, "d"))
    )
    return match(c, d, ("c", "d"), least=least, of="systems")


def false_positives(
    c: pd.DataFrame, d: pd.DataFrame, *, alpha: float = 0.05, equal_var: bool = True
) -> pd.DataFrame:
    """Test each system against itself on two collections.

    A system is not better than itself: where the test says so, the scores do not compare.

    Parameters
    ----------
    c, d : DataFrame
        Score matrices of the same systems on two sets of topics.
    alpha : float, default 0.05
        Level of the test.
    equal_var : bool, default True
        A two-sample t-test with a pooled variance (Student); False for Welch's.

    Returns
    -------
    DataFrame
        One row per system (index ``system``):

        ============== ==========================================================
        mean_c, mean_d over the topics of each
        statistic      t, positive if the mean on c is larger
        pvalue         two-sided; 1 where the means are equal
        better_on      "c" or "d", or None where pvalue > alpha
        ============== ==========================================================

        The false-positive rate is ``result["better_on"].notna().mean()``.

    Examples
    --------
    >>> c = pd.DataFrame({"a": [0.1, 0.2, 0.1], "b": [0.5, 0.1, 0.3]})
    >>> d = pd.DataFrame({"a": [0.8, 0.9, 0.8], "b": [0.2, 0.6, 0.3]})
    >>> false_positives(c, d)["better_on"].tolist()
    ['d', None]
    """
    alpha, equal_var = check_alpha(alpha), check_flag(equal_var, "equal_var")
    c, d = check_scores(c, "c", topics=2), check_scores(d, "d", topics=2)
    check_same(c.columns, d.columns, ("c", "d"))
    d = d[c.columns]
    unit = arrays.units(np.vstack([c, d]))
    x, y = c.div(unit).to_numpy(), d.div(unit).to_numpy()
    mean_c, mean_d = x.mean(axis=0), y.mean(axis=0)
    var_c, var_d = arrays.spreads(x) ** 2, arrays.spreads(y) ** 2
    t, p = arrays.two_sample_t(mean_c, mean_d, var_c, var_d, len(c), len(d), equal_var)
    better = pd.Series(np.where(t > 0, "c", "d"), c.columns, dtype=object)
    table = {"mean_c": mean_c * unit, "mean_d": mean_d * unit, "statistic": t, "pvalue": p}
    table["better_on"] = better.where(p <= alpha, None)
    return pd.DataFrame(table, c.columns)


def compare_collections(
    collections: Mapping[str, pd.DataFrame],
    *,
    references: Mapping[str, Reference] | None = None,
    method: str | None = None,
    trials: int = 0,
    seed: Seed = 0,
    mean: str = "arithmetic",
    alpha: float = 0.05,
    equal_var: bool = True,
) -> pd.DataFrame:
    """Compare the scores of the same systems on each pair of collections.

    Parameters
    ----------
    collections : dict of str to DataFrame
        Score matrices of the same systems on different topics.
    references : dict of str to DataFrame, Factors or None, optional
        The standardizing systems of each collection, None for the systems themselves.
    method : str, optional
        Standardize first, by a method of `standardize`; by default the scores are left as they
        are.
    trials : int, default 0
        Random splits of the pooled topics of each pair, into sets of the same sizes, to hold its
        values against.
    seed : int or numpy.random.Generator, default 0
        For these; draws are by sorted topic id.
    mean, alpha, equal_var
        As in `drmse` and `false_positives`.

    Returns
    -------
    DataFrame
        One row per pair, in the order given:

        ============================ ================================================
        c, d                         names of the collections
        drmse                        see `drmse`
        better_on_c, better_on_d     systems that are significantly better than
                                     themselves on c, and on d
        tau, pearson                 of the system means
        percentile                   with trials: the percentage of random splits in
                                     which dRMSE is no larger
        percentile_fpr               with trials: the same for the number of systems
                                     that differ from themselves
        ============================ ================================================

    Raises
    ------
    ValueError
        If there are fewer than two collections; if their systems are not the same, or fewer than
        two; if scores are missing (NaN); if references are given without collection or method.

    Warns
    -----
    UserWarning
        If two collections have topics in common: tests and percentiles do not hold then. If
        references are given for some collections only.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, tables 3 to 5.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> parts = {"t7": scores.loc["351":"400"], "r3": scores.loc["601":"650"]}
    >>> compare_collections(parts, trials=100)["percentile"].item()
    100.0
    """
    alpha, equal_var = check_alpha(alpha), check_flag(equal_var, "equal_var")
    check_choice(mean, MEANS, "mean")
    trials, rng = check_count(trials, "trials", 0), generator(seed)
    tables = _same_systems(collections, references, method)
    warn_of_common(tables)
    rows = []
    for (name_c, c), (name_d, d) in combinations(tables.items(), 2):
        tests = false_positives(c, d, alpha=alpha, equal_var=equal_var)
        means = tests["mean_c"].to_numpy(), tests["mean_d"].to_numpy()
        drmse = float(arrays.drmse_rows(means[0], means[1], mean))
        row = {
            "c": name_c,
            "d": name_d,
            "drmse": drmse,
            "better_on_c": int((tests["better_on"] == "c").sum()),
            "better_on_d": int((tests["better_on"] == "d").sum()),
            "tau": rank_correlation(*means),
            "pearson": rank_correlation(means[0], means[1], "pearson"),
        }
        if trials:
            pooled = np.vstack([t.iloc[arrays.label_order(t.index)].to_numpy() for t in (c, d)])
            order = rng.random((trials, len(pooled))).argsort(axis=1)
            halves = order[:, : len(c)], order[:, len(c) :]
            means_c, means_d = (arrays.sample_means(pooled, half) for half in halves)
            var_c, var_d = (arrays.sample_variances(pooled, half) for half in halves)
            of = means_c, means_d, var_c, var_d, len(c), len(d)
            p = arrays.two_sample_t(*of, equal_var, alpha)[1]
            fewer = (p <= alpha).sum(axis=1) <= tests["better_on"].notna().sum()
            closer = arrays.drmse_rows(means_c, means_d, mean) <= drmse * (1 + arrays.EQUAL)
            row["percentile"] = 100 * float(closer.mean())
            row["percentile_fpr"] = 100 * float(fewer.mean())
        rows.append(row)
    return pd.DataFrame(rows)


def _same_systems(collections, references, method) -> dict[str, pd.DataFrame]:
    """Each collection checked, with the systems in one order, and standardized by its reference."""
    if not isinstance(collections, Mapping) or len(collections) < 2:
        raise ValueError("collections must be a dict of two score matrices or more, by name")
    check_alike(collections, "metric")
    references = dict(references or {})
    for name in references:
        check_choice(name, collections, "references")
    without = listed(name for name in collections if name not in references)
    if references and without and method is not None:
        said = f"there is no reference for {without}: standardized by the systems themselves"
        warn(f"{said}, which does not compare with scores standardized by others")
    tables: dict[str, pd.DataFrame] = {}
    for name, scores in collections.items():
        table = check_scores(scores, f"collections[{name!r}]", topics=2, systems=2)
        first, other = next(iter(tables.items()), (name, table))
        check_same(other.columns, table.columns, (first, name))
        tables[name] = by_method(table[other.columns], references.get(name), method)
    return tables
