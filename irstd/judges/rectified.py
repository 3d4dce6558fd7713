"""Prediction-powered means: few topics labelled by people, many by a judge."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice, check_level
from irstd._base.arrays import differences, ratio, two_sample_t
from irstd._base.matrix import check_same_attributes, check_same_labels, check_scores
from irstd._base.messages import list_items, listed, warn

WIDEST = 1.05  # an interval, against that of the human topics alone
FEWEST = 5  # human topics; with fewer, a slope and its error cannot be estimated
MORE_TIES = 0.01  # p-value: ties exceed those of people, so that some topics were not judged
COPY = (
    "judge equals human on the human topics, which hides the judge's errors: give the judge's own"
    " scores there"
)
NOT_RANDOM = 0.001  # a p-value at which human topics are said not to be drawn at random


def rectify(
    human: pd.DataFrame,
    judge: pd.DataFrame,
    *,
    baseline: str | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Estimate system means from human scores and a judge's (prediction-powered).

    Parameters
    ----------
    human : DataFrame
        Score matrix by people, on a random sample of the topics; topics that are NaN in all columns
        count as not judged by people.
    judge : DataFrame
        Score matrix of the same systems by a judge, such as a language model, on these topics and
        on others.
    baseline : str, optional
        A system to compare with: estimates are then of the differences from it.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row per system (index ``system``), without the baseline:

        ========= =========================================================================
        mean      estimated mean of human scores over all such topics; with `baseline`
                  ``difference``, system - baseline
        low, high its interval
        weight    lambda, the weight of the judge's scores on the other topics; if it is 0,
                  mean and interval are those of the human topics
        ========= =========================================================================

    Raises
    ------
    ValueError
        If people judged fewer than five topics; if the judge lacks one of these, or has the same
        scores there (and more than two different ones); if the systems are not the same, or the
        baseline is none of them.

    Warns
    -----
    UserWarning
        If the judge gives three or more systems the same score on significantly more of the other
        topics than people do on theirs (Fisher's exact test, p <= .01), as on topics that it could
        not judge; if it agrees with people on all human topics; if its means by topic differ
        between human and other topics by more than chance (Welch's t-test, p <= .001), as they
        hardly do if the human topics are a random sample.

    Notes
    -----
    With y the human scores of a system on n topics, f the judge's on these and f' on N others,

        mean = mean(y) + lambda (mean(f') - mean(f)),
        lambda = cov(y, f) / var(f) * N / (n + N), not less than 0,

    where var(f) is the larger of those over the n topics and over all; so only the covariance of
    the judge's scores with the human ones matters, not their level. The interval is at most 1.05
    times as wide as that of the human topics alone. At 95%, coverage is .94 to .98 for normal
    scores; for skewed ones it is at most .04 below that of Student's interval of the human topics,
    and as low as .61 if they are very skewed (ten topics, scores of 0 and 1, nine in ten of them
    1). The page on methods has the variance, and the cases in which a judge cannot help.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023), doi:10.1126/science.adi6000.

    Examples
    --------
    >>> import irstd
    >>> people = irstd.load_dataset("sim-robust2003")
    >>> rectify(people.iloc[::5], people**0.5).iloc[:2].round(3)
                mean    low   high  weight
    system
    r3orig01a  0.346  0.218  0.474   0.526
    r3orig01b  0.340  0.221  0.458   0.504
    """
    level = check_level(level)
    human = check_scores(human, "human", complete=False).dropna(how="all")
    human = check_scores(human, "human", topics=FEWEST)
    judge = check_scores(judge, "judge")
    check_same_attributes({"human": human, "judge": judge}, "collection", "metric")
    check_same_labels(human.columns, judge.columns, ("human", "judge"))
    unknown = list_items(human.index.difference(judge.index, sort=False))
    if unknown:
        raise ValueError(f"judge must have scores on all human topics; it has none on {unknown}")
    judge = judge[human.columns]
    if np.allclose(judge.loc[human.index], human, rtol=1e-9, atol=0):
        if np.unique(human).size > 2:
            raise ValueError(COPY)
        warn(COPY)  # scores of 0 and 1 agree by chance
    _warn_unless_random(judge, human)
    estimate = "mean"
    if baseline is not None:
        check_choice(baseline, human.columns, "baseline")
        estimate = "difference"
        human = _subtract_baseline(human, baseline)
        judge = _subtract_baseline(judge, baseline)
    n = len(human)
    share = 1 - n / len(judge)
    on_human = judge.loc[human.index]
    var_y = human.var().to_numpy()
    # The larger of two: over few human topics the variance may by chance be near 0, and the slope
    # (lambda of the notes, over the share) far too large.
    var_f = np.maximum(judge.var().to_numpy(), on_human.var().to_numpy())
    products = (human - human.mean()) * (on_human - on_human.mean())
    covariance = products.sum().to_numpy() / (n - 1)
    slope = np.maximum(ratio(covariance, var_f), 0)
    mean = human.mean() + slope * (judge.mean() - on_human.mean())
    explained = np.minimum(ratio(covariance**2, var_y * var_f), 1)
    # What the judge does not explain, with a degree of freedom for the slope, and the slope's error
    unexplained = (1 - explained) * (n - 1) / (n - 2) * (1 + share / (n - 3))
    variance = var_y / n * (unexplained + explained * (1 - share))
    tail = (1 - level) / 2
    half_alone = scipy.stats.t.isf(tail, n - 1) * np.sqrt(var_y / n)
    half_rectified = scipy.stats.t.isf(tail, n - 2) * np.sqrt(variance)
    half_rectified = np.minimum(half_rectified, WIDEST * half_alone)
    half = np.where(share * slope > 0, half_rectified, half_alone)
    columns = {
        estimate: mean,
        "low": mean - half,
        "high": mean + half,
        "weight": share * slope,
    }
    return pd.DataFrame(columns, human.columns)


def _subtract_baseline(scores: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Subtract the baseline from the other systems, by topic."""
    others = scores.drop(columns=baseline)
    ahead = differences(others.to_numpy(), scores[[baseline]].to_numpy())
    return pd.DataFrame(ahead, others.index, others.columns)


def _warn_unless_random(judge: pd.DataFrame, human: pd.DataFrame) -> None:
    """Warn if the judge's scores suggest that human topics are no random sample."""
    others = judge.drop(index=human.index)
    alike = others.index[others.nunique(axis=1) == 1]
    by_people = (human.nunique(axis=1) == 1).sum()
    counts = [[len(alike), by_people], [len(others) - len(alike), len(human) - by_people]]
    ties = scipy.stats.fisher_exact(counts, "greater")
    # Two systems tie by RR or P@1 on most topics, and by chance where people saw no tie.
    if judge.shape[1] > 2 and ties.pvalue <= MORE_TIES:
        warn(
            f"the judge gives all systems the same score on {len(alike)} of {len(others)} other"
            f" topics ({listed(alike)}): leave out topics that it could not judge"
        )
    if len(others) < 2:
        return
    a = judge.loc[human.index].mean(axis=1)
    b = others.mean(axis=1)
    _, p = two_sample_t(a.mean(), b.mean(), a.var(), b.var(), len(a), len(b), equal_var=False)
    if p <= NOT_RANDOM:
        warn(
            f"the judge's mean is {a.mean():.3f} on the human topics and {b.mean():.3f} on the"
            f" others (p = {p:.1g}): rectify is valid only if the human topics are a random sample"
            " of all"
        )
