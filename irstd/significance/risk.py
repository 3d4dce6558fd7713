"""Risk: what a system loses on the topics where it falls behind, weighed more than what it wins."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._base.arguments import Seed, check_choice, check_count, check_real, generator
from irstd._base.arrays import cleared, label_order, least_equal, ratio, spreads
from irstd._base.matrix import Sample, check_scores, match


def risk(
    scores: pd.DataFrame | pd.Series,
    baseline: str | Sample | None = None,
    *,
    alpha: float,
    kind: str = "urisk",
    trials: int = 0,
    seed: Seed = 0,
) -> pd.Series | pd.DataFrame:
    """How well each system does if losses count 1 + alpha times as much as wins.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system; or a Series, one system.
    baseline : str, or Series or array of one score per topic, optional
        What ``"urisk"`` and ``"trisk"`` compare with: a system, or scores of another one; by
        default the mean of the systems on each topic. ``"zrisk"`` and ``"georisk"`` take all
        systems for it.
    alpha : float
        How much more a loss counts than a win: 0 or more. The TREC Web track used 0, 1, 5 and 10;
        there is no default, as the answer depends on it.
    kind : {"urisk", "trisk", "zrisk", "georisk"}, default "urisk"
        See Notes.
    trials : int, default 0
        For ``"urisk"`` and ``"trisk"``: so many times the signs of the differences are drawn at
        random, which is what a system that is as good as the baseline would show.
    seed : int or numpy.random.Generator, default 0
        For these.

    Returns
    -------
    Series or DataFrame
        One number per system, larger is better. Index ``system``, named for the kind. With
        `trials` a table: that column, ``equal``, the mean over random signs, and ``pvalue``, how
        often random signs give no more ((count + 1) / (trials + 1)): small, it is a risk.

    Notes
    -----
    With d the differences from the baseline by topic, and w(d) = d where d >= 0, (1 + alpha) d
    where d < 0:

    ``urisk``
        mean(w(d)), in the unit of the scores; the difference of the means if alpha = 0.
    ``trisk``
        mean(w(d)) / (sd(w(d)) / sqrt n), ddof=1; the paired t if alpha = 0.

    Two systems that are equally good are far below 0, at -alpha / 2 mean(abs(d)) by URisk: so -2 is
    no limit for TRisk, though it is read as a t. Compare with ``equal``.

    ``zrisk``
        sum of w(z) over the topics, where z_st = (x_st - e_st) / sqrt(e_st), and e_st = S_s T_t / N
        is what the sums by system, by topic and of all let expect; 0 where e_st is 0.
    ``georisk``
        sqrt(mean(x_s) Phi(zrisk_s / n)).

    References
    ----------
    Wang, Bennett, Collins-Thompson (2012), doi:10.1145/2348283.2348385. Dincer, Macdonald, Ounis
    (2014), doi:10.1145/2600428.2609625; (2016), doi:10.1145/2911451.2911511.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.5, 0.5], "steady": [0.6, 0.5], "bold": [0.9, 0.3]})
    >>> risk(scores, "a", alpha=0).round(2).to_dict()
    {'a': 0.0, 'steady': 0.05, 'bold': 0.1}
    >>> risk(scores, "a", alpha=5).round(2).to_dict()
    {'a': 0.0, 'steady': 0.05, 'bold': -0.4}
    """
    check_choice(kind, ("urisk", "trisk", "zrisk", "georisk"), "kind")
    trials = check_count(trials, "trials", 0)
    rng = generator(seed)
    alpha = check_real(alpha, "alpha", 0)
    if isinstance(scores, pd.Series):
        scores = scores.to_frame("system")
    scores = check_scores(scores, topics=2)
    values = scores.to_numpy()
    if kind in ("urisk", "trisk"):
        d = _differences(values, _baseline_by_topic(scores, baseline))
    else:
        if baseline is not None or trials or (values < 0).any():
            raise ValueError(f"{kind!r} has no baseline, no trials, and needs scores >= 0")
        expected = _expected_by_sums(values)
        d = ratio(_differences(values, expected), np.sqrt(expected))

    means = values.mean(axis=0)
    risks = pd.Series(_risk_of(d, means, alpha, kind), scores.columns, name=kind)
    if not trials:
        return risks
    d = d[label_order(scores.index)]  # so that signs do not depend on the order of the topics
    signs = rng.choice([-1.0, 1.0], (trials, len(d), 1))
    null = np.array([_risk_of(flips * d, means, alpha, kind) for flips in signs])
    limit = least_equal(-risks.to_numpy(), np.abs(null).max(axis=0))
    count = (-null >= limit).sum(axis=0)
    p = (count + 1) / (trials + 1)
    return pd.DataFrame(risks).assign(equal=null.mean(axis=0), pvalue=p)


def _baseline_by_topic(scores: pd.DataFrame, baseline: str | Sample | None) -> np.ndarray:
    """What all systems are compared with: a column of one score per topic."""
    if baseline is None:
        return scores.to_numpy().mean(axis=1, keepdims=True)
    if isinstance(baseline, str):
        check_choice(baseline, scores.columns, "baseline")
        baseline = scores[baseline]
    _, matched = match(scores.iloc[:, 0], baseline, ("scores", "baseline"))
    return matched[:, None]


def _expected_by_sums(values: np.ndarray) -> np.ndarray:
    """Scores that the sums by topic and by system let expect: topics x systems."""
    of_topics = values.sum(axis=1, keepdims=True)
    of_systems = values.sum(axis=0)
    total = values.sum() or 1  # where all scores are 0, 0 is expected
    return of_topics * of_systems / total


def _differences(values: np.ndarray, expected: np.ndarray) -> np.ndarray:
    largest = max(np.abs(values).max(), np.abs(expected).max())
    return cleared(values - expected, largest)


def _risk_of(d: np.ndarray, means: np.ndarray, alpha: float, kind: str) -> np.ndarray:
    """Risk of each system, from its differences (topics x systems) and its mean score."""
    n = len(d)
    weighted = np.where(d < 0, (1 + alpha) * d, d)
    mean = weighted.mean(axis=0)
    if kind == "urisk":
        return mean
    if kind == "trisk":
        return ratio(mean, spreads(weighted) / np.sqrt(n))
    if kind == "zrisk":
        return n * mean
    return np.sqrt(means * ndtr(mean))
