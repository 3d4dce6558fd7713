"""Standardization: a score in terms of what other systems score on the same topic.

The mean and the standard deviation of the standardizing systems on a topic are its *factors*. They
can be published with a test collection, and used for any system that is run on it later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._base.arguments import check_choice
from irstd._base.arrays import moments
from irstd._base.matrix import by_metric, check_scores, metrics_of
from irstd._base.messages import listed, topics_where, warn
from irstd.factors import UNNAMED, Factors, few_systems

# A score x from the mean, the sd and the scores of the standardizing systems on its topic.
MAPS: dict[str, Callable[..., np.ndarray]] = {
    "z": lambda x, mean, sd, others: (x - mean) / sd,
    "normal": lambda x, mean, sd, others: ndtr((x - mean) / sd),
    "uniform": lambda x, mean, sd, others: np.clip(0.15 * ((x - mean) / sd) + 0.5, 0, 1),
    "ecdf": lambda x, mean, sd, others: _ecdf(x, others),
    "max": lambda x, mean, sd, others: x / np.fmax.reduce(others, axis=1, keepdims=True),
    "centre": lambda x, mean, sd, others: x - mean,
}
METHODS = tuple(MAPS)
NEED_SCORES = ("ecdf", "max")
Reference = pd.DataFrame | Factors | None


def standardize(
    scores: pd.DataFrame,
    reference: Reference = None,
    method: str = "normal",
    *,
    zero_sd: str = "neutral",
) -> pd.DataFrame:
    """Standardize scores, topic by topic, on the scores of the standardizing systems.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (one row per topic, one column per system), or several with columns
        ``(metric, system)`` in any order, each standardized by its own. NaN stays NaN.
    reference : DataFrame or Factors, optional
        The standardizing systems: their scores on the same topics, or the factors of the topics. By
        default the systems of `scores` themselves. Topics that only the reference has play no part.
    method : {"normal", "z", "uniform", "ecdf", "max", "centre"}, default "normal"
        How a score x is mapped, see Notes. ``"ecdf"`` and ``"max"`` need a reference that is a
        score matrix.
    zero_sd : {"neutral", "drop", "raise"}, default "neutral"
        What to do with topics on which all standardizing systems score the same (the highest
        score is the lowest), which give no scale; for ``"max"``, topics on which they all score 0.
        ``"neutral"`` gives every system z = 0, and 0.5 with the other methods, with a warning that
        names the topics; ``"drop"`` leaves these topics out of the result (with several metrics:
        out of all); ``"raise"`` is an error. ``"centre"`` needs no scale.

    Returns
    -------
    DataFrame
        As `scores`: the same topics and columns, in the same order.

    Raises
    ------
    ValueError
        If `scores` and the reference have no topic, or not all metrics, in common, or are known to
        be of different metrics; if their collections are known to differ and their topic ids are
        mere numbers from 1; if the method needs more than Factors tell; if the best score of a
        topic is below 0 (``"max"``); topics without scale and ``zero_sd="raise"``.

    Warns
    -----
    UserWarning
        If there are fewer than ten standardizing systems; if `scores` and the reference are known
        to be of different collections; if one was selected from a table of several metrics, as in
        ``table["AP"]``, which pandas does not note (``table[["AP"]]`` keeps the name). Naming the
        topics without scale (``zero_sd="neutral"``), and those with missing scores, NaN there.

    Notes
    -----
    With mu and sigma the factors of the topic (sigma with ddof=1), z = (x - mu) / sigma and

    ========= ==================================== =============================================
    z         z                                    unbounded, mean 0 and sd 1
    normal    Phi(z)                               Webber et al. 2008; .5 is average, .84 and
                                                   .16 are one sd above and below
    uniform   min(1, max(0, .15 z + .5))           std-AB, Sakai 2016
    ecdf      #(reference <= x) / #reference       Urbano et al. 2019; ties take the upper rank
    max       x / max(reference)                   Zobel 1998; a new system can exceed 1
    centre    x - mu                               Mizzaro and Robertson 2007
    ========= ==================================== =============================================

    The metric and the collection of a score matrix are known if it carries their names in
    ``scores.attrs["metric"]`` and ``scores.attrs["collection"]``; those of Factors are the names of
    their columns and ``Factors.collection``.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346. Sakai (2016),
    doi:10.1145/2970398.2970399. Urbano, Lima, Hanjalic (2019), doi:10.1145/3331184.3331315. Zobel
    (1998), doi:10.1145/290941.291014. Mizzaro, Robertson (2007), doi:10.1145/1277741.1277824.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([range(11), range(0, 110, 10)], ["1", "2"], list("abcdefghijk"))
    >>> standardize(scores).round(3)[["a", "f", "k"]]
    system      a    f      k
    topic
    1       0.066  0.5  0.934
    2       0.066  0.5  0.934
    """
    table, messages = standardized(scores, reference, method, zero_sd=zero_sd)
    if lost := topics_where(table.isna()):
        messages.append(f"scores or factors are missing on the topics {lost}: NaN there")
    warn(*messages)
    return table


def by_method(scores: pd.DataFrame, reference: Reference, method: str | None) -> pd.DataFrame:
    """Scores by a method of `standardize`, which leaves no new gaps; as they are without one."""
    if method is None:
        if reference is not None:
            raise ValueError("reference is given, but no method to standardize by")
        return scores
    gaps = scores.isna().any(axis=None)
    return check_scores(standardize(scores, reference, method), complete=not gaps)


def standardized(
    scores: pd.DataFrame, reference: Reference = None, method: str = "normal", *, zero_sd="neutral"
) -> tuple[pd.DataFrame, list[str]]:
    """The standardized scores, and what has to be said of the standardizing systems."""
    check_choice(method, METHODS, "method")
    check_choice(zero_sd, ("neutral", "drop", "raise"), "zero_sd")
    scores = check_scores(scores, several=True, complete=False)
    blocks = by_metric(scores, scores.attrs.get("metric"))
    ours, theirs = metrics_of(scores), dict[Any, Any]()
    if isinstance(reference, Factors):
        if method in NEED_SCORES:
            said = f"method={method!r} needs the scores of the standardizing systems"
            raise ValueError(f"{said}, not just factors; give reference a score matrix")
        theirs = {None if m == UNNAMED else m: reference[m] for m in reference.mean.columns}
        known = [metric for metric in theirs if metric is not None]
        n, source = reference.n_systems or np.inf, (reference.mean.index, reference.collection)
    else:
        others = scores if reference is None else reference
        others = check_scores(others, "reference", several=True, complete=False)
        theirs = by_metric(others, others.attrs.get("metric"))
        known = metrics_of(others)
        n = min(part.shape[1] for part in theirs.values())
        source = others.index, others.attrs.get("collection")
    messages = few_systems(n) + _compare(scores, *source)
    single = scores.columns.nlevels == 1
    if reference is not None and single and len(theirs) == 1:
        messages += _same_metric(ours, known)
    found = {}
    for metric, block in blocks.items():
        like = _like(metric, theirs, one=len(blocks) == 1)
        found[metric] = _of_one_metric(block, theirs[like], method)
    parts, flat = zip(*found.values(), strict=True)
    table: pd.DataFrame = pd.concat(parts, axis=1, keys=None if single else list(found))
    table = table.reindex(columns=scores.columns)
    topics = scores.index[np.any(flat, axis=0)]
    if not len(topics):
        return table, messages
    said = f"all standardizing systems score the same on the topics {listed(topics)}"
    if zero_sd == "neutral":
        return table, [*messages, f"{said}, which gives no scale: neutral there"]
    if zero_sd == "raise":
        raise ValueError(f'{said}; zero_sd="neutral" or "drop" goes on without their scale')
    if len(topics) == len(table):
        raise ValueError(f"{said}: with zero_sd='drop' no topic is left")
    return table.drop(index=topics), messages


def _compare(scores: pd.DataFrame, topics: pd.Index, theirs: object) -> list[str]:
    """Raise if these topics of a reference cannot be those of the scores; what else to say."""
    ours = scores.attrs.get("collection")
    if scores.index.intersection(topics).empty:
        found = f"scores has {listed(scores.index)}"
        raise ValueError(f"no topic in common: {found}, the reference {listed(topics)}")
    if theirs is None or ours == theirs:
        return []
    said = f"scores are of the collection {ours or '(unknown)'}, the reference is of {theirs}"
    for labels in (scores.index, topics):
        if set(labels) == set(map(str, range(1, len(labels) + 1))):  # places in a file, or ids
            if ours is None:
                return [f"{said}: topics numbered from 1 may not be the same topics"]
            raise ValueError(f"{said}: topics numbered from 1 are not the same topics")
    return [said] if ours else []


def _same_metric(ours: list, theirs: list) -> list[str]:
    """What to say of selections from tables of several metrics, which do not say their own."""
    if not ours or not theirs or len(ours) == len(theirs) == 1:
        return []
    said = f"scores are of {' or '.join(ours)}, the reference is of {' or '.join(theirs)}"
    if not set(ours) & set(theirs):
        raise ValueError(f"{said}: they must be of the same metrics")
    name = next(metric for metric in theirs if metric in ours)
    return [f'{said}, taken for the same: scores[["{name}"]] or attrs["metric"] says which']


def _like(metric: Any, theirs: Collection[Any], *, one: bool) -> Any:
    """The metric of a reference; where both are of one, a name that is not known fits any."""
    if metric in theirs:
        return metric
    if one and len(theirs) == 1 and (metric is None or None in theirs):
        return next(iter(theirs))
    ours = "a single one without a name" if metric is None else metric
    names = " or ".join("a single one without a name" if m is None else m for m in theirs)
    said = f"scores and reference must be of the same metrics; scores has {ours}"
    raise ValueError(f'{said}, the reference {names}: choose it, as in reference["AP"]')


def _of_one_metric(scores, reference, method: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The standardized scores of one metric, and which topics have no scale."""
    values, topics, others = scores.to_numpy(), scores.index, np.empty((len(scores), 0))
    if isinstance(reference, Factors):
        both = (table.iloc[:, 0] for table in (reference.mean, reference.sd))
        mean, sd = (each.reindex(topics).to_numpy() for each in both)
    else:
        others = reference.reindex(topics).to_numpy()
        mean, sd = moments(others)
    flat = sd == 0
    if method == "max":
        best = np.fmax.reduce(others, axis=1)
        flat = best == 0
        if below := listed(topics[best < 0]):
            said = "divides by the best score of a topic, which is below 0 on the topics"
            raise ValueError(f'method="max" {said} {below}')
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mapped = MAPS[method](values, mean[:, None], sd[:, None], others)
    flat &= (method != "centre") & ~np.isnan(sd)
    mapped[flat] = 0 if method == "z" else 0.5  # the middle of the scale
    mapped[np.isnan(sd)] = np.nan
    mapped[np.isnan(values)] = np.nan
    return pd.DataFrame(mapped, topics, scores.columns), flat


def _ecdf(values: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Share of the reference at or below each value, row by row."""
    rows = zip(values, np.sort(reference), strict=True)  # NaN come last
    counts = np.array([np.searchsorted(others, x, side="right") for x, others in rows])
    return counts / np.sum(~np.isnan(reference), axis=1, keepdims=True)
