"""Scores of the same runs by several judges: how far they agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.matrix import by_metric, check_alike, check_same, check_scores, refuse_missing
from irstd._base.messages import listed, warn
from irstd.compare.collections import drmse
from irstd.rankings.correlation import one_sided_tau_ap, rank_correlation
from irstd.resample.intervals import interval
from irstd.significance import mean_tests
from irstd.significance.corrections import adjusted, check_correction_name
from irstd.significance.means import pairwise_tests
from irstd.standardize import METHODS, standardized


def compare_judges(
    scores: pd.DataFrame | dict[str, pd.DataFrame],
    *,
    reference: str,
    method: str | None = None,
    alpha: float = 0.05,
    correction: str | None = None,
    level: float | None = None,
) -> pd.DataFrame:
    """Compare the scores that judges give the same runs with those of a reference judge.

    Parameters
    ----------
    scores : DataFrame
        One row per topic, columns ``(judge, system)``: a score matrix for each judge, as
        ``load_dataset("judges-dl2019")``, or a dict of matrices, ``{"people": a, "model": b}``. A
        topic without any score of a judge is one that the judge has not judged.
    reference : str
        The judge who is taken as the standard, for instance the human one. There is no default, as
        the others are called right or wrong by it.
    method : str, optional
        Standardize the scores of each judge first, by a method of `standardize` and by that
        judge's own scores; all columns but the two of dRMSE are then of standardized scores.
    alpha : float, default 0.05
        Level of the tests: paired t-tests by topic, of each system by two judges and of each pair
        of systems by one.
    correction : str, optional
        Corrects these for the number of systems, or of pairs: as in `pairwise_tests`.
    level : float, optional
        Of the interval of tau, which is computed if it is given: by `interval`, as a jackknife, in
        some 3 ms for each topic of each judge.

    Returns
    -------
    DataFrame
        One row per judge but the reference (index ``judge``), in the order of `scores`:

        ================== ================================================================
        topics             that the judge and the reference both have judged; all other
                           columns are of these
        mean               score, over topics and systems, by the judge
        reference_mean     the same by the reference
        drmse              of the system means as they are, see `drmse`
        drmse_standardized of those of standardized scores (by `method`, else "normal")
        tau                Kendall's tau-b of the two orders of the systems
        tau_ap             tau_AP of the judge's order; the reference is the truth. With
                           ties, systems of equal rank count as the part of tau_AP,b does
        better             systems that are significantly better by the judge than by the
                           reference: "better than themselves"
        worse              systems that are significantly worse
        both               share of all pairs of systems that are significantly different
                           by both judges, in one direction
        judge_only         by the judge only
        reference_only     by the reference only
        opposite           by both, in opposite directions
        not_confirmed      share of the judge's significant pairs that the reference does
                           not find, or finds the other way round; NaN if there are none
        tau_low, tau_high  with a level: the interval of tau, over topics
        ================== ================================================================

        Which pairs change: by `pairwise_tests` of each judge, see the page "Your own runs".

    Raises
    ------
    ValueError
        If `scores` has no columns ``(judge, system)``, or fewer than two judges; if a judge has
        other systems than the reference, no two topics in common with it, or scores of some systems
        only on a topic (NaN).

    Warns
    -----
    UserWarning
        If a judge gives all systems the same score on a topic; standardized, all are average there.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346. Voorhees (2000),
    doi:10.1016/S0306-4573(00)00010-8.

    Examples
    --------
    >>> import irstd
    >>> people = irstd.load_dataset("sim-robust2003")
    >>> judges = pd.concat({"people": people, "lenient": people**0.5}, axis=1)
    >>> table = compare_judges(judges, reference="people")
    >>> table[["topics", "drmse", "drmse_standardized", "tau", "better"]].round(2)
             topics  drmse  drmse_standardized   tau  better
    judge
    lenient      50   2.09                0.16  0.92      78
    """
    alpha = check_alpha(alpha)
    if method is not None:
        check_choice(method, METHODS, "method")
    if correction is not None:
        check_correction_name(correction)
    if isinstance(scores, dict):
        check_alike(scores, "collection", "metric")
        scores = pd.concat(scores, axis=1)
    judges = _by_judge(scores)
    check_choice(reference, judges, "reference")
    if len(judges) < 2:
        raise ValueError(f"scores must be of two judges or more, found {reference} alone")
    truth = judges.pop(reference)
    rows = []
    for judge, matrix in judges.items():
        pair = _Pair.of_shared_topics(matrix, truth, (judge, reference))
        rows.append(_against(pair, method, alpha, correction, level))
    return pd.DataFrame(rows, pd.Index(list(judges), name="judge"))


def _by_judge(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The matrix of each judge on the topics that it has judged."""
    table = check_scores(scores, several=True, complete=False, systems=2)
    if table.columns.nlevels != 2:
        raise ValueError(
            "scores must have columns (judge, system), found systems alone; two matrices become"
            " one by pd.concat({'people': a, 'model': b}, axis=1)"
        )
    judges = {}
    for name, matrix in by_metric(table).items():
        judge = str(name)
        judges[judge] = matrix.dropna(how="all")
        refuse_missing(judges[judge], f"scores of the judge {judge}")
        constant = judges[judge].max(axis=1) == judges[judge].min(axis=1)
        topics = listed(judges[judge].index[constant])
        if topics:
            warn(f"the judge {judge} gives all systems the same score on the topics {topics}")
    return judges


@dataclass(frozen=True)
class _Pair:
    """The scores of the same systems on the same topics by a judge and by the reference."""

    judge: pd.DataFrame
    truth: pd.DataFrame

    @classmethod
    def of_shared_topics(
        cls, judge: pd.DataFrame, truth: pd.DataFrame, names: tuple[str, str]
    ) -> _Pair:
        check_same(judge.columns, truth.columns, names)
        topics = truth.index.intersection(judge.index)
        if len(topics) < 2:
            raise ValueError(
                f"the judges {names[0]} and {names[1]} must have two topics or more in common,"
                f" found {len(topics)}: they have {listed(judge.index)} and {listed(truth.index)}"
            )
        return cls(judge.loc[topics, truth.columns], truth.loc[topics])

    def standardized(self, method: str) -> _Pair:
        """Both by their own scores."""
        judge, _ = standardized(self.judge, method=method)
        truth, _ = standardized(self.truth, method=method)
        return _Pair(judge, truth)


def _against(
    pair: _Pair, method: str | None, alpha: float, correction: str | None, level: float | None
) -> dict[str, float]:
    """One row of `compare_judges`."""
    standardized = pair.standardized(method or "normal")
    compared = pair  # in all but the two distances
    if method is not None:
        compared = standardized
    row = {
        "topics": len(compared.judge),
        "mean": compared.judge.to_numpy().mean(),
        "reference_mean": compared.truth.to_numpy().mean(),
        "drmse": drmse(pair.judge, pair.truth),
        "drmse_standardized": drmse(standardized.judge, standardized.truth),
    }
    row |= _correlations(compared)
    row |= _against_themselves(compared, alpha, correction)
    row |= _pairs_of_systems(compared, alpha, correction)
    if level is not None:
        both = compared.truth.add_prefix("truth ").join(compared.judge.add_prefix("judge "))
        tau = interval(both, _tau, level=level, by="jackknife")
        row["tau_low"] = np.clip(tau.low, -1, 1)
        row["tau_high"] = np.clip(tau.high, -1, 1)
    return row


def _tau(both: pd.DataFrame) -> float:
    """Tau of the systems' means by the two judges, whose columns stand beside each other."""
    truth, judge = np.split(both.mean().to_numpy(), 2)
    return rank_correlation(truth, judge)


def _correlations(pair: _Pair) -> dict[str, float]:
    """How alike both order the systems; means that are equal on paper are ties."""
    truth = pair.truth.mean().round(12)
    judge = pair.judge.mean().round(12)
    tau_ap = one_sided_tau_ap(truth.to_numpy(), judge.to_numpy())
    return {"tau": rank_correlation(truth, judge), "tau_ap": tau_ap}


def _against_themselves(pair: _Pair, alpha: float, correction: str | None) -> dict[str, int]:
    """How many systems are significantly better or worse by the judge than by the reference."""
    m = pair.judge.shape[1]
    of_judge = np.arange(m)
    of_truth = m + np.arange(m)
    both = np.hstack([pair.judge, pair.truth])
    t, pvalues = mean_tests.t_test(both, of_judge, of_truth)
    if correction:
        pvalues = adjusted(pvalues, correction)
    significant = pvalues <= alpha
    return {
        "better": int((significant & (t > 0)).sum()),
        "worse": int((significant & (t < 0)).sum()),
    }


def _pairs_of_systems(pair: _Pair, alpha: float, correction: str | None) -> dict[str, float]:
    """Shares of the pairs that are significantly different, by judge and by reference."""
    by_judge = _significant_signs(pair.judge, alpha, correction)
    by_truth = _significant_signs(pair.truth, alpha, correction)
    found = by_judge != 0
    true = by_truth != 0
    confirmed = found & (by_judge == by_truth)
    not_confirmed = np.nan
    if found.any():
        not_confirmed = 1 - confirmed.sum() / found.sum()
    return {
        "both": confirmed.mean(),
        "judge_only": (found & ~true).mean(),
        "reference_only": (~found & true).mean(),
        "opposite": (by_judge * by_truth < 0).mean(),
        "not_confirmed": not_confirmed,
    }


def _significant_signs(scores: pd.DataFrame, alpha: float, correction: str | None) -> pd.Series:
    """Of each pair of systems, 1 or -1 by the direction of a significant difference, else 0."""
    tests = pairwise_tests(scores, correction=correction)
    pvalues = tests["adjusted_pvalue" if correction else "pvalue"]
    return np.sign(tests["difference"]).where(pvalues <= alpha, 0)
