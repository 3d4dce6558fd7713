"""Groups of topics: whether a difference of two systems depends on the kind of topic."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice, check_level, generator
from irstd._base.arrays import chunks, label_order, least_equal, ratio
from irstd._base.clusters import Clusters, cluster_codes, labels_of
from irstd._base.matrix import check_scores
from irstd._base.messages import listed
from irstd.significance.corrections import adjusted
from irstd.significance.pairs import Pairs
from irstd.significance.tested_pairs import BLOCK, Rules, pair_table

INTERACTION = "interaction"
FEWEST = 3  # topics, or clusters, of a group
FEWEST_OF_INTERVAL = 10
TRIALS = 9_999
BOTH = (np.array([0]), np.array([1]))  # the places of the system and of the baseline


def group_differences(
    scores: pd.DataFrame,
    system: str,
    baseline: str,
    groups: pd.Series | pd.DataFrame,
    *,
    level: float = 0.95,
    clusters: Clusters | None = None,
    collections: Clusters | None = None,
    seed: Seed = 0,
) -> pd.DataFrame:
    """How much better a system is on each kind of topic, and whether the kinds differ.

    Parameters
    ----------
    scores : DataFrame
        A score matrix with both systems.
    system, baseline : str
        Two systems.
    groups : Series or DataFrame
        The kind of each topic, such as short or long; a DataFrame has several traits, a column
        each.
    level : float, default 0.95
        Of the intervals.
    clusters : Series or dict, optional
        The cluster of each topic, as the question that it is a paraphrase of, all of one kind.
        Without, topics count as independent: five paraphrases of a question then count as five
        questions.
    collections : Series or dict, optional
        Of topics of several collections in one matrix, the collection of each: groups are compared
        within these.
    seed : int or numpy.random.Generator, default 0
        Labels are permuted 9,999 times.

    Returns
    -------
    DataFrame
        Index ``(trait, group)``. First of each trait the row ``interaction``: the test of whether
        the difference depends on the group, which is the question, and the only test; then a row
        for each group:

        ================= ====================================================================
        topics            of the group; of all
        difference        system - baseline, mean over these topics
        low, high         its interval, for this group alone; of ten topics, or clusters, or more
        statistic, pvalue in the row of the interaction: F and its p
        adjusted_pvalue   corrected by Holm for the number of traits
        ================= ====================================================================

    Raises
    ------
    ValueError
        If a topic has no group; if there are fewer than two groups, or one has fewer than three
        topics, or clusters; if a cluster has topics of two groups; if a group is alone in its
        collections, so that it goes with the collection; if a trait has a value for
        each topic, as a length in words has: make groups of it.

    Notes
    -----
    A group whose interval excludes 0 beside one whose interval does not is no evidence that the two
    groups differ (Gelman and Stern 2006): that is what the interaction tests. The labels of topics,
    or of whole clusters (then means over these are compared), are permuted within each collection,
    from whose mean difference all are counted; p is the share of labels that say as much, by the F
    of an analysis of variance. This holds its level in groups of any size, if the label says
    nothing of the difference, and clusters of all groups are of like sizes. No group has a p-value
    or a star of its own.

    References
    ----------
    Gelman, Stern (2006), doi:10.1198/000313006X152649.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> age = pd.Series(["old"] * 100 + ["new"] * (len(scores) - 100), scores.index, name="age")
    >>> found = group_differences(scores, *scores.columns[[0, 30]], age)
    >>> found.index.tolist()
    [('age', 'interaction'), ('age', 'old'), ('age', 'new')]
    """
    check_level(level)
    rng = generator(seed)
    pair = _pair(scores, system, baseline)
    topics = _topics(pair, clusters, collections)
    if not isinstance(groups, pd.DataFrame):
        series = pd.Series(groups)
        groups = series.to_frame(series.name or "group")
    rows: dict[tuple, dict] = {}
    for trait in list(groups.columns):
        labels = labels_of(groups.loc[:, trait], topics.index, "groups").astype(str)
        test = _permuted(_units(topics.assign(group=labels), str(trait)), rng)
        rows[trait, INTERACTION] = _difference(pair, topics) | test
        for group, of_group in topics.groupby(labels, sort=False):
            rows[trait, group] = _difference(pair.loc[of_group.index], of_group, level)
    index = pd.MultiIndex.from_tuples(rows, names=["trait", "group"])
    columns = ["topics", "difference", "low", "high", "statistic", "pvalue"]
    found = pd.DataFrame(list(rows.values()), index, columns)
    tested = found["pvalue"].notna()
    found.loc[tested, "adjusted_pvalue"] = adjusted(found.loc[tested, "pvalue"].to_numpy(), "holm")
    return found


def _pair(scores: pd.DataFrame, system: str, baseline: str) -> pd.DataFrame:
    """The scores of both systems on the topics that both have, in the order of the labels."""
    table = check_scores(scores, complete=False)
    check_choice(system, table.columns, "system")
    check_choice(baseline, table.columns, "baseline")
    pair = table[[system, baseline]].dropna()
    if pair.empty:
        raise ValueError(f"{system} and {baseline} have scores on no topic in common")
    return pair.iloc[label_order(pair.index)]


def _topics(
    pair: pd.DataFrame, clusters: Clusters | None, collections: Clusters | None
) -> pd.DataFrame:
    """By topic: collection, cluster in it, and the difference from the mean of the collection."""
    topics = pd.DataFrame({"collection": 0, "cluster": np.arange(len(pair))}, pair.index)
    if collections is not None:
        topics["collection"] = labels_of(collections, pair.index, "collections")
    if clusters is not None:
        topics["cluster"] = cluster_codes(clusters, pair.index)
    topics["cluster"] = topics.groupby(["collection", "cluster"]).ngroup()
    both = Pairs(pair.to_numpy(), *BOTH)
    difference = pd.Series(both.differences[:, 0], pair.index)
    mean_there = difference.groupby(topics["collection"]).transform("mean")
    topics["centred"] = both.cleared((difference - mean_there).to_numpy())
    return topics


def _units(part: pd.DataFrame, trait: str) -> pd.DataFrame:
    """What has a label: topics, or clusters with the mean over theirs; or raise."""
    by_cluster = part.groupby("cluster")
    mixed = by_cluster["group"].nunique() > 1
    if mixed.any():
        raise ValueError(f"{trait}: {mixed.sum()} clusters have topics of two groups or more")
    units = by_cluster.agg({"collection": "first", "group": "first", "centred": "mean"})
    sizes = units["group"].value_counts()
    if len(sizes) > len(units) / 2:
        raise ValueError(
            f"{trait} has {len(sizes)} values on {len(units)} topics: make a few groups of it"
        )
    if len(sizes) < 2:
        raise ValueError(f"{trait} must have two groups or more, all topics are {sizes.index[0]!r}")
    small = listed(f"{name} ({size})" for name, size in sizes[sizes < FEWEST].items())
    if small:
        raise ValueError(
            f"{trait}: {FEWEST} topics or more (with clusters, so many of these) are needed in each"
            f" group, not in {small}"
        )
    groups_there = units.groupby("collection")["group"].transform("nunique")
    beside_others = units.loc[groups_there > 1, "group"]
    alone = listed(sizes.index[~sizes.index.isin(beside_others)])
    if alone:
        raise ValueError(
            f"{trait}: {alone} has no other group in its collections: it goes with the collection"
        )
    return units


def _permuted(units: pd.DataFrame, rng: np.random.Generator) -> dict[str, float]:
    """F of an analysis of variance, and its p by labels permuted within each collection."""
    groups = pd.get_dummies(units["group"], dtype=float).to_numpy()  # units x groups
    sizes = groups.sum(axis=0)
    block, collections = pd.factorize(units["collection"])  # in order
    y = units["centred"].to_numpy()
    total = (y**2).sum()

    def between(values: np.ndarray) -> np.ndarray:
        """Sum of squares between the groups, of each row of values."""
        return ((values @ groups) ** 2 / sizes).sum(axis=-1)

    found = between(y)
    count = 0
    for part in chunks(TRIALS, len(y), BLOCK):
        keys = block + rng.random((part.stop - part.start, len(y)))
        drawn = between(y[keys.argsort(axis=1)])
        count += (drawn >= least_equal(found, total)).sum()
    df = len(sizes) - 1
    df_within = len(y) - len(collections) - df
    f = ratio(found / df, max(0.0, total - found) / df_within)
    return {"statistic": float(f), "pvalue": (count + 1) / (TRIALS + 1)}


def _difference(pair: pd.DataFrame, topics: pd.DataFrame, level: float | None = None) -> dict:
    """The mean difference on these topics; with a level its interval, if they are enough."""
    rules = Rules(level=level or 0.95, clusters=topics["cluster"].to_numpy())
    tests = pair_table(pair, *BOTH, rules).iloc[0]
    columns = ["topics", "difference"]
    if level is not None and tests["clusters"] >= FEWEST_OF_INTERVAL:
        columns += ["low", "high"]
    return tests[columns].to_dict()
