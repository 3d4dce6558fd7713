"""The fifteen public collections whose AP, topic by topic, is in the registry."""

import pandas as pd

import irstd

FIFTEEN = ["trec5", "trec6", "trec7", "trec8", "robust2003", "robust2004"]
FIFTEEN += ["genomics2004", "web2004", "enterprise2006", "terabyte2006"]
FIFTEEN += ["web2010", "web2011", "web2012", "web2013", "web2014"]
DATA = "AP of fifteen collections"
FIFTIES = {  # the topics of Robust 2004, by the track that made them
    "T6": ("301", "350"),
    "T7": ("351", "400"),
    "T8": ("401", "450"),
    "R3": ("601", "650"),
    "R4": ("651", "700"),
}


def ap_of(name):
    """Topics by systems."""
    return irstd.load_dataset(name, "AP").dropna(axis=1)


def fifties(scores):
    """The scores of Robust 2004 on each of these sets of topics, by its name."""
    return {name: scores.loc[first:last] for name, (first, last) in FIFTIES.items()}


def by_collection(function):
    """The numbers that a function gives of a score matrix, a row for each collection."""
    return pd.DataFrame({name: function(ap_of(name)) for name in FIFTEEN}).T
