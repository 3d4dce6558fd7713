"""Factors and transforms against scipy, the published numbers of WMZ08, and their properties."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.standardize import METHODS, NEED_SCORES


def matrix(values, systems=None, topics=None):
    topics = pd.Index(topics or list(map(str, range(len(values)))), name="topic")
    systems = pd.Index(systems or [f"s{i}" for i in range(np.shape(values)[1])], name="system")
    return pd.DataFrame(np.asarray(values, dtype=float), topics, systems)


@pytest.fixture(scope="module")
def others():
    return irstd.load_dataset("sim-trec7").set_axis(irstd.load_dataset("sim-trec8").index)


SCIPYS = {  # of the scores, those of the standardizing systems, their mean, sd and largest
    "z": lambda x, r, mean, sd, best: stats.zmap(x, r, axis=1, ddof=1),
    "normal": lambda x, r, mean, sd, best: stats.norm.cdf(stats.zmap(x, r, axis=1, ddof=1)),
    # Sakai's A = .15 and B = .5: uniform on mean - sd B/A .. mean + sd (1-B)/A
    "uniform": lambda x, r, mean, sd, best: stats.uniform.cdf(x, mean - sd * 0.5 / 0.15, sd / 0.15),
    "ecdf": lambda x, r, mean, sd, best: [
        stats.ecdf(theirs).cdf.evaluate(ours) for ours, theirs in zip(x, r, strict=True)
    ],
    "max": lambda x, r, mean, sd, best: x / best,
    "center": lambda x, r, mean, sd, best: x - mean,
    "collection": lambda x, r, mean, sd, best: stats.zmap(x, r.mean(axis=0), axis=None, ddof=1),
}


@pytest.mark.parametrize("method", METHODS)
def test_standardize_is_scipys_by_each_method(scores, others, method):
    x, r = scores.round(2).to_numpy(), others.round(2).to_numpy()  # ties
    of = stats.describe(r, axis=1, ddof=1)
    mean, sd, best = (row[:, None] for row in (of.mean, np.sqrt(of.variance), of.minmax[1]))
    expected = SCIPYS[method](x, r, mean, sd, best)
    found = irstd.standardize(scores.round(2), others.round(2), method)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_standardize_by_factors_is_that_by_their_scores(scores, others, method):
    factors = irstd.standardization_factors(others)
    assert factors.n_systems == others.shape[1]
    if method in NEED_SCORES:
        with pytest.raises(ValueError, match=f"method='{method}' needs the scores of the stand"):
            irstd.standardize(scores, factors, method)
    else:
        found = irstd.standardize(scores, factors, method)
        pd.testing.assert_frame_equal(found, irstd.standardize(scores, others, method))


@pytest.mark.parametrize("method", METHODS)
def test_standardize_warns_of_missing_scores(method):
    scores = matrix([[0.1, np.nan, 0.3], [0.1, 0.2, 0.4]])
    with pytest.warns(UserWarning, match="missing on topic 0 \(1 of 2\)"):
        found = irstd.standardize(scores, method=method)
    assert found.isna().equals(scores.isna())


def test_standardization_factors_of_few_scores_are_nan():
    scores = matrix([[0.1, np.nan], [np.nan, np.nan], [0.2, 0.4]])
    with pytest.warns(UserWarning, match="no score on topics 0, 1"):
        factors = irstd.standardization_factors(scores)
    assert factors.sd["score"].isna().tolist() == [True, True, False]


@pytest.mark.filterwarnings("ignore:there are only")
@pytest.mark.parametrize("method", METHODS)
def test_standardize_takes_several_metrics_in_any_order(method):
    """As `read_scores` gives them for a long file sorted by system."""
    both = irstd.load_dataset("sim-trec8", ["AP", "RR"]).iloc[:, [*range(12), -1, -2, -3]]
    both.loc["404", "RR"] = 0.25
    mixed = both.sort_index(axis=1, level="system", sort_remaining=True).iloc[:, ::-1]
    found = irstd.standardize(mixed, mixed, method, zero_sd="drop")
    apart = {m: irstd.standardize(both[m], None, method, zero_sd="drop") for m in ("AP", "RR")}
    # A topic without a scale in one metric is left out of all.
    expected = pd.concat(apart, axis=1, join="inner", names=["metric", "system"])[mixed.columns]
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("method", METHODS)
def test_standardize_by_one_system_is_nan(method):
    """Or by none, on a topic that the reference lacks."""
    scores = matrix([[0.1, 0.3], [0.2, 0.5], [0.3, 0.4]])
    one = scores[["s0"]].assign(s1=[np.nan, 0.4, 0.5])[:2]
    with pytest.warns(UserWarning, match="missing on topics 0, 2 \(2 of 3\)"):
        found = irstd.standardize(scores, one, method)
    assert found.isna().all(axis=1).tolist() == [True, False, True]


def test_standardize_by_collection_needs_different_means():
    """.1 + .2 is not .3 in doubles: divided by such a sd, scores were up to 1e16."""
    scores = matrix([[0.1, 0.3, 0.0], [0.2, 0.0, 0.3], [0.3, 0.3, 0.3]])
    with pytest.warns(UserWarning, match="set to the neutral value"):
        found = irstd.standardize(scores, method="collection")
    assert (found == 0).all(axis=None)


def test_standardize_by_max_needs_scores_from_zero():
    with pytest.raises(ValueError, match="which is negative on topic 1$"):
        irstd.standardize(matrix([[0.1, -0.3], [-0.2, -0.5], [0, -1]]), method="max")


def test_standardize_warns_of_few_systems(scores):
    few, message = scores.iloc[:, :9], "there are only 9 standardizing systems"
    with pytest.warns(UserWarning, match=message):
        factors = irstd.standardization_factors(few)
    for reference in (few, factors):
        with pytest.warns(UserWarning, match=message):
            irstd.standardize(scores, reference)


def test_standardize_refuses_or_warns_of_another_collection(scores):
    ours, theirs = scores.copy(), scores.copy()
    ours.attrs, theirs.attrs = {"collection": "A"}, {"collection": "B"}
    message = "scores is A, that of the reference is B"
    for reference in (theirs, irstd.standardization_factors(theirs)):
        with pytest.warns(UserWarning, match=message):
            irstd.standardize(ours, reference)
    numbers = [str(i) for i in range(1, 51)]
    unknown = scores.set_axis(numbers)
    unknown.attrs = {}
    with pytest.warns(UserWarning, match="scores is unknown, .*equal topic ids may be"):
        irstd.standardize(unknown, theirs.set_axis(numbers))
    with pytest.raises(ValueError, match=f"{message}: equal topic ids"):
        irstd.standardize(ours.set_axis(numbers), theirs.set_axis(numbers))


def test_standardize_refuses_another_metric():
    """It was .307 and .665 without a word; pandas drops the name."""
    two, ap = irstd.load_dataset("sim-trec8", ["AP", "P@10"]), irstd.load_dataset("sim-trec8")
    factors = irstd.standardization_factors(two)
    expected = irstd.standardize(ap)
    pd.testing.assert_frame_equal(irstd.standardize(two["AP"], factors), expected)
    pd.testing.assert_frame_equal(irstd.standardize(two[["AP"]], ap)["AP"], expected)
    for other in (two["P@10"], two[["P@10"]]):
        with pytest.raises(ValueError, match="scores has P@10, reference has AP"):
            irstd.standardize(other, factors["AP"])
    with pytest.raises(ValueError, match="metric must be one of 'AP', 'P@10', got 'RP'"):
        factors["RP"]
    judge = irstd.load_dataset("sim-judges")["careful"]
    with pytest.raises(ValueError, match="scores has nRBP.9, reference has original, careful"):
        irstd.standardize(judge, "sim-judges")


def test_score_table_keeps_the_name_of_its_metric():
    """pandas does not note which was selected; a copy, some topics, a file of its bytes keep it."""
    two = irstd.load_dataset("sim-trec8", ["AP", "P@10"])
    for table in (two.iloc[:9], two * 1, pickle.loads(pickle.dumps(two)), irstd.standardize(two)):
        assert table["P@10"].attrs["metric"] == "P@10"


def test_standardization_factors_count_the_systems_of_the_larger_metric():
    both = irstd.load_dataset("sim-trec8", ["AP", "RR"]).iloc[:, 4:]
    assert irstd.standardization_factors(both).n_systems == 129


def test_standardize_takes_metrics_that_it_does_not_know(scores):
    """Such as hits@10, whose two meanings matter where a table is read."""
    expected = irstd.standardize(scores)
    for metric in ("hits@10", "mine"):
        named = scores.copy()
        named.attrs["metric"] = metric
        pd.testing.assert_frame_equal(irstd.standardize(named), expected)


def test_standardization_factors_refuse_scores_out_of_range():
    with pytest.raises(ValueError, match="AP must be from 0 to 1, but column b has 5 on topic 1"):
        irstd.standardization_factors(pd.DataFrame({"a": [0.1], "b": [5]}, ["1"]), metric="AP")


TWO = matrix([[0.1], [0.2]])


@pytest.mark.parametrize(
    ("mean", "sd", "n_systems", "message"),
    [
        (TWO, TWO * np.inf, 9, "sd must be numbers between .* on topics 0"),
        (TWO, TWO, 9, "mean and sd are identical"),
        (TWO, -TWO, None, "sd must not be negative, but is on topics 0, 1"),
        (TWO, TWO / 2, 1, "n_systems must be at least 2, got 1"),
        (TWO, TWO[:1], None, "must have the same topics; only mean has topic 1"),
    ],
)
def test_factors_refuse_impossible_numbers(mean, sd, n_systems, message):
    with pytest.raises(ValueError, match=message):
        irstd.Factors(mean, sd, n_systems)


def test_standardization_factors_refuse_names_that_are_no_text():
    with pytest.raises(ValueError, match="metric must be a non-empty printable string, got"):
        irstd.standardization_factors(TWO.assign(b=0), metric="\0")
    with pytest.raises(ValueError, match="collection must be a non-empty printable string, got"):
        irstd.Factors(TWO, TWO / 2, collection=[1])
    both = pd.concat({"AP": TWO.assign(b=0), "RR": TWO.assign(b=0)}, axis=1)
    with pytest.raises(ValueError, match="metric='AP' cannot name several metrics"):
        irstd.standardization_factors(both, metric="AP")


def test_factors_take_integer_topics_in_any_order(scores):
    factors = irstd.standardization_factors(scores)
    mean = factors.mean.set_axis(scores.index.astype(int))
    found = irstd.standardize(scores, irstd.Factors(mean, factors.sd[::-1], 129))
    pd.testing.assert_frame_equal(found, irstd.standardize(scores))


def test_factors_are_read_back_to_the_last_bit(tmp_path):
    scores = irstd.load_dataset("sim-trec8", ["AP", "nDCG", "P@10"])
    factors = irstd.standardization_factors(scores)
    files = tmp_path / "means.csv", tmp_path / "sds.csv"
    factors.to_csv(*files)
    factors.to_trec_eval(tmp_path / "z.txt")
    for back in (irstd.Factors.from_csv(*files), irstd.Factors.from_trec_eval(tmp_path / "z.txt")):
        pd.testing.assert_frame_equal(back.mean, factors.mean, check_exact=True)
        pd.testing.assert_frame_equal(back.sd, factors.sd, check_exact=True)
    assert irstd.Factors.from_csv(*files).n_systems == 129


def test_to_csv_writes_the_head(tmp_path):
    factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8", ["AP", "DCG"]))
    factors.to_csv(tmp_path / "means.csv", tmp_path / "sds.csv")
    first = (tmp_path / "sds.csv").read_text().splitlines()[0]
    head = f"topic (sd; systems=129; DCG=log2(rank+1); collection={factors.collection})"
    assert first == f"{head},AP,DCG"


def test_from_csv_warns_of_four_decimals(tmp_path, scores):
    factors = irstd.standardization_factors(scores, metric="AP")
    files = tmp_path / "means.csv", tmp_path / "sds.csv"
    for file, numbers in zip(files, (factors.mean, factors.sd), strict=True):
        numbers.round(4).to_csv(file)
    with pytest.warns(UserWarning, match=r"means\.csv, .*sds\.csv: .* rounded to four"):
        assert irstd.Factors.from_csv(*files).n_systems is None


def test_to_trec_eval_has_its_names(tmp_path):
    """As trec_eval reads it: qid, measure, mean, standard deviation; its ndcg is nDCG here."""
    mean = pd.DataFrame({"nDCG@5": [0.25], "SP": [3.0]}, ["301"])
    with pytest.warns(UserWarning, match="trec_eval lacks are left out: SP"):
        irstd.Factors(mean, mean / 2).to_trec_eval(tmp_path / "z.txt")
    assert (tmp_path / "z.txt").read_text().split() == "301 ndcg_cut_5 0.25 0.125".split()
    with pytest.raises(ValueError, match="trec_eval has none of the metrics SP"):
        irstd.Factors(mean[["SP"]], mean[["SP"]] / 2).to_trec_eval("no")


def test_standardize_gives_trec_evals_z_without_scale(tmp_path):
    """trec_eval -Z: z = (score - mean) / sd, and 0 where the sd is 0 and the score the mean."""
    (tmp_path / "z.txt").write_text(
        "1 map 0.25 0.125\n1 P_10 .5 .1\n2 map 0.30001 0\n2 P_10 0 .1\n"
    )
    factors = irstd.Factors.from_trec_eval(tmp_path / "z.txt")
    scores = matrix([[0.5], [0.30001]], topics=["1", "2"])
    scores.attrs["metric"] = "AP"
    with pytest.warns(UserWarning, match="same on topic 2"):
        assert irstd.standardize(scores, factors["AP"], "z")["s0"].tolist() == [2, 0]


@pytest.mark.parametrize(("method", "neutral"), [("z", 0), ("normal", 0.5), ("ecdf", 0.5)])
def test_standardize_zero_sd(method, neutral):
    scores = matrix([[0.3] * 110, np.linspace(0.1, 0.3, 110)])
    assert np.std([0.3] * 110, ddof=1) > 0  # which is why sd == 0 would not find it
    assert irstd.standardization_factors(scores).sd.loc["0"].item() == 0
    with pytest.warns(UserWarning, match="same on topic 0: sd 0"):
        found = irstd.standardize(scores, method=method)
    assert (found.loc["0"] == neutral).all()
    assert irstd.standardize(scores, method=method, zero_sd="drop").index.tolist() == ["1"]
    with pytest.raises(ValueError, match="score the same on topic 0"):
        irstd.standardize(scores, method=method, zero_sd="raise")


def test_standardize_a_topic_of_tiny_scores():
    """RBP.5 of first relevant documents at ranks 561 to 600: no square of it is above 0."""
    deep = 0.5 ** np.arange(600.0, 560, -4)
    scores = matrix([deep, np.linspace(0.1, 0.3, 10)])
    found = irstd.standardize(scores, method="z").loc["0"]
    np.testing.assert_allclose(found, stats.zscore(deep * 2.0**600, ddof=1), atol=1e-12)


def test_standardize_by_center_and_max_on_a_constant_topic():
    scores = matrix([[0.3] * 10, np.linspace(0.1, 0.3, 10)])
    new = matrix([[0.9], [0.2]])
    np.testing.assert_allclose(irstd.standardize(new, scores, "center"), [[0.6], [0]], atol=1e-12)
    np.testing.assert_allclose(irstd.standardize(new, scores, "max"), [[3], [2 / 3]])
    with pytest.warns(UserWarning, match="score the same on topic 0"):  # has no maximum
        found = irstd.standardize(matrix([[0, 0], [0.5, 1]]), method="max")
    assert found.to_numpy().tolist() == [[0.5, 0.5], [0.5, 1]]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["1 map .5\n"], r"0:1: expected 4 columns \(topic measure mean sd\), found 3"),
        (["1 map .5 .1\n2 map .5 .1\n1 map .6 .1\n"], "0:3: a second score of 'mean' on"),
        (["topic,AP\n1,.5\n", "topic,RR\n1,.5\n"], "the same metrics"),
        (["topic,AP\n1,.5\n", "topic,AP\n1,x\n"], r"1:2: 'x' in 'AP' is not a finite number"),
    ],
)
def test_from_csv_and_from_trec_eval_refuse_malformed_files(tmp_path, texts, message):
    files = [tmp_path / str(i) for i in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    read = irstd.Factors.from_csv if len(texts) == 2 else irstd.Factors.from_trec_eval
    with pytest.raises(ValueError, match=message), warnings.catch_warnings(action="ignore"):
        read(*files)


def test_factors_refuse_swapped_means_and_sds_and_impossible_sds():
    factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8", "P@10"))
    with pytest.raises(ValueError, match="means first"):
        irstd.Factors(factors.sd, factors.mean)
    mean = matrix([[0.1]] * 10)
    largest = np.sqrt(6 / 5 * 0.1 * 0.9)
    irstd.Factors(mean, mean * 0 + largest)
    with pytest.raises(ValueError, match="means first"):
        irstd.Factors(mean, mean * 0 + 1.01 * largest)


def test_to_csv_warns_of_an_unnamed_metric(tmp_path, recwarn):
    files = [tmp_path / "means.csv", tmp_path / "sds.csv"]
    irstd.Factors(TWO.set_axis(["AP"], axis=1), TWO.set_axis(["AP"], axis=1) / 2).to_csv(*files)
    assert not recwarn.list
    unnamed = TWO.set_axis(["score"], axis=1)
    with pytest.warns(UserWarning, match="no metric name"):
        irstd.Factors(unnamed, unnamed / 2).to_csv(*files)
