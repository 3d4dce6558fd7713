"""What an archived leaderboard, MTEB's retrieval data sets, says of lesson 09.

The functions of a board (data sets x models) are asked of simulated ones, too, by
tests/course/of_campaigns.py.
"""

import functools
from functools import partial

import numpy as np
import pandas as pd
from halves import left_out, tau_gained
from ladder import signs

import irstd

LACKING = 5  # data sets that a model lacks
KINDS = ("any", "hard", "worst")  # of the gaps
DRAWS = 10
ASKED = 3  # each third model, from the first place to the last, is the one with gaps
SHARES = (0.02, 0.25, 0.75, 0.95)  # of the models that have gaps; half of them is the rule
SPLITS = 500
FEWER_SPLITS = 200
APART = 0.07  # of all models: eight places of 110


def movement(board):
    """By data set: the places that models move without it, its sd, and what it says alone."""
    ranks = board.mean().rank(ascending=False)
    rows = {}
    for name, scores in board.iterrows():
        others = board.drop(index=name).mean()
        moved = (others.rank(ascending=False) - ranks).abs().mean()
        alone = scores.std() * np.sqrt(1 - scores.corr(others) ** 2)
        rows[name] = moved, scores.std(), alone
    return pd.DataFrame(rows, ["places moved", "sd", "says alone"]).T


def who_decides(board):
    """The correlation of places moved with the sd, and with what a data set says alone."""
    r = movement(board).corr()["places moved"]
    return {f"places moved, r: {name}": r[name] for name in ("sd", "says alone")}


def additive_and_noise(board, seed=0):
    """A board with the same means of models and of data sets, on which all else is noise."""
    models = board.mean() - board.mean().mean()
    datasets = board.mean(axis=1)
    rest = board.sub(datasets, axis=0).sub(models, axis=1)
    noise = np.random.default_rng(seed).normal(size=board.shape)
    noise = pd.DataFrame(noise, board.index, board.columns).mul(rest.std(axis=1), axis=0)
    return noise.add(datasets, axis=0).add(models, axis=1)


def shuffled(board, seed=0):
    """The scores of each data set, given to the models at random."""
    values = np.random.default_rng(seed).permuted(board.to_numpy(), axis=1)
    return pd.DataFrame(values, board.index, board.columns)


def who_decides_by_noise(board):
    """The correlation with what a data set says alone, where that is noise."""
    boards = {"noise": additive_and_noise(board), "shuffled": shuffled(board)}
    found = {}
    for name, table in boards.items():
        r = who_decides(table)["places moved, r: says alone"]
        found[f"places moved, r, {name}: says alone"] = r
    return found


def take_out(board, which, models, rng):
    """Let models lack five data sets: any, of the eight hardest, or each its worst."""
    gappy = board.copy()
    z = irstd.standardize(board, method="z")
    hard = board.mean(axis=1).sort_values().index[: len(board) // 2 + 1]
    for model in models:
        worst = z[model].sort_values().index[:LACKING]
        out = {"any": board.index, "hard": hard, "worst": worst}[which]
        gappy.loc[rng.permutation(out)[:LACKING], model] = np.nan
    return gappy


def mean_z(board):
    """By model, over the data sets that it has."""
    centered = board.sub(board.mean(axis=1), axis=0)
    return centered.div(board.std(axis=1), axis=0).mean()


def ways(board):
    """The places of the models by three ways to rank."""
    values = {
        "mean": board.mean(),
        "zero votes": irstd.rankings.borda(board, missing="zero"),
        "z": mean_z(board),
    }
    return pd.DataFrame(values).rank(ascending=False)


def gain_of(board, which, models, rng):
    """By how much of all places these models stand higher with gaps than without, by way."""
    gappy = take_out(board, which, models, rng)
    return (ways(board) - ways(gappy)).loc[models].mean() / board.shape[1]


def gained(board, draws=DRAWS, share=0.5):
    """The same by way and kind of gap; so many of the models have gaps, others are complete."""
    number = round(share * board.shape[1])

    def gains(which):
        for seed in range(draws):
            rng = np.random.default_rng(seed)
            models = rng.permutation(board.columns)[:number]
            yield gain_of(board, which, models, rng)

    return by_kind("gain", gains)


def gained_alone(board):
    """The same of a model that alone has gaps; the mean over each third model, by place."""
    by_place = board.mean().sort_values(ascending=False).index
    rng = np.random.default_rng(0)

    def gains(which):
        for model in by_place[::ASKED]:
            yield gain_of(board, which, [model], rng)

    return by_kind("gain alone", gains)


def by_kind(name, gains):
    """The means of what `gains` yields of each kind of gaps."""
    found = {}
    for which in KINDS:
        for way, gain in pd.DataFrame(gains(which)).mean().items():
            found[f"{name}, {which}: {way}"] = gain
    return found


def gained_by_noise(board):
    """The gain of hidden failures by mean z, where failures are noise."""
    found = gained(additive_and_noise(board))
    return {"gain by noise, worst: z": found["gain, worst: z"]}


def intervals(board):
    """The median span of the intervals of ranks, a share of all."""
    found = irstd.rank_intervals(board)
    span = found["high"] - found["low"] + 1
    return {"span": span.median() / board.shape[1]}


def lower_ahead(board):
    """How often the lower of two models is ahead on a data set by which they were not ranked."""
    return {"lower ahead: a fourteenth apart": lower_by_rank(board).mean()}


def lower_by_rank(board):
    """The same, by the rank of the upper model."""
    apart = round(APART * board.shape[1])
    share = []
    for dataset, scores in board.iterrows():
        known = board.drop(index=dataset).mean()
        order = known.sort_values(ascending=False).index
        share.append(scores[order[apart:]].to_numpy() > scores[order[:-apart]].to_numpy())
    return np.mean(share, axis=0)


def swapped(board):
    """The share of pairs of the first half of the models that swap when the others come."""
    half = board.shape[1] // 2
    first_half = board.iloc[:, :half]
    names = first_half.columns
    factors = irstd.standardization_factors(first_half)
    upper = np.triu_indices(half, 1)

    def z(scores, by=None):
        return irstd.standardize(scores, by, method="z").mean()

    pairs = {
        "z among those present": (z(first_half), z(board)),
        "Borda": (irstd.rankings.borda(first_half), irstd.rankings.borda(board)),
        "z by factors": (z(first_half, factors), z(board, factors)),
    }
    found = {}
    for name, sides in pairs.items():
        of_pairs = [signs(means[names], means[names]) for means in sides]
        found[f"swap: {name}"] = np.not_equal(*of_pairs)[upper].mean()
    return found


def halves(board, trials=SPLITS):
    """Tau of the orders by two random halves of the data sets, raw and by z."""
    splits = irstd.split_topics(len(board), size=len(board) // 2, trials=trials)
    return {"tau gained by z": tau_gained(board, splits, method="z").mean()}


def all_of(board):
    found = who_decides(board) | gained(board) | intervals(board) | lower_ahead(board)
    return found | swapped(board) | halves(board)


def controls(board):
    """What noise does, and what a model gains that alone has gaps."""
    return who_decides_by_noise(board) | gained_by_noise(board) | gained_alone(board)


@functools.cache
def mteb():
    """Complete models only."""
    board = irstd.load_dataset("mteb-retrieval").dropna(axis="columns")
    return board.sort_index(axis="columns")


def of_mteb():
    return all_of(mteb()) | controls(mteb())


def best_of(board, number):
    best = board.mean().nlargest(number).index
    return board.loc[:, board.columns.isin(best)]


def of_the_best():
    """The same of the best models alone; and the better or the worse half as newcomers."""
    board = mteb()
    half = best_of(board, board.shape[1] // 2)
    others = board.drop(columns=half.columns)
    found = {"best half: span": intervals(half)["span"]}
    orders = {"better newcomers": [others, half], "worse newcomers": [half, others]}
    for kind, models in orders.items():
        swaps = swapped(pd.concat(models, axis=1))
        found |= {f"{kind}, {name}": value for name, value in swaps.items()}
    best = who_decides(best_of(board, 30))
    return found | {f"best 30: {name}": value for name, value in best.items()}


def halves_with_errors():
    """Tau gained by z of the best 30, with its jackknife error over data sets."""
    board = best_of(mteb(), 30)
    error = left_out(board, board.index, partial(halves, trials=FEWER_SPLITS)).item()
    return {"best 30: tau gained by z": (halves(board)["tau gained by z"], error)}


def by_share_with_gaps():
    """What the bold sentences say of gaps, by the share of the models that have them."""
    wanted = {"hard": "mean", "any": "zero votes", "worst": "z"}
    found = {}
    for share in SHARES:
        gains = gained(mteb(), draws=DRAWS // 2, share=share)
        for which, way in wanted.items():
            found[f"gain of {share}, {which}: {way}"] = gains[f"gain, {which}: {way}"]
    return found


def lower_ahead_by_rank():
    """Sixteen places apart: of the upper models, those ranked 1 to 25, and those in the middle."""
    by_rank = lower_by_rank(mteb())
    found = {"upper in 1-25": by_rank[:25].mean(), "upper in 51-100": by_rank[50:100].mean()}
    return found | {"upper in the last 25": by_rank[-25:].mean()}


FUNCTIONS = (of_mteb, of_the_best, halves_with_errors, lower_ahead_by_rank, by_share_with_gaps)
NUMBERS = {function: "mteb-retrieval" for function in FUNCTIONS}
