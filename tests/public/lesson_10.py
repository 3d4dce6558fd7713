"""What notebook 10 says of public data: the law of the two gaps, TREC-COVID, and what is bounded.

The law was found on sets of fifty topics of Robust 2004, and on thirds of TREC 8: the break-even
of d is g, up to .3, for g up to 1.4, and no smaller than g beyond that. The four collections below
were named, and these limits written down, before the law was computed on any of them.
"""

import itertools
import os
from pathlib import Path

import numpy as np
import pandas as pd
from fifteen import FIFTEEN, ap_of, fifties
from ladder import gap, signs, wrong
from public.two_gaps import at_random, hard_and_easy, law, partly_hard

import irstd

NAMED_BEFORE = ["genomics2004", "enterprise2006", "web2010", "judges-dl2021"]
OTHERS = ["trec5", "trec6", "trec7", "trec8", "robust2003", "web2004", "terabyte2006"]
OTHERS += ["web2011", "web2012", "web2013", "web2014", "judges-dl2019", "judges-dl2020"]


def scores_of(name):
    """AP, or by people the scores that judges gave, too."""
    scores = irstd.load_dataset(name)
    if scores.columns.nlevels > 1:
        scores = scores["original"].dropna()
    return scores


def thirds_of(name):
    """Five designs of a collection: by difficulty, by difficulty and luck, at random."""
    scores = scores_of(name)
    designs = {"hard and easy": hard_and_easy(scores)}
    for seed in (0, 1):
        designs[f"partly hard {seed}"] = partly_hard(scores, seed)
        designs[f"random {seed}"] = at_random(scores, seed)
    return {f"{name}, {design}": parts for design, parts in designs.items()}


def pairs_of_fifties():
    """Pairs of sets of fifty topics of Robust 2004; the truth is on all others."""
    scores = irstd.load_dataset("robust2004")
    designs = {}
    for (name, c), (other, d) in itertools.combinations(fifties(scores).items(), 2):
        rest = scores.drop(index=[*c.index, *d.index])
        designs[f"robust2004, {name} and {other}"] = (c, d, rest)
    return designs


def named(table):
    """The numbers of a table by row and column."""
    cells = table.stack()
    return {f"{design}: {column}": value for (design, column), value in cells.items()}


def law_on_fifties():
    """Where the law was found."""
    return named(law(pairs_of_fifties()))


def law_on(collections):
    found = {}
    for name in collections:
        found |= named(law(thirds_of(name)))
    return found


def law_on_collections_named_before():
    """Where it was tried."""
    return law_on(NAMED_BEFORE)


def law_on_other_collections():
    """Everywhere else; on TREC 8 it was seen before."""
    return law_on(OTHERS)


def covid(number):
    """nDCG@10 of the automatic runs of a round on topics 1 to 30, and their teams."""
    folder = Path(os.environ["IRSTD_DATA"]) / "trec-covid"
    systems = pd.read_csv(folder / f"round{number}_systems.csv").rename(columns={"type": "runtype"})
    systems = systems.drop_duplicates("run").set_index("run")
    scores = pd.read_csv(folder / f"round{number}_ndcg_cut_10.csv", index_col=0).loc[1:30]
    kind = systems["runtype"].reindex(scores.columns)
    scores = scores.loc[:, kind == "automatic"]
    return scores, systems["team"][scores.columns]


def trec_covid():
    """Teams in one round against teams in another one, by references and by one pivot.

    The truth is the order of two teams within a round, where both rounds have the same one.
    """
    found = {}
    for one, other in ((1, 2), (2, 3), (1, 3)):
        row = between_rounds(covid(one), covid(other))
        found |= {f"ndcg_cut_10, rounds {one} and {other}: {k}": v for k, v in row.items()}
    return found


def between_rounds(c, d):
    """Of two rounds g, d, and wrong pairs by each scale and by one pivot: median and worst."""
    teams = sorted(set(c[1]) & set(d[1]))

    def means_by(method):
        means = []
        for scores, of_team in (c, d):
            scores = irstd.standardize(scores, method=method) if method else scores
            means.append(scores.mean().groupby(of_team).mean()[teams].to_numpy())
        return means

    means = {"raw": means_by(None), "two": means_by("collection"), "normal": means_by("normal")}
    raw_c, raw_d = means["raw"]
    order_c, order_d = signs(raw_c, raw_c), signs(raw_d, raw_d)
    truth = np.where(order_c == order_d, order_c, 0)
    row = {"teams": len(teams), "g": gap(raw_c, raw_d), "d": gap(*means["normal"])}
    row |= {name: wrong(*sides, truth) for name, sides in means.items()}
    pivots = []
    for pivot in range(len(teams)):
        others = np.arange(len(teams)) != pivot
        sides = [raw[others] - raw[pivot] for raw in (raw_c, raw_d)]
        pivots.append(wrong(*sides, truth[np.ix_(others, others)]))
    return row | {"one pivot": np.median(pivots), "worst pivot": max(pivots)}


def matrices():
    """The matrices of notebook 10 by their names there."""
    for name in FIFTEEN:
        yield f"{name} AP", ap_of(name)
    for name in ("robust2004", "terabyte2006"):
        yield f"{name} nDCG", irstd.load_dataset(name, "nDCG")
    for year in range(2010, 2015):
        yield f"web{year} nDCG@20", irstd.load_dataset(f"web{year}", "nDCG@20")
    for year in (2019, 2020, 2021):
        yield f"DL {year}", scores_of(f"judges-dl{year}")
    board = irstd.load_dataset("mteb-retrieval").dropna(axis="columns")
    yield "MTEB", board.loc[:, ~board.T.duplicated()]


def bounded_scores():
    """The trend of spread on mean after z, and what bounded scores would give."""
    found = {}
    for name, scores in matrices():
        found[f"{name}: level"] = scores.mean(axis=None)
        for number, value in irstd.variability.spread_trend(scores).items():
            found[f"{name}: z {number}"] = value
    return found


NUMBERS = {
    law_on_fifties: "robust2004",
    law_on_collections_named_before: ", ".join(NAMED_BEFORE),
    law_on_other_collections: ", ".join(OTHERS),
    trec_covid: "trec-covid",
    bounded_scores: "as in notebook 10",
}
