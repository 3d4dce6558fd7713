"""Variability over topics: spread of scores and variance components."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from irstd._base.arguments import (
    Seed,
    check_choice,
    check_count,
    check_level,
    check_real,
    make_generator,
)
from irstd._base.arrays import ratio, se_of_means, spreads, tau_b
from irstd._base.matrix import check_scores
from irstd._base.messages import format_topics
from irstd._base.several import refuse_mixed_units
from irstd.standardize import standardized

RELIABLE = 0.95  # a coefficient of reliability
SPREADS = {
    "sd": spreads,
    # functions, since scipy.stats takes long to import
    "iqr": lambda values: scipy.stats.iqr(values, axis=0),
    "mad": lambda values: scipy.stats.median_abs_deviation(values),
}


def logit(scores: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    """Return the logits of scores in the unit interval.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of scores in [0, 1]. NaN stays NaN.
    epsilon : float
        Replacement for scores of exactly 0, as 1 - epsilon is for those of 1: their logits are
        infinite. Between 0 and .5, exclusive.

    Returns
    -------
    DataFrame
        ln(x / (1 - x)) of each score, with the topics and systems of `scores`.

    Raises
    ------
    ValueError
        If scores are not between 0 and 1.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.0, 0.5], "b": [0.9, 1.0]}, ["301", "302"])
    >>> logit(scores, 0.01).round(3)
    system      a      b
    topic
    301    -4.595  2.197
    302     0.000  4.595
    """
    scores = check_scores(scores, complete=False)
    epsilon = check_real(epsilon, "epsilon", pd.Interval(0, 0.5, closed="neither"))
    _refuse_outside(scores)
    end = scipy.special.logit(epsilon)  # of 0, and of 1 with the other sign
    logits = scipy.special.logit(scores)
    logits = logits.mask(scores == 0, end)
    return logits.mask(scores == 1, -end)


def _refuse_outside(scores: pd.DataFrame) -> None:
    """Raise ValueError if scores are not between 0 and 1."""
    outside = format_topics((scores < 0) | (scores > 1))
    if outside:
        raise ValueError(f"scores must be between 0 and 1, but are not on {outside}")


def spread(scores: pd.DataFrame, kind: str = "sd") -> pd.Series:
    """Return the spread of each system's scores over topics.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system; two topics or more, none missing.
        Raw or standardized scores, or logits of either kind.
    kind : {"sd", "iqr", "mad"}, default "sd"
        Standard deviation (ddof=1), interquartile range (quartiles interpolated linearly), or
        median absolute deviation from the median (not scaled to the sd of a normal distribution).

    Returns
    -------
    Series
        One number per system, in the unit of the scores. Index ``system``; the name is `kind`.

    Raises
    ------
    ValueError
        If scores are missing (NaN), or there are fewer than two topics.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.2, 0.2, 0.8]})
    >>> pd.DataFrame({kind: spread(scores, kind) for kind in ("sd", "iqr", "mad")}).round(3)
               sd   iqr  mad
    system
    a       0.129  0.15  0.1
    b       0.300  0.15  0.0
    """
    check_choice(kind, SPREADS, "kind")
    scores = check_scores(scores, topics=2)
    return pd.Series(SPREADS[kind](scores.to_numpy()), scores.columns, name=kind)


def spread_trend(
    scores: pd.DataFrame,
    *,
    method: str | None = "z",
    trials: int = 200,
    seed: Seed = 0,
) -> pd.Series:
    """Test whether spread depends on the mean more than bounded scores imply.

    Scores near 0 or 1 can vary little. So where scores are low, better systems have the larger
    spread, and where they are high, the smaller one, even if all systems are equally variable.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of scores in [0, 1], with at least three systems and three topics.
    method : str, optional
        Method of `standardize` to apply first, to the scores and to the simulated ones; by default
        ``"z"``. None for raw scores.
    trials : int, default 200
        Number of simulated matrices of bounded scores, 20 or more.
    seed : int or numpy.random.Generator, default 0
        Seed of the simulation.

    Returns
    -------
    Series
        =========== ====================================================================
        trend       Kendall's tau-b between the systems' standard deviations and means
        null        median trend of simulated bounded scores
        low, high   interval with 95% of their trends
        pvalue      two-sided, for the hypothesis that scores are merely bounded
        =========== ====================================================================

    Raises
    ------
    ValueError
        If scores are missing or not between 0 and 1; if systems, topics or residuals do not vary.

    Notes
    -----
    Bounded scores are 1 / (1 + exp(-x)) with x = m + t + s + e: a level and normal effects of the
    topic, the system and a residual, whose standard deviation is the same for all systems. The
    level and the three standard deviations are fitted so that the scores have the mean and the
    variance components of `scores` (Searle, Casella, McCulloch 1992, from mean squares).

    The components are those of these topics and systems: the interval shows the variation of the
    trend by chance, not its variation over other topics. Other models of equally variable systems
    exist: simulated campaigns without failures and with one volatility lie below the interval, too.
    So a trend below `low` does not prove that better systems are less variable.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> import irstd
    >>> spread_trend(irstd.load_dataset("sim-trec8"), trials=50).round(2)
    trend     0.55
    null      0.74
    low       0.66
    high      0.80
    pvalue    0.04
    dtype: float64
    """
    scores = check_scores(scores, topics=3, systems=3)
    trials = check_count(trials, "trials", 20)
    _refuse_outside(scores)
    rng = make_generator(seed)
    model = _fit_model(scores.to_numpy(), rng)
    trend = _compute_trend(scores, method)
    drawn = []
    for _ in range(trials):
        values = _simulate_scores(model, _draw_effects(scores.shape, rng))
        drawn.append(_compute_trend(pd.DataFrame(values), method))
    above = np.sum(np.array(drawn) >= trend)
    below = np.sum(np.array(drawn) <= trend)
    low, null, high = np.quantile(drawn, [0.025, 0.5, 0.975])
    pvalue = min(1, 2 * (min(above, below) + 1) / (trials + 1))
    return pd.Series({"trend": trend, "null": null, "low": low, "high": high, "pvalue": pvalue})


def _compute_trend(scores: pd.DataFrame, method: str | None) -> float:
    """Return Kendall's tau-b between spreads and means."""
    if method is not None:
        scores, _ = standardized(scores, method=method)
    return tau_b(scores.mean().to_numpy(), scores.std().to_numpy()).item()


def share_above(scores: pd.DataFrame, threshold: float) -> pd.Series:
    """Return each system's proportion of topics with a score above a threshold.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system.
    threshold : float
        In the unit of the scores; a score equal to it is not above.

    Returns
    -------
    Series
        One share per system, from 0 to 1. Index ``system``, name ``share_above``.

    Raises
    ------
    ValueError
        If scores are missing (NaN).

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, figure 1.

    Examples
    --------
    >>> scores = pd.DataFrame({"steady": [0.4, 0.5, 0.6], "variable": [0.1, 0.5, 0.9]})
    >>> share_above(scores, 0.3).round(2)
    system
    steady      1.00
    variable    0.67
    Name: share_above, dtype: float64
    """
    scores = check_scores(scores)
    threshold = check_real(threshold, "threshold")
    refuse_mixed_units({"scores": scores, "threshold": pd.Series(threshold)})
    return (scores > threshold).mean().rename("share_above")


def semicircle_bound(means: ArrayLike) -> Any:
    """Return the largest possible standard deviation of scores in [0, 1], by mean.

    Parameters
    ----------
    means : float, sequence or Series
        Means of scores, in [0, 1].

    Returns
    -------
    float, array or Series
        One bound per mean, in the form of `means`.

    Raises
    ------
    ValueError
        If a mean is not between 0 and 1.

    Notes
    -----
    sqrt(m (1 - m)) = sqrt(1/4 - (m - 1/2)^2) for a mean m in [0, 1]: a semicircle. It bounds the
    standard deviation with ddof=0; that with ddof=1 is larger by sqrt(n / (n - 1)) for n topics,
    and can be just outside.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, appendix A.

    Examples
    --------
    >>> semicircle_bound(0.2)
    0.4
    """
    is_series = isinstance(means, pd.Series)
    values: Any = means if is_series else np.asarray(means)
    if values.ndim > 1 or (is_series and values.index.name == "topic"):
        raise TypeError("means must have one number per system: give scores.mean()")
    for mean in np.ravel(values):
        check_real(mean, "every mean", pd.Interval(0, 1, closed="both"))
    bounds = np.sqrt(values * (1 - values))
    return bounds if np.ndim(means) else float(bounds)


def variance_components(scores: pd.DataFrame, *, level: float = 0.95) -> pd.Series:
    """Estimate variance components of systems, topics and residuals (G theory).

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    level : float, default 0.95
        Confidence level of the interval of erho2.

    Returns
    -------
    Series
        Name ``components``, index

        ============ ====================================================================
        systems      variance of the systems' true means
        topics       variance of the topics' true means
        rest         residual variance: interaction of system and topic, and noise
        erho2        E rho^2, reliability of the differences between systems on these n
                     topics: systems / (systems + rest / n)
        phi          Phi, reliability of the means themselves, on any n topics:
                     systems / (systems + (topics + rest) / n)
        topics_erho2 number of topics with which erho2 reaches .95 (infinite if systems is 0)
        topics_phi   the same for phi
        erho2_low    lower end of the interval of erho2, for systems drawn at random
        erho2_high   its upper end
        ============ ====================================================================

    Raises
    ------
    ValueError
        If there are fewer than two systems or topics, if scores are missing, or all the same.

    Notes
    -----
    From the mean squares of score ~ system + topic, of n topics and m systems: rest = MS_rest,
    systems = (MS_systems - MS_rest) / n, topics = (MS_topics - MS_rest) / m; a negative estimate
    is given as 0. The interval is 1 - q / F, where F = MS_systems / MS_rest and q are the
    quantiles of F with m - 1 and (n - 1)(m - 1) degrees of freedom: normal scores, systems that
    are a sample.

    References
    ----------
    Bodoff, Li (2007), doi:10.1145/1277741.1277805. Urbano, Marrero, Martin (2013),
    doi:10.1145/2484028.2484038.

    Examples
    --------
    >>> import irstd
    >>> variance_components(irstd.load_dataset("sim-trec8")).round(3)
    systems          0.009
    topics           0.026
    rest             0.012
    erho2            0.976
    phi              0.926
    topics_erho2    24.000
    topics_phi      77.000
    erho2_low        0.969
    erho2_high       0.981
    Name: components, dtype: float64
    """
    values = check_scores(scores, topics=2, systems=2).to_numpy()
    level = check_level(level)
    n, m = values.shape
    topics, systems, rest = _estimate_components(values)
    variance_of_means = systems + rest / n
    topics, systems = max(0.0, topics), max(0.0, systems)
    if systems + topics + rest == 0:
        raise ValueError("scores must not all be the same")

    # 1 / F lies between these quantiles, over F.
    quantiles = scipy.stats.f.ppf([(1 + level) / 2, (1 - level) / 2], m - 1, (n - 1) * (m - 1))
    low, high = np.maximum(0, 1 - ratio(quantiles * rest / n, variance_of_means, none=1))
    components = {
        "systems": systems,
        "topics": topics,
        "rest": rest,
        "erho2": float(ratio(systems, systems + rest / n)),
        "phi": float(ratio(systems, systems + (topics + rest) / n)),
        "topics_erho2": _count_topics_needed(systems, rest),
        "topics_phi": _count_topics_needed(systems, topics + rest),
        "erho2_low": low,
        "erho2_high": high,
    }
    return pd.Series(components, name="components")


def _count_topics_needed(systems: float, noise: float) -> float:
    """Return the smallest number of topics for a reliability of at least .95."""
    exact = RELIABLE / (1 - RELIABLE) * ratio(noise, systems, none=np.inf)
    return max(1.0, float(np.ceil(exact - 1e-9)))  # rounding may put a whole number just above


def _draw_effects(shape: tuple[int, int], rng: np.random.Generator) -> list[np.ndarray]:
    """Draw standard normal effects of topics, systems and residuals."""
    n_topics, n_systems = shape
    return [rng.standard_normal(size) for size in ((n_topics, 1), (1, n_systems), shape)]


def _simulate_scores(model: np.ndarray, effects: list[np.ndarray]) -> np.ndarray:
    """Simulate scores in (0, 1) from the model's level, its three sds and effects."""
    logits = model[0] + sum(sd * effect for sd, effect in zip(model[1:], effects, strict=True))
    return scipy.special.expit(logits)


def _estimate_components(values: np.ndarray) -> np.ndarray:
    """Return unbiased variance components of topics, systems and residuals."""
    n_topics, n_systems = values.shape
    se, _ = se_of_means(values)
    rest = se**2 * n_topics
    topics = spreads(values.mean(axis=1)) ** 2 - rest / n_systems
    systems = spreads(values.mean(axis=0)) ** 2 - rest / n_topics
    return np.array([topics, systems, rest])


def _fit_model(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Fit the model to the mean and variance components of the scores."""
    target = _estimate_components(values)
    if target.min() <= 0:
        raise ValueError(
            f"variance components of topics, systems and residuals must be positive, got {target}"
        )
    samples = [_draw_effects(values.shape, rng) for _ in range(10)]
    mean = values.mean()

    def compute_misfit(model: np.ndarray) -> np.ndarray:
        scores = [_simulate_scores(model, effects) for effects in samples]
        components = np.mean([_estimate_components(each) for each in scores], axis=0)
        return np.append(np.mean(scores) - mean, components / target - 1)

    slope = mean * (1 - mean)  # of the logistic function at the mean
    start = np.append(scipy.special.logit(mean), np.sqrt(target) / slope)
    return scipy.optimize.least_squares(compute_misfit, start).x
