"""Scores of the same runs by several judges: how far they agree, and how to mend one by another."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import check_alpha, check_choice, check_real
from irstd._base.arrays import ratio, units
from irstd._base.matrix import by_metric, check_alike, check_same, check_scores, refuse_missing
from irstd._base.messages import listed, warn
from irstd.compare.collections import drmse
from irstd.rankings.correlation import one_sided_tau_ap, rank_correlation
from irstd.resample.intervals import interval
from irstd.significance import pair_tests
from irstd.significance.means import adjusted, pairwise_tests
from irstd.standardize import METHODS, standardized

WIDEST = 1.05  # an interval of `rectify`, against that of the human topics alone
FEWEST = 5  # human topics; with fewer, a slope and its error cannot be estimated


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
        The judge who is taken as the standard, for instance the human one.
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
    lenient      50   2.24                0.16  0.93      78
    """
    alpha = check_alpha(alpha)
    if method is not None:
        check_choice(method, METHODS, "method")
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
        shared = _shared(matrix, truth, (judge, reference))
        rows.append(_against(*shared, method, alpha, correction, level))
    return pd.DataFrame(rows, pd.Index(list(judges), name="judge"))


def _by_judge(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The matrix of each judge on the topics that it has judged."""
    table = check_scores(scores, several=True, complete=False, systems=2)
    if table.columns.nlevels != 2:
        said = "scores must have columns (judge, system), found systems alone; two matrices"
        raise ValueError(f"{said} become one by pd.concat({{'people': a, 'model': b}}, axis=1)")
    judges = {str(j): part.dropna(how="all") for j, part in by_metric(table).items()}
    for judge, matrix in judges.items():
        refuse_missing(matrix, f"scores of the judge {judge}")
        if flat := listed(matrix.index[matrix.max(axis=1) == matrix.min(axis=1)]):
            warn(f"the judge {judge} gives all systems the same score on the topics {flat}")
    return judges


def _shared(judge, truth, names: tuple[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both matrices on the topics that both have, with the systems in one order."""
    check_same(judge.columns, truth.columns, names)
    topics = truth.index.intersection(judge.index)
    if len(topics) < 2:
        said = f"the judges {names[0]} and {names[1]} must have two topics or more in common"
        found = f"{listed(judge.index)} and {listed(truth.index)}"
        raise ValueError(f"{said}, found {len(topics)}: they have {found}")
    return judge.loc[topics, truth.columns], truth.loc[topics]


def _against(judge, truth, method, alpha, correction, level) -> dict[str, float]:
    """One row of `compare_judges`."""
    standard = [standardized(part, method=method or "normal")[0] for part in (judge, truth)]
    raw_drmse, standard_drmse = drmse(judge, truth), drmse(*standard)
    if method is not None:
        judge, truth = standard
    m = judge.shape[1]
    true_means, means = (part.mean().round(12) for part in (truth, judge))
    itself = pair_tests.t_test(np.hstack([judge, truth]), np.arange(m), m + np.arange(m))
    p = adjusted(itself[1], correction) if correction else itself[1]
    changed = np.where(p <= alpha, np.sign(itself[0]), 0)
    tests = (pairwise_tests(part, correction=correction) for part in (judge, truth))
    # the last column has the p-values, adjusted if they are
    found, true = (np.sign(t["difference"]).where(t.iloc[:, -1] <= alpha, 0) for t in tests)
    discoveries = (found != 0).sum()
    confirmed = ((found != 0) & (found == true)).sum()
    row = {
        "topics": len(judge),
        "mean": judge.to_numpy().mean(),
        "reference_mean": truth.to_numpy().mean(),
        "drmse": raw_drmse,
        "drmse_standardized": standard_drmse,
        "tau": rank_correlation(true_means, means),
        "tau_ap": one_sided_tau_ap(true_means.to_numpy(), means.to_numpy()),
        "better": int((changed > 0).sum()),
        "worse": int((changed < 0).sum()),
        "both": confirmed / len(found),
        "judge_only": ((found != 0) & (true == 0)).mean(),
        "reference_only": ((found == 0) & (true != 0)).mean(),
        "opposite": (found * true < 0).mean(),
        "not_confirmed": 1 - confirmed / discoveries if discoveries else np.nan,
    }
    if level is not None:
        tau = interval({"truth": truth, "judge": judge}, _tau, level=level, by="jackknife")
        row["tau_low"], row["tau_high"] = np.clip(np.array(tau[1:], float), -1, 1)
    return row


def _tau(both: dict[str, pd.DataFrame]) -> float:
    return rank_correlation(both["truth"].mean(), both["judge"].mean())


def rectify(human: pd.DataFrame, judge: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """System means by people, of whom a judge helps: prediction-powered inference.

    Parameters
    ----------
    human : DataFrame
        Score matrix by people, on a random sample of the topics.
    judge : DataFrame
        Score matrix of the same systems by a judge, such as a language model, on these topics and
        on others.
    level : float, default 0.95
        Of the intervals.

    Returns
    -------
    DataFrame
        One row per system (index ``system``):

        ========= =========================================================================
        mean      estimate of what people would find on average over all such topics
        low, high its interval
        weight    lambda: how much of what the judge says of the other topics is believed;
                  0 if nothing, and then mean and interval are those of the human topics
        ========= =========================================================================

    Notes
    -----
    With y the human scores of a system on n topics, f the judge's on these and f' on N others,

        mean = mean(y) + lambda (mean(f') - mean(f)),
        lambda = cov(y, f) / var(f) * N / (n + N), not less than 0,

    with the larger var(f) of those over the n topics and over all; so the judge's level does not
    matter, only how its scores go with the human ones from topic to topic. The human topics must be
    a random sample. The interval is at most 1.05 times as wide as that of the human topics alone;
    at 95% it covers in 94 to 98% for normal scores, in about 91% or more for a convex judge of
    skewed scores. The page on methods has the variance, and when a judge cannot help.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023), doi:10.1126/science.adi6000.

    Examples
    --------
    >>> import irstd
    >>> people = irstd.load_dataset("sim-robust2003")
    >>> rectify(people.iloc[::5], people**0.5).iloc[:2].round(3)
                mean    low   high  weight
    system
    r3orig01a  0.346  0.231  0.461   0.616
    r3orig01b  0.349  0.234  0.463   0.474
    """
    level = check_real(level, "level", 0, 1, open_="low high")
    human = check_scores(human, "human", topics=FEWEST)
    judge = check_scores(judge, "judge")
    check_alike({"human": human, "judge": judge}, "collection", "metric")
    check_same(human.columns, judge.columns, ("human", "judge"))
    if unknown := listed(human.index.difference(judge.index, sort=False)):
        raise ValueError(f"judge lacks the human topics {unknown}; it must have them all")
    judge = judge[human.columns]
    unit, unit_f = units(human.to_numpy()), units(judge.to_numpy())
    human, judge = human.div(unit), judge.div(unit_f)
    others = judge.drop(index=human.index) if len(judge) > len(human) else judge
    y, f = human.to_numpy(), judge.loc[human.index].to_numpy()
    n, share = len(y), (len(judge) - len(y)) / len(judge)  # without others 0, and so is lambda
    var_y = y.var(axis=0, ddof=1)
    # Of all topics, it knows nothing of what the n say by chance; of the n alone, it may be near 0.
    var_f = np.maximum(judge.to_numpy().var(axis=0, ddof=1), f.var(axis=0, ddof=1))
    cov = ((y - y.mean(axis=0)) * (f - f.mean(axis=0))).sum(axis=0) / (n - 1)
    weight = share * np.maximum(ratio(cov, var_f), 0)
    mean = y.mean(axis=0) + weight * (others.to_numpy().mean(axis=0) - f.mean(axis=0))
    known = np.minimum(ratio(cov**2, var_y * var_f), 1)
    rest = (1 - known) * (n - 1) / (n - 2) * (1 + share / (n - 3))
    variance = var_y / n * (rest + known * (1 - share))
    alone = stats.t.isf((1 - level) / 2, n - 1) * np.sqrt(var_y / n)
    half = stats.t.isf((1 - level) / 2, n - 2) * np.sqrt(variance)
    half = np.where(weight > 0, np.minimum(half, WIDEST * alone), alone)
    table = {"mean": mean, "low": mean - half, "high": mean + half, "weight": weight / unit_f}
    return pd.DataFrame(table, human.columns).mul(unit, axis=0)
