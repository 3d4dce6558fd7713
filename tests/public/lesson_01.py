"""What lesson 01 says of public scores: fifteen collections, runs, and topics of Robust 2004."""

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from fifteen import DATA, by_collection, fifties
from scipy import stats
from statsmodels.stats.multitest import multipletests
from traits import clusters

import irstd


def thirteenth(scores):
    """The first rows of the table at the end, for the system of rank 13 and for all scores."""
    board = irstd.leaderboard(scores)
    name = board.index[12]
    row = board.iloc[12]
    overlap = board[(board["low"] <= row["high"]) & (board["high"] >= row["low"])]
    others = scores.drop(columns=name)
    near = others.columns.isin(overlap.index)
    paired = holm_rejects(stats.ttest_rel(scores[[name]], others).pvalue)
    unpaired = holm_rejects(stats.ttest_ind(scores[[name]], others).pvalue)
    return {
        "half": (row["high"] - row["low"]) / 2,
        "overlapping": len(overlap) - 1,
        "overlap": (paired & near).sum(),
        "overlap, share": (paired & near).sum() / near.sum(),
        "overlap, unpaired": (unpaired & near).sum(),
    }


def holm_rejects(pvalues):
    return multipletests(pvalues, method="holm")[0]


class Pairs:
    """All pairs of systems on fifty topics, and the share of next fifties that swap each."""

    def __init__(self, first, fifties):
        i, j = np.triu_indices(first.shape[1], 1)
        lead = differences_of_means(first, i, j)
        swapped = [differences_of_means(table, i, j) * lead < 0 for table in fifties]
        self.i = i
        self.j = j
        self.swapped = np.mean(swapped, axis=0)
        self.significant = stats.ttest_rel(first[:, i], first[:, j]).pvalue <= 0.05
        self.near = np.abs(np.abs(lead) - 0.02) <= 0.005  # about .02 apart

    def last_rows(self):
        """Shares of pairs that swap: about .02 apart, and of these the significant ones."""
        both = self.near & self.significant
        return [self.swapped[self.near].mean(), self.swapped[both].mean()]


def differences_of_means(table, i, j):
    means = table.mean(axis=0)
    return means[i] - means[j]


def topics_over_systems(scores):
    """How many times as much variation topics make as systems: of all, and without broken runs."""
    found = {}
    for name, part in {"all": scores, "runs": scores.loc[:, scores.mean() >= 0.05]}.items():
        found[name] = part.mean(axis=1).var(ddof=0) / part.mean().var(ddof=0)
    return found


def of_trec8():
    """The system of rank 13."""
    return thirteenth(irstd.load_dataset("trec8"))


def overlap_of_fifteen():
    """Of the 13th system: the share of those that overlap with it and differ significantly."""
    table = by_collection(thirteenth)
    return {
        "fifteen, overlap: median": table["overlap, share"].median(),
        "fifteen, overlap: least": table["overlap, share"].min(),
        "fifteen, overlap: most": table["overlap, share"].max(),
        "fifteen, overlap: most unpaired": table["overlap, unpaired"].max(),
    }


def of_fifteen():
    """How many times as much variation topics make as systems, on fifteen collections."""
    found = {}
    for name, ratios in by_collection(topics_over_systems).items():
        found[f"fifteen, {name}: median"] = ratios.median()
        found[f"fifteen, {name}: least"] = ratios.min()
        found[f"fifteen, {name}: most"] = ratios.max()
    return found


def real_fifties():
    """Shares of pairs that swap between the sets of fifty topics of five years.

    Each set is the first once, and the others are the next.
    """
    scores = irstd.load_dataset("robust2004")
    return swaps_between([part.to_numpy() for part in fifties(scores).values()])


def swaps_between(sets):
    rows = []
    for k, first in enumerate(sets):
        others = sets[:k] + sets[k + 1 :]
        rows.append(Pairs(first, others).last_rows())
    return dict(zip(["swap", "swap, significant"], np.nanmean(rows, axis=0), strict=True))


def versions_of_one_system():
    """Of significant leads of about .02, the share between systems whose scores go together."""
    scores = irstd.load_dataset("robust2004")
    cluster = clusters(scores).to_numpy()
    alike = []
    sets = [part.to_numpy() for part in fifties(scores).values()]
    for first in sets:
        pairs = Pairs(first, sets)
        both = pairs.near & pairs.significant
        alike.append((cluster[pairs.i] == cluster[pairs.j])[both])
    return {"significant leads of .02, of one cluster": np.concatenate(alike).mean()}


def random_fifties():
    """The same if all topics are cut into five sets at random."""
    scores = irstd.load_dataset("robust2004")
    ends = np.cumsum([len(part) for part in fifties(scores).values()])
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(100):
        topics = rng.permutation(scores.to_numpy())
        rows.append(swaps_between(np.split(topics, ends[:-1])))
    return {f"random: {name}": mean for name, mean in pd.DataFrame(rows).mean().items()}


RUNS = ["InexpC2", "NLPR03vb10", "UIUC03Rd1", "humR03dc", "rutcor03100", "uic0301"]
DEPTH = 100


def shallower_pool():
    """Six runs of Robust 2003: judged by a pool of their own only, and by all judgments."""
    folder = Path(os.environ["IRSTD_DATA"]) / "trectools"
    runs = {name: irstd.read_run(folder / "runs" / f"input.{name}.gz") for name in RUNS}
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    pool = pd.concat([first_documents(run) for run in runs.values()]).drop_duplicates()
    pooled = qrels.merge(pool, on=["query_id", "doc_id"])
    with warnings.catch_warnings(action="ignore"):  # a run lacks topics, and scores 0 there
        means = [irstd.evaluate(runs, judged, "AP").mean().mean() for judged in (pooled, qrels)]
    return {"fall": means[0] - means[1]}


def first_documents(run):
    """The first documents of each topic, by score and then by document id, as trec_eval does."""
    order = run.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    return order.groupby("query_id").head(DEPTH)[["query_id", "doc_id"]]


NUMBERS = {
    of_trec8: "trec8",
    overlap_of_fifteen: DATA,
    of_fifteen: DATA,
    real_fifties: "robust2004",
    versions_of_one_system: "robust2004",
    random_fifties: "robust2004",
    shallower_pool: "robust2003-runs",
}
