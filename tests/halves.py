"""Halves of the topics, and numbers without a part of these: what several lessons ask."""

import numpy as np
import pandas as pd

import irstd


def halves(scores, trials=60, size=None):
    """The scores on random halves of the topics, or on two sets of `size`."""
    rng = np.random.default_rng(0)
    middle = size or len(scores) // 2
    for _ in range(trials):
        topics = rng.permutation(scores.index)
        yield scores.loc[topics[:middle]], scores.loc[topics[middle:][:size]]


def tau_gained(scores, splits, **how):
    """By how much the halves of each split agree more in tau, if scores are so treated."""
    treated, raw = (
        irstd.split_experiment(scores, splits, statistics=["tau"], **options)["tau"]
        for options in (how, {})
    )
    return treated - raw


def left_out(scores, parts, function, axis=0):
    """The errors of numbers by the jackknife: each part is left out once."""
    less = pd.DataFrame([function(scores.drop(part, axis=axis)) for part in parts])
    return less.std(ddof=0) * np.sqrt(len(parts) - 1)
