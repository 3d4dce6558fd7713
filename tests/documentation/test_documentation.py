"""The documentation collection: the same on every machine, and scored as trec_eval scores it."""

import json
import lzma
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from as_frames import dict_of
from scipy import stats

import irstd
from irstd.documentation import docs_collection as source
from irstd.documentation.engines import read_engines
from irstd.documentation.sources import PLACES, read_documents

NAMES = list(PLACES)
ORACLE = {
    "AP": "map",
    "P@10": "P_10",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "RP": "Rprec",
}
FOLDER = files("irstd.documentation")
PAGE = Path(__file__).parents[2] / ".site/pages/documentation_collection.md"


@pytest.fixture(scope="module")
def campaign():
    return irstd.documentation_campaign()


@pytest.mark.parametrize("name", NAMES)
def test_each_score_is_that_of_trec_eval(campaign, name):
    collection = campaign[name]
    scores = collection.scores(list(ORACLE))
    judge = pytrec_eval.RelevanceEvaluator(dict_of(collection.qrels()), set(ORACLE.values()))
    for system in collection.systems.index:
        found = judge.evaluate(dict_of(collection.run(system)))
        for metric, theirs in ORACLE.items():
            expected = [found.get(topic, {}).get(theirs, 0.0) for topic in scores.index]
            np.testing.assert_allclose(scores[metric][system], expected, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_collection_is_one(campaign, name):
    collection = campaign[name]
    topics, qrels = collection.topics, collection.qrels()
    assert len(topics) >= 40 and topics["title"].is_unique
    assert (collection.systems["works"] == "yes").sum() >= 24
    assert (collection.systems["works"] == "no").sum() == 2
    assert (topics["relevant"] > 0).all()
    assert qrels.groupby("query_id")["relevance"].max().eq(2).all()  # something does it
    assert set(qrels["relevance"]) == {0, 1, 2}
    assert not qrels.duplicated(["query_id", "doc_id"]).any()
    pool = pool_of(collection)
    assert len(pool.merge(qrels)) == len(pool)


def test_a_grade_on_which_both_agree_is_not_changed():
    judged = pd.read_csv(FOLDER / "judgments.csv")
    agree = judged["first"] == judged["second"]
    assert (judged["adjudicated"] == judged["first"])[agree].all()
    assert 0 < (~agree).mean() < 0.1
    between = judged[["first", "second"]].agg(["min", "max"], axis=1)
    assert judged["adjudicated"].between(between["min"], between["max"]).all()


def test_it_is_small_quick_and_needs_no_engine():
    """In a process in which bm25s and snowballstemmer cannot be imported."""
    code = (
        "import sys; sys.modules['bm25s'] = sys.modules['snowballstemmer'] = None; import irstd;"
        "print(*(irstd.load_dataset(name).shape for name in ('docs-numpy', 'docs-pandas')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["(50,", "32)", "(50,", "32)"]
    assert sum(file.stat().st_size for file in FOLDER.iterdir() if file.is_file()) < 1_000_000
    assert (FOLDER / "runs.json.xz").stat().st_size < 500_000


def test_data_sets_are_the_collections_scores(campaign):
    for name in NAMES:
        scores = irstd.load_dataset(name, "RR")
        pd.testing.assert_frame_equal(scores, campaign[name].scores("RR"))
        assert scores.attrs == {"collection": name, "metric": "RR"}
        assert irstd.list_datasets().loc[name, ["systems", "topics"]].tolist() == [32, 50]


@pytest.fixture(scope="module")
def live():
    return irstd.documentation_campaign(live=True)


@pytest.mark.night
def test_indexed_anew_the_runs_are_those_of_the_package(campaign, live):
    """Under the versions that they were made with; others say how far they are from them."""
    packed = json.loads(lzma.decompress((FOLDER / "runs.json.xz").read_bytes()))
    same_versions = all(version(name) == number for name, number in packed["versions"].items())
    for name in NAMES:
        shares = live[name].systems["same"]
        assert (shares == 1).all() if same_versions else shares.median() > 0.7
        assert live[name].qrels().attrs["missing"] == [] or not same_versions
        for system in read_engines().index if same_versions else ():
            pd.testing.assert_frame_equal(live[name].run(system), campaign[name].run(system))


def test_what_is_not_installed_is_left_out_and_named(monkeypatch):
    """An older version lacks a function, and a newer one has another text."""
    documents = read_documents("docs-pandas")
    older = documents.drop(["pandas.DataFrame.ffill", "pandas.merge_asof"])
    older["pandas.DataFrame.bfill"] = "Fill gaps with what comes after."
    monkeypatch.setattr(source, "read_documents", lambda name: older)
    collection = irstd.documentation_campaign(live=True)["docs-pandas"]
    qrels = collection.qrels()
    assert {"pandas.DataFrame.ffill", "pandas.merge_asof"} == set(qrels.attrs["missing"])
    assert not qrels["doc_id"].isin(qrels.attrs["missing"]).any()
    assert (collection.systems["same"] < 1).any()
    assert collection.scores("AP", ["text-lucene", "lsa-50"]).notna().all(axis=None)
    packed = irstd.documentation_campaign()["docs-pandas"]
    assert packed.documents.attrs["missing"] == ["pandas.DataFrame.ffill", "pandas.merge_asof"]
    for doc_id in packed.documents.attrs["missing"]:
        assert packed.documents[doc_id].startswith(f"{doc_id} is not in the versions")
        assert doc_id not in packed.search("fill gaps merge nearest", k=600)["doc_id"].tolist()
    for system in packed.systems.index:
        assert packed.documents[packed.run(system)["doc_id"]].str.len().min() > 0


def test_what_is_not_there_is_refused_or_not_found(campaign):
    assert campaign["docs-numpy"].search("qqqq zzzz").empty
    with pytest.raises(ValueError, match="system must be one of"):
        campaign["docs-numpy"].search("median", "bm26")
    with pytest.raises(ValueError, match="judge must be one of"):
        campaign["docs-numpy"].qrels("third")


def test_the_page_says_what_the_collections_are(campaign):
    """Each number of its table, by pandas alone."""
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"(?m)^\| (.+?) \| (.+?) \| (.+?) \|$", page)
    told = {what: [numbers_in(cell) for cell in cells] for what, *cells in rows}
    assert "topics" in told, rows
    means = []
    for side, collection in enumerate(campaign.collections.values()):
        works = collection.systems.query("works == 'yes'").index
        scores, ranks = collection.scores("AP", works), collection.scores("RR").mean()
        order = scores.mean().sort_values(ascending=False).index
        relevant = (
            (collection.qrels()["relevance"] > 0).groupby(collection.qrels()["query_id"]).sum()
        )
        best = scores[order[0]]
        expected = {
            "topics": [len(scores)],
            "judged per topic": [len(collection.qrels()) / len(scores)],
            "relevant per topic: mean, median": [relevant.mean(), relevant.median()],
            "sd of the engines' mean AP": [scores.mean().std()],
            "sd of the topics' mean AP": [scores.mean(axis=1).std()],
            "topics on which some engine beats the best one": [(best < scores.T).any().mean()],
            "topics on which the second beats the best one": [(scores[order[1]] > best).mean()],
            "RR of the five best by AP": ranks[order[:5]],
            "RR of the broken ones": ranks[ranks.index.difference(works)[::-1]],
        }
        for what, numbers in expected.items():
            np.testing.assert_allclose(told[what][side], numbers, atol=0.051, err_msg=what)
        means.append(scores.mean())
    tau = stats.kendalltau(*means).statistic
    assert f"on the two collections is {tau:.2f}" in page


def test_the_page_says_which_engines_there_are_and_how_far_the_judges_differ(campaign):
    page = PAGE.read_text("utf-8")
    groups = dict(re.findall(r"(?m)^\| (\w+) \| (\d+) \| .+ \| .+ \|$", page))
    counts = campaign["docs-numpy"].systems["group"].value_counts()
    assert {group: int(count) for group, count in groups.items()} == counts.to_dict()
    judges = ("first", "second", "adjudicated")
    parts = campaign.collections.values()
    grades = pd.DataFrame(
        {judge: pd.concat([c.qrels(judge)["relevance"] for c in parts]) for judge in judges}
    )
    differ = grades[grades["first"] != grades["second"]]
    assert f"differ on {len(differ)} of {len(grades):,} documents" in page
    by_first = (differ["adjudicated"] == differ["first"]).sum()
    by_second = (differ["adjudicated"] == differ["second"]).sum()
    assert f"{by_first} times for the first judge,\n{by_second} times for the second" in page
    cells = []
    for part in parts:
        first, second = part.qrels("first"), part.qrels("second")
        kappa = irstd.judges.compare_labels(first, second).kappa
        relevant = [q.assign(relevance=q["relevance"].gt(0).astype(int)) for q in (first, second)]
        cells.append(f"{kappa:.2f}, {irstd.judges.compare_labels(*relevant).kappa:.2f}")
    row = " | ".join(["kappa of the two judges: three grades, 0 against the rest", *cells])
    assert f"| {row} |" in page


def pool_of(collection):
    """The first ten documents of each engine that works."""
    works = collection.systems.query("works == 'yes'").index
    first_ten = pd.concat([collection.run(name).groupby("query_id").head(10) for name in works])
    return first_ten[["query_id", "doc_id"]].drop_duplicates()


def test_the_page_says_how_many_relevant_documents_no_engine_found_early(campaign):
    page = " ".join(PAGE.read_text("utf-8").split())
    relevant, outside = [], []
    for collection in campaign.collections.values():
        found = collection.qrels().merge(pool_of(collection), how="left", indicator="origin")
        relevant.append(found[found["relevance"] > 0])
        outside.append(relevant[-1].query("origin == 'left_only'"))
    listed, known = pd.concat(outside), len(pd.concat(relevant))
    share, topics = len(listed) / known, listed["query_id"].nunique()
    assert f"{len(listed)} of the {known} relevant documents ({share:.0%}, in {topics} top" in page
    of_numpy = len(outside[0]) / len(relevant[0])
    assert 0.225 < of_numpy < 0.275  # lesson 00: a quarter


def test_the_page_says_what_reading_the_description_does(campaign):
    page = " ".join(PAGE.read_text("utf-8").split())
    means, shares, sds, topics = [], [], [], []
    for collection in campaign.collections.values():
        systems = collection.systems.query("works == 'yes'")
        scores = collection.scores("AP", systems.index)
        groups = scores.mean().groupby(systems["query"])
        means.append(groups.mean())
        shares.append(groups.transform("mean").var() / scores.mean().var())
        by_title = scores[systems.index[systems["query"] == "title"]]
        sds.append(by_title.mean().std())
        topics.append(by_title.mean(axis=1).std())
    reads = campaign["docs-numpy"].systems["query"]
    best_first = campaign["docs-numpy"].scores("AP").mean().sort_values(ascending=False).index
    assert reads[best_first].eq("title+description").tolist() == [True] * 8 + [False] * 24  # 00
    title, both = zip(*[mean[["title", "title+description"]] for mean in means], strict=True)
    assert "mean AP is {:.2f} and {:.2f} (numpy, pandas) by title".format(*title) in page
    assert "and {:.2f} and {:.2f} with the description".format(*both) in page
    assert "which is {:.0%} and {:.0%} of the variance".format(*shares) in page
    assert "engines' means is {:.2f} and {:.2f}, and".format(*sds) in page
    assert "topics' means {:.2f} and {:.2f}: topics differ".format(*topics) in page


def numbers_in(cell):
    return [float(number) for number in re.findall(r"\d+\.?\d*", cell.replace(",", ""))]
