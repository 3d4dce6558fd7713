"""How evenly a system treats its topics: spread, tests of spread, and users with a threshold."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from irstd import _pairs
from irstd._arrays import moments, rank_means, system_means, unit
from irstd._checks import check_choice, check_scores, listed
from irstd._pairs import PairTest, Sample
from irstd.factors import Factors
from irstd.standardize import standardize


def logit(scores: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    """Logits of scores: the unit interval stretched to the whole line.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (or several, with columns ``(metric, system)``) of scores in [0, 1]. NaN
        stays NaN.
    epsilon : float
        What stands for 0, and 1 - epsilon for 1, whose logits are infinite; between 0 and .5.

    Returns
    -------
    DataFrame
        As `scores`.

    Raises
    ------
    ValueError
        If a score is outside [0, 1] or epsilon outside (0, .5).

    Notes
    -----
    ln(x / (1 - x)). Only scores of exactly 0 and 1 are replaced, so an epsilon above the smallest
    positive score puts 0 above it. The smaller epsilon, the more a single 0 weighs: on systems with
    many of them the spread of logits is about epsilon. The mean of logits (MLAP, of AP) is that of
    Cormack and Lynam (2006).

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7. Cormack, Lynam
    (2006), doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.0, 0.5], "b": [0.9, 1.0]}, ["301", "302"])
    >>> logit(scores, 0.01).round(3).to_numpy().tolist()
    [[-4.595, 2.197], [0.0, 4.595]]
    """
    scores = check_scores(scores, several=True, complete=False)
    if not 0 < epsilon < 0.5:
        raise ValueError(f"epsilon must be between 0 and 0.5, got {epsilon}")
    _check_unit(scores)
    x = scores.to_numpy()
    x = np.where(x == 0, epsilon, np.where(x == 1, 1 - epsilon, x))
    return pd.DataFrame(np.log(x) - np.log1p(-x), scores.index, scores.columns)


def _check_unit(scores: pd.DataFrame) -> None:
    outside = ((scores < 0) | (scores > 1)).any(axis=1)
    if outside.any():
        raise ValueError(
            f"scores must be between 0 and 1; they are not on the topics"
            f" {listed(scores.index[outside])}"
        )


def spread(scores: pd.DataFrame, kind: str = "sd") -> pd.Series:
    """How far the scores of each system are spread over the topics.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system. Raw scores, or standardized, or logits,
        or logits standardized.
    kind : {"sd", "iqr", "mad"}, default "sd"
        Standard deviation (ddof=1), interquartile range (quartiles interpolated linearly), or
        median absolute deviation from the median (as it is: not scaled to the sd of a normal
        distribution). The latter two are not moved by a few odd topics.

    Returns
    -------
    Series
        A number a system, in the unit of the scores. Index ``system``, named for the kind.

    Raises
    ------
    ValueError
        If scores are missing (NaN), naming the topics.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.2, 0.2, 0.8]})
    >>> pd.DataFrame({kind: spread(scores, kind) for kind in ("sd", "iqr", "mad")}).round(3)
               sd   iqr  mad
    system
    a       0.129  0.15  0.1
    b       0.300  0.15  0.0
    """
    check_choice(kind, ("sd", "iqr", "mad"), "kind")
    scores = _pairs.one_matrix(scores)
    values = scores.to_numpy()
    if kind == "sd":
        found = moments(values.T)[1]
    elif kind == "iqr":
        found = stats.iqr(values, axis=0)
    else:
        found = stats.median_abs_deviation(values, axis=0)
    return pd.Series(found, scores.columns, name=kind)


def share_above(scores: pd.DataFrame, threshold: float) -> pd.Series:
    """Share of the topics on which each system scores above what satisfies a user.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    threshold : float
        In the unit of the scores; a score that equals it is not above.

    Returns
    -------
    Series
        A share a system. Index ``system``, name ``share_above``.

    Raises
    ------
    ValueError
        If scores are missing (NaN), naming the topics.

    Notes
    -----
    Of two systems with the same mean, the steady one satisfies more often if the mean is above the
    threshold, the volatile one if it is below: spread is no virtue or vice in itself.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, figure 1.

    Examples
    --------
    >>> scores = pd.DataFrame({"steady": [0.4, 0.5, 0.6], "volatile": [0.1, 0.5, 0.9]})
    >>> share_above(scores, 0.3).round(2).to_dict()
    {'steady': 1.0, 'volatile': 0.67}
    >>> share_above(scores, 0.7).round(2).to_dict()
    {'steady': 0.0, 'volatile': 0.33}
    """
    scores = _pairs.one_matrix(scores, topics=1)
    if not np.isfinite(threshold):
        raise ValueError(f"threshold must be a finite number, got {threshold}")
    return (scores > threshold).mean().rename("share_above")


def semicircle_bound(mean, *, n_topics: int | None = None):
    """The largest standard deviation that scores in [0, 1] can have at a mean.

    Parameters
    ----------
    mean : float, array or Series
        Means of scores, in [0, 1].
    n_topics : int, optional
        Give the bound of the standard deviation with ddof=1 of so many topics; by default it is
        that with ddof=0, as in the proof.

    Returns
    -------
    float, array or Series
        As `mean`.

    Raises
    ------
    ValueError
        If a mean is outside [0, 1].

    Notes
    -----
    sqrt(1/4 - (mean - 1/2)^2), a semicircle of mean and standard deviation: since x^2 <= x, the
    mean of x^2 is at most that of x, and the variance, mean(x^2) - mean(x)^2, is at most mean(x) -
    mean(x)^2. It is reached if all scores are 0 or 1. The standard deviation with ddof=1 is larger
    by sqrt(n / (n - 1)), and can be just outside.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, appendix A.

    Examples
    --------
    >>> float(semicircle_bound(0.5)), float(semicircle_bound(0.2))
    (0.5, 0.4)
    """
    if not ((np.asarray(mean) >= 0) & (np.asarray(mean) <= 1)).all():
        raise ValueError("mean must be between 0 and 1")
    if n_topics is not None and n_topics < 2:
        raise ValueError(f"n_topics must be 2 or more, got {n_topics}")
    return np.sqrt(mean * (1 - mean) * (1 if n_topics is None else n_topics / (n_topics - 1)))


def f_test(a: Sample, b: Sample) -> PairTest:
    """Test whether two systems have the same variance, as normal distributions would show it.

    Parameters
    ----------
    a, b : Series or array
        A score a topic; not matched.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: var(a) / var(b) (ddof=1), and p, two-tailed.

    Notes
    -----
    p is twice the smaller tail of F with n_a - 1 and n_b - 1 degrees of freedom, as in R's
    ``var.test``. The test takes scores to be normal: on scores that are not, its false alarms can
    be far from the level, and more topics do not help. Two systems of variance 0 have the ratio 1.
    Hosseini et al. (2010) print a ratio of standard deviations; their numbers are those of
    variances.

    Examples
    --------
    >>> result = f_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (11.909, 0.071)
    """
    a, b = _two(a, b)
    found = [_pairs.variances(x[:, None])[0] for x in (a, b)]
    statistic, p = _pairs.with_f(_pairs.ratio(*found, none=1), len(a) - 1, len(b) - 1)
    return PairTest(float(statistic), float(p))


def levene_test(a: Sample, b: Sample, *, center: str = "median") -> PairTest:
    """Test whether the scores of two systems are equally far from their centre, as Levene does.

    Parameters
    ----------
    a, b : Series or array
        A score a topic; not matched.
    center : {"median", "mean"}, default "median"
        Of each system. ``"median"`` is known as W50 (Brown and Forsythe), ``"mean"`` as W0
        (Levene); the median is the robust choice for skewed scores.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: W, and p in F(1, n_a + n_b - 2).

    Notes
    -----
    ``scipy.stats.levene``, with p = 1 for systems without spread. The test ignores that the scores
    are of the same topics; see `pitman_morgan_test`.

    Examples
    --------
    >>> result = levene_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (2.0, 0.207)
    """
    check_choice(center, ("median", "mean"), "center")
    a, b = _two(a, b)
    distances = [_pairs.deviations(x[:, None], center) for x in (a, b)]
    if all(x.min() == x.max() for x in distances):  # no variance of distances: F is 0/0 or 1/0
        same = distances[0][0] == distances[1][0]
        return PairTest(0.0, 1.0) if same else PairTest(math.inf, 0.0)
    found = stats.levene(a, b, center=center)
    return PairTest(float(found.statistic), float(found.pvalue))


def _two(a: Sample, b: Sample) -> list[np.ndarray]:
    """Two samples as numbers, in a unit that leaves them their squares."""
    a, b = _pairs.sample(a, "a"), _pairs.sample(b, "b")
    return np.split(unit(np.concatenate([a, b])), [len(a)])


def pitman_morgan_test(a: Sample, b: Sample) -> PairTest:
    """Test whether two systems have the same variance on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        A score a topic, three or more. Two Series are matched by their index.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: t, positive if a varies more, and p, two-sided.

    Notes
    -----
    cov(a + b, a - b) = var(a) - var(b), so the variances are equal if the sum and the difference of
    the scores are uncorrelated: with r their correlation, t = r sqrt((n - 2) / (1 - r^2)), n - 2
    degrees of freedom. It is to the F test what the paired t-test is to that of two samples: it
    gains from the correlation of systems over topics. Like F it takes scores to be normal.

    References
    ----------
    Pitman (1939), doi:10.1093/biomet/31.1-2.9. Morgan (1939), doi:10.1093/biomet/31.1-2.13.

    Examples
    --------
    >>> result = pitman_morgan_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (5.774, 0.029)
    """
    values = _pairs.paired(a, b)
    if len(values) < 3:
        raise ValueError(f"the Pitman-Morgan test needs 3 topics or more, got {len(values)}")
    return _pairs.of_one_pair(_pairs.EXACT["pitman_morgan"], values)


def break_ties(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    top: float = 0.75,
    method: str | None = None,
    reference: pd.DataFrame | Factors | None = None,
) -> pd.Series:
    """How many pairs of systems that their means do not tell apart, their spreads do.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw: a row a topic, a column a system.
    alpha : float, default 0.05
        Level of all tests.
    top : float, default 0.75
        Share of the m systems that is kept: the best floor(top m) by their mean raw score, of
        those with equal means (to 1e-12) the first by name.
    method : str, optional
        Standardize the scores of the systems kept by this method of `standardize` before all tests;
        by default they stay raw.
    reference : DataFrame or Factors, optional
        The standardizing systems; by default those kept.

    Returns
    -------
    Series
        Numbers of pairs (name ``count``), by

        ============= =============================================================
        pairs         of the systems kept
        ties          those for which a paired t-test has p > alpha
        f             ties for which `f_test` has p < alpha
        levene_mean   the same, by `levene_test` with the mean (W0)
        levene_median with the median (W50)
        pitman_morgan the same, by `pitman_morgan_test`
        ============= =============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if fewer than two systems are kept, or three topics given; if a
        reference is given but no method.

    Warns
    -----
    UserWarning
        Naming topics without scale, as `standardize` does: neutral there.

    Notes
    -----
    Table 2 of Hosseini et al. (2010), who standardize with ``"z"``. A system is more than its mean,
    but of this many tests some find a difference by chance: alpha of the ties would be broken if no
    two systems differed in spread.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> import irstd
    >>> counts = break_ties(irstd.load_dataset("sim-trec8"), method="z")
    >>> counts.index.tolist()
    ['pairs', 'ties', 'f', 'levene_mean', 'levene_median', 'pitman_morgan']
    """
    _pairs.check_alpha(alpha)
    if not 0 < top <= 1:
        raise ValueError(f"top must be above 0 and at most 1, got {top}")
    if method is None and reference is not None:
        raise ValueError("reference is given, but no method to standardize by")
    scores = _pairs.one_matrix(scores, topics=3)
    kept = math.floor(top * scores.shape[1] + 1e-9)  # .29 * 100 is 28.999...
    if kept < 2:
        raise ValueError(f"two systems or more must be kept; {top} of {scores.shape[1]} is {kept}")
    names = np.argsort(scores.columns.map(str), kind="stable")  # not their order in the matrix
    means = rank_means(system_means(scores).to_numpy())
    best = names[np.argsort(-means[names], kind="stable")][:kept]
    scores = scores.iloc[:, np.sort(best)]
    if method is not None:
        scores = _pairs.one_matrix(standardize(scores, reference, method))
    values = scores.to_numpy()
    i, j = _pairs.all_pairs(kept)
    tied = _pairs.t_test(values, i, j)[1] > alpha
    tests = {"f": "f", "levene_mean": "levene_mean", "levene_median": "levene"}
    counts = {"pairs": len(i), "ties": int(tied.sum())}
    for name, test in (tests | {"pitman_morgan": "pitman_morgan"}).items():
        _, p = _pairs.EXACT[test](values, i[tied], j[tied])
        counts[name] = int((p < alpha).sum())
    return pd.Series(counts, name="count")
