"""Comparison across collections: how alike systems score on two sets of topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
from irstd.compare.gaps import gap_of, warn_of_gaps
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
    means_c, means_d = _means(c, d, 2)
    return float(arrays.drmse_rows(means_c, means_d, mean))


def _means(c: Scores, d: Scores, least: int) -> tuple[np.ndarray, np.ndarray]:
    """The means of the same systems, of so many or more, side by side."""
    if not isinstance(c, pd.Series):
        c = check_scores(c, "c").mean()
    if not isinstance(d, pd.Series):
        d = check_scores(d, "d").mean()
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
    alpha = check_alpha(alpha)
    equal_var = check_flag(equal_var, "equal_var")
    c = check_scores(c, "c", topics=2)
    d = check_scores(d, "d", topics=2)
    check_same(c.columns, d.columns, ("c", "d"))
    d = d[c.columns]
    # In units of each system's largest score, no square is lost or too large.
    unit = arrays.units(np.vstack([c, d]))
    x = c.div(unit).to_numpy()
    y = d.div(unit).to_numpy()
    mean_x = x.mean(axis=0)
    mean_y = y.mean(axis=0)
    var_x = arrays.spreads(x) ** 2
    var_y = arrays.spreads(y) ** 2
    n_x = len(x)
    n_y = len(y)
    t, pvalues = arrays.two_sample_t(mean_x, mean_y, var_x, var_y, n_x, n_y, equal_var)
    better_on = pd.Series(np.where(t > 0, "c", "d"), c.columns, dtype=object)
    columns = {
        "mean_c": mean_x * unit,
        "mean_d": mean_y * unit,
        "statistic": t,
        "pvalue": pvalues,
        "better_on": better_on.where(pvalues <= alpha, None),
    }
    return pd.DataFrame(columns, c.columns)


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
    references : dict of str to DataFrame, Factors, str or None, optional
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
        difficulty, difficulty_error how much better the systems score on c than on d,
                                     raw, and its standard error over systems: both in
                                     standard deviations of system means
        references, references_error with references of both: the same standardized, so
                                     how much weaker those of c are
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
        references are given for some collections only. If two references differ by more than
        their collections do, so that standardizing replaces a gap by a larger one.

    Notes
    -----
    ``difficulty`` and ``references`` are as in `compare_across`. Systems that standardize
    themselves have the same mean on both sides by construction: nothing is said of references then.

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
    alpha = check_alpha(alpha)
    equal_var = check_flag(equal_var, "equal_var")
    check_choice(mean, MEANS, "mean")
    trials = check_count(trials, "trials", 0)
    rng = generator(seed)
    raw = _same_systems(collections)
    by_collection = references_by_collection(references, collections, method)
    tables = {}
    for name, table in raw.items():
        tables[name] = by_method(table, by_collection.get(name), method)
    warn_of_common(tables)
    rows = []
    for (name_c, c), (name_d, d) in combinations(tables.items(), 2):
        if trials:
            splits = _RandomSplits.draw(c, d, trials, rng)
        tests = false_positives(c, d, alpha=alpha, equal_var=equal_var)
        means_c = tests["mean_c"].to_numpy()
        means_d = tests["mean_d"].to_numpy()
        distance = float(arrays.drmse_rows(means_c, means_d, mean))
        row = {
            "c": name_c,
            "d": name_d,
            "drmse": distance,
            "better_on_c": int((tests["better_on"] == "c").sum()),
            "better_on_d": int((tests["better_on"] == "d").sum()),
            "tau": rank_correlation(means_c, means_d),
            "pearson": rank_correlation(means_c, means_d, "pearson"),
        }
        difficulty = gap_of(raw[name_c], raw[name_d])
        row["difficulty"], row["difficulty_error"] = difficulty.in_sds
        if by_collection.get(name_c) is not None and by_collection.get(name_d) is not None:
            quality = gap_of(c, d)
            row["references"], row["references_error"] = quality.in_sds
            warn_of_gaps(difficulty, quality, (name_c, name_d))
        if trials:
            # Random splits no farther apart than these two; what only rounding tells is equal
            no_farther = arrays.cleared(splits.drmse(mean) - distance, distance) <= 0
            n_different = tests["better_on"].notna().sum()
            no_more = splits.false_positives(alpha, equal_var) <= n_different
            row["percentile"] = 100 * float(no_farther.mean())
            row["percentile_fpr"] = 100 * float(no_more.mean())
        rows.append(row)
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class _Side:
    """One side of many random splits of topics: a row of means and of variances for each split."""

    means: np.ndarray
    variances: np.ndarray
    topics: int

    @classmethod
    def of_samples(cls, values: np.ndarray, samples: np.ndarray) -> _Side:
        means = arrays.sample_means(values, samples)
        variances = arrays.sample_variances(values, samples)
        return cls(means, variances, samples.shape[1])


@dataclass(frozen=True)
class _RandomSplits:
    """The topics of two collections, pooled and split at random into sets of the same sizes."""

    c: _Side
    d: _Side

    @classmethod
    def draw(
        cls, c: pd.DataFrame, d: pd.DataFrame, trials: int, rng: np.random.Generator
    ) -> _RandomSplits:
        by_label = [table.iloc[arrays.label_order(table.index)] for table in (c, d)]
        pooled = np.vstack(by_label)
        # To sort random numbers is to shuffle, here once for each split.
        shuffled = rng.random((trials, len(pooled))).argsort(axis=1)
        side_c = _Side.of_samples(pooled, shuffled[:, : len(c)])
        side_d = _Side.of_samples(pooled, shuffled[:, len(c) :])
        return cls(side_c, side_d)

    def drmse(self, mean: str) -> np.ndarray:
        """The dRMSE of each split."""
        return arrays.drmse_rows(self.c.means, self.d.means, mean)

    def false_positives(self, alpha: float, equal_var: bool) -> np.ndarray:
        """How many systems differ from themselves in each split."""
        c = self.c
        d = self.d
        _, pvalues = arrays.two_sample_t(
            c.means, d.means, c.variances, d.variances, c.topics, d.topics, equal_var, alpha
        )
        return (pvalues <= alpha).sum(axis=1)


def references_by_collection(
    references: Mapping[str, Reference] | None,
    collections: Mapping[str, pd.DataFrame],
    method: str | None,
) -> dict[str, Reference]:
    """The references given; an error if one is of no collection, a warning if only some are."""
    if not isinstance(references or {}, Mapping):
        raise TypeError("references must be a dict of the standardizing systems by collection")
    given = dict(references or {})
    for name in given:
        check_choice(name, collections, "references")
    without = listed(name for name in collections if name not in given)
    if given and without and method is not None:
        warn(
            f"there is no reference for {without}: standardized by the systems themselves, which"
            " does not compare with scores standardized by others"
        )
    return given


def _same_systems(collections: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Each collection checked, with the systems in one order."""
    if not isinstance(collections, Mapping) or len(collections) < 2:
        raise ValueError("collections must be a dict of two score matrices or more, by name")
    check_alike(collections, "metric")
    first = next(iter(collections))
    tables = {}
    for name, scores in collections.items():
        tables[name] = check_scores(scores, f"collections[{name!r}]", topics=2, systems=2)
        check_same(tables[first].columns, tables[name].columns, (first, name))
    return {name: table[tables[first].columns] for name, table in tables.items()}
