"""The simulated campaign against published statistics of TREC, trec_eval and scipy."""

import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from numpy.testing import assert_allclose
from scipy import stats
from traits import figures

import irstd
from irstd.evaluation import evaluate
from irstd.metrics import METRICS
from irstd.simulate import simulate_campaign
from irstd.simulate._design import Parameters, read_design
from irstd.simulate._model import LEANINGS, draw_ranks, seed_number

pytestmark = pytest.mark.slow

NAMES = ("sim-trec7", "sim-trec8", "sim-robust2003", "sim-robust2004")

# AP of the real collections, computed from the scores that Urbano et al. publish (CC BY-SA 4.0:
# sigir2019-statistical, irj2015-reliability, sigir2018-simulation): mean, sd of system means, best,
# sd of topic means, mean sd within a topic, residual sd, share of zeros, share below .2.
TABLE = pd.read_csv(Path(__file__).with_name("trec.csv"), index_col=[0, 1])
TREC = {key: tuple(row) for key, row in TABLE.iterrows()}
# Judged and relevant documents a topic of TREC-7, TREC-8 and Robust 2003, from their qrels.
JUDGED = {"sim-trec7": 1607, "sim-trec8": 1737, "sim-robust2003": 959}
RELEVANT = {"sim-trec7": 93.5, "sim-trec8": 94.6, "sim-robust2003": 33.2}

# Later systems standardized by the originals, with the normal distribution, from the same scores.
STANDARDIZED = (0.516, 0.503, 0.517, 0.500)


def describe(scores):
    """The eight figures of a row of TREC."""
    values = scores.to_numpy()
    topic_means = values.mean(axis=1, keepdims=True)
    residual = values - values.mean(axis=0) - topic_means + values.mean()
    system_means = scores.mean()
    traits = [
        values.mean(),
        system_means.std(),
        system_means.max(),
        scores.mean(axis=1).std(),
        scores.std(axis=1).mean(),
        residual.std(),
        (values == 0).mean(),
        (values < 0.2).mean(),
    ]
    return np.array(traits)


def standardized(campaign):
    """Later systems by the originals: dRMSE of the six pairs of collections, and the means."""
    tables = []
    for name in NAMES:
        part = campaign[name]
        table = irstd.standardize(part.scores("AP", "later"), part.scores("AP", "original"))
        tables.append(table)
    pairs = [irstd.drmse(*both) for both in itertools.combinations(tables, 2)]
    return pairs, [table.mean(axis=None) for table in tables]


@pytest.mark.parametrize("name", JUDGED)
def test_simulate_campaign_judges_as_many_documents_as_trec(name):
    topics = campaign()[name].topics
    assert_allclose(topics["judged"].mean(), JUDGED[name], rtol=0.1)
    assert_allclose(topics["relevant"].mean(), RELEVANT[name], rtol=0.15)
    assert topics["relevant"].min() >= 4
    assert topics["relevant"].median() < topics["relevant"].mean()


DOCUMENTS = read_design().collections["sim-trec7"].documents
PLAIN = dict.fromkeys(vars(DOCUMENTS), 0) | {"skew": 1, "tail": 1}


def test_draw_ranks_agrees_with_drawing_every_document():
    """Ranks of ten documents against sorting them among non-relevant scores drawn one by one."""
    model = Parameters(**PLAIN | {"sd": 1, "skew": 1e-9, "non_relevant": 2000})
    # One system, of which nothing is known but that it is not volatile.
    columns = ["group", "manual", "failures", "noise", *LEANINGS]
    system = dict.fromkeys(columns, np.array([[0]])) | {"volatility": np.array([[1]])}
    rng = np.random.default_rng(2)
    level = np.full((1, 1), 1.5)
    ours = [draw_ranks(rng, 10, level, system, model).ravel() for _ in range(600)]
    listed = []
    for _ in range(600):
        scores = np.concatenate([1.5 + rng.standard_normal(10), rng.standard_normal(2000)])
        listed.append(np.flatnonzero(np.argsort(-scores) < 10) + 1)
    ours = np.sort(ours, axis=1)
    listed = np.array(listed)
    for place in (0, 4, 9):
        assert stats.ks_2samp(ours[:, place], listed[:, place]).pvalue > 0.001


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    collection = campaign()["sim-robust2003"].judge(depth=20, groups=6)
    systems = collection.systems.index[[0, 5, 40, 100]]
    return collection, systems, collection.write(tmp_path_factory.mktemp("sim"), systems)


@pytest.mark.filterwarnings("ignore:.*without a:UserWarning")
@pytest.mark.filterwarnings("ignore:evaluate. .* as Jarvelin and Kekalainen:UserWarning")
def test_write_gives_files_that_evaluate_to_the_same_scores(files):
    collection, systems, paths = files
    from_files = evaluate(*paths, [*METRICS, "P@20", "nP@10"])
    simulated = collection.scores([*METRICS, "P@20", "nP@10"], systems)
    pd.testing.assert_frame_equal(from_files[simulated.columns], simulated, rtol=0, atol=1e-12)


def test_write_refuses_a_folder_with_other_runs(tmp_path):
    collection = campaign()["sim-robust2003"].judge(depth=20, groups=6)
    for _ in range(2):
        runs, _ = collection.write(tmp_path, (name for name in ["late03a"]))
    assert [path.name for path in runs.iterdir()] == ["late03a.gz"]
    with pytest.raises(FileExistsError, match="other files: late03a.gz; choose an empty folder"):
        collection.write(tmp_path, ["late01a"])


def test_more_topics_are_new_ones_for_the_same_systems():
    collection = campaign()["sim-trec8"].judge(depth=80)
    new = collection.more_topics(15, seed=1)
    other = collection.more_topics(15, seed=2)
    pd.testing.assert_frame_equal(new.systems, collection.systems)
    pd.testing.assert_frame_equal(new.scores(), collection.more_topics(15, seed=1).scores())
    assert len(new.topics) == 15 and new.depth == 80
    assert not set(new.topics.index) & {*collection.topics.index, *other.topics.index}
    assert not np.allclose(new.scores(), other.scores())


def test_more_topics_are_like_the_old_ones_and_show_quality():
    collection = campaign()["sim-robust2003"]
    many = collection.more_topics(400)
    old = collection.scores("AP", "later")
    new = many.scores("AP", "later")
    assert_allclose(new.mean(axis=None), old.mean(axis=None), rtol=0.1)
    assert_allclose(new.mean(axis=1).std(), old.mean(axis=1).std(), rtol=0.15)
    quality = collection.systems.loc[new.columns, "quality"]
    assert stats.spearmanr(quality, new.mean()).statistic > 0.9


@pytest.mark.parametrize(("depth", "groups"), [(1, 1), (23, 4)])
def test_judge_pools_the_top_of_the_pooled_runs(depth, groups):
    collection = campaign()["sim-robust2003"].judge(depth, groups)
    systems = collection.systems
    runs = [collection.run(system) for system in systems.index[systems["pooled"]]]
    tops = []
    for run in runs:
        rank = run.groupby("query_id")["score"].rank(ascending=False)
        tops.append(run[rank <= depth])
    pool = pd.concat(tops)
    qrels = collection.qrels()
    assert documents_of(pool) == documents_of(qrels)
    counts = qrels.groupby("query_id")["relevance"].agg(["size", "sum"])
    assert len(runs) == groups
    assert (counts["size"] == collection.topics["judged"]).all()
    assert (counts["sum"] == collection.topics["relevant"]).all()
    assert (collection.topics["relevant"] <= collection.topics["true_relevant"]).all()
    assert (runs[0].groupby("query_id")["doc_id"].nunique() == 1000).all()


def documents_of(frame):
    """The pairs of topic and document of a run or qrels frame."""
    return set(zip(frame["query_id"], frame["doc_id"], strict=True))


def test_simulate_campaign_repeats_a_seed():
    one = campaign()["sim-trec7"]
    two = simulate_campaign("wmz08", seed=0)["sim-trec7"]
    pd.testing.assert_frame_equal(one.scores(), two.scores())
    two.judge(10, 3).qrels()  # what was drawn before must not matter
    pd.testing.assert_frame_equal(one.run("late02b"), two.run("late02b"))
    assert not one.scores().equals(campaign(1)["sim-trec7"].scores())
    seed = simulate_campaign(seed=np.random.default_rng(5)).seed
    assert seed == seed_number(np.random.default_rng(5)) > 0


def test_scores_leave_out_topics_without_known_relevant_documents():
    collection = campaign()["sim-trec7"].judge(1, 1)
    topics = collection.topics
    gone = topics.index[topics["relevant"] == 0]
    with pytest.warns(UserWarning, match=f"left out: topics {gone[0]}"):
        scores = collection.scores()
    assert list(scores.index) == list(topics.index[topics["relevant"] > 0])
    assert scores.notna().all(axis=None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: simulate_campaign("trec"), "design must be one of 'wmz08'"),
        (lambda c: simulate_campaign(seed=-1), "seed must be at least 0"),
        (lambda c: c.judge(1001), "depth must be 1 to 1000, or None, got 1001"),
        (lambda c: c.judge(groups=41), "groups must be 1 to 40, got 41"),
        (lambda c: c.judge(groups=["late01"]), "groups must be one of 't7orig01'"),
        (lambda c: c.run("late16a"), "system must be one of 't7orig01a'"),
    ],
)
def test_simulate_refuses(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(campaign()["sim-trec7"])


def fit(seed=0):
    """How far the figures of a seed are from TREC's: in relation to them, and shares of scores."""
    rows = []
    for name, systems in TREC:
        rows.append(describe(campaign(seed)[name].scores("AP", systems)))
    ours = np.array(rows)
    real = np.array(list(TREC.values()))
    ratio = ours / real
    differences_of_shares = abs(ours - real)[:, 6:].max(axis=0)
    return abs(ratio[:, :6] - 1), differences_of_shares, ratio


def known(collection, groups):
    """How many relevant documents a pool of these groups finds."""
    return collection.judge(groups=list(groups)).topics["relevant"].sum()


def found_by_manual_groups():
    """The share of the known relevant documents that they alone have found: a mean of two."""
    shares = []
    for name in NAMES[:2]:
        collection = campaign()[name]
        pooled = collection.systems[collection.systems["pooled"]]
        automatic = pooled.loc[~pooled["manual"], "group"]
        shares.append(1 - known(collection, automatic) / known(collection, pooled["group"]))
    return np.mean(shares)


def later_means(metric):
    return [campaign()[name].scores(metric, "later").mean(axis=None) for name in NAMES]


def test_page_of_the_simulation_on_seed_0():
    """Its first two tables; test_likeness.py has the third, test_traits.py the last."""
    differences, (zeros, low), ratio = fit()
    pairs, means = standardized(campaign())
    raw = [campaign()[name].scores("AP", "later") for name in NAMES]
    by_collection = np.array(list(figures(5).values()))
    expected = [later_means("AP"), later_means("P@10"), means, STANDARDIZED]
    assert_allclose(by_collection, expected, atol=0.0051)
    assert_allclose(means, STANDARDIZED, atol=0.015)
    assert abs(ratio[2, 5] - 7 / 6) < 0.03
    assert_allclose(ratio[[4, 6], 6], 2, atol=0.3)  # zeros of later systems
    found = [row[-1] for row in figures(4).values()]
    raw_pairs = [irstd.drmse(*both) for both in itertools.combinations(raw, 2)]
    of_seed_0 = [differences.max(), means[1], pairs[0], max(pairs)]
    of_seed_0 += [np.mean(pairs), np.mean(raw_pairs), zeros, low, found_by_manual_groups()]
    assert_allclose(found, of_seed_0, atol=0.0051)


@pytest.mark.release
def test_page_of_the_simulation_on_ten_other_seeds():
    rows = []
    for seed in TEN:
        pairs, means = standardized(campaign(seed))
        rows.append([fit(seed)[0].max(), means[1], pairs[0], max(pairs)])
    farthest, *ranges = np.transpose(rows)
    largest, *printed = list(figures(4).values())[:4]
    assert farthest.max() == pytest.approx(largest[0], abs=0.0051)
    for (_, low, high, _), values in zip(printed, ranges, strict=True):
        assert_allclose([low, high], [values.min(), values.max()], atol=0.0051)
