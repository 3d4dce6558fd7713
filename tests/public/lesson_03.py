"""What public scores say of lesson 03: picked gaps, votes, who foresees failures, and halves.

The functions of a score matrix are asked of campaigns, too, by tests/course/of_campaigns.py.
"""

import functools
from functools import partial

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of, by_collection
from halves import halves, left_out, tau_gained
from scipy import stats

import irstd

FAILURE = 0.01
EPSILON = 0.01
SPLITS = 300
PARTS = 10
SMALL, HIGH = 0.02, 0.3


def forecasts(old, new, failure=FAILURE):
    """Tau of three numbers with the share of failures on the other topics, the fewest first."""
    failures_to_come = -(new < failure).mean()
    of_old = three_numbers(old, failure)
    return {name: irstd.rank_correlation(x, failures_to_come) for name, x in of_old.items()}


def three_numbers(scores, failure=FAILURE):
    return {
        "MAP": scores.mean(),
        "GMAP": irstd.gmap(scores, EPSILON),
        "count": -(scores < failure).sum(),
    }


def foresee(scores, failure=FAILURE):
    """The mean of `forecasts` over random halves, and what two are ahead of MAP."""
    found = pd.DataFrame([forecasts(*parts, failure) for parts in halves(scores)]).mean()
    for name in ("GMAP", "count"):
        found[f"{name} ahead of MAP"] = found[name] - found["MAP"]
    return found.to_dict()


def order_of_pairs(number):
    """Which system of each pair has the larger number: 1 the first, -1 the second, 0 a tie."""
    equal_on_paper = np.asarray(number, float).round(12)
    first, second = np.triu_indices(len(equal_on_paper), 1)
    return np.sign(equal_on_paper[first] - equal_on_paper[second])


def right_of_each_pair(scores):
    """How often numbers order pairs as failures to come do, less how often not (Somers' d).

    Over all pairs whose failures to come differ, a tie a coin: tau leaves the pairs out that tie
    in the number, so a number is not charged for its ties.
    """
    rows = []
    for old, new in halves(scores):
        truth = order_of_pairs(-(new < FAILURE).mean())
        right = {name: order_of_pairs(x) @ truth for name, x in three_numbers(old).items()}
        rows.append(pd.Series(right) / np.abs(truth).sum())
    return pd.DataFrame(rows).mean()


def foresee_each_pair(scores):
    """By how much two numbers are ahead of MAP over all pairs."""
    found = right_of_each_pair(scores)
    ahead = found[["GMAP", "count"]] - found["MAP"]
    return ahead.add_prefix("each pair: ").add_suffix(" ahead of MAP").to_dict()


def gaps_of_picked(old, new, pairs):
    """The mean gaps of the most unlike neighbors by MAP: in failures and GMAP, old and new.

    And what is left of the new gap in GMAP beyond what MAP shows on the new topics.
    """
    order = old.mean().sort_values(ascending=False, kind="stable").index
    n_upper = len(order) // 2
    numbers = {
        "failures": (old < FAILURE).mean(),
        "new failures": (new < FAILURE).mean(),
        "GMAP": -irstd.gmap(old, EPSILON),
        "new GMAP": -irstd.gmap(new, EPSILON),
        "beyond MAP": -beyond_map(new, order[: n_upper + 1]),
    }
    above_next = pd.DataFrame(numbers).loc[order].diff(-1).iloc[:n_upper]
    chosen = np.argsort(-above_next["failures"].abs().to_numpy(), kind="stable")[:pairs]
    chosen = above_next.iloc[chosen]
    return chosen.mul(np.sign(chosen["failures"]), axis=0).mean()


def beyond_map(scores, fitted):
    """GMAP less what the line of these systems' GMAP on their MAP says."""
    by_mean = scores.mean()
    by_gmap = irstd.gmap(scores, EPSILON)
    line = stats.linregress(by_mean[fitted], by_gmap[fitted])
    return by_gmap - line.slope * by_mean


def picked(scores):
    """The share of the gap that is left on other topics: of failures, of GMAP, and beyond MAP."""
    pairs = 5 if scores.shape[1] < 60 else 10
    gaps = pd.DataFrame([gaps_of_picked(*parts, pairs) for parts in halves(scores)]).mean()
    return {
        "failures left": gaps["new failures"] / gaps["failures"],
        "GMAP left": gaps["new GMAP"] / gaps["GMAP"],
        "GMAP gap that MAP shows": 1 - gaps["beyond MAP"] / gaps["new GMAP"],
    }


def votes(scores):
    """The influence of the hardest fifth of the topics in MAP."""
    hard_first = scores.mean(axis=1).sort_values().index
    hardest, *_ = np.array_split(irstd.topic_influence(scores)[hard_first], 5)
    return {"hardest fifth: MAP": hardest.sum()}


def orders(scores):
    """Tau of the orders by MAP and by GMAP."""
    tau = irstd.rank_correlation(scores.mean(), irstd.gmap(scores, 1e-5))
    return {"tau with MAP: GMAP 1e-05": tau}


def more_consistent(scores, trials=SPLITS):
    """By how much the halves of a collection agree more by GMAP than by MAP, in tau."""
    splits = irstd.split_topics(scores.index, trials=trials)
    return tau_gained(scores, splits, epsilon=EPSILON).mean()


def luck(scores, trials=SPLITS):
    """The standard error of `more_consistent` by the jackknife, over tenths of the topics."""
    topics = np.random.default_rng(0).permutation(scores.index)
    parts = np.array_split(topics, PARTS)
    return left_out(scores, parts, lambda rest: [more_consistent(rest, trials)]).item()


@functools.cache
def numbers(name):
    """Of one collection: what is left, who foresees failures, and consistency."""
    scores = ap_of(name)
    found = foresee(scores) | foresee_each_pair(scores) | picked(scores)
    return found | {"more consistent": (more_consistent(scores), luck(scores))}


def of_each():
    found = {}
    for name in FIFTEEN:
        for number, value in numbers(name).items():
            found[f"{name}: {number}"] = value
    return found


def of_trec8():
    scores = irstd.load_dataset("trec8")
    return votes(scores) | orders(scores)


def medians():
    """Over the fifteen collections."""
    table = pd.DataFrame([numbers(name) for name in FIFTEEN])
    table["more consistent"] = [gain for gain, _ in table["more consistent"]]
    return {f"median: {name}": value for name, value in table.median().items()}


def other_failures():
    """If a failure is a score below .3: on how many of the fifteen GMAP is ahead of MAP."""
    ahead = by_collection(partial(foresee, failure=0.3))["GMAP ahead of MAP"]
    return {"of fifteen: GMAP ahead of MAP, below 0.3": (ahead > 0).sum()}


def lead_without(scores, trials=1000):
    """Lead of GMAP in tau of halves and how often it is ahead; its lead without either end.

    Without zeros: small scores are lifted; without high scores: they are cut.
    """
    splits = irstd.split_topics(scores.index, trials=trials)
    forms = {"": scores}
    forms[" without zeros"] = scores.clip(lower=SMALL)
    forms[" without high scores"] = scores.clip(upper=HIGH)
    found = {}
    for name, form in forms.items():
        gained = tau_gained(form, splits, epsilon=EPSILON)
        found[f"lead{name}"] = gained.mean()
        if form is scores:
            found["ahead"] = (gained > 0).mean()
    return found


def leads_without():
    """Of the collections where GMAP leads by more than .03, and of TREC 8.

    Last, Spearman's correlation of the share of zeros and the lead, over the fifteen.
    """
    found, zeros, leads = {}, [], []
    for name in FIFTEEN:
        scores = ap_of(name)
        of_name = lead_without(scores)
        zeros.append((scores == 0).mean(axis=None))
        leads.append(of_name["lead"])
        if of_name["lead"] > 0.03 or name == "trec8":
            found[f"{name}: zeros"] = zeros[-1]
            found |= {f"{name}: {number}": value for number, value in of_name.items()}
    found["zeros and lead: Spearman"] = stats.spearmanr(zeros, leads).statistic
    return found


NUMBERS = {
    of_each: DATA,
    of_trec8: "trec8",
    medians: DATA,
    other_failures: DATA,
    leads_without: DATA,
}
