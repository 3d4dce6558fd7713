"""Experiments that repeat a statistic over many samples of topics or of systems."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.special import ndtr

from irstd._base import arrays
from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_epsilon,
    check_flag,
    check_sizes,
    generator,
)
from irstd._base.matrix import check_same, check_scores
from irstd.aggregate import from_log, log_scores
from irstd.rankings.correlation import topic_difficulty
from irstd.resample.splits import check_splits, split_topics
from irstd.standardize import Reference, by_method, standardized

STATISTICS = ("drmse", "fpr", "tau")


def split_experiment(
    scores: pd.DataFrame,
    splits: np.ndarray,
    *,
    method: str | None = None,
    reference: Reference = None,
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
        Take the geometric mean with this epsilon (see `gmap`) for dRMSE and tau.
    alpha : float, default 0.05
        Level of the tests behind ``"fpr"``.
    equal_var : bool, default True
        Whether these pool the variances (Student) or not (Welch).

    Returns
    -------
    DataFrame
        One row per pair of samples (index ``trial``), one column per statistic:

        ===== =====================================================================
        drmse of the system means on the two samples, see `drmse`
        fpr   share of systems that a two-sided two-sample t-test finds different
              from themselves (p <= alpha)
        tau   tau-b of the orders of the systems
        ===== =====================================================================

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> splits = split_topics(scores.index, trials=200)
    >>> split_experiment(scores, splits).mean().round(2).to_dict()
    {'drmse': 0.54, 'fpr': 0.05, 'tau': 0.78}
    """
    wanted = [statistics] if isinstance(statistics, str) else list(statistics)
    for statistic in wanted or [""]:
        check_choice(statistic, STATISTICS, "statistics")
    alpha, equal_var = check_alpha(alpha), check_flag(equal_var, "equal_var")
    scores = by_method(check_scores(scores), reference, method)
    values = scores.to_numpy()
    splits = check_splits(splits, len(values), 2 if "fpr" in wanted else 1)
    if epsilon is not None:
        epsilon = check_epsilon(scores, epsilon)
    c, d = splits[:, 0], splits[:, 1]
    plain = arrays.sample_means(values, c), arrays.sample_means(values, d)
    means = plain if epsilon is None else (_gmaps(values, c, epsilon), _gmaps(values, d, epsilon))
    found = {}
    if "drmse" in wanted:
        found["drmse"] = arrays.drmse_rows(*means)
    if "fpr" in wanted:
        variances = arrays.sample_variances(values, c), arrays.sample_variances(values, d)
        sizes = c.shape[1], d.shape[1]
        p = arrays.two_sample_t(*plain, *variances, *sizes, equal_var, alpha)[1]
        found["fpr"] = (p <= alpha).mean(axis=1)
    if "tau" in wanted:
        found["tau"] = arrays.tau_b(*means)
    return pd.DataFrame(found)[wanted].rename_axis(index="trial")


def _gmaps(values: np.ndarray, samples: np.ndarray, epsilon: float) -> np.ndarray:
    """Geometric mean over each sample of topics: samples x systems."""
    return from_log(arrays.sample_means(log_scores(values, epsilon), samples), epsilon)


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
        One row per epsilon and way to halve the topics:

        ======= ==================================================================
        split   "hard-easy": the harder half against the easier; "cent-ccent": the
                topics of middling difficulty against the hardest and the easiest
                quarters; "random": the mean over random halvings
        epsilon as given
        tau     tau-b of the orders of the systems on the two halves
        ======= ==================================================================

    References
    ----------
    Ravana, Moffat (2008), doi:10.1145/1390334.1390452, figure 1.

    Examples
    --------
    >>> import irstd
    >>> gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, np.inf], trials=20).shape
    (6, 3)
    """
    scores = check_scores(scores, topics=2)
    scores = scores.iloc[arrays.label_order(scores.index)]
    values, n = scores.to_numpy(), len(scores)
    hard = arrays.dense_ranks(topic_difficulty(scores, difficulty).to_numpy())
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
            rows.append((split, epsilon, arrays.tau_b(*orders).mean()))
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
        constant topics on which the systems drawn all score the same: neutral
        ======== =================================================================

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
    scores = check_scores(scores)
    reference = check_scores(reference, "reference", systems=2)
    check_same(scores.index, reference.index, ("scores", "reference"), of="topics")
    reference = reference.iloc[:, arrays.label_order(reference.columns)].loc[scores.index]
    values, others = scores.to_numpy(), reference.to_numpy()
    sizes, m = check_sizes(sizes, 2), others.shape[1]
    trials = check_count(trials, "trials")
    if max(sizes) > m:
        raise ValueError(f"sizes must not exceed the {m} standardizing systems, got {max(sizes)}")
    rng = generator(seed)
    full = standardized(scores, reference)[0].mean().to_numpy()
    means, constant = [], []
    for size in sizes:
        samples = rng.random((trials, m)).argsort(axis=1)[:, :size]
        for part in arrays.chunks(trials, values.size, limit=200_000):  # for a processor's cache
            drawn = others[:, samples[part]].reshape(-1, size)
            mean, sd = (x.reshape(len(values), -1, 1) for x in arrays.moments(drawn))
            z = (values[:, None] - mean) / np.where(sd == 0, np.inf, sd)  # neutral: 0
            means.append(ndtr(z).mean(axis=0))
            constant.append((sd == 0).sum(axis=(0, 2)))
    found = {"size": np.repeat(sizes, trials), "trial": np.tile(np.arange(trials), len(sizes))}
    found["tau"] = arrays.tau_b(np.concatenate(means), full)
    return pd.DataFrame(found | {"constant": np.concatenate(constant)})
