"""Experiments that repeat a statistic over many samples of topics or of systems."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._arrays import (
    chunks,
    dense_ranks,
    drmse_rows,
    label_order,
    moments,
    sample_means,
    sample_variances,
    tau_b,
    two_sample_differ,
)
from irstd._checks import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_flag,
    check_same,
    check_scores,
    check_sizes,
    generator,
)
from irstd.aggregate import check_epsilon, from_log, log_scores
from irstd.factors import Factors
from irstd.rankings.correlation import topic_difficulty
from irstd.resample.splits import check_splits, split_topics
from irstd.standardize import standardize, standardized

STATISTICS = ("drmse", "fpr", "tau")


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
        A score matrix.
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
        one, for dRMSE and tau. Refused where `gmap` refuses it.
    alpha : float, default 0.05
        Level of the tests behind ``"fpr"``.
    equal_var : bool, default True
        Whether these pool the variances (Student) or not (Welch).

    Returns
    -------
    DataFrame
        One row per pair of samples (index ``trial``), one column per statistic:

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
        If scores are missing (NaN); if `splits` has not that shape or goes beyond the topics; if
        ``"fpr"`` is asked of samples of one topic.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> splits = split_topics(scores.index, trials=200)
    >>> split_experiment(scores, splits).mean().round(2).to_dict()
    {'drmse': 0.53, 'fpr': 0.05, 'tau': 0.79}
    """
    if not isinstance(statistics, Iterable):
        raise TypeError(f"statistics must be a list of {list(STATISTICS)}, got {statistics!r}")
    wanted = [statistics] if isinstance(statistics, str) else list(statistics)
    if not wanted:
        raise ValueError(f"statistics must have one of {list(STATISTICS)} or more, got none")
    for statistic in wanted:
        check_choice(statistic, STATISTICS, "statistics")
    alpha, equal_var = check_alpha(alpha), check_flag(equal_var, "equal_var")
    scores = check_scores(scores)
    if method is not None:
        scores = check_scores(standardize(scores, reference, method))
    elif reference is not None:
        raise ValueError("reference is given, but no method to standardize by")
    values = scores.to_numpy()
    splits = check_splits(splits, len(values), 2 if "fpr" in wanted else 1)
    size = splits.shape[2]
    if epsilon is not None:
        epsilon = check_epsilon(scores, epsilon)
    parts = []
    for part in chunks(len(splits), 4 * sum(values.shape), limit=2_000_000):
        c, d = splits[part, 0], splits[part, 1]
        plain_c, plain_d = (sample_means(values, half) for half in (c, d))
        means_c, means_d = plain_c, plain_d
        if epsilon is not None:
            means_c, means_d = (_gmaps(values, half, epsilon) for half in (c, d))
        found = {}
        if "drmse" in wanted:
            found["drmse"] = drmse_rows(means_c, means_d)
        if "fpr" in wanted:
            var_c, var_d = (sample_variances(values, half) for half in (c, d))
            differ = two_sample_differ(plain_c, plain_d, var_c, var_d, size, size, equal_var, alpha)
            found["fpr"] = differ.mean(axis=1)
        if "tau" in wanted:
            found["tau"] = tau_b(means_c, means_d)
        parts.append(pd.DataFrame(found))
    result = pd.concat(parts, ignore_index=True)
    return result[wanted].rename_axis(index="trial")


def _gmaps(values: np.ndarray, samples: np.ndarray, epsilon: float) -> np.ndarray:
    """Geometric mean over each sample of topics: samples x systems."""
    return from_log(sample_means(log_scores(values, epsilon), samples), epsilon)


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
        Of `gmap`, uniform; infinity is the arithmetic mean. Refused where `gmap` refuses them.
    trials : int, default 200
        Random halvings that are averaged.
    seed : int or numpy.random.Generator, default 0
        For these.
    difficulty : str, default "max_z"
        A method of `topic_difficulty`.

    Returns
    -------
    DataFrame
        One row per epsilon and way to halve the topics:

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
    scores = check_scores(scores, topics=2)
    scores = scores.iloc[label_order(scores.index)]
    values, n = scores.to_numpy(), len(scores)
    hard = dense_ranks(topic_difficulty(scores, difficulty).to_numpy())
    hardest = hard.argsort(kind="stable")[::-1]
    quarter, half = n // 4, n // 2
    ends = np.concatenate([hardest[:quarter], hardest[n - (half - quarter) :]])
    middle = hardest[quarter : n - (half - quarter)]
    random = split_topics(n, trials=trials, seed=seed)
    halves = {
        "hard-easy": (hardest[None, :half], hardest[None, half:]),
        "cent-ccent": (middle[None], ends[None]),
        "random": (random[:, 0], random[:, 1]),
    }
    rows = []
    for epsilon in [check_epsilon(scores, epsilon) for epsilon in epsilons]:
        for split, pair in halves.items():
            orders = [_gmaps(values, samples, epsilon) for samples in pair]
            rows.append((split, epsilon, tau_b(*orders).mean()))
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
        The same seed draws the same systems, in any order of them.

    Returns
    -------
    DataFrame
        One row per draw:

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
    scores, reference = check_scores(scores), check_scores(reference, "reference", systems=2)
    check_same(scores.index, reference.index, ("scores", "reference"), of="topics")
    reference = reference.iloc[:, label_order(reference.columns)].loc[scores.index]
    values, others = scores.to_numpy(), reference.to_numpy()
    sizes = check_sizes(sizes, 2)
    trials = check_count(trials, "trials")
    m = others.shape[1]
    if max(sizes) > m:
        raise ValueError(f"sizes must not exceed the {m} standardizing systems, got {max(sizes)}")
    rng = generator(seed)
    full = standardized(scores, reference)[0].mean().to_numpy()
    parts = []
    for size in sizes:
        drawn = rng.random((trials, m)).argsort(axis=1)[:, :size]
        tau, constant = np.empty(trials), np.empty(trials, int)
        for part in chunks(trials, values.size + others.size, limit=2_000_000):
            sample = others[:, drawn[part]]  # topics, trials, size
            found = moments(sample.reshape(-1, size))
            mean, sd = (each.reshape(*sample.shape[:2], 1) for each in found)
            z = (values[:, None, :] - mean) / np.where(sd == 0, np.inf, sd)  # neutral: 0
            tau[part] = tau_b(ndtr(z, out=z).mean(axis=0), full)
            constant[part] = (sd == 0).sum(axis=(0, 2))
        columns = {"size": size, "trial": np.arange(trials), "tau": tau, "constant": constant}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)
