"""What public scores say of lesson 03: picked gaps, votes, who foresees failures, and halves.

The functions of a score matrix are asked of campaigns, too, by tests/course/test_lessons_03.py.
"""

import functools

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of

import irstd

FAILURE = 0.01
EPSILON = 0.01
TRIALS = 60
SPLITS = 300
PARTS = 10


def halves(scores, trials=TRIALS, seed=0):
    """Random halves of the topics: the scores on the one, and on the other."""
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        topics = rng.permutation(scores.index)
        middle = len(topics) // 2
        yield scores.loc[topics[:middle]], scores.loc[topics[middle:]]


def forecasts(old, new):
    """Tau of three numbers with the share of failures on the other topics, the fewest first."""
    failures_to_come = -(new < FAILURE).mean()
    numbers = {
        "MAP": old.mean(),
        "GMAP": irstd.gmap(old, EPSILON),
        "count": -(old < FAILURE).sum(),
    }
    return {name: irstd.rank_correlation(x, failures_to_come) for name, x in numbers.items()}


def foresee(scores):
    """The mean of `forecasts` over random halves, and what two are ahead of MAP."""
    found = pd.DataFrame([forecasts(*parts) for parts in halves(scores)]).mean()
    for name in ("GMAP", "count"):
        found[f"{name} ahead of MAP"] = found[name] - found["MAP"]
    return found.to_dict()


def gaps_of_picked(old, new, pairs):
    """The mean gaps of the most unlike neighbours by MAP: in failures and GMAP, old and new."""
    order = old.mean().sort_values(ascending=False, kind="stable").index

    def gaps(values):
        """What each system of the upper half has above the next one."""
        return values[order].diff(-1)[: len(order) // 2].to_numpy()

    of_all = [gaps((x < FAILURE).mean()) for x in (old, new)]
    of_all += [gaps(-irstd.gmap(x, EPSILON)) for x in (old, new)]
    direction = np.sign(of_all[0])
    chosen = np.argsort(-np.abs(of_all[0]), kind="stable")[:pairs]
    return [(direction * gap)[chosen].mean() for gap in of_all]


def picked(scores):
    """The share of the gap that is left on other topics: of failures, and of GMAP."""
    pairs = 5 if scores.shape[1] < 60 else 10
    gaps = np.mean([gaps_of_picked(*parts, pairs) for parts in halves(scores)], axis=0)
    return {"failures left": gaps[1] / gaps[0], "GMAP left": gaps[3] / gaps[2]}


def votes(scores):
    """The influence of the hardest fifth of the topics, and of the easiest, by three means."""
    hard_first = scores.mean(axis=1).sort_values().index
    forms = {"MAP": scores}
    for epsilon in (1e-2, 1e-5):
        forms[f"GMAP {epsilon:g}"] = np.log(scores + epsilon)
    found = {}
    for name, form in forms.items():
        fifths = np.array_split(irstd.topic_influence(form)[hard_first], 5)
        found[f"hardest fifth: {name}"] = fifths[0].sum()
        found[f"easiest fifth: {name}"] = fifths[-1].sum()
    return found


def orders(scores):
    """Tau of the orders by MAP and by two GMAPs."""
    means = scores.mean()
    found = {}
    for epsilon in (1e-2, 1e-5):
        by_gmap = irstd.gmap(scores, epsilon)
        found[f"tau with MAP: GMAP {epsilon:g}"] = irstd.rank_correlation(means, by_gmap)
    return found


def more_consistent(scores, trials=SPLITS):
    """By how much the halves of a collection agree more by GMAP than by MAP, in tau."""
    splits = irstd.split_topics(scores.index, trials=trials)
    options = {"statistics": ["tau"]}
    by_mean = irstd.split_experiment(scores, splits, **options)["tau"].mean()
    by_gmap = irstd.split_experiment(scores, splits, epsilon=EPSILON, **options)["tau"].mean()
    return by_gmap - by_mean


def luck(scores, trials=SPLITS):
    """The standard error of `more_consistent` by the jackknife, over tenths of the topics."""
    topics = np.random.default_rng(0).permutation(scores.index)
    differences = []
    for part in np.array_split(topics, PARTS):
        differences.append(more_consistent(scores.drop(index=part), trials))
    return np.sqrt((PARTS - 1) * np.var(differences))


def consistency(scores):
    return {
        "small scores": (scores < FAILURE).mean(axis=None),
        "more consistent": (more_consistent(scores), luck(scores)),
    }


@functools.cache
def numbers(name):
    """Of one collection: what is left, who foresees failures, and consistency."""
    scores = ap_of(name)
    return foresee(scores) | picked(scores) | consistency(scores)


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
    table = pd.DataFrame([numbers(name) for name in FIFTEEN]).drop(columns="small scores")
    table["more consistent"] = [gain for gain, _ in table["more consistent"]]
    return {f"median: {name}": value for name, value in table.median().items()}


def other_systems():
    """The systems of Robust 2004 on the topics of TREC-6: as hard, with fewer small scores."""
    scores = irstd.load_dataset("robust2004").loc["301":"350"]
    found = consistency(scores)
    return {f"trec6, systems of 2004: {name}": value for name, value in found.items()}


NUMBERS = {
    of_each: DATA,
    of_trec8: "trec8",
    medians: DATA,
    other_systems: "robust2004",
}
