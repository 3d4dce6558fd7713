"""What a last bit, or the order of the lines in a file, could move, and does not."""

import statistics

import numpy as np
import pandas as pd
import pytest

import irstd


@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_equal_scores_of_a_run(seed):
    """The ids alone decide the order, whatever the order of the lines: as trec_eval does it."""
    random = np.random.default_rng(seed)
    names = np.array([f"d{i}" for i in range(3000)])
    relevant = random.choice(names, 40, replace=False)
    qrels = pd.DataFrame({"query_id": "1", "doc_id": relevant, "relevance": 1})
    run = pd.DataFrame({"query_id": "1", "doc_id": names, "score": 0.5})
    one = irstd.evaluate({"r": run}, qrels)
    other = irstd.evaluate({"r": run.iloc[random.permutation(3000)]}, qrels.iloc[::-1])
    pd.testing.assert_frame_equal(one, other, rtol=0, atol=0)
    ranked = sorted(names, key=str.encode, reverse=True)
    hits = np.isin(ranked, relevant)
    ap = (hits.cumsum() / np.arange(1, 3001))[hits].sum() / 40
    assert one["AP", "r"].item() == pytest.approx(ap, abs=1e-12)


def test_scores_of_a_run_at_the_ends_of_the_doubles():
    """1e-300 is above 0, and 1 above 1 - 1e-16: as doubles, not as single precision."""
    scores = [1.0, 1 - 1e-16, 1e-300, 5e-324, 0.0, -1e-300]
    run = pd.DataFrame({"query_id": "1", "doc_id": list("abcdef"), "score": scores})
    for place, name in enumerate("abcdef", 1):
        qrels = pd.DataFrame({"query_id": ["1"], "doc_id": [name], "relevance": [1]})
        assert irstd.evaluate({"r": run}, qrels, "RR").loc["1", "r"] == 1 / place


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


def test_one_score_on_two_topics_in_two_systems():
    """What is equal on paper is so in each order in which it is added up."""
    scores = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.1, 0.2], "c": [0.2, 0.3, 0.1]})
    assert irstd.leaderboard(scores)["rank"].tolist() == [1, 1, 1]
    assert np.isnan(irstd.rank_correlation(scores.mean().round(12), [1, 2, 3]))
