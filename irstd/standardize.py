"""Score standardization: scores relative to other systems on the same topic.

The mean and the standard deviation of the standardizing systems on a topic are its *factors*. They
can be published with a test collection, and used for any system that is run on it later.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice
from irstd._base.arrays import moments, snap_to_zero
from irstd._base.matrix import (
    ByMetric,
    ScoreTable,
    check_scores,
    refuse_missing,
    scores_by_metric,
    split_by_metric,
)
from irstd._base.messages import describe_few_systems, list_items, listed, warn
from irstd._base.several import refuse_mixed_units
from irstd.datasets.load import bundled_factors, list_datasets, load_dataset, load_factors
from irstd.factors import UNNAMED, Factors, Moments, moments_by_metric
from irstd.metrics import check_range
from irstd.metrics.names import get_highest_score

METHODS: tuple[str, ...] = ("z", "normal", "uniform", "ecdf", "max", "center", "collection")
NEED_SCORES = ("ecdf", "max", "collection")
Reference = pd.DataFrame | Factors | str | None


def standardize(
    scores: pd.DataFrame,
    reference: Reference = None,
    method: str = "normal",
    *,
    zero_sd: str = "neutral",
) -> pd.DataFrame:
    """Standardize scores by topic, relative to the standardizing systems' scores.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (one row per topic, one column per system), or several with columns
        ``(metric, system)`` in any order, each standardized by its own. NaN stays NaN.
    reference : DataFrame, Factors or str, optional
        The standardizing systems: their scores on the same topics; the factors of the topics, that
        is, the mean and standard deviation of their scores; or the name of a data set that has
        either (`load_dataset`, `load_factors`), such as ``"trec8"``. By default the systems of
        `scores` themselves. Topics that only the reference has are ignored.
    method : {"normal", "z", "uniform", "ecdf", "max", "center", "collection"}, default "normal"
        Map of a score x, see Notes. ``"ecdf"``, ``"max"`` and ``"collection"`` need a score matrix
        as the reference.
    zero_sd : {"neutral", "drop", "raise"}, default "neutral"
        Treatment of topics on which all standardizing systems score the same (the highest
        score is the lowest), which give no scale; for ``"max"``, topics on which they all score 0;
        for ``"collection"``, all topics, if all standardizing systems have the same mean.
        ``"neutral"`` gives every system 0 with ``"z"`` and ``"collection"``, and 0.5 with the other
        methods, with a warning that names the topics; ``"drop"`` leaves these topics out of the
        result (with several metrics: out of all); ``"raise"`` is an error. ``"center"`` needs no
        scale.

    Returns
    -------
    DataFrame
        The standardized scores, with the topics and columns of `scores` in their order.

    Raises
    ------
    ValueError
        If `scores` and the reference have no topic in common, or not the same metrics; if their
        collections are known to differ and their topic ids are mere numbers from 1; if the method
        needs scores and the reference is Factors; if the best score of a topic is below 0
        (``"max"``); with ``zero_sd="raise"``, if a topic has no scale.

    Warns
    -----
    UserWarning
        If there are fewer than ten standardizing systems; if `scores` and the reference are known
        to be of different collections; if scores of unknown metric are assumed to be in the metric
        of the Factors. If topics have no scale (``zero_sd="neutral"``), or missing scores, which
        stay NaN: names these topics.

    Notes
    -----
    With mu and sigma the factors of the topic (sigma with ddof=1), z = (x - mu) / sigma and

    ========== =================================== =============================================
    z          z                                   unbounded, mean 0 and sd 1
    normal     Phi(z)                              Webber et al. 2008; .5 is average, .84 and
                                                   .16 are one sd above and below
    uniform    min(1, max(0, .15 z + .5))          std-AB, Sakai 2016
    ecdf       #(reference <= x) / #reference      Urbano et al. 2019; ties take the upper rank
    max        x / max(reference)                  Zobel 1998; a new system can exceed 1
    center     x - mu                              Mizzaro and Robertson 2007
    collection (x - M) / S                         two numbers for the whole collection
    ========== =================================== =============================================

    where M is the mean of the reference's system means, and S their standard deviation (ddof=1),
    over the topics of `scores` that all systems of the reference have: ``"collection"`` takes level
    and scale from the collection, and leaves the differences between its topics.

    The metric and the collection of a score matrix are known if it carries their names in
    ``scores.attrs["metric"]`` and ``scores.attrs["collection"]``, as those of irstd do; of Factors,
    they are the names of the columns and ``Factors.collection``.

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
    scores = check_scores(scores, several=True, complete=False)
    table, messages = standardized(scores, reference, method, zero_sd=zero_sd)
    missing = table.index[table.isna().any(axis=1)]
    if len(missing):
        share = f"{list_items(missing)} ({len(missing)} of {len(table)})"
        messages.append(f"scores or factors are missing on {share}: standardized scores are NaN")
    warn(*messages)
    return table


def by_method(scores: pd.DataFrame, reference: Reference, method: str | None) -> pd.DataFrame:
    """Standardize checked scores and raise on gaps; return raw scores without a method."""
    if method is None:
        if reference is not None:
            raise ValueError(
                'reference needs a method to standardize with, such as method="normal"'
            )
        return scores
    table, messages = standardized(scores, reference, method)
    refuse_missing(table, "scores")
    warn(*messages)
    return table


def standardized(
    scores: pd.DataFrame, reference: Reference = None, method: str = "normal", *, zero_sd="neutral"
) -> tuple[pd.DataFrame, list[str]]:
    """Return checked scores standardized, and warnings about the standardizing systems."""
    check_choice(method, METHODS, "method")
    check_choice(zero_sd, ("neutral", "drop", "raise"), "zero_sd")
    parts = split_by_metric(scores, scores.attrs.get("metric"))
    if isinstance(reference, str):
        reference = _load_reference(reference, list(parts), method)
    factors, systems = _split_reference(reference, parts, method)
    columns = {metric: _match_metric(metric, parts, factors.mean.columns) for metric in parts}
    messages = describe_few_systems(factors.n_systems or np.inf)
    assumed = columns.get(None, UNNAMED)
    if isinstance(reference, Factors) and assumed != UNNAMED:
        known = 'set scores.attrs["metric"] (in a command, --metric)'
        messages.append(
            f"scores without a metric name are assumed to be {assumed}, as the factors are: {known}"
        )
    messages += _check_topics(scores, factors.mean.index, factors.collection)
    tables = {}
    flat = np.zeros(len(scores), bool)  # topics without a scale, in any metric
    for metric, part in parts.items():
        column = columns[metric]
        is_known = get_highest_score(str(metric)) > 0
        if is_known and not (part < 0).any(axis=None):  # not standardized before
            check_range(part, str(metric), "scores")
        if reference is not None:
            refuse_mixed_units({"scores": part, "reference": factors.mean[column]})
        mean = factors.mean[column].reindex(part.index).to_numpy()
        sd = factors.sd[column].reindex(part.index).to_numpy()
        others = systems.get(column, part).reindex(part.index)  # not needed with factors alone
        mapped, without_scale = standardize_values(part.to_numpy(), others, mean, sd, method)
        tables[metric] = pd.DataFrame(mapped, part.index, part.columns)
        flat |= without_scale
    if scores.columns.nlevels == 1:
        (table,) = tables.values()
    else:
        table = ScoreTable.from_scores(pd.concat(tables, axis=1).reindex(columns=scores.columns))
    if flat.any():
        table, message = _treat_flat_topics(table, flat, zero_sd)
        messages += message
    return table, messages


def _load_reference(name: str, metrics: list, method: str) -> pd.DataFrame | Factors:
    """Load a named collection's factors, or its scores if the method needs them."""
    check_choice(name, list_datasets().index, "reference")
    if None in metrics:
        raise ValueError(
            f'the reference {name} needs the metric of the scores: set scores.attrs["metric"], to'
            ' "AP" for example (in a command, --metric AP)'
        )
    if name in bundled_factors() and method not in NEED_SCORES:
        return load_factors(name, metrics)
    return load_dataset(name, metrics if len(metrics) > 1 else metrics[0])


def _split_reference(
    reference: pd.DataFrame | Factors | None, parts: ByMetric, method: str
) -> tuple[Moments | Factors, ByMetric]:
    """Return a reference's factors, and its scores if they are known."""
    if not isinstance(reference, Factors):
        systems = parts if reference is None else scores_by_metric(reference, "reference")
        factors = moments_by_metric(systems)
        return factors, dict(zip(factors.mean.columns, systems.values(), strict=True))
    if method in NEED_SCORES:
        raise ValueError(
            f"method={method!r} needs the scores of the standardizing systems, not only factors;"
            " give a score matrix as reference"
        )
    return reference, {}


def _match_metric(metric: str | None, parts: ByMetric, known: pd.Index) -> str:
    """Return the column of factors for a metric, or raise if there is none."""
    if metric in known:
        return str(metric)
    if len(parts) == len(known) == 1 and (metric is None or UNNAMED in known):
        return known[0]
    ours = metric or 'no metric name (set scores.attrs["metric"]; in a command, --metric)'
    raise ValueError(
        f"scores and reference must have the same metrics: scores has {ours}, reference has"
        f" {listed(known)}"
    )


def _check_topics(scores: pd.DataFrame, topics: pd.Index, collection: str | None) -> list[str]:
    """Raise if scores and reference differ in topics; return warnings otherwise."""
    if scores.index.intersection(topics).empty:
        raise ValueError(
            f"no topic in common: scores has {list_items(scores.index, limit=3)}, reference has"
            f" {list_items(topics, limit=3)}; give both the same topic ids"
        )
    ours = scores.attrs.get("collection")
    numbered = _are_positions(scores.index) or _are_positions(topics)
    if collection in (None, ours) or not (ours or numbered):
        return []
    both = f"the collection of scores is {ours or 'unknown'}, that of the reference is {collection}"
    differ = f"{both}: equal topic ids may be different topics"
    if numbered and ours:
        raise ValueError(differ)
    return [differ]


def _are_positions(topics: pd.Index) -> bool:
    """Return True if topic ids are the numbers from 1, which may be mere positions."""
    return set(topics) == set(map(str, range(1, len(topics) + 1)))


def standardize_values(
    values: np.ndarray, reference: pd.DataFrame, mean: np.ndarray, sd: np.ndarray, method: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return standardized scores of one metric, and True for topics without scale."""
    level, scale = mean, sd
    if method == "center":
        scale = np.ones_like(sd)
    elif method == "max":
        level = np.zeros_like(sd)
        scale = np.fmax.reduce(reference.to_numpy(), axis=1)
        if (scale < 0).any():
            raise ValueError(
                'method="max" divides by the best score of a topic, which is negative on'
                f" {list_items(reference.index[scale < 0])}"
            )
    elif method == "collection":
        means = reference.dropna().mean()  # over topics that all systems have
        if means.isna().all():
            raise ValueError(
                'method="collection" needs a topic on which all standardizing systems have scores'
            )
        level, scale = moments(means.to_numpy()[None])
        scale = snap_to_zero(scale, np.abs(means).max())
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mapped = (values - level[:, None]) / scale[:, None]
    if method == "ecdf":
        mapped = _compute_ecdf(values, reference.to_numpy())
    elif method == "normal":
        mapped = scipy.special.ndtr(mapped)
    elif method == "uniform":
        mapped = np.clip(0.15 * mapped + 0.5, 0, 1)
    unknown = np.isnan(sd)
    flat = (scale == 0) & ~unknown
    mapped[flat] = 0.0 if method in ("z", "collection") else 0.5
    mapped[np.isnan(values) | unknown[:, None]] = np.nan
    return mapped, flat


def _treat_flat_topics(
    table: pd.DataFrame, flat: np.ndarray, zero_sd: str
) -> tuple[pd.DataFrame, list[str]]:
    """Keep, drop or refuse topics without a scale; return a warning about them."""
    same = f"all standardizing systems score the same on {list_items(table.index[flat])}"
    if zero_sd == "neutral":
        return table, [f"{same}: sd 0, so scores there are set to the neutral value"]
    if zero_sd == "raise" or flat.all():
        raise ValueError(f'{same}: zero_sd="neutral" sets scores there to the neutral value')
    return table[~flat], []


def _compute_ecdf(values: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return the proportion of reference scores at or below each score, by topic."""
    counts = []
    for row, others in zip(values, np.sort(reference, axis=1), strict=True):  # NaN last
        counts.append(np.searchsorted(others, row, side="right"))
    present = np.count_nonzero(~np.isnan(reference), axis=1)
    return np.array(counts) / np.maximum(1, present)[:, None]
