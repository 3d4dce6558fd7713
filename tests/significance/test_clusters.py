"""Clusters of topics. Oracles: statsmodels, scipy, base R by hand."""

import numpy as np
import pandas as pd
import pytest
from numbers_of_today import FAMILIES
from scipy import stats
from test_standardize import matrix

import irstd


def clustered(rng, n_clusters, correlation, systems=2, largest=8):
    """Scores whose differences go together within clusters of unequal size, without a true one."""
    sizes = rng.integers(2, largest + 1, n_clusters)
    codes = np.repeat(np.arange(n_clusters), sizes)
    between = rng.normal(0, np.sqrt(correlation), (n_clusters, systems))[codes]
    within = rng.normal(0, np.sqrt(1 - correlation), (len(codes), systems))
    scores = matrix(between + within)
    return scores, pd.Series(codes, scores.index)


def cr2_by_matrices(d, codes):
    """Error and degrees of freedom of the mean as Bell and McCaffrey have them for any design.

    Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004, eq. 6 and 11: each cluster's
    residuals by the inverse root of its block of I - H, and the moments of the quadratic form.
    """
    n = len(d)
    design = np.ones((n, 1))
    bread = np.linalg.inv(design.T @ design)
    residual = np.eye(n) - design @ bread @ design.T
    vectors = []
    for code in np.unique(codes):
        inside = codes == code
        values, rotation = np.linalg.eigh(residual[np.ix_(inside, inside)])
        root = rotation @ np.diag(values**-0.5) @ rotation.T
        vectors.append(residual[:, inside] @ root @ design[inside] @ bread)
    vectors = np.hstack(vectors)
    error = np.sqrt(((vectors.T @ d) ** 2).sum())
    inner = vectors.T @ vectors
    return error, np.trace(inner) ** 2 / (inner**2).sum()


@pytest.mark.parametrize("seed", range(4))
def test_clusters_have_the_error_of_bell_and_mccaffrey(seed):
    rng = np.random.default_rng(seed)
    scores, clusters = clustered(rng, 14, 0.3)
    shuffled = scores.sample(frac=1, random_state=seed)
    row = irstd.pairwise_tests(shuffled, clusters=clusters).iloc[0]
    d = scores["s0"] - scores["s1"]
    error, df = cr2_by_matrices(d.to_numpy(), clusters.to_numpy())
    t = d.mean() / error
    half = stats.t.ppf(0.975, df) * error
    expected = [
        d.mean(),
        d.mean() - half,
        d.mean() + half,
        error,
        df,
        t,
        2 * stats.t.sf(abs(t), df),
    ]
    names = ["difference", "low", "high", "se", "df", "statistic", "pvalue"]
    assert row[names].tolist() == pytest.approx(expected)
    assert row["clusters"] == 14
    one = irstd.paired_test(scores["s0"], scores["s1"], clusters=clusters)
    assert one.pvalue == pytest.approx(row["pvalue"])


def test_clusters_of_one_topic_change_nothing():
    scores = irstd.load_dataset("sim-trec8").iloc[:, :4].copy()
    scores.iloc[:4, 0] = np.nan
    alone = pd.Series(range(50), scores.index)
    found = irstd.pairwise_tests(scores, clusters=alone, missing="pairwise")
    expected = irstd.pairwise_tests(scores, missing="pairwise")
    pd.testing.assert_frame_equal(found.drop(columns="clusters"), expected)


def test_clusters_of_other_topics_change_nothing():
    scores = matrix(np.random.default_rng(0).random((20, 2)))
    alone = pd.Series(range(20), scores.index)
    others = pd.Series([1, 2], ["99", "all"])
    found = irstd.pairwise_tests(scores, clusters=pd.concat([alone, others]))
    pd.testing.assert_frame_equal(found, irstd.pairwise_tests(scores, clusters=alone))


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ({"0": 1}, "one label per topic; there is none for topics 1"),
        ({}, "one label per topic; there is none for topics 0"),
        (pd.Series([1, 1], ["0", "0"]), "one label per topic, not several for topic 0"),
        ({str(k): "same" for k in range(20)}, "all topics have 'same'"),
    ],
)
def test_clusters_that_are_none_are_refused(clusters, message):
    scores = matrix(np.random.default_rng(0).random((20, 2)))
    with pytest.raises(ValueError, match=message):
        irstd.pairwise_tests(scores, clusters=clusters)


def test_few_clusters_are_warned_of_and_other_methods_refused():
    scores = matrix(np.random.default_rng(0).random((20, 2)))
    few = {str(k): k % 4 for k in range(20)}
    with pytest.warns(UserWarning, match="number of the 4 clusters is 4.0"):
        irstd.pairwise_tests(scores, clusters=few)
    with pytest.raises(ValueError, match="needs method=\"t\", got 'wilcoxon'"):
        irstd.pairwise_tests(scores, "wilcoxon", clusters=few)


def test_clusters_over_collections_add_their_errors():
    rng = np.random.default_rng(3)
    scores = matrix(rng.random((200, 2)), ["base", "mine"])
    clusters = pd.Series(np.arange(200) // 5, scores.index)
    table = irstd.comparison_table(scores, "base", clusters=clusters)
    assert table.tests["clusters"].eq(40).all()
    parts = {"a": scores[:100], "b": scores[100:]}
    by_collection = {"a": clusters[:100], "b": clusters[100:]}
    table = irstd.comparison_table(parts, "base", clusters=by_collection)
    mean = table.tests.set_index("column").loc["mean"]
    squares = []
    for name, part in parts.items():
        d = (part["mine"] - part["base"]).to_numpy()
        squares.append(cr2_by_matrices(d, by_collection[name].to_numpy())[0] ** 2)
    squares = np.array(squares)
    assert mean["se"] == pytest.approx(np.sqrt(squares.sum()) / 2)
    assert mean["df"] == pytest.approx(squares.sum() ** 2 / (squares**2 / 19).sum())
    assert mean["clusters"] == 40
    with pytest.raises(ValueError, match="clusters must be a dict"):
        irstd.comparison_table(parts, "base", clusters=clusters)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the effective number")
def test_families_of_data_sets_are_clusters_that_hardly_matter(trec_data):
    """As on the page: MTEB's sixty best models; the control are random families of these sizes."""
    scores = irstd.load_dataset("mteb-retrieval").dropna(axis=1)
    best = scores[scores.mean().nlargest(60).index]
    family = {name: kind for kind, names in enumerate(FAMILIES) for name in names.split()}
    plain = irstd.pairwise_tests(best)
    found = irstd.pairwise_tests(best, clusters=family)
    assert (plain["pvalue"] <= 0.05).mean() == pytest.approx(0.44, abs=0.005)
    assert (found["pvalue"] <= 0.05).mean() == pytest.approx(0.35, abs=0.005)
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(15):
        names = rng.permutation(list(family))
        at_random = dict(zip(names, family.values(), strict=True))
        tests = irstd.pairwise_tests(best, clusters=at_random)
        shares.append((tests["pvalue"] <= 0.05).mean())
    assert min(shares) <= 0.35
    assert np.mean(shares) == pytest.approx(0.38, abs=0.03)
