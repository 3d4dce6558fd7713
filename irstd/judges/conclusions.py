"""Agreement between judges on conclusions about systems."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.arrays import dense_ranks
from irstd._base.matrix import check_same_labels, check_scores, refuse_missing, split_by_metric
from irstd._base.messages import warn
from irstd.compare.collections import drmse
from irstd.rankings.correlation import one_sided_tau_ap, rank_correlation
from irstd.significance.mean_tests import t_test
from irstd.significance.pairs import Pairs
from irstd.significance.pairwise import pairwise_tests
from irstd.standardize import standardized


def compare_judges(scores: pd.DataFrame, *, reference: str, alpha: float = 0.05) -> pd.DataFrame:
    """Compare the scores that judges give the same runs with those of a reference.

    Parameters
    ----------
    scores : DataFrame
        One row per topic, columns ``(judge, system)``: a score matrix for each judge, as
        ``load_dataset("judges-dl2019")``, or by ``pd.concat({"people": a, "model": b}, axis=1)``.
        A topic on which all scores of a judge are NaN was not judged by it. To compare standardized
        scores, give ``standardize(scores)``.
    reference : str
        Name of the judge taken as the standard, for instance the human one.
    alpha : float, default 0.05
        Level of the paired t-tests over topics: of each system, between the judge and the
        reference; and of each pair of systems, by one judge.

    Returns
    -------
    DataFrame
        One row per judge but the reference (index ``judge``), in the order of `scores`:

        ================== ================================================================
        topics             number of topics that the judge and the reference have both judged;
                           all other columns are of these
        mean               mean score by the judge, over topics and systems
        reference_mean     the same by the reference
        drmse              dRMSE of the raw system means, see `drmse`
        drmse_standardized the same of scores standardized ("normal") within each judge
        tau                Kendall's tau-b of the two rankings of the systems
        tau_ap             tau_AP of the judge's ranking, with the reference as truth; with ties
                           one of the two terms of tau_AP,b
        better             number of systems that score significantly higher by the judge than by
                           the reference
        worse              number that score significantly lower
        both               share of all pairs of systems that differ significantly by both
                           judges, in the same direction
        judge_only         share that differ significantly by the judge only
        reference_only     share that differ significantly by the reference only
        opposite           share that differ significantly by both, in opposite directions
        not_confirmed      share of the judge's significant pairs that the reference does
                           not find, or finds the other way round; NaN if there are none
        ================== ================================================================

        The page "Your own runs" lists the pairs that change, from `pairwise_tests` by judge.

    Raises
    ------
    ValueError
        If `scores` has no columns ``(judge, system)``, or fewer than two judges; if a judge has
        other systems than the reference, fewer than two topics in common with it, or scores for
        only some systems on a topic (NaN).

    Warns
    -----
    UserWarning
        As `standardize`: if a judge gives all systems the same score on a topic, or there are fewer
        than ten systems.

    Notes
    -----
    If a judge's error by topic is skewed, ``better`` and ``worse`` exceed their level: exponential
    errors of mean 0 were significant in .10 of cases at .05 with ten topics, in .07 with 25.

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
    table = check_scores(scores, several=True, complete=False, systems=2)
    if table.columns.nlevels != 2:
        raise ValueError(
            "scores must have columns (judge, system), found systems only: join matrices"
            " with pd.concat({'people': a, 'model': b}, axis=1)"
        )
    judges = split_by_metric(table)
    check_choice(reference, judges, "reference")
    if len(judges) < 2:
        raise ValueError(f"scores must have two judges or more, found only {reference}")
    by_own, messages = standardized(table)
    warn(*messages)
    truth = judges.pop(reference).dropna(how="all")
    rows = []
    for name, judge in judges.items():
        check_same_labels(judge.columns, truth.columns, (name, reference))
        topics = truth.index.intersection(judge.dropna(how="all").index)
        if len(topics) < 2:
            raise ValueError(
                f"judges {name!r} and {reference!r} must have two topics or more in common, found"
                f" {len(topics)}"
            )
        ours = judge.loc[topics, truth.columns]
        theirs = truth.loc[topics]
        refuse_missing(ours, f"judge {name!r}")
        refuse_missing(theirs, f"judge {reference!r}")
        distance = drmse(by_own[name].loc[topics], by_own[reference].loc[topics])
        agreement = _measure_agreement(ours, theirs, distance)
        rows.append(agreement | _count_conclusions(ours, theirs, alpha))
    return pd.DataFrame(rows, pd.Index(list(judges), name="judge"))


def _measure_agreement(
    judge: pd.DataFrame, truth: pd.DataFrame, standardized: float
) -> dict[str, float]:
    """Return the judge's agreement with the reference in level and ranking."""
    means = judge.mean()
    true_means = truth.mean()
    ranks = dense_ranks(means.to_numpy())
    true_ranks = dense_ranks(true_means.to_numpy())
    return {
        "topics": len(judge),
        "mean": judge.to_numpy().mean(),
        "reference_mean": truth.to_numpy().mean(),
        "drmse": drmse(judge, truth),
        "drmse_standardized": standardized,
        "tau": rank_correlation(true_means, means),
        "tau_ap": one_sided_tau_ap(true_ranks, ranks),
    }


def _count_conclusions(judge: pd.DataFrame, truth: pd.DataFrame, alpha: float) -> dict[str, float]:
    """Count the significant differences by judge, by reference and by both."""
    systems = np.arange(judge.shape[1])
    t, p = t_test(Pairs(np.hstack([judge, truth]), systems, systems + len(systems)))
    directions = []
    for table in (judge, truth):
        tests = pairwise_tests(table)
        directions.append(tests["direction"].where(tests["pvalue"] <= alpha, 0))
    by_judge, by_truth = directions
    agreement = by_judge * by_truth
    return {
        "better": ((p <= alpha) & (t > 0)).sum(),
        "worse": ((p <= alpha) & (t < 0)).sum(),
        "both": (agreement > 0).mean(),
        "judge_only": ((by_judge != 0) & (by_truth == 0)).mean(),
        "reference_only": ((by_judge == 0) & (by_truth != 0)).mean(),
        "opposite": (agreement < 0).mean(),
        "not_confirmed": (agreement[by_judge != 0] <= 0).mean(),
    }
