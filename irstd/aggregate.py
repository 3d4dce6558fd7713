"""From the scores on topics to one number a system: arithmetic and geometric means, leaderboard."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from scipy import stats

from irstd._arrays import DIGITS
from irstd._checks import check_choice, check_scores, listed
from irstd.factors import Factors
from irstd.standardize import standardize

ADJUST = ("uniform", "zeros", "floor")


def gmap(scores: pd.DataFrame, epsilon: float = 1e-5, *, adjust: str = "uniform") -> pd.Series:
    """Geometric mean over topics, adjusted so that a score of 0 does not make 0 of it.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of any metric that is not negative: a row a topic, a column a system.
    epsilon : float, default 1e-5
        The adjustment, in the unit of the scores. 0 is allowed where no score is 0; infinity, with
        ``adjust="uniform"``, is the arithmetic mean.
    adjust : {"uniform", "zeros", "floor"}, default "uniform"
        See Notes.

    Returns
    -------
    Series
        A score a system. Index ``system``, name ``gmap``.

    Raises
    ------
    ValueError
        If epsilon is negative; if it is 0 and a score is; if a score is negative.

    Warns
    -----
    UserWarning
        If scores are missing (NaN), naming the topics: the mean is over those that are there.

    Notes
    -----
    ``uniform``
        exp(mean log(x + e)) - e: all scores are shifted up, and the mean down again (Robertson
        2006, and the form that Ravana and Moffat 2008 prefer).
    ``zeros``
        exp(mean log x) with e in place of 0 (Robertson's alternative).
    ``floor``
        exp(mean log max(x, e)): trec_eval's ``gm_map``, with its e of 1e-5.

    A geometric mean weighs ratios: to double a score of .05 counts as much as to double one of .4.
    With a small e, whether a system finds anything at all on a topic decides its order. The uniform
    form is computed as e expm1(mean log1p(x / e)), which loses no digits as e grows.

    References
    ----------
    Robertson (2006), doi:10.1145/1183614.1183630. Ravana, Moffat (2008),
    doi:10.1145/1390334.1390452.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.05, 0.75], "b": [0.10, 0.70]}, ["A", "B"])
    >>> gmap(scores, 0).round(2).to_dict()
    {'a': 0.19, 'b': 0.26}
    >>> gmap(scores, np.inf).round(2).to_dict()
    {'a': 0.4, 'b': 0.4}
    """
    check_choice(adjust, ADJUST, "adjust")
    scores = check_scores(scores, several=True, complete=False)
    epsilon = float(epsilon)
    if not epsilon >= 0:
        raise ValueError(f"epsilon must be 0 or more, got {epsilon}")
    if adjust != "uniform" and epsilon == np.inf:
        raise ValueError(f'an infinite epsilon needs adjust="uniform", got adjust={adjust!r}')
    values = scores.to_numpy()
    if (values < 0).any():
        topics = scores.index[(values < 0).any(axis=1)]
        raise ValueError(
            f"a geometric mean needs scores >= 0; negative on the topics {listed(topics)}"
        )
    if epsilon == 0 and (values == 0).any():
        topics = scores.index[(values == 0).any(axis=1)]
        raise ValueError(
            f"epsilon must be positive where scores are 0: the topics {listed(topics)}"
        )
    if np.isnan(values).any():
        topics = scores.index[np.isnan(values).any(axis=1)]
        warnings.warn(
            f"scores are missing on the topics {listed(topics)}: the mean is over the others",
            stacklevel=2,
        )
    means = np.nanmean(log_scores(values, epsilon, adjust), axis=0)
    return pd.Series(from_log(means, epsilon, adjust), scores.columns, name="gmap")


def log_scores(values: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """What the geometric mean is an arithmetic mean of."""
    if adjust == "uniform" and epsilon == np.inf:
        return values
    if adjust == "uniform" and epsilon > 1e-100:
        return np.log1p(values / epsilon)
    if adjust == "floor":
        return np.log(np.maximum(values, epsilon))
    return np.log(
        values + epsilon if adjust == "uniform" else np.where(values == 0, epsilon, values)
    )


def from_log(means: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """The geometric mean from the mean of `log_scores`."""
    if adjust == "uniform" and epsilon == np.inf:
        return means
    if adjust == "uniform" and epsilon > 1e-100:
        return epsilon * np.expm1(means)
    result = np.exp(means)
    return np.maximum(result - epsilon, 0) if adjust == "uniform" else result


def leaderboard(
    scores: pd.DataFrame,
    *,
    reference: pd.DataFrame | Factors | None = None,
    epsilon: float = 1e-5,
) -> pd.DataFrame:
    """The systems by their mean, with what else there is to say of each.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    reference : DataFrame or Factors, optional
        The standardizing systems, as for `standardize`; by default the systems themselves.
    epsilon : float, default 1e-5
        Of `gmap`, uniform.

    Returns
    -------
    DataFrame
        A row a system (index ``system``), best mean first:

        ================== ================================================================
        mean               over topics
        low, high          95% interval of the mean, by t with one less degree of freedom
                           than topics: topics are taken for a sample of all topics
        sd                 over topics, ddof=1
        gmap               geometric mean over topics; NaN if a score is negative
        standardized       mean of the standardized scores (normal CDF of z); .5 is average
        rank, rank_gmap,   1 for the best; systems that are equal to 1e-12 share the better
        rank_standardized  rank
        zeros              topics scored 0
        ================== ================================================================

    Warns
    -----
    UserWarning
        As `standardize`.

    Examples
    --------
    >>> import irstd
    >>> board = irstd.leaderboard(irstd.load_dataset("sim-trec8"))
    >>> board.shape
    (129, 10)
    >>> board["rank"].head(3).tolist()
    [1, 2, 3]
    """
    scores = check_scores(scores, several=True, complete=False)
    standardized = standardize(scores, reference).mean().rename("standardized")
    n = scores.notna().sum()
    mean, sd = scores.mean(), scores.std()
    half = stats.t.ppf(0.975, n - 1) * sd / np.sqrt(n)
    negative = (scores < 0).to_numpy().any()
    geometric = gmap(scores, epsilon) if not negative else mean * np.nan
    board = pd.DataFrame(
        {
            "mean": mean,
            "low": mean - half,
            "high": mean + half,
            "sd": sd,
            "gmap": geometric,
            "standardized": standardized,
            "rank": _ranks(mean),
            "rank_gmap": _ranks(geometric),
            "rank_standardized": _ranks(standardized),
            "zeros": (scores == 0).sum(),
        }
    )
    return board.sort_values("rank", kind="stable")


def _ranks(values: pd.Series) -> pd.Series:
    ranks = values.round(DIGITS).rank(ascending=False, method="min")
    return ranks if ranks.isna().any() else ranks.astype(int)
