"""The documentation collection: the same on every machine, and scored as trec_eval scores it."""

import json
import lzma
import re
from importlib.metadata import version
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from processes import run_python
from texts import read_page

import irstd
from irstd.documentation import docs_collection as source
from irstd.documentation.engines import read_engines
from irstd.documentation.sources import PLACES, read_documents

NAMES = list(PLACES)
FOLDER = files("irstd.documentation")


@pytest.fixture(scope="module")
def campaign():
    return irstd.documentation_campaign()


def test_documentation_judges_the_whole_pool(campaign):
    for collection in campaign.collections.values():
        pool = pool_of(collection)
        assert len(pool.merge(collection.qrels())) == len(pool)


def test_documentation_needs_no_engine():
    """In a process in which bm25s and snowballstemmer cannot be imported."""
    code = (
        "import sys; sys.modules['bm25s'] = sys.modules['snowballstemmer'] = None; import irstd;"
        "print(*(irstd.load_dataset(name).shape for name in ('docs-numpy', 'docs-pandas')))"
    )
    done = run_python("-c", code)
    assert done.stdout.split() == ["(50,", "32)", "(50,", "32)"]


def test_load_dataset_gives_the_documentation_scores(campaign):
    for name in NAMES:
        scores = irstd.load_dataset(name, "RR")
        pd.testing.assert_frame_equal(scores, campaign[name].scores("RR"))
        assert scores.attrs == {"collection": name, "metric": "RR"}
        assert irstd.list_datasets().loc[name, ["systems", "topics"]].tolist() == [32, 50]


@pytest.fixture(scope="module")
def live():
    return irstd.documentation_campaign(live=True)


@pytest.mark.night
def test_documentation_indexed_anew_gives_the_packed_runs(campaign, live):
    """Under the versions that they were made with."""
    packed = json.loads(lzma.decompress((FOLDER / "runs.json.xz").read_bytes()))
    if any(version(name) != number for name, number in packed["versions"].items()):
        pytest.skip("other versions are installed")
    for name in NAMES:
        pd.testing.assert_frame_equal(live[name].qrels(), campaign[name].qrels())
        for system in read_engines().index:
            pd.testing.assert_frame_equal(live[name].run(system), campaign[name].run(system))


def test_documentation_names_what_is_not_installed(monkeypatch):
    """An older version lacks a function, and a newer one has another text."""
    documents = read_documents("docs-pandas")
    older = documents.drop(["pandas.DataFrame.ffill", "pandas.merge_asof"])
    older["pandas.DataFrame.bfill"] = "Fill gaps with what comes after."
    monkeypatch.setattr(source, "read_documents", lambda name: older)
    collection = irstd.documentation_campaign(live=True)["docs-pandas"]
    assert set(collection.qrels()["doc_id"]) <= set(older.index)
    assert collection.scores("AP", ["text-lucene", "lsa-50"]).notna().all(axis=None)
    packed = irstd.documentation_campaign()["docs-pandas"]
    assert packed.documents.attrs["missing"] == ["pandas.DataFrame.ffill", "pandas.merge_asof"]
    for doc_id in packed.documents.attrs["missing"]:
        assert packed.documents[doc_id].startswith(f"{doc_id} is not in the versions")


def test_documentation_refuses_unknown_names(campaign):
    with pytest.raises(ValueError, match="system must be one of"):
        campaign["docs-numpy"].run("bm26")
    with pytest.raises(ValueError, match="judge must be one of"):
        campaign["docs-numpy"].qrels("third")


def numbers_of(collection):
    """Each row of the page's table, by pandas alone."""
    systems = collection.systems.query("works == 'yes'")
    scores = collection.scores(systems=systems.index)  # by AP
    ranks = collection.scores("RR").mean()
    qrels = collection.qrels()
    relevant = qrels[qrels["relevance"] > 0]
    per_topic = relevant.groupby("query_id").size()
    means = scores.mean()
    order = means.sort_values(ascending=False).index
    best = scores[order[0]]
    reads = means.groupby(systems["query"])
    outside = relevant.merge(pool_of(collection), how="left", indicator="origin")
    outside = outside.query("origin == 'left_only'")
    first, second = collection.qrels("first"), collection.qrels("second")
    decided = qrels["relevance"][first["relevance"] != second["relevance"]]
    binary = [judge.assign(relevance=judge["relevance"].clip(upper=1)) for judge in (first, second)]
    return {
        "topics": [len(scores)],
        "judged per topic": [len(qrels) / len(scores)],
        "relevant per topic: mean, median": [per_topic.mean(), per_topic.median()],
        "relevant documents: all, outside the pool": [len(relevant), len(outside)],
        "grades: all, those on which the judges differ": [len(qrels), len(decided)],
        "decided for the first judge, for the second": [
            (decided == judge["relevance"][decided.index]).sum() for judge in (first, second)
        ],
        "kappa of the two judges: three grades, 0 against the rest": [
            irstd.judges.compare_labels(*pair).kappa for pair in ((first, second), binary)
        ],
        "mean AP: by title, with the description": reads.mean()[["title", "title+description"]],
        "topics on which some engine beats the best one": [(best < scores.T).any().mean()],
        "RR of the five best by AP": ranks[order[:5]],
        "RR of the broken ones": ranks[ranks.index.difference(systems.index)[::-1]],
    }


def test_documentation_page_has_the_numbers_of_the_collections(campaign):
    page = read_page("pages/documentation_collection")
    rows = re.findall(r"(?m)^\| (.+?) \| (.+?) \| (.+?) \|$", page)
    table = {label: [numbers_in(cell) for cell in cells] for label, *cells in rows}
    for side, collection in enumerate(campaign.collections.values()):
        for label, numbers in numbers_of(collection).items():
            atol = 0.051 if max(numbers) > 1 else 0.0051
            np.testing.assert_allclose(table[label][side], numbers, atol=atol, err_msg=label)
    groups = dict(re.findall(r"(?m)^\| (\w+) \| (\d+) \| .+ \| .+ \|$", page))
    counts = campaign["docs-numpy"].systems["group"].value_counts()
    assert {group: int(count) for group, count in groups.items()} == counts.to_dict()


def test_documentation_in_lesson_00(campaign):
    """A quarter of the relevant documents is outside the pool; the best eight read descriptions."""
    numpy = campaign["docs-numpy"]
    known, outside = numbers_of(numpy)["relevant documents: all, outside the pool"]
    assert 0.225 < outside / known < 0.275
    best_first = numpy.scores("AP").mean().sort_values(ascending=False).index
    reads = numpy.systems["query"][best_first]
    assert reads.eq("title+description").tolist() == [True] * 8 + [False] * 24


def pool_of(collection):
    """The first ten documents of each engine that works."""
    works = collection.systems.query("works == 'yes'").index
    first_ten = pd.concat([collection.run(name).groupby("query_id").head(10) for name in works])
    return first_ten[["query_id", "doc_id"]].drop_duplicates()


def numbers_in(cell):
    return [float(number) for number in re.findall(r"\d+\.?\d*", re.sub(r",(?=\d{3})", "", cell))]
