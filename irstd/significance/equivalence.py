"""Whether a difference is too small to matter: equivalence, and noninferiority."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats


def margin_pvalues(
    tests: pd.DataFrame,
    df: np.ndarray,
    margin: float,
    alternative: str,
    level: float,
) -> np.ndarray:
    """p-values of the null that differences are as far as the margin, or farther, by t.

    Two-sided the larger of two one-sided tests (Schuirmann 1987); with an alternative the one that
    tests whether system_a is worse, or better, by the margin. `tests` has differences and the
    finite end of their interval at `level`.
    """
    difference = tests["difference"].to_numpy(float)
    share = level if alternative != "two-sided" else (1 + level) / 2
    end = tests["high"] if alternative == "less" else tests["low"]
    error = np.abs(difference - end.to_numpy(float)) / stats.t.ppf(share, df)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.where(error > 0, (difference + margin) / error, np.inf * (difference + margin))
        below = np.where(error > 0, (difference - margin) / error, np.inf * (difference - margin))
    not_worse = stats.t.sf(above, df)
    not_better = stats.t.cdf(below, df)
    if alternative == "greater":
        p = not_worse
    elif alternative == "less":
        p = not_better
    else:
        p = np.maximum(not_worse, not_better)
    return np.where(np.isnan(p), 1.0, p)
