"""What public scores say of lesson 03: who foresees failures, and what is left of picked gaps."""

import numpy as np

import irstd

COLLECTIONS = ["trec5", "trec6", "trec7", "trec8", "robust2003", "robust2004"]
COLLECTIONS += ["genomics2004", "web2004"]
FAILURE = 0.01


def halves(scores, trials, seed=0):
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
        "GMAP": irstd.gmap(old, 0.01),
        "count": -(old < FAILURE).sum(),
    }
    return {name: irstd.rank_correlation(x, failures_to_come) for name, x in numbers.items()}


def picked(old, new, pairs=10):
    """The mean gaps of the most unlike neighbours by MAP: in failures and GMAP, old and new."""
    order = old.mean().sort_values(ascending=False, kind="stable").index

    def gaps(values):
        """What each system of the upper half has above the next one."""
        return values[order].diff(-1)[: len(order) // 2].to_numpy()

    of_all = [gaps((x < FAILURE).mean()) for x in (old, new)]
    of_all += [gaps(-irstd.gmap(x, 0.01)) for x in (old, new)]
    direction = np.sign(of_all[0])
    chosen = np.argsort(-np.abs(of_all[0]), kind="stable")[:pairs]
    return [(direction * gap)[chosen].mean() for gap in of_all]


def who_foresees_failures():
    """Tau by MAP, GMAP and count; the mean of sixty halves of each collection."""
    found = {}
    for name in COLLECTIONS:
        rows = [forecasts(*parts) for parts in halves(irstd.load_dataset(name), 60)]
        for number in rows[0]:
            found[f"{name}: {number}"] = np.mean([row[number] for row in rows])
    return found


def what_is_left_of_picked_gaps():
    """The share of the gap that is left on other topics: of failures, and of GMAP."""
    found = {}
    for name in COLLECTIONS:
        scores = irstd.load_dataset(name)
        pairs = 5 if scores.shape[1] < 60 else 10
        gaps = np.mean([picked(*parts, pairs) for parts in halves(scores, 60)], axis=0)
        found[f"{name}: failures left"] = gaps[1] / gaps[0]
        found[f"{name}: GMAP left"] = gaps[3] / gaps[2]
    return found


NUMBERS = {
    who_foresees_failures: ", ".join(COLLECTIONS),
    what_is_left_of_picked_gaps: ", ".join(COLLECTIONS),
}
