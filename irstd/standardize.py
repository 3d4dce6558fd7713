"""Standardization: a score in terms of what other systems score on the same topic.

The mean and the standard deviation of the standardizing systems on a topic are its *factors*. They
can be published with a test collection, and used for any system that is run on it later.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._checks import check_choice, check_scores, listed
from irstd.factors import Factors, by_metric, moments

METHODS = ("z", "normal", "uniform", "ecdf", "max", "centre")
NEUTRAL = {"z": 0.0, "centre": 0.0}  # 0.5, the middle of the unit scale, for the others


def standardize(
    scores: pd.DataFrame,
    reference: pd.DataFrame | Factors | None = None,
    method: str = "normal",
    *,
    zero_sd: str = "neutral",
) -> pd.DataFrame:
    """Standardize scores, topic by topic, on the scores of the standardizing systems.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (a row a topic, a column a system), or several with columns
        ``(metric, system)``.
    reference : DataFrame or Factors, optional
        The standardizing systems: their scores on the same topics, or the factors of the topics. By
        default the systems of `scores` themselves. Topics that only the reference has play no part.
    method : {"normal", "z", "uniform", "ecdf", "max", "centre"}, default "normal"
        How a score x is mapped, see Notes. ``"ecdf"`` and ``"max"`` need a reference that is a
        score matrix.
    zero_sd : {"neutral", "drop", "raise"}, default "neutral"
        What to do with topics on which all standardizing systems score the same, which give no
        scale (for ``"max"``: on which they all score 0). ``"neutral"`` gives every system z = 0,
        and 0.5 on the methods' unit scale, with a warning that names the topics; ``"drop"`` leaves
        these topics out of the result; ``"raise"`` is an error. ``"centre"`` needs no scale.

    Returns
    -------
    DataFrame
        As `scores`: the same topics and columns.

    Raises
    ------
    ValueError
        If `scores` and the reference have no topic, or not all metrics, in common; if the method
        needs more than Factors tell; topics without scale and ``zero_sd="raise"``.

    Warns
    -----
    UserWarning
        Naming the topics without scale (``zero_sd="neutral"``); those that the reference lacks,
        or on which fewer than two of its systems have a score, which become NaN; those on which
        `scores` has NaN, which stay NaN.

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
    >>> scores = pd.DataFrame({"a": [0.1, 0.5], "b": [0.2, 0.7], "c": [0.3, 0.9]}, ["1", "2"])
    >>> standardize(scores).round(4)
    system       a    b       c
    topic
    1       0.1587  0.5  0.8413
    2       0.1587  0.5  0.8413
    """
    check_choice(method, METHODS, "method")
    check_choice(zero_sd, ("neutral", "drop", "raise"), "zero_sd")
    scores = check_scores(scores, several=True, complete=False)
    own = reference is None
    if isinstance(reference, Factors):
        if method in ("ecdf", "max"):
            raise ValueError(
                f"method={method!r} needs the scores of the standardizing systems, not just their"
                " mean and sd; give reference a score matrix"
            )
    elif not own:
        reference = check_scores(reference, "reference", several=True, complete=False)
    topics = scores.index if own else scores.index.intersection(_topics(reference), sort=False)
    if not len(topics):
        raise ValueError(
            f"no topic in common: scores has {listed(scores.index)}, the reference has"
            f" {listed(_topics(reference))}"
        )
    result, without_scale, unknown = {}, {}, scores.index.difference(topics, sort=False)
    for name, block in by_metric(scores).items():
        values = block.reindex(topics).to_numpy() if len(unknown) else block.to_numpy()
        if isinstance(reference, Factors):
            factors = _only(reference, name)
            others = None
            mean, sd = (f.reindex(topics).to_numpy()[:, 0] for f in (factors.mean, factors.sd))
        else:
            others = values if own else _match(reference, name).reindex(topics).to_numpy()
            mean, sd = moments(others)
        flat = sd == 0
        if method == "max":
            with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
                top = np.nanmax(others, axis=1)
            flat = top == 0
            mapped = values / np.where(flat, 1, top)[:, None]
        elif method == "ecdf":
            mapped = _ecdf(values, others)
        elif method == "centre":
            mapped = values - mean[:, None]
            flat = np.zeros_like(flat)
        else:
            mapped = (values - mean[:, None]) / np.where(flat, 1, sd)[:, None]
            if method == "normal":
                ndtr(mapped, out=mapped)
            elif method == "uniform":
                mapped = np.clip(0.15 * mapped + 0.5, 0, 1)
        mapped[flat] = np.where(np.isnan(values[flat]), np.nan, NEUTRAL.get(method, 0.5))
        without_scale[name] = topics[flat]
        result[name] = pd.DataFrame(mapped, topics, block.columns)
    return _finish(scores, result, without_scale, unknown, zero_sd)


def standardize_quietly(scores: pd.DataFrame, *arguments, **keywords) -> pd.DataFrame:
    """`standardize` for those who say themselves what has to be said of topics without scale."""
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return standardize(scores, *arguments, **keywords)


def _finish(scores, result, without_scale, unknown, zero_sd) -> pd.DataFrame:
    """The result in the shape of `scores`, and what has to be said of its topics."""
    flat = list(dict.fromkeys(topic for topics in without_scale.values() for topic in topics))
    said = f"all standardizing systems score the same on the topics {listed(flat)}"
    if flat and zero_sd == "raise":
        raise ValueError(f'{said}; zero_sd="neutral" or "drop" goes on without their scale')
    table = result[None] if None in result else pd.concat(result, axis=1)[list(result)]
    table.columns = scores.columns
    if len(unknown):
        table = table.reindex(scores.index)
    lost = table.index[table.isna().any(axis=1)]
    if flat and zero_sd == "drop":
        table = table.drop(index=flat)
    elif flat:
        warnings.warn(f"{said}, which gives no scale: neutral there", stacklevel=3)
    if len(lost):
        warnings.warn(
            f"scores or factors are missing on the topics {listed(lost)}: NaN there", stacklevel=3
        )
    return table


def _ecdf(values: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Share of the reference at or below each value, row by row."""
    shares = np.full(values.shape, np.nan)
    for row, (x, others) in enumerate(zip(values, reference, strict=True)):
        known = np.sort(others[~np.isnan(others)])
        if len(known):
            shares[row] = np.searchsorted(known, x, side="right") / len(known)
    shares[np.isnan(values)] = np.nan
    return shares


def _topics(reference: pd.DataFrame | Factors) -> pd.Index:
    return reference.mean.index if isinstance(reference, Factors) else reference.index


def _only(factors: Factors, metric: str | None) -> Factors:
    """The factors of one metric; None stands for the only one there is."""
    if metric is not None:
        return factors[metric]
    if factors.mean.shape[1] > 1:
        raise ValueError(
            f"the factors are of the metrics {listed(factors.mean.columns, 20)}, the scores of one:"
            f' say of which, as in reference=factors["{factors.mean.columns[0]}"]'
        )
    return factors


def _match(reference: pd.DataFrame, metric: str | None) -> pd.DataFrame:
    """The reference's score matrix of one metric; None stands for the only one there is."""
    blocks = by_metric(reference)
    if metric in blocks:
        return blocks[metric]
    raise ValueError(
        "scores and reference must be of the same metrics; scores has"
        f" {'a single one without a name' if metric is None else metric}, the reference"
        f" {'a single one without a name' if None in blocks else listed(blocks, 20)}"
    )
