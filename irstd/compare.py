"""Comparison across collections: how alike systems score on two sets of topics."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from irstd._arrays import (
    drmse_rows,
    rank_means,
    sample_means,
    sample_variances,
    system_means,
    two_sample_differ,
    two_sample_t,
    unit,
)
from irstd._checks import check_choice, check_count, check_scores, listed
from irstd.factors import Factors
from irstd.rankings import rank_correlation
from irstd.standardize import standardize

Scores = pd.DataFrame | pd.Series


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

    Raises
    ------
    ValueError
        If the systems are not the same.

    Examples
    --------
    >>> rmse(pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"b": 0.4, "a": 0.3}))
    0.1
    """
    means_c, means_d = _means(c, d)
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

    Raises
    ------
    ValueError
        If the systems are not the same, or fewer than two.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, section 4.

    Examples
    --------
    >>> c, d = pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"a": 0.3, "b": 0.4})
    >>> round(drmse(c, d), 4), round(drmse(10 * c, 10 * d), 4)
    (1.4142, 1.4142)
    """
    check_choice(mean, ("arithmetic", "geometric"), "mean")
    means_c, means_d = _means(c, d)
    if len(means_c) < 2:
        raise ValueError("dRMSE needs two systems or more")
    return float(drmse_rows(*unit(np.array([means_c, means_d])), mean))


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
        A row a system (index ``system``):

        ============== ==========================================================
        mean_c, mean_d over the topics of each
        statistic      t, positive if the mean on c is larger
        pvalue         two-sided; 1 where the means are equal
        better_on      "c" or "d", or None where pvalue > alpha
        ============== ==========================================================

        The false-positive rate is ``result["better_on"].notna().mean()``.

    Raises
    ------
    ValueError
        If the systems are not the same, or a collection has fewer than two topics.

    Examples
    --------
    >>> c = pd.DataFrame({"a": [0.1, 0.2, 0.1], "b": [0.5, 0.1, 0.3]})
    >>> d = pd.DataFrame({"a": [0.8, 0.9, 0.8], "b": [0.2, 0.6, 0.3]})
    >>> false_positives(c, d)["better_on"].tolist()
    ['d', None]
    """
    c, d = (
        check_scores(c, "c", several=True, complete=False),
        check_scores(d, "d", several=True, complete=False),
    )
    _same_systems(c.columns, d.columns)
    d = d[c.columns]
    n_c, n_d = c.notna().sum(), d.notna().sum()
    if min(n_c.min(), n_d.min()) < 2:
        raise ValueError("a t-test needs two topics or more in each collection")
    low = np.fmin(c.min(), d.min())  # what both have is no part of t, and costs it digits
    above = np.split(unit(np.vstack([c - low, d - low])), [len(c)])
    above_c, above_d = map(pd.DataFrame, above)
    moments = above_c.mean(), above_d.mean(), above_c.var(), above_d.var()
    t, p = two_sample_t(*(part.to_numpy() for part in (*moments, n_c, n_d)), equal_var)
    better = np.where(p > alpha, None, np.where(t > 0, "c", "d"))
    return pd.DataFrame(
        {
            "mean_c": c.mean(),
            "mean_d": d.mean(),
            "statistic": t,
            "pvalue": p,
            "better_on": pd.Series(better, c.columns, dtype=object),
        }
    )


def compare_collections(
    collections: Mapping[str, pd.DataFrame],
    *,
    references: Mapping[str, pd.DataFrame | Factors] | None = None,
    method: str | None = None,
    trials: int = 0,
    seed: int | np.random.Generator = 0,
    mean: str = "arithmetic",
    alpha: float = 0.05,
    equal_var: bool = True,
) -> pd.DataFrame:
    """Compare the scores of the same systems on each pair of collections.

    Parameters
    ----------
    collections : dict of str to DataFrame
        Score matrices of the same systems on different sets of topics.
    references : dict of str to DataFrame or Factors, optional
        The standardizing systems of each collection; a collection that is not named is
        standardized by the systems themselves.
    method : str, optional
        Standardize first, by a method of `standardize`; by default the scores are left as they
        are.
    trials : int, default 0
        Random splits of the pooled topics of each pair to hold its values against.
    seed : int or numpy.random.Generator, default 0
        For these.
    mean, alpha, equal_var
        As in `drmse` and `false_positives`.

    Returns
    -------
    DataFrame
        A row a pair, in the order given:

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
        If there are fewer than two collections; if their systems are not the same; if references
        are given for collections that are not there, or without a method.

    Notes
    -----
    A random split deals the topics of both collections at random to two sets of the same sizes:
    what would be seen if the two were samples of one population. Values beyond the 99th percentile
    are what the authors call highly significant.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, tables 3 to 5.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> parts = {"t7": scores.loc["351":"400"], "r3": scores.loc["601":"650"]}
    >>> raw = compare_collections(parts, trials=100)
    >>> standardized = compare_collections(parts, method="normal", trials=100)
    >>> raw["percentile"].item(), bool(standardized["drmse"].item() < raw["drmse"].item() / 2)
    (100.0, True)
    """
    if not isinstance(collections, Mapping) or len(collections) < 2:
        raise ValueError("collections must be a dict of two score matrices or more, by name")
    trials = check_count(trials, "trials", 0)
    tables = standardize_each(collections, references, method)
    first = next(iter(tables.values())).columns
    rng = np.random.default_rng(seed)
    rows = []
    for (name_c, c), (name_d, d) in combinations(tables.items(), 2):
        d = d[first]
        c = c[first]
        means = system_means(c), system_means(d)
        tests = false_positives(c, d, alpha=alpha, equal_var=equal_var)["better_on"]
        row = {
            "c": name_c,
            "d": name_d,
            "drmse": drmse(*means, mean=mean),
            "better_on_c": int((tests == "c").sum()),
            "better_on_d": int((tests == "d").sum()),
            "tau": rank_correlation(*map(rank_means, means)),
            "pearson": rank_correlation(*means, "pearson"),
        }
        if trials:
            row |= _percentiles(c, d, row, trials, rng, mean, alpha, equal_var)
        rows.append(row)
    return pd.DataFrame(rows)


def standardize_each(
    collections: Mapping[str, pd.DataFrame],
    references: Mapping[str, pd.DataFrame | Factors] | None = None,
    method: str | None = None,
) -> dict[str, pd.DataFrame]:
    """Each collection standardized by its reference; checked to be of the same systems.

    Parameters
    ----------
    collections, references, method
        As in `compare_collections`.

    Returns
    -------
    dict of str to DataFrame
        Score matrices.
    """
    tables = {
        name: check_scores(table, name, several=True, complete=False)
        for name, table in collections.items()
    }
    first = next(iter(tables))
    for name, table in tables.items():
        _same_systems(tables[first].columns, table.columns, first, name)
    references = dict(references or {})
    unknown = [name for name in references if name not in tables]
    if unknown:
        raise ValueError(
            f"references has {listed(unknown)}, which are not among the collections"
            f" {listed(tables)}"
        )
    if method is None:
        if references:
            raise ValueError("references are given, but no method to standardize by")
        return tables
    return {
        name: standardize(table, references.get(name), method) for name, table in tables.items()
    }


def _percentiles(c, d, row, trials, rng, mean, alpha, equal_var) -> dict[str, float]:
    pooled = np.vstack([c.to_numpy(), d.to_numpy()])
    if np.isnan(pooled).any():
        raise ValueError("random splits need scores on all topics; some are missing (NaN)")
    pooled = unit(pooled - pooled.min())  # statistics do not change, and have more digits
    order = rng.random((trials, len(pooled))).argsort(axis=1)
    samples = order[:, : len(c)], order[:, len(c) :]
    means = [sample_means(pooled, sample) for sample in samples]
    spread = [sample_variances(pooled, sample) for sample in samples]
    differ = two_sample_differ(*means, *spread, len(c), len(d), equal_var, alpha)
    observed = row["better_on_c"] + row["better_on_d"]
    return {
        "percentile": 100 * float((drmse_rows(*means, mean) <= row["drmse"]).mean()),
        "percentile_fpr": 100 * float((differ.sum(axis=1) <= observed).mean()),
    }


def _means(c: Scores, d: Scores) -> tuple[pd.Series, pd.Series]:
    means = [
        table
        if isinstance(table, pd.Series)
        else system_means(check_scores(table, name, several=True, complete=False))
        for name, table in (("c", c), ("d", d))
    ]
    for name, series in zip("cd", means, strict=True):
        if not series.index.is_unique:
            raise ValueError(f"{name} has {listed(series.index[series.index.duplicated()])} twice")
        if series.isna().any():
            raise ValueError(f"{name} has no mean of {listed(series.index[series.isna()])} (NaN)")
    _same_systems(means[0].index, means[1].index)
    return means[0], means[1].reindex(means[0].index)


def _same_systems(c: pd.Index, d: pd.Index, name_c: str = "c", name_d: str = "d") -> None:
    for one, other, name in ((c, d, name_c), (d, c, name_d)):
        alone = one.difference(other, sort=False)
        if len(alone):
            raise ValueError(
                f"{name_c} and {name_d} must be of the same systems; only {name} has"
                f" {listed(alone)}"
            )
