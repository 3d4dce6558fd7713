"""Groups of topics: whether a difference of two systems depends on the kind of topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import differences, t_estimate
from irstd._base.clusters import Clusters, cluster_codes
from irstd._base.matrix import check_scores
from irstd._base.messages import listed, needed
from irstd._base.several import check_collections

INTERACTION = "interaction"
FEWEST = 3  # topics of a group, for an error that is known


def group_differences(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    groups: pd.Series | pd.DataFrame | Mapping[str, Any],
    system: str,
    baseline: str,
    *,
    level: float = 0.95,
    clusters: Clusters | None = None,
) -> pd.DataFrame:
    """How much better a system is on each kind of topic, and whether the kinds differ.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix with both systems, or several by the name of their collection.
    groups : Series, DataFrame or dict
        The kind of each topic, such as short or long; a DataFrame has several traits, a column
        each. Of several collections, a dict of these.
    system, baseline : str
        Two systems.
    level : float, default 0.95
        Of the intervals.
    clusters : Series or dict, optional
        The cluster of each topic, as the question that it is a paraphrase of. Without, topics count
        as independent: five paraphrases of a question then count as five questions.

    Returns
    -------
    DataFrame
        Index ``(trait, group)``. First of each trait the row ``interaction``: the test of whether
        the difference depends on the group, which is the question, and the only test; then a row
        for each group:

        ================= ====================================================================
        topics            of the group; of all
        difference        system - baseline, mean over these topics
        low, high         its interval (paired t; with clusters, of their number), for this group
                          alone
        statistic, pvalue in the row of the interaction: F and its p
        adjusted_pvalue   corrected by Holm for the number of traits
        ================= ====================================================================

    Raises
    ------
    ValueError
        If a topic has no group; if there are fewer than two groups, or one has fewer than three
        topics, or clusters; if a trait has a value for each topic, as a length in words has: make
        groups of it.

    Notes
    -----
    A group whose interval excludes 0 beside one whose interval does not is no evidence that the two
    groups differ (Gelman and Stern 2006): that is what the interaction tests. It is Wald's F in
    ``difference ~ group`` (of several collections ``~ collection + group``) with standard errors
    that allow for unequal variances (HC3), or for clusters of topics (G - 1 degrees of freedom for
    G clusters). No group has a p-value or a star of its own.

    References
    ----------
    Gelman, Stern (2006), doi:10.1198/000313006X152649. MacKinnon, White (1985),
    doi:10.1016/0304-4076(85)90158-7.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> age = pd.Series(["old"] * 100 + ["new"] * (len(scores) - 100), scores.index, name="age")
    >>> found = group_differences(scores, age, *scores.columns[[0, 30]])
    >>> found.index.tolist()
    [('age', 'interaction'), ('age', 'old'), ('age', 'new')]
    """
    level = check_real(level, "level", 0, 1, open_="low high")
    table = _differences(scores, groups, system, baseline)
    several = isinstance(scores, Mapping)
    table["cluster"] = np.arange(len(table))
    if clusters is not None:
        table["cluster"] = cluster_codes(clusters, table.index)
    rows = {}
    for trait in table.columns.drop(["collection", "difference", "cluster"]):
        part = table[["collection", "difference", "cluster"]].assign(group=table[trait])
        by_group = part.groupby("group", sort=False)
        _check_groups(by_group["cluster"].nunique(), part["cluster"].nunique(), trait)
        rows[trait, INTERACTION] = _interaction(part, several, clusters is not None) | {
            "topics": len(part),
            "difference": part["difference"].mean(),
        }
        for group, of_group in by_group:
            rows[trait, str(group)] = _mean_of_group(of_group, level)
    index = pd.MultiIndex.from_tuples(rows, names=["trait", "group"])
    columns = ["topics", "difference", "low", "high", "statistic", "pvalue"]
    found = pd.DataFrame(list(rows.values()), index, columns)
    tested = found["pvalue"].notna()
    multitest = needed("statsmodels.stats.multitest")
    found.loc[tested, "adjusted_pvalue"] = multitest.multipletests(
        found.loc[tested, "pvalue"], method="holm"
    )[1]
    return found


def _differences(scores: Any, groups: Any, system: str, baseline: str) -> pd.DataFrame:
    """The difference on each topic, its collection, and a column for each trait."""
    if isinstance(scores, Mapping):
        tables = check_collections(scores)
        if not isinstance(groups, Mapping) or set(groups) != set(tables):
            raise ValueError(f"groups must be a dict with the collections {listed(tables, 20)}")
    else:
        tables = {"": check_scores(scores, complete=False)}
        groups = {"": groups}
    parts = []
    for name, table in tables.items():
        for argument, label in (("system", system), ("baseline", baseline)):
            check_choice(label, table.columns, argument)
        pair = table[[system, baseline]].dropna()
        ahead = differences(pair[system].to_numpy(), pair[baseline].to_numpy())
        difference = pd.Series(ahead, pair.index)
        traits = groups[name]
        if not isinstance(traits, pd.DataFrame):
            series = pd.Series(traits)
            traits = series.to_frame(series.name or "group")
        traits = traits.set_axis(traits.index.map(str))
        traits = traits.reindex(difference.index)
        without = listed(traits.index[traits.isna().any(axis=1)])
        if without:
            raise ValueError(f"groups must have the group of each topic, not of {without}")
        parts.append(traits.assign(collection=name, difference=difference))
    return pd.concat(parts)


def _check_groups(sizes: pd.Series, n: int, trait: Any) -> None:
    """Raise unless there are groups to compare."""
    if len(sizes) > n / 2:
        raise ValueError(f"{trait} has {len(sizes)} values on {n} topics: make a few groups of it")
    if len(sizes) < 2:
        raise ValueError(f"{trait} must have two groups or more, all topics are {sizes.index[0]!r}")
    small = listed(f"{name} ({size})" for name, size in sizes[sizes < FEWEST].items())
    if small:
        raise ValueError(
            f"{trait}: {FEWEST} topics or more (with clusters, so many of these) are needed in each"
            f" group, not in {small}"
        )


def _mean_of_group(part: pd.DataFrame, level: float) -> dict[str, float]:
    """The mean difference of a group, and its interval: of independent topics, Student's."""
    n = len(part)
    mean = part["difference"].mean()
    sums = (part["difference"] - mean).groupby(part["cluster"]).sum()
    n_clusters = len(sums)
    error = np.sqrt((sums**2).sum() * n_clusters / (n_clusters - 1)) / n
    row = {"topics": n, "difference": mean, "low": np.nan, "high": np.nan}
    if error > 0:
        estimate = t_estimate(float(mean), float(error), n_clusters - 1, level)
        row |= {end: estimate[end] for end in ("low", "high")}
    return row


def _interaction(part: pd.DataFrame, several: bool, clustered: bool) -> dict[str, float]:
    """Whether differences depend on the group: Wald's F with errors of unequal variances."""
    if part["difference"].nunique() == 1:  # of two runs that are one
        return {"statistic": 0.0, "pvalue": 1.0}
    dummies = pd.get_dummies(part["group"].astype(str), dtype=float).iloc[:, 1:]
    design = np.column_stack([np.ones(len(part)), dummies])
    if several:
        blocks = pd.get_dummies(part["collection"], dtype=float).iloc[:, 1:]
        design = np.column_stack([design, blocks])
    n_groups = dummies.shape[1]
    model = needed("statsmodels.api").OLS(part["difference"].to_numpy(), design)
    if clustered:
        of_clusters = {"groups": part["cluster"].to_numpy()}
        fitted = model.fit(cov_type="cluster", cov_kwds=of_clusters, use_t=True)
    else:
        fitted = model.fit(cov_type="HC3", use_t=True)
    test = fitted.f_test(np.eye(design.shape[1])[1 : 1 + n_groups])
    return {"statistic": float(test.statistic), "pvalue": float(test.pvalue)}
