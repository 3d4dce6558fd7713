"""What a last bit could move, and does not."""

import statistics

import numpy as np
import pandas as pd

import irstd


def test_mean_and_sd_of_scores():
    """Against Python's statistics, which computes with fractions."""
    random = np.random.default_rng(0)
    shares = [0.0, 1e-5, 0.1, 0.2, 0.1 + 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1.0]
    sums = [0.0, 0.1, 3.7, 12.25, 700.0, 7001.3]  # of precisions or gains
    for kind in (shares, sums, random.random(50), 1 + 1e-9 * random.random(50)):
        scores = pd.DataFrame(random.choice(kind, (40, 12)))
        for part in (scores, scores.iloc[:, :3]):
            found = irstd.standardization_factors(part, metric="AP")
            for name, of in (("mean", statistics.mean), ("sd", statistics.stdev)):
                exact = [of(row) for row in part.to_numpy().tolist()]
                np.testing.assert_allclose(getattr(found, name)["AP"], exact, rtol=1e-14, atol=0)
