"""Standardization: a score in terms of what other systems score on the same topic.

The mean and the standard deviation of the standardizing systems on a topic are its *factors*. They
can be published with a test collection, and used for any system that is run on it later.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._arrays import moments
from irstd._checks import by_metric, check_choice, check_scores, listed, warn
from irstd.factors import UNNAMED, Factors, few_systems

# A score x from the mean, the sd and the scores of the standardizing systems on its topic.
MAPS: dict[str, Callable[..., np.ndarray]] = {
    "z": lambda x, mean, sd, others: (x - mean) / sd,
    "normal": lambda x, mean, sd, others: ndtr((x - mean) / sd),
    "uniform": lambda x, mean, sd, others: np.clip(0.15 * ((x - mean) / sd) + 0.5, 0, 1),
    "ecdf": lambda x, mean, sd, others: _ecdf(x, others),
    "max": lambda x, mean, sd, others: x / _best(others)[:, None],
    "centre": lambda x, mean, sd, others: x - mean,
}
METHODS = tuple(MAPS)
NEED_SCORES = ("ecdf", "max")
Reference = pd.DataFrame | Factors | None
NEUTRAL = {"z": 0.0, "centre": 0.0}  # 0.5, the middle of the unit scale, for the others


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
        ``"neutral"`` gives every system z = 0, and 0.5 with the other methods, ``"ecdf"`` among
        them, with a warning that names the topics; ``"drop"`` leaves these topics out of the
        result (with several metrics: out of all); ``"raise"`` is an error. ``"centre"`` needs no
        scale.

    Returns
    -------
    DataFrame
        As `scores`: the same topics and columns, in the same order.

    Raises
    ------
    ValueError
        If `scores` and the reference have no topic, or not all metrics, in common, or are known to
        be of different metrics; if their collections are known to differ and their topic ids are
        mere numbers from 1, which say nothing; if the method needs more than Factors tell; if the
        best score of a topic is below 0 (``"max"``); topics without scale and ``zero_sd="raise"``.

    Warns
    -----
    UserWarning
        If there are fewer than ten standardizing systems; if `scores` and the reference are known
        to be of different collections. Naming the topics without scale (``zero_sd="neutral"``);
        those that the reference lacks, or on which fewer than two of its systems have a score,
        which become NaN by any method; those on which `scores` has NaN, which stay NaN.

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

    A mean of standardized scores says how good a system is *relative to the reference*: it changes
    with the standardizing systems, and two collections compare only as far as theirs do.

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
    table, messages = standardize_and_tell(scores, reference, method, zero_sd)
    lost = table.index[table.isna().any(axis=1)]
    if len(lost):
        messages.append(f"scores or factors are missing on the topics {listed(lost)}: NaN there")
    for message in messages:
        warn(message)
    return table


def standardize_quietly(
    scores: pd.DataFrame, reference: Reference = None, method: str = "normal"
) -> pd.DataFrame:
    """`standardize` without warnings, for callers that give their own."""
    return standardize_and_tell(scores, reference, method)[0]


def standardize_and_tell(
    scores: pd.DataFrame,
    reference: Reference = None,
    method: str = "normal",
    zero_sd: str = "neutral",
) -> tuple[pd.DataFrame, list[str]]:
    """The standardized scores, and what has to be said of the standardizing systems."""
    check_choice(method, METHODS, "method")
    check_choice(zero_sd, ("neutral", "drop", "raise"), "zero_sd")
    if isinstance(reference, Factors) and method in NEED_SCORES:
        raise ValueError(
            f"method={method!r} needs the scores of the standardizing systems, not just their mean"
            " and sd; give reference a score matrix"
        )
    scores = check_scores(scores, several=True, complete=False)
    if reference is None:
        reference = scores
    elif not isinstance(reference, Factors):
        reference = check_scores(reference, "reference", several=True, complete=False)
    whole = reference if isinstance(reference, Factors) else by_metric(reference)
    blocks = by_metric(scores)
    messages = _compare(scores, reference, _n_systems(whole))
    parts, without_scale = {}, pd.Series(False, scores.index)
    for metric, block in blocks.items():
        own = _of_metric(whole, metric, scores.attrs.get("metric"))
        parts[metric], flat = _of_one_metric(block, own, method)
        without_scale |= flat
    table = parts[None] if None in parts else pd.concat(parts, axis=1)
    table = table.reindex(columns=scores.columns)
    topics = scores.index[without_scale]
    if len(topics):
        said = f"all standardizing systems score the same on the topics {listed(topics)}"
        if zero_sd == "raise":
            raise ValueError(f'{said}; zero_sd="neutral" or "drop" goes on without their scale')
        if zero_sd == "drop" and len(topics) == len(table):
            raise ValueError(f"{said}: with zero_sd='drop' no topic is left")
        if zero_sd == "drop":
            table = table.drop(index=topics)
        else:
            messages.append(f"{said}, which gives no scale: neutral there")
    return table, messages


def _of_one_metric(
    scores: pd.DataFrame, reference: pd.DataFrame | Factors, method: str
) -> tuple[pd.DataFrame, np.ndarray]:
    """The standardized scores of one metric, and which topics have no scale."""
    values = scores.to_numpy()
    if isinstance(reference, Factors):
        others = np.empty((len(values), 0))
        mean = reference.mean.iloc[:, 0].reindex(scores.index).to_numpy()
        sd = reference.sd.iloc[:, 0].reindex(scores.index).to_numpy()
    else:
        others = reference.reindex(scores.index).to_numpy()
        mean, sd = moments(others)
    if method == "max" and (_best(others) < 0).any():
        raise ValueError(
            'method="max" divides by the best score of a topic, which is below 0 on the topics'
            f" {listed(scores.index[_best(others) < 0])}"
        )
    flat = (_best(others) if method == "max" else sd) == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        mapped = MAPS[method](values, mean[:, None], sd[:, None], others)
    flat &= (method != "centre") & ~np.isnan(sd)
    mapped[flat] = NEUTRAL.get(method, 0.5)
    mapped[np.isnan(sd)] = np.nan
    mapped[np.isnan(values)] = np.nan
    return pd.DataFrame(mapped, scores.index, scores.columns), flat


def _best(others: np.ndarray) -> np.ndarray:
    return np.fmax.reduce(others, axis=1)


def _ecdf(values: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Share of the reference at or below each value, row by row."""
    shares = np.full(values.shape, np.nan)
    for row, (x, others) in enumerate(zip(values, reference, strict=True)):
        known = np.sort(others[~np.isnan(others)])
        if len(known):
            shares[row] = np.searchsorted(known, x, side="right") / len(known)
    return shares


def _n_systems(reference: dict[str | None, pd.DataFrame] | Factors) -> int | None:
    """How many systems standardize; of the metric that has the fewest."""
    if isinstance(reference, Factors):
        return reference.n_systems
    return min(block.shape[1] for block in reference.values())


def _compare(
    scores: pd.DataFrame,
    reference: pd.DataFrame | Factors,
    n_systems: int | None,
) -> list[str]:
    """Raise if the reference cannot be one of the scores; what else has to be said of it."""
    if isinstance(reference, Factors):
        topics, theirs = reference.mean.index, reference.collection
    else:
        topics, theirs = reference.index, reference.attrs.get("collection")
    if scores.index.intersection(topics).empty:
        raise ValueError(
            f"no topic in common: scores has {listed(scores.index)}, the reference has"
            f" {listed(topics)}"
        )
    _check_metric(scores, reference)
    messages = few_systems(n_systems)
    ours = scores.attrs.get("collection")
    if ours is not None and theirs is not None and ours != theirs:
        said = f"scores are of the collection {ours}, the reference is of {theirs}"
        if _only_numbered(scores.index) or _only_numbered(topics):
            raise ValueError(f"{said}: topics numbered from 1 are not the same topics")
        messages.append(said)
    return messages


def _only_numbered(topics: pd.Index) -> bool:
    """Whether the topic ids are 1, 2, ..., n: places in a file, as likely as ids."""
    return set(topics) == set(map(str, range(1, len(topics) + 1)))


def _of_metric(
    reference: dict[str | None, pd.DataFrame] | Factors, metric: str | None, known: str | None
) -> pd.DataFrame | Factors:
    """The reference of one metric; None stands for a single one, whose name may be `known`."""
    if isinstance(reference, Factors):
        names = reference.mean.columns.tolist()
        if metric is not None and metric not in names:
            raise ValueError(
                f"the factors are of {listed(names, 20)}, not of {metric}; leave it out"
            )
        if metric is not None:
            return reference[metric]
        if known in names:
            return reference[known]
        if len(names) > 1:
            raise ValueError(
                f"the factors are of the metrics {listed(names, 20)}, the scores of one: say of"
                f' which, as in reference=factors["{names[0]}"]'
            )
        return reference
    if metric not in reference:
        unnamed = "a single one without a name"
        raise ValueError(
            "scores and reference must be of the same metrics; scores has"
            f" {unnamed if metric is None else metric}, the reference"
            f" {unnamed if None in reference else listed(reference, 20)}"
        )
    return reference[metric]


def _check_metric(scores: pd.DataFrame, reference: pd.DataFrame | Factors) -> None:
    """Raise if both are of one metric, known by its name, and it is not the same."""
    ours = scores.attrs.get("metric")
    if isinstance(reference, Factors):
        named = reference.mean.columns.drop(UNNAMED, errors="ignore")
        theirs = named[0] if len(named) == reference.mean.shape[1] == 1 else None
    else:
        theirs = reference.attrs.get("metric") if reference.columns.nlevels == 1 else None
    if scores.columns.nlevels == 1 and None not in (ours, theirs) and ours != theirs:
        raise ValueError(f"scores are of the metric {ours}, the reference is of {theirs}")
