"""Resampling experiments over topics or standardizing systems."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from irstd._base import arrays
from irstd._base.arguments import (
    Seed,
    check_choice,
    check_count,
    check_epsilon,
    check_list,
    check_sizes,
    make_generator,
)
from irstd._base.matrix import check_same_labels, check_scores
from irstd.rankings.aggregate import from_log, log_scores
from irstd.rankings.correlation import topic_difficulty
from irstd.resample.splits import check_splits, split_topics
from irstd.standardize import by_method, standardize_values, standardized

STATISTICS = ("drmse", "fpr", "tau")
ALPHA = 0.05  # of the tests of systems against themselves


def split_experiment(
    scores: pd.DataFrame,
    splits: np.ndarray,
    *,
    method: str | None = None,
    statistics: Iterable[str] = STATISTICS,
    epsilon: float | None = None,
) -> pd.DataFrame:
    """Compare systems with themselves on pairs of random topic samples.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    splits : int array (trials, 2, size)
        Pairs of samples, as `split_topics` draws them.
    method : str, optional
        Method of `standardize` to apply first, with the systems themselves as reference; by default
        scores are raw.
    statistics : sequence of {"drmse", "fpr", "tau"}, default all three
        Statistics to compute.
    epsilon : float, optional
        Take the geometric mean with this epsilon (see `gmap`) for dRMSE and tau; by default the
        arithmetic mean.

    Returns
    -------
    DataFrame
        One row per pair of samples (index ``trial``), one column per statistic:

        ===== =====================================================================
        drmse of the system means on the two samples, see `drmse`
        fpr   share of systems that a two-sample t-test (Student) finds different from
              themselves (p <= .05): false positives
        tau   Kendall's tau-b between the rankings of the systems on the two samples
        ===== =====================================================================

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> splits = split_topics(scores.index, trials=200)
    >>> split_experiment(scores, splits).mean().round(2)
    drmse    0.50
    fpr      0.05
    tau      0.81
    dtype: float64
    """
    names = [statistics] if isinstance(statistics, str) else statistics
    names = check_list(names, "statistics", '["tau"]')
    for name in names:
        check_choice(name, STATISTICS, "statistics")
    scores = by_method(check_scores(scores), None, method)
    values = scores.to_numpy()
    least = 2 if "fpr" in names else 1  # topics that have a variance
    splits = check_splits(splits, len(values), least)
    c = splits[:, 0]
    d = splits[:, 1]
    means_c = arrays.sample_means(values, c)
    means_d = arrays.sample_means(values, d)
    columns = {}
    if "fpr" in names:
        var_c = arrays.sample_variances(values, c)
        var_d = arrays.sample_variances(values, d)
        size = splits.shape[2]
        _, pvalues = arrays.two_sample_t(means_c, means_d, var_c, var_d, size, size, equal_var=True)
        columns["fpr"] = (pvalues <= ALPHA).mean(axis=1)
    if epsilon is not None:  # tests are of scores, never of their logarithms
        epsilon = check_epsilon(scores, epsilon)
        logs = log_scores(values, epsilon)
        means_c = from_log(arrays.sample_means(logs, c), epsilon)
        means_d = from_log(arrays.sample_means(logs, d), epsilon)
    if "drmse" in names:
        columns["drmse"] = arrays.drmse_rows(means_c, means_d)
    if "tau" in names:
        columns["tau"] = arrays.tau_b(means_c, means_d)
    return pd.DataFrame(columns)[names].rename_axis(index="trial")


def gmap_curve(
    scores: pd.DataFrame,
    epsilons: Iterable[float],
    *,
    trials: int = 200,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Return the split-half rank correlation of GMAP for each epsilon.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of a metric that is not negative.
    epsilons : sequence of float
        Values of epsilon for `gmap` (``"uniform"``); infinity is the arithmetic mean.
    trials : int, default 200
        Number of random halvings to average.
    seed : int or numpy.random.Generator, default 0
        Seed of the random halvings.

    Returns
    -------
    DataFrame
        One row per epsilon and way to halve the topics:

        ======= ==================================================================
        split   "hard-easy": the harder half of the topics (`topic_difficulty`, "max_z")
                against the easier; "cent-ccent": the half of middle difficulty
                against the hardest and the easiest quarter; "random": the mean over
                random halvings
        epsilon as given
        tau     Kendall's tau-b between the rankings of the systems by GMAP on the two
                halves
        ======= ==================================================================

    References
    ----------
    Ravana, Moffat (2008), doi:10.1145/1390334.1390452, figure 1.

    Examples
    --------
    >>> import irstd
    >>> gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, np.inf], trials=20).round(2)
            split  epsilon   tau
    0   hard-easy     0.01  0.77
    1  cent-ccent     0.01  0.75
    2      random     0.01  0.79
    3   hard-easy      inf  0.76
    4  cent-ccent      inf  0.80
    5      random      inf  0.81
    """
    scores = check_scores(scores, topics=2)
    scores = scores.iloc[arrays.order_labels(scores.index)]
    values = scores.to_numpy()
    n = len(scores)
    difficulties = topic_difficulty(scores).to_numpy()
    # Ranks, so that equally hard topics stay in the order of their labels despite rounding.
    hardest_first = arrays.dense_ranks(difficulties).argsort(kind="stable")[::-1]
    half = n // 2
    first_easy = n - (half - n // 4)  # the hardest and the easiest quarter are a half
    hardest, middle, easiest = np.split(hardest_first, [n // 4, first_easy])
    halves: dict[str, Iterable] = {
        "hard-easy": [(hardest_first[:half], hardest_first[half:])],
        "cent-ccent": [(middle, np.append(hardest, easiest))],
        "random": split_topics(n, trials=trials, seed=seed),
    }
    epsilons = check_list(epsilons, "epsilons", "[0.01, 1]")
    rows = []
    for epsilon in [check_epsilon(scores, epsilon) for epsilon in epsilons]:
        logs = log_scores(values, epsilon)
        for split, pairs in halves.items():
            means = np.array([[logs[c].mean(axis=0), logs[d].mean(axis=0)] for c, d in pairs])
            gmaps = from_log(means, epsilon)
            taus = arrays.tau_b(gmaps[:, 0], gmaps[:, 1])
            rows.append({"split": split, "epsilon": epsilon, "tau": taus.mean()})
    return pd.DataFrame(rows)


def factor_sampling(
    scores: pd.DataFrame,
    reference: pd.DataFrame,
    *,
    sizes: Iterable[int],
    trials: int,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Compare rankings standardized by few systems with those standardized by all.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of the systems that are ranked.
    reference : DataFrame
        A score matrix of all standardizing systems, on the same topics.
    sizes : sequence of int
        Numbers of standardizing systems to draw, without replacement; 2 or more.
    trials : int
        Number of draws per size.
    seed : int or numpy.random.Generator, default 0
        The same seed draws the same systems, in any order of them.

    Returns
    -------
    DataFrame
        One row per draw:

        ======== =================================================================
        size     number of standardizing systems drawn
        trial    from 0, in each size
        tau      Kendall's tau-b between the rankings by mean score standardized
                 (``"normal"``) by the systems drawn, and by all
        constant number of topics on which the systems drawn all score the same,
                 where standardized scores are .5
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
    >>> sampled.groupby("size")["tau"].median().round(3)
    size
    5     0.942
    20    0.976
    Name: tau, dtype: float64
    """
    scores = check_scores(scores)
    reference = check_scores(reference, "reference", systems=2)
    check_same_labels(scores.index, reference.index, ("scores", "reference"), of="topics")
    reference = reference.iloc[:, arrays.order_labels(reference.columns)].loc[scores.index]
    sizes = check_sizes(sizes, 2)
    trials = check_count(trials, "trials")
    m = reference.shape[1]
    if max(sizes) > m:
        raise ValueError(f"sizes must be at most {m}, the number of systems, got {max(sizes)}")
    rng = make_generator(seed)
    values = scores.to_numpy()
    means = []
    constant = []
    for size in sizes:
        for sample in rng.random((trials, m)).argsort(axis=1)[:, :size]:
            drawn = reference.iloc[:, sample]
            mean, sd = arrays.moments(drawn.to_numpy())
            standardized_scores, is_constant = standardize_values(values, drawn, mean, sd, "normal")
            means.append(standardized_scores.mean(axis=0))
            constant.append(is_constant.sum())
    by_all = standardized(scores, reference)[0].mean().to_numpy()
    return pd.DataFrame(
        {
            "size": np.repeat(sizes, trials),
            "trial": np.tile(np.arange(trials), len(sizes)),
            "tau": arrays.tau_b(np.array(means), by_all),
            "constant": constant,
        }
    )
