"""What lesson 01 says of public scores: TREC-8, and other topics of Robust 2004."""

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of
from scipy import stats
from statsmodels.stats.multitest import multipletests

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
        "paired": paired.sum(),
        "unpaired": holm_rejects(unpaired_p).sum(),
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


def next_fifty():
    """Shares of pairs that swap on the next fifty topics, over fifty draws of 200 topics."""
    table = irstd.load_dataset("robust2004").to_numpy()
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(50):
        topics = rng.permutation(table)[:200]
        first, *fifties = np.split(topics, 4)
        rows.append(Pairs(first, fifties).last_rows())
    return dict(zip(ROWS, np.mean(rows, axis=0), strict=True))


NUMBERS = {of_trec8: "trec8", of_fifteen: DATA, next_fifty: "robust2004"}
