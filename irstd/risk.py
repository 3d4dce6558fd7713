"""Risk: what a system loses on the topics where it falls behind, weighed more than what it wins."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._arrays import cleared, ratio, spreads
from irstd._checks import Sample, check_choice, check_real, check_scores, match

KINDS = ("urisk", "trisk", "zrisk", "georisk")


def risk(
    scores: pd.DataFrame,
    baseline: str | Sample | None = None,
    *,
    alpha: float,
    kind: str = "urisk",
) -> pd.Series:
    """How well each system does if losses count 1 + alpha times as much as wins.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system.
    baseline : str, or Series or array of one score per topic, optional
        What ``"urisk"`` and ``"trisk"`` compare with: a system, or scores of another one; by
        default the mean of the systems on each topic. ``"zrisk"`` and ``"georisk"`` take all
        systems for it.
    alpha : float
        How much more a loss counts than a win: 0 or more. The TREC Web track used 0, 1, 5 and 10.
    kind : {"urisk", "trisk", "zrisk", "georisk"}, default "urisk"
        See Notes.

    Returns
    -------
    Series
        One number per system, larger is better. Index ``system``, named for the kind.

    Raises
    ------
    ValueError
        If scores are missing (NaN); if alpha is negative; if a baseline is given to ``"zrisk"`` or
        ``"georisk"``, or scores are negative there.

    Notes
    -----
    With d the differences from the baseline by topic, and w(d) = d where d >= 0, (1 + alpha) d
    where d < 0:

    ``urisk``
        mean(w(d)), in the unit of the scores; the difference of the means if alpha = 0.
    ``trisk``
        mean(w(d)) / (sd(w(d)) / sqrt n), ddof=1; the paired t if alpha = 0.
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
    check_choice(kind, KINDS, "kind")
    alpha = check_real(alpha, "alpha", 0)
    scores = check_scores(scores, topics=2)
    values, n = scores.to_numpy(), len(scores)
    paired = kind in ("urisk", "trisk")
    if baseline is not None and not paired:
        raise ValueError(f"{kind!r} has no baseline but the systems themselves")
    if not paired and (values < 0).any():
        raise ValueError(f"{kind!r} needs scores >= 0")
    if not paired:  # what the sums by topic and by system let expect
        expected = values.sum(axis=1, keepdims=True) * values.sum(axis=0) / (values.sum() or 1)
    elif isinstance(baseline, str):
        check_choice(baseline, scores.columns, "baseline")
        expected = scores[[baseline]].to_numpy()
    elif baseline is None:
        expected = values.mean(axis=1, keepdims=True)
    else:
        names = "scores", "baseline"
        expected = match(scores.iloc[:, 0], baseline, names)[1][:, None]
    d = cleared(values - expected, max(np.abs(values).max(), np.abs(expected).max()))
    d = d if paired else ratio(d, np.sqrt(expected))
    weighted = np.where(d < 0, (1 + alpha) * d, d)
    mean = weighted.mean(axis=0)
    found = {
        "urisk": lambda: mean,
        "trisk": lambda: ratio(mean, spreads(weighted) / np.sqrt(n)),
        "zrisk": lambda: mean * n,
        "georisk": lambda: np.sqrt(values.mean(axis=0) * ndtr(mean)),
    }[kind]()
    return pd.Series(found, scores.columns, name=kind)
