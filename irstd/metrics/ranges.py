"""What scores a metric can have: a number outside is of something else, or in percent."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd.metrics.names import parse_metric

ROUNDING = 1e-6  # of other tools, which have single precision


def highest_score(name: str) -> float:
    """The highest score of a metric, whose lowest is 0; NaN if irstd knows no such metric."""
    try:
        parts = parse_metric(name)
    except ValueError:
        return np.nan
    return 1.0 if parts.normalized else parts.metric.highest


def check_range(scores: pd.DataFrame, metric: str, name: str) -> None:
    """Raise if a score matrix has what a metric of this name cannot have."""
    highest = highest_score(metric)
    numbers = scores.to_numpy(float)
    if np.isnan(highest):
        return
    outside = np.argwhere((numbers < -ROUNDING) | (numbers > highest + ROUNDING))
    if len(outside):
        row, column = outside[0]
        raise ValueError(
            f"{name}: {metric} is from 0 to {highest:g}, not {numbers[row, column]:.6g} as"
            f" {scores.columns[column]!s:.40} has on topic {scores.index[row]!s:.40}: remove what"
            " is no system, divide percent by 100"
        )
