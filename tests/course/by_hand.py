"""Values of notebook 06 that no paper prints, by numpy and scipy alone, from the files as they are.

Where a paper has the digits, these are the oracle: the ledger holds the notebook to them.
"""

import numpy as np
import pandas as pd
from scipy import stats

SETS = {"T7": (351, 400), "T8": (401, 450), "R3": (601, 650), "R4": (651, 700)}
PAIRS = [("T7", "T8"), ("T7", "R3"), ("T7", "R4"), ("T8", "R3"), ("T8", "R4"), ("R3", "R4")]
N_LATER = 110  # systems of Robust 2004


def values(folder):
    """All of them, by the names of their claims."""
    t7 = scores_of(folder, "sigir2019-statistical/adhoc7_ap.csv")
    t8 = scores_of(folder, "sigir2019-statistical/adhoc8_ap.csv")
    r3 = scores_of(folder, "irj2015-reliability/robust2003.csv")[50:]  # without the old topics
    robust = pd.read_csv(folder / "sigir2018-simulation/robust2004_ap.csv", index_col=0)
    topic = robust.index.astype(int)
    later = robust.to_numpy(float)
    ap = {name: later[(topic >= a) & (topic <= b)] for name, (a, b) in SETS.items()}
    originals = {"T7": t7, "T8": t8, "R3": r3, "R4": ap["R4"]}
    by_old = {name: normal_scores(ap[name], originals[name]) for name in SETS}

    after_350 = ((topic >= 351) & (topic <= 450)) | (topic > 600)
    return {
        "ours-item-total-all": item_total(t8),
        **between_collections(ap, by_old),
        **significantly_better(ap, by_old),
        "rm08-easy-8": pearson(t8.mean(axis=1), t8.std(axis=1)),
        **mean_and_spread({"trec8": t8, "robust2004": later}),
        **equal_means(later[after_350]),
    }


def scores_of(folder, key):
    return pd.read_csv(folder / key).to_numpy(float)


def z_scores(x, reference):
    """Topics by systems, standardized by the means and sds of the topics in `reference`."""
    z = (x.T - reference.mean(axis=1)) / reference.std(axis=1, ddof=1)
    return z.T


def normal_scores(x, reference):
    return stats.norm.cdf(z_scores(x, reference))


def item_total(t8):
    """The correlation over topics of item-total correlation and sd."""
    of_other_topics = t8.sum(axis=0) - t8
    both = zip(t8, of_other_topics, strict=True)
    item_totals = [pearson(scores, total) for scores, total in both]
    return pearson(item_totals, t8.std(axis=1))


def pearson(x, y):
    return np.corrcoef(x, y)[0, 1]


def drmse(c, d):
    c = c.mean(axis=0)
    d = d.mean(axis=0)
    rmse = np.sqrt(((c - d) ** 2).mean())
    return rmse * 2 / (c.std(ddof=1) + d.std(ddof=1))


def between_collections(ap, by_old):
    """dRMSE of pairs of collections, raw and standardized, and pairs in the wrong order."""
    raw = np.array([drmse(ap[c], ap[d]) for c, d in PAIRS])
    standardized = np.array([drmse(by_old[c], by_old[d]) for c, d in PAIRS])
    ratio_of_sums = standardized.sum() / raw.sum()
    mean_ratio = np.mean(standardized / raw)
    return {
        "wmz08-central": central(ap, by_old),
        "wmz08-t5-similar": standardized.max() / standardized.min(),
        "wmz08-two-thirds": [100 * (1 - ratio_of_sums), 100 * (1 - mean_ratio)],
    }


def central(ap, by_old):
    """Pairs in the wrong order: standardized on two sets, over raw on one, pair by pair."""
    on_two = 0
    on_one = 0
    for c, d in PAIRS:
        others = [scores.mean(axis=0) for name, scores in ap.items() if name not in (c, d)]
        truth = sum(others).round(12)
        on_two += wrong_order(by_old[c], by_old[d], truth)
        on_one += wrong_order(ap[c], ap[c], truth) + wrong_order(ap[d], ap[d], truth)
    return 2 * on_two / on_one


def wrong_order(x, y, truth):
    """Of the pairs of a better and a worse system, those that x of one and y of the other turn."""
    x = x.mean(axis=0).round(12)
    y = y.mean(axis=0).round(12)
    better, worse = np.nonzero(truth[:, None] > truth)
    return (x[better] <= y[worse]).sum() + (y[better] <= x[worse]).sum()


def different(c, d):
    """Systems that are better on c, and on d, by a pooled two-sample t-test."""
    t, p = stats.ttest_ind(c, d)
    rejected = p <= 0.05
    return np.array([(rejected & (t > 0)).sum(), (rejected & (t < 0)).sum()])


def significantly_better(ap, by_old):
    """In percent of the systems: those that differ significantly from themselves."""
    _, better_on_r3 = different(ap["T7"], ap["R3"])
    counts = np.array([different(by_old[c], by_old[d]) for c, d in PAIRS])
    percent = 100 * counts / N_LATER
    return {
        "wmz08-t4-better": 100 * better_on_r3 / N_LATER,
        "wmz08-fpr-mean": percent.mean(),
        "wmz08-fpr-max": percent.max(),
    }


def mean_and_spread(tables):
    """How the sd of a system goes with its mean: by raw scores, and by z of all and of the best."""
    found = {}
    for name, scores in tables.items():
        tau = stats.kendalltau(scores.mean(axis=0), scores.std(axis=0))
        found[f"hcmv10-f2-{name}"] = tau.statistic

    later = tables["robust2004"]
    best = later[:, np.argsort(-later.mean(axis=0))[:82]]
    pvalues = []
    for scores in (later, best):
        z = z_scores(scores, scores)
        for test in (stats.kendalltau, stats.pearsonr):
            pvalues.append(test(z.mean(axis=0), z.std(axis=0)).pvalue)
    found["hcmv10-f5-z-robust2004"] = pvalues
    return found


def equal_means(scores):
    """The two systems with a mean of .304, and whether their spread differs."""
    pair = scores[:, np.floor(1000 * scores.mean(axis=0)) == 304]
    by_mean = stats.levene(*pair.T, center="mean")
    by_median = stats.levene(*pair.T, center="median")
    return {
        "hcmv10-t1-same": stats.ttest_rel(*pair.T).pvalue,
        "hcmv10-t1-levene": [by_mean.pvalue, by_median.pvalue],
    }
