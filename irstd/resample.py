"""Splits of topics, samples of systems, and the experiments that repeat a statistic over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._arrays import (
    chunks,
    drmse_rows,
    moments,
    rank_means,
    sample_means,
    sample_variances,
    standard_matrix,
    tau_b,
    two_sample_differ,
    unit,
)
from irstd._checks import check_choice, check_count, check_scores, listed
from irstd.aggregate import from_log, log_scores
from irstd.factors import Factors
from irstd.rankings import topic_difficulty
from irstd.standardize import standardize, standardize_quietly

SCHEMES = ("disjoint", "replacement", "overlapping")
STATISTICS = ("drmse", "fpr", "tau")

Seed = int | np.random.Generator


def split_topics(
    topics: Sequence | int,
    *,
    scheme: str = "disjoint",
    size: int | None = None,
    trials: int = 1000,
    seed: Seed = 0,
) -> np.ndarray:
    """Draw pairs of samples of topics, many times.

    Parameters
    ----------
    topics : sequence or int, n
        The topics (of a score matrix: its index), or how many there are.
    scheme : {"disjoint", "replacement", "overlapping"}, default "disjoint"
        ``"disjoint"``: two halves without a topic in common. ``"replacement"``: each sample drawn
        with replacement. ``"overlapping"``: each drawn without replacement, but independently of
        the other, so that they share topics; this is the scheme that the erratum of WMZ07 found to
        distort, kept here to be shown.
    size : int, optional
        Topics in a sample; by default half of them, rounded down.
    trials : int, default 1000
        How many pairs.
    seed : int or numpy.random.Generator, default 0
        The same seed gives the same pairs.

    Returns
    -------
    int array (trials, 2, size)
        Positions of topics, from 0.

    Raises
    ------
    ValueError
        If the sample is larger than the topics allow.

    Notes
    -----
    Why overlapping samples distort: each is drawn without replacement from n topics, so the
    difference of two means of n/2 topics has the variance 2 S^2 / n, where a two-sample test takes
    it for twice as much. A nominal 5% test fires where a normal Z is beyond 1.96 sqrt 2, with a
    probability of .56%. In disjoint halves the negative covariance of the two makes up for it.

    References
    ----------
    Webber, Moffat, Zobel (2007), *Score standardization for robust comparison of retrieval
    systems*, ADCS, and its erratum.

    Examples
    --------
    >>> splits = split_topics(["301", "302", "303", "304"], trials=2)
    >>> splits.shape
    (2, 2, 2)
    >>> sorted(splits[0].ravel().tolist())
    [0, 1, 2, 3]
    """
    check_choice(scheme, SCHEMES, "scheme")
    n = check_count(topics if isinstance(topics, (int, np.integer)) else len(topics), "topics", 2)
    size = n // 2 if size is None else check_count(size, "size")
    trials = check_count(trials, "trials")
    if scheme == "disjoint" and 2 * size > n:
        raise ValueError(f"two disjoint samples of {size} need {2 * size} topics; there are {n}")
    if size > n:
        raise ValueError(f"a sample of {size} needs as many topics; there are {n}")
    rng = np.random.default_rng(seed)
    if scheme == "replacement":
        return rng.integers(n, size=(trials, 2, size))
    if scheme == "disjoint":
        order = rng.random((trials, n)).argsort(axis=1)
        return order[:, : 2 * size].reshape(trials, 2, size)
    return rng.random((trials, 2, n)).argsort(axis=2)[:, :, :size]


def split_experiment(
    scores: pd.DataFrame,
    splits: np.ndarray,
    *,
    method: str | None = None,
    reference: pd.DataFrame | Factors | None = None,
    statistics: Iterable[str] = STATISTICS,
    epsilon: float | None = None,
    alpha: float = 0.05,
    equal_var: bool = True,
) -> pd.DataFrame:
    """Compare the systems with themselves on pairs of samples of topics.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    splits : int array (trials, 2, size)
        Pairs of samples, as `split_topics` draws them.
    method : str, optional
        Standardize the scores first, by a method of `standardize`; by default they are left raw.
    reference : DataFrame or Factors, optional
        The standardizing systems; by default the systems themselves.
    statistics : sequence of {"drmse", "fpr", "tau"}
        What to compute.
    epsilon : float, optional
        Take the geometric mean with this epsilon (uniform, see `gmap`) in place of the arithmetic
        one, for dRMSE and tau.
    alpha : float, default 0.05
        Level of the tests behind ``"fpr"``.
    equal_var : bool, default True
        Whether these pool the variances (Student) or not (Welch).

    Returns
    -------
    DataFrame
        A row a pair of samples (index ``trial``), a column a statistic:

        ===== =====================================================================
        drmse root mean squared difference of the system means on the two samples,
              over the mean of their two standard deviations (ddof=1)
        fpr   share of systems that a two-sided two-sample t-test finds different
              from themselves (p <= alpha)
        tau   tau-b of the orders of the systems
        ===== =====================================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if `splits` has not that shape or goes beyond the topics.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> splits = split_topics(scores.index, trials=200)
    >>> split_experiment(scores, splits).mean().round(2).to_dict()
    {'drmse': 0.57, 'fpr': 0.06, 'tau': 0.79}
    """
    statistics = list(statistics)
    for statistic in statistics:
        check_choice(statistic, STATISTICS, "statistics")
    scores = check_scores(scores, several=True, complete=False)
    if method is not None:
        scores = standardize(scores, reference, method)
    elif reference is not None:
        raise ValueError("reference is given, but no method to standardize by")
    values = standard_matrix(scores)
    splits = _check_splits(splits, len(values))
    if epsilon is None:
        transformed = values = unit(values - values.min())  # statistics have more digits then
    else:
        transformed = log_scores(values, epsilon)
    parts = []
    for part in chunks(len(splits), 4 * sum(values.shape), limit=2_000_000):
        halves = splits[part, 0], splits[part, 1]
        means = [sample_means(transformed, half) for half in halves]
        if epsilon is not None:
            means = [from_log(mean, epsilon) for mean in means]
        found = {}
        if "drmse" in statistics:
            found["drmse"] = drmse_rows(*means)
        if "fpr" in statistics:
            plain = means if epsilon is None else [sample_means(values, half) for half in halves]
            spread = [sample_variances(values, half) for half in halves]
            size = splits.shape[2]
            differ = two_sample_differ(*plain, *spread, size, size, equal_var, alpha)
            found["fpr"] = differ.mean(axis=1)
        if "tau" in statistics:
            found["tau"] = tau_b(*map(rank_means, means))
        parts.append(pd.DataFrame(found))
    result = pd.concat(parts, ignore_index=True)
    return result[statistics].rename_axis(index="trial")


def _check_splits(splits: np.ndarray, n: int) -> np.ndarray:
    splits = np.asarray(splits)
    if splits.ndim != 3 or splits.shape[1] != 2 or splits.dtype.kind not in "iu":
        raise ValueError(
            "splits must be a whole-number array (trials, 2, size), as split_topics returns it; got"
            f" {splits.dtype} {splits.shape}"
        )
    if splits.size and (splits.min() < 0 or splits.max() >= n):
        raise ValueError(
            f"splits has the positions {splits.min()} to {splits.max()}; there are {n} topics"
        )
    return splits


def gmap_curve(
    scores: pd.DataFrame,
    epsilons: Iterable[float],
    *,
    trials: int = 200,
    seed: Seed = 0,
    difficulty: str = "max_z",
) -> pd.DataFrame:
    """How alike GMAP orders the systems on two halves of the topics, by epsilon.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of a metric that is not negative.
    epsilons : sequence of float
        Of `gmap`, uniform; infinity is the arithmetic mean.
    trials : int, default 200
        Random halvings that are averaged.
    seed : int or numpy.random.Generator, default 0
        For these.
    difficulty : str, default "max_z"
        A method of `topic_difficulty`.

    Returns
    -------
    DataFrame
        A row an epsilon and way to halve the topics:

        ======= ==================================================================
        split   "hard-easy": the harder half against the easier; "cent-ccent": the
                topics of middling difficulty against the hardest and the easiest
                quarters; "random": the mean over random halvings
        epsilon as given
        tau     tau-b of the orders of the systems on the two halves
        ======= ==================================================================

    Notes
    -----
    Of n topics, the halves have floor(n/2) topics or one more. With n = 50, CCent is the 12 hardest
    and the 13 easiest, Cent the 25 between.

    References
    ----------
    Ravana, Moffat (2008), doi:10.1145/1390334.1390452, figure 1.

    Examples
    --------
    >>> import irstd
    >>> curve = gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, np.inf], trials=20)
    >>> curve["split"].unique().tolist()
    ['hard-easy', 'cent-ccent', 'random']
    """
    scores = check_scores(scores, several=True, complete=False)
    values, n = standard_matrix(scores), len(scores)
    hardest = topic_difficulty(scores, difficulty).to_numpy().argsort(kind="stable")[::-1]
    quarter, half = n // 4, n // 2
    ends = np.concatenate([hardest[:quarter], hardest[n - (half - quarter) :]])
    middle = hardest[quarter : n - (half - quarter)]
    random = split_topics(n, trials=trials, seed=seed)
    rows = []
    for epsilon in map(float, epsilons):
        logs = log_scores(values, epsilon)

        def orders(topics: np.ndarray, logs=logs, epsilon=epsilon) -> np.ndarray:
            return rank_means(from_log(sample_means(logs, np.atleast_2d(topics)), epsilon))

        taus = {
            "hard-easy": tau_b(orders(hardest[:half]), orders(hardest[half:]))[0],
            "cent-ccent": tau_b(orders(middle), orders(ends))[0],
            "random": tau_b(orders(random[:, 0]), orders(random[:, 1])).mean(),
        }
        rows += [(split, epsilon, tau) for split, tau in taus.items()]
    return pd.DataFrame(rows, columns=["split", "epsilon", "tau"])


def factor_sampling(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    *,
    sizes: Iterable[int],
    trials: int,
    seed: Seed = 0,
) -> pd.DataFrame:
    """How well factors from few standardizing systems rank the systems as factors from all do.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of the systems that are ranked.
    reference : DataFrame
        A score matrix of all standardizing systems, on the same topics.
    sizes : sequence of int
        How many of these are drawn, without replacement; 2 or more.
    trials : int
        Draws of each size.
    seed : int or numpy.random.Generator, default 0
        The same seed gives the same draws.

    Returns
    -------
    DataFrame
        A row a draw:

        ======== =================================================================
        size     number of standardizing systems drawn
        trial    from 0, in each size
        tau      tau-b of the means standardized (``"normal"``) by the systems
                 drawn with the means standardized by all
        constant topics on which the systems drawn all score the same; they are
                 neutral (.5), as in `standardize`
        ======== =================================================================

    Raises
    ------
    ValueError
        If a size is more than there are systems; if the topics differ; if scores are missing.

    Notes
    -----
    Of interest is the lower tail, what one may be unlucky enough to get:
    ``result.groupby("size")["tau"].quantile([.01, .05, .5])``.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, figure 4.

    Examples
    --------
    >>> import irstd
    >>> later = irstd.load_dataset("sim-robust2004-all").loc["601":"650"]
    >>> original = irstd.load_dataset("sim-robust2003")
    >>> sampled = factor_sampling(later, original, sizes=[5, 20], trials=50)
    >>> sampled.groupby("size")["tau"].median().is_monotonic_increasing
    True
    """
    scores, reference = (
        check_scores(scores, several=True, complete=False),
        check_scores(reference, "reference", several=True, complete=False),
    )
    lacking = scores.index.symmetric_difference(reference.index)
    if len(lacking):
        raise ValueError(f"scores and reference differ in the topics {listed(lacking)}")
    reference = reference.loc[scores.index]
    values, others = standard_matrix(scores), standard_matrix(reference)
    sizes = [check_count(size, "sizes", 2) for size in sizes]
    trials = check_count(trials, "trials")
    m = others.shape[1]
    if max(sizes) > m:
        raise ValueError(f"sizes must not exceed the {m} standardizing systems, got {max(sizes)}")
    rng = np.random.default_rng(seed)
    full = rank_means(standardize_quietly(scores, reference).mean().to_numpy())
    parts = []
    for size in sizes:
        drawn = rng.random((trials, m)).argsort(axis=1)[:, :size]
        tau, constant = np.empty(trials), np.empty(trials, int)
        for part in chunks(trials, values.size + others.size, limit=2_000_000):
            sample = others[:, drawn[part]]  # topics, trials, size
            found = moments(sample.reshape(-1, size))
            mean, sd = (each.reshape(sample.shape[:2]) for each in found)
            flat = sd == 0
            sd[flat] = np.inf  # z = 0
            z = (values[:, None, :] - mean[:, :, None]) / sd[:, :, None]
            tau[part] = tau_b(rank_means(ndtr(z, out=z).mean(axis=0)), full)
            constant[part] = flat.sum(axis=0)
        parts.append(
            pd.DataFrame(
                {"size": size, "trial": np.arange(trials), "tau": tau, "constant": constant}
            )
        )
    return pd.concat(parts, ignore_index=True)
