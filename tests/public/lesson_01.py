"""What lesson 01 says of public scores: fifteen collections, runs, and topics of Robust 2004."""

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of, fifties
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
    paired_p = stats.ttest_rel(scores[[name]], others).pvalue
    unpaired_p = stats.ttest_ind(scores[[name]], others).pvalue
    paired = holm_rejects(paired_p)
    unpaired = holm_rejects(unpaired_p)

    shares = shares_of_variation(scores)
    return {
        "mean": row["mean"],
        "low": row["low"],
        "high": row["high"],
        "half": (row["high"] - row["low"]) / 2,
        "overlapping": len(overlap) - 1,
        "first": overlap["rank"].min(),
        "last": overlap["rank"].max(),
        "not significant": (paired_p > 0.05).sum(),
        "overlap": (paired & near).sum(),
        "overlap, share": (paired & near).sum() / near.sum(),
        "overlap, unpaired": (unpaired & near).sum(),
        "paired": paired.sum(),
        "unpaired": unpaired.sum(),
        "chance": significant_by_chance(scores.to_numpy()),
    } | shares


def holm_rejects(pvalues):
    return multipletests(pvalues, method="holm")[0]


def significant_by_chance(table):
    """The null: how many differ significantly from the 13th if each topic's scores are shuffled."""
    rng = np.random.default_rng(0)
    counts = []
    for _ in range(200):
        shuffled = rng.permuted(table, axis=1)
        ranking = np.argsort(-shuffled.mean(axis=0))
        ranked = shuffled[:, ranking]
        others = np.delete(ranked, 12, axis=1)
        pvalues = stats.ttest_rel(ranked[:, [12]], others).pvalue
        counts.append((pvalues <= 0.05).sum())
    return np.mean(counts)


class Pairs:
    """All pairs of systems on fifty topics, and the share of next fifties that swap each."""

    def __init__(self, first, fifties):
        i, j = np.triu_indices(first.shape[1], 1)
        lead = differences_of_means(first, i, j)
        swapped = [differences_of_means(table, i, j) * lead < 0 for table in fifties]
        self.i = i
        self.j = j
        self.lead = lead
        self.swapped = np.mean(swapped, axis=0)
        self.significant = stats.ttest_rel(first[:, i], first[:, j]).pvalue <= 0.05
        self.near = np.abs(np.abs(lead) - 0.02) <= 0.005  # about .02 apart

    def last_rows(self):
        """The last rows of the table: shares of pairs that swap.

        About .02 apart, those of them that differ significantly, as many of them with the largest
        differences; all that differ significantly, as many with the largest differences.
        """
        by_difference = np.argsort(-np.abs(self.lead))
        near_by_difference = by_difference[self.near[by_difference]]
        both = self.near & self.significant
        parts = [
            self.near,
            both,
            near_by_difference[: both.sum()],
            self.significant,
            by_difference[: self.significant.sum()],
        ]
        return [self.swapped[part].mean() for part in parts]


def differences_of_means(table, i, j):
    means = table.mean(axis=0)
    return means[i] - means[j]


def topics_over_systems(scores):
    """How many times as much variation topics make as systems: of all, and without broken runs."""
    found = {}
    for name, part in {"all": scores, "runs": scores.loc[:, scores.mean() >= 0.05]}.items():
        shares = shares_of_variation(part)
        found[name] = shares["topics"] / shares["systems"]
    return found


def shares_of_variation(scores):
    """The shares of topics and of systems in the variation."""
    deviations = scores - scores.to_numpy().mean()
    total = (deviations**2).to_numpy().sum()
    of_topics = scores.shape[1] * (deviations.mean(axis=1) ** 2).sum()
    of_systems = scores.shape[0] * (deviations.mean() ** 2).sum()
    return {"topics": of_topics / total, "systems": of_systems / total}


def paired_over_unpaired(scores):
    """Over the first hundred ranks: how many times as many others differ significantly if paired.

    Medians, without a correction and with Holm's.
    """
    order = scores.mean().sort_values(ascending=False).index
    ratios = {"plain": [], "Holm": []}
    for name in order[:100]:
        others = scores.drop(columns=name)
        paired = stats.ttest_rel(scores[[name]], others).pvalue
        unpaired = stats.ttest_ind(scores[[name]], others).pvalue
        ratios["plain"].append((paired <= 0.05).sum() / (unpaired <= 0.05).sum())
        paired = paired[~np.isnan(paired)]  # of a twin
        ratios["Holm"].append(holm_rejects(paired).sum() / max(holm_rejects(unpaired).sum(), 1))
    return {name: float(np.median(values)) for name, values in ratios.items()}


def of_trec8():
    """The system of rank 13, the variation, and what pairing buys."""
    scores = irstd.load_dataset("trec8")
    found = thirteenth(scores)
    found |= {f"topics over systems, {k}": v for k, v in topics_over_systems(scores).items()}
    return found | {
        f"paired over unpaired, {k}": v for k, v in paired_over_unpaired(scores).items()
    }


def overlap_of_fifteen():
    """Of the 13th system: the share of those that overlap with it and differ significantly."""
    rows = [thirteenth(ap_of(name)) for name in FIFTEEN]
    table = pd.DataFrame(rows)[["overlap, share", "overlap, unpaired"]]
    return {
        "fifteen, overlap: median": table["overlap, share"].median(),
        "fifteen, overlap: least": table["overlap, share"].min(),
        "fifteen, overlap: most": table["overlap, share"].max(),
        "fifteen, overlap: below .2": (table["overlap, share"] < 0.2).sum(),
        "fifteen, overlap: most unpaired": table["overlap, unpaired"].max(),
    }


def overlap_at_other_ranks():
    """The median of that share over the first hundred ranks of TREC-8."""
    scores = irstd.load_dataset("trec8")
    return {"ranks 1 to 100, overlap: median": np.median(overlap_by_rank(scores))}


def overlap_by_rank(scores, ranks=range(100)):
    """Of the system at each rank: the share of those that overlap and differ significantly."""
    board = irstd.leaderboard(scores)
    shares = []
    for rank in ranks:
        name = board.index[rank]
        row = board.iloc[rank]
        others = board.drop(name)
        near = (others["low"] <= row["high"]) & (others["high"] >= row["low"])
        pvalues = stats.ttest_rel(scores[[name]], scores[others.index]).pvalue
        differ = holm_rejects(np.nan_to_num(pvalues, nan=1))  # a twin does not differ
        shares.append(differ[near.to_numpy()].mean())
    return shares


def of_fifteen():
    """How many times as much variation topics make as systems, on fifteen collections."""
    rows = pd.DataFrame([topics_over_systems(ap_of(name)) for name in FIFTEEN])
    found = {}
    for name, ratios in rows.items():
        found[f"fifteen, {name}: median"] = ratios.median()
        found[f"fifteen, {name}: least"] = ratios.min()
        found[f"fifteen, {name}: most"] = ratios.max()
    return found


ROWS = ["swap", "swap, significant", "swap, largest", "all significant", "all largest"]


def real_fifties():
    """Shares of pairs that swap between the sets of fifty topics of five years.

    Each set is the first once, and the others are the next; and the same without TREC-6's.
    """
    scores = irstd.load_dataset("robust2004")
    return with_and_without_the_first([part.to_numpy() for part in fifties(scores).values()])


def with_and_without_the_first(sets):
    found = swaps_between(sets)
    for name, value in swaps_between(sets[1:]).items():
        found[f"without TREC-6: {name}"] = value
    return found


def swaps_between(sets):
    rows = []
    for k, first in enumerate(sets):
        others = sets[:k] + sets[k + 1 :]
        rows.append(Pairs(first, others).last_rows())
    return dict(zip(ROWS, np.nanmean(rows, axis=0), strict=True))


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
    """The same if all topics are cut into five sets at random, and how often as many swap."""
    scores = irstd.load_dataset("robust2004")
    ends = np.cumsum([len(part) for part in fifties(scores).values()])
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(100):
        topics = rng.permutation(scores.to_numpy())
        rows.append(with_and_without_the_first(np.split(topics, ends[:-1])))
    table = pd.DataFrame(rows)
    found = {f"random: {name}": table[name].mean() for name in ROWS}
    years = real_fifties()
    for name in ("swap", "swap, significant"):
        for kind in (name, f"without TREC-6: {name}"):
            found[f"random, as many as of years: {kind}"] = (table[kind] >= years[kind]).mean()
    return found


RUNS = ["InexpC2", "NLPR03vb10", "UIUC03Rd1", "humR03dc", "rutcor03100", "uic0301"]
DEPTH = 100


def shallower_pool():
    """Six runs of Robust 2003: judged by a pool of their own only, and by all judgments."""
    folder = Path(os.environ["IRSTD_DATA"]) / "trectools"
    runs = {name: irstd.read_run(folder / "runs" / f"input.{name}.gz") for name in RUNS}
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    pool = pd.concat([first_documents(run) for run in runs.values()]).drop_duplicates()
    pooled = qrels.merge(pool, on=["query_id", "doc_id"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a run lacks topics, and scores 0 there
        means = {
            "pooled": irstd.evaluate(runs, pooled, ["AP", "P@10"]).mean(),
            "all": irstd.evaluate(runs, qrels, ["AP", "P@10"]).mean(),
        }
    found = {}
    for name, of_systems in means.items():
        for metric in ("AP", "P@10"):
            found[f"{metric}, {name}"] = of_systems[metric].mean()
    found["fall"] = found["AP, pooled"] - found["AP, all"]
    missing = 1 - relevant_by_topic(pooled) / relevant_by_topic(qrels)
    return found | {"missing": missing.mean()}


def first_documents(run):
    """The first documents of each topic, by score and then by document id, as trec_eval does."""
    order = run.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    return order.groupby("query_id").head(DEPTH)[["query_id", "doc_id"]]


def relevant_by_topic(qrels):
    """How many relevant documents of each topic are known."""
    return qrels[qrels["relevance"] > 0].groupby("query_id").size()


NUMBERS = {
    of_trec8: "trec8",
    overlap_at_other_ranks: "trec8",
    overlap_of_fifteen: DATA,
    of_fifteen: DATA,
    real_fifties: "robust2004",
    versions_of_one_system: "robust2004",
    random_fifties: "robust2004",
    shallower_pool: "robust2003-runs",
}
