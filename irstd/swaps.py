"""How often two systems change sides with another set of topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from irstd import _pairs
from irstd._arrays import chunks, rank_means, sample_means, sample_variances
from irstd._checks import check_choice, check_count
from irstd.resample import Seed, split_topics

TESTS = {"sd": "levene", "mean": "t"}


def swap_rate(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[pd.DataFrame],
    *,
    sizes: Iterable[int],
    trials: int = 50,
    statistic: str = "sd",
    judged_on: str = "all",
    alpha: float = 0.05,
    test: str | None = None,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """The chance that two systems change sides with another set of topics, by its size.

    Parameters
    ----------
    scores : DataFrame, or several in a list or dict
        A score matrix: a row a topic, a column a system; raw or standardized, all the same way. The
        comparisons of several are pooled.
    sizes : sequence of int
        Topics in a set; no more than half of those there are.
    trials : int, default 50
        Pairs of sets drawn, for each size and matrix.
    statistic : {"sd", "mean"}, default "sd"
        What the systems are compared by: which of the two varies more (Hosseini et al. 2010), or
        which has the larger mean (Voorhees and Buckley 2002).
    judged_on : {"all", "sample"}, default "all"
        Pairs count if a test finds them different: on all topics of the matrix, so that the same
        pairs count each time, or on the first of the two sets drawn, which is all that somebody
        with so many topics has. The paper leaves open which it is.
    alpha : float, default 0.05
        A pair counts if p < alpha. With 1, all count but those that are the same.
    test : str, optional
        That test, a method of `pairwise_tests` that is not randomized. By default Levene's test
        with the median for ``"sd"``, the paired t-test for ``"mean"``.
    seed : int or numpy.random.Generator, default 0
        The same seed draws the same sets.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DataFrame
        A row a size:

        =========== ==========================================================================
        size        topics in each set
        error_rate  swaps / comparisons; NaN if no pair counts
        comparisons pairs that count, over all trials and matrices
        swaps       those of them that the two sets order differently; equal on one is no swap
        =========== ==========================================================================

    Raises
    ------
    ValueError
        If a matrix has fewer topics than two sets need, or has missing scores (NaN).

    Notes
    -----
    Two sets X and Y without a topic in common; with d the difference of the two systems, they swap
    if d_X d_Y < 0 (figures 6 and 7 of Hosseini et al., on z scores). Only sizes to half of the
    topics can be observed; for larger ones the curve has to be extrapolated. Comparisons are not
    independent, as the trials draw from the same topics: the rate is less certain than a binomial
    share of so many.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7. Voorhees, Buckley
    (2002), doi:10.1145/564376.564432.

    Examples
    --------
    >>> import irstd
    >>> z = irstd.standardize(irstd.load_dataset("sim-trec8"), method="z")
    >>> rates = swap_rate(z, sizes=[5, 25], trials=20)
    >>> rates.columns.tolist()
    ['size', 'error_rate', 'comparisons', 'swaps']
    >>> bool(rates["error_rate"].is_monotonic_decreasing)
    True
    """
    check_choice(statistic, TESTS, "statistic")
    check_choice(judged_on, ("all", "sample"), "judged_on")
    _pairs.check_alpha(alpha)
    test = TESTS[statistic] if test is None else test
    check_choice(test, _pairs.EXACT, "test")
    trials = check_count(trials, "trials")
    sizes = [check_count(size, "sizes", 3 if test == "pitman_morgan" else 2) for size in sizes]
    matrices = _matrices(scores)
    for name, matrix in matrices.items():
        if sizes and 2 * max(sizes) > len(matrix):
            raise ValueError(
                f"two sets of {max(sizes)} need {2 * max(sizes)} topics; {name} has {len(matrix)}"
            )
    rng = np.random.default_rng(seed)
    counts = np.zeros((len(sizes), 2), dtype=np.int64)
    with tqdm(total=len(sizes) * len(matrices), disable=not progress, leave=False) as bar:
        for matrix in matrices.values():
            values = matrix.to_numpy()
            pairs = _pairs.all_pairs(values.shape[1])
            judge = _pairs.EXACT[test]
            differ = judge(values, *pairs)[1] < alpha if judged_on == "all" else None
            for row, size in enumerate(sizes):
                splits = split_topics(len(values), size=size, trials=trials, seed=rng)
                for part in chunks(trials, len(pairs[0]), _pairs.BLOCK):
                    swapped = _swapped(values, splits[part], pairs, statistic)
                    counted = differ
                    if counted is None:
                        p = [judge(values[first], *pairs)[1] for first, _ in splits[part]]
                        counted = np.array(p) < alpha
                    counted = np.broadcast_to(counted, swapped.shape)
                    counts[row] += counted.sum(), (swapped & counted).sum()
                bar.update()
    comparisons, swaps = counts.T
    rate = _pairs.ratio(swaps, comparisons, none=np.nan)
    columns = {"size": sizes, "error_rate": rate, "comparisons": comparisons, "swaps": swaps}
    return pd.DataFrame(columns)


def _matrices(scores) -> dict[str, pd.DataFrame]:
    """Every score matrix by the name that it has in messages."""
    if isinstance(scores, pd.DataFrame):
        scores = {"scores": scores}
    elif isinstance(scores, Mapping):
        scores = {f"scores[{name!r}]": matrix for name, matrix in scores.items()}
    else:
        scores = {f"scores[{place}]": matrix for place, matrix in enumerate(scores)}
    if not scores:
        raise ValueError("scores must be a score matrix or several, got none")
    return {name: _pairs.one_matrix(matrix, systems=2) for name, matrix in scores.items()}


def _swapped(values: np.ndarray, splits: np.ndarray, pairs: _pairs.Pairs, statistic: str):
    """Whether the two sets order a pair differently: trials x pairs."""
    of = sample_means if statistic == "mean" else sample_variances
    i, j = pairs
    first, second = (rank_means(of(values, splits[:, half])) for half in (0, 1))
    return (first[:, i] - first[:, j]) * (second[:, i] - second[:, j]) < 0
