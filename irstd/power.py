"""Which systems a collection finds significantly different, and how many topics it would take."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_alpha, check_level, check_real
from irstd._base.arrays import ratio, se_of_means, spreads
from irstd._base.matrix import check_scores
from irstd.significance.pairwise import pairwise_tests

RELIABLE = 0.95  # a coefficient of reliability


def detectable_difference(
    scores: pd.DataFrame,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """The smallest difference of two means that a paired t-test on these topics is likely to find.

    Parameters
    ----------
    scores : DataFrame
        A score matrix. Two systems are a pair of interest; of more it is a pair with differences of
        the average variance.
    power : float, default 0.8
        The chance to find it: above `alpha`, below 1.
    alpha : float, default 0.05
        Level of the test, two-sided.

    Returns
    -------
    float
        In the unit of the scores; 0 if systems differ by constants.

    Notes
    -----
    The delta for which noncentral t with n - 1 degrees of freedom and the shift delta sqrt(n) / s
    is beyond the critical value with a chance of `power`. s is the standard deviation of
    differences by topic: s^2 = 2 MSE of score ~ topic + system, the mean of the variances of all
    pairs of systems (Sakai 2016). It is taken for the true one, of topics like these.

    References
    ----------
    Sakai (2016), doi:10.1007/s10791-015-9273-z.

    Examples
    --------
    >>> import irstd
    >>> round(detectable_difference(irstd.load_dataset("sim-trec8")), 3)
    0.062
    """
    n, sd, alpha, power = _pilot(scores, alpha, power)
    if scipy.stats.t.isf(alpha / 2, n - 1) > 1e5:  # noncentral t is not computed so far out
        raise ValueError(f"alpha must be larger, got {alpha}: no effect is found on {n} topics")

    def excess_power(effect: float) -> float:
        return _power_of_t(effect, n, alpha) - power

    large_enough = 1.0
    while excess_power(large_enough) < 0:
        large_enough *= 2
    # in units of the sd of differences
    effect = scipy.optimize.brentq(excess_power, 0, large_enough)
    return sd * float(effect)


def topics_needed(
    scores: pd.DataFrame,
    difference: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> int:
    """How many topics like these a paired t-test needs to find a difference of two means.

    Parameters
    ----------
    scores : DataFrame
        As for `detectable_difference`.
    difference : float
        Of two means, in the unit of the scores; above 0.
    power, alpha : float
        As for `detectable_difference`.

    Returns
    -------
    int
        The smallest number of topics, 2 or more, whose power is at least `power`.

    Notes
    -----
    The variance of a few topics is uncertain: the number is too small in half of the cases.

    References
    ----------
    Sakai (2016), doi:10.1007/s10791-015-9273-z.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> topics_needed(scores, detectable_difference(scores)) in (50, 51)
    True
    """
    _, sd, alpha, power = _pilot(scores, alpha, power)
    difference = check_real(difference, "difference", 0, open_="low")
    if sd == 0:
        return 2
    sizes = range(2, 10**9)  # power grows with them: the first that has it is found by halving
    place = bisect_left(sizes, power, key=lambda size: _power_of_t(difference / sd, size, alpha))
    if place == len(sizes):
        raise ValueError(
            f"difference must be less tiny, got {difference}: 10^9 topics do not find it"
        )
    return sizes[place]


def _pilot(scores: pd.DataFrame, alpha: float, power: float) -> tuple[int, float, float, float]:
    """Topics, sd of differences (their variance averaged over all pairs: 2 MSE), and the levels."""
    alpha = check_real(alpha, "alpha", 1e-15, 1, open_="high")
    power = check_real(power, "power", alpha, 1, open_="low high")
    scores = check_scores(scores, topics=2, systems=2)
    n = len(scores)
    error, _ = se_of_means(scores.to_numpy())
    sd_of_scores = error * math.sqrt(n)  # without the effects of topics and systems
    sd_of_differences = math.sqrt(2) * sd_of_scores
    return n, sd_of_differences, alpha, power


def _power_of_t(effect: float, n: int, alpha: float) -> float:
    """Of the paired t-test, two-sided, for an effect in units of the sd of differences."""
    critical = scipy.stats.t.isf(alpha / 2, n - 1)
    shift = effect * math.sqrt(n)
    # t is below -critical as often as with the opposite shift it is above.
    return float(scipy.stats.nct.sf(critical, n - 1, [shift, -shift]).sum())


def variance_components(scores: pd.DataFrame, *, level: float = 0.95) -> pd.Series:
    """How much systems, topics and the rest vary, and how reliable the means are (G-theory).

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    level : float, default 0.95
        Of the interval of erho2.

    Returns
    -------
    Series
        Name ``components``, index

        ============ ====================================================================
        systems      variance of the systems' true means: what one wants to see
        topics       variance of the topics' means: the same for all systems
        rest         variance of their interaction, and of noise
        erho2        E rho^2, reliability of the differences between systems on these n
                     topics: systems / (systems + rest / n)
        phi          Phi, reliability of the means themselves, on any n topics:
                     systems / (systems + (topics + rest) / n)
        topics_erho2 topics with which erho2 reaches .95 (infinite if systems is 0)
        topics_phi   the same for phi
        erho2_low    interval of erho2, for systems that are drawn at random
        erho2_high
        ============ ====================================================================

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
    >>> found = variance_components(irstd.load_dataset("sim-trec8"))
    >>> bool(0 < found["erho2_low"] < found["erho2"] < found["erho2_high"] < 1)
    True
    """
    values = check_scores(scores, topics=2, systems=2).to_numpy()
    level = check_level(level)
    n, m = values.shape
    error, df = se_of_means(values)
    rest = error**2 * n
    of_systems = _variance(values.mean(axis=0))
    of_topics = _variance(values.mean(axis=1))
    systems = max(0.0, of_systems - rest / n)
    topics = max(0.0, of_topics - rest / m)
    if systems + topics + rest == 0:
        raise ValueError("scores must not be all the same")

    # 1 / F lies between these quantiles, over F.
    quantiles = scipy.stats.f.ppf([(1 + level) / 2, (1 - level) / 2], m - 1, df)
    low, high = np.maximum(0, 1 - ratio(quantiles * error**2, of_systems, none=1))
    components = {
        "systems": systems,
        "topics": topics,
        "rest": rest,
        "erho2": float(ratio(systems, systems + rest / n)),
        "phi": float(ratio(systems, systems + (topics + rest) / n)),
        "topics_erho2": _topics_to_be_reliable(systems, rest),
        "topics_phi": _topics_to_be_reliable(systems, topics + rest),
        "erho2_low": low,
        "erho2_high": high,
    }
    return pd.Series(components, name="components")


def _variance(means: np.ndarray) -> float:
    """Variance (ddof=1), exactly 0 where all are the same."""
    (sd,) = spreads(means[:, None])
    return float(sd**2)


def _topics_to_be_reliable(systems: float, noise: float) -> float:
    """The smallest n with systems / (systems + noise / n) at least .95."""
    exact = RELIABLE / (1 - RELIABLE) * ratio(noise, systems, none=np.inf)
    return max(1.0, float(np.ceil(exact - 1e-9)))  # what is whole on paper may be just above


def discriminative_power(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    method: str = "t",
) -> float:
    """Share of the pairs of systems that a test finds significantly different.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    alpha : float, default 0.05
        A pair is significantly different if p <= alpha.
    method : str, default "t"
        As in `pairwise_tests`, whose table has corrected p-values, too, if those are to count.

    Returns
    -------
    float
        Between 0 and 1.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261.

    Examples
    --------
    >>> import irstd
    >>> 0 < discriminative_power(irstd.load_dataset("sim-trec8")) < 1
    True
    """
    check_alpha(alpha)
    tests = pairwise_tests(scores, method)
    return float((tests["pvalue"] <= alpha).mean())
