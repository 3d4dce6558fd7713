"""The catalogue and `load_dataset`; the scores themselves are tested in test_simulate."""

import json

import numpy as np
import pandas as pd
import pytest

import irstd
from irstd.datasets import list_datasets, load_dataset

# Systems and topics as WMZ08, section 3 and 5, counts them (its Robust 2004 has 49 topics).
SHAPES = {  # and the first topic
    "sim-trec7": (50, 103, "351"),
    "sim-trec8": (50, 129, "401"),
    "sim-robust2003": (50, 78, "601"),
    "sim-robust2004": (50, 110, "651"),
    "sim-robust2004-all": (200, 110, "351"),
}


def test_catalogue_has_the_shapes_of_load_dataset():
    catalogue = list_datasets()
    assert list(catalogue.index[:6]) == [*SHAPES, "sim-judges"]
    for name, (*shape, first) in SHAPES.items():
        scores = load_dataset(name)
        assert scores.index[0] == first
        assert scores.shape == tuple(shape) == tuple(catalogue.loc[name, ["topics", "systems"]])
        assert scores.min(axis=None) >= 0 and scores.max(axis=None) <= 1


def test_load_dataset_returns_a_copy():
    scores = load_dataset("sim-robust2003")
    before = scores.copy()
    scores.iloc[:] = 0
    scores.index = range(50)
    assert load_dataset("sim-robust2003").equals(before)
    everything = load_dataset("sim-robust2004-all")
    assert everything.loc["651":].equals(load_dataset("sim-robust2004"))


@pytest.mark.parametrize(
    ("name", "metric", "error", "said"),
    [
        ("sim-trec-8", None, ValueError, "did you mean 'sim-trec8'"),
        ("sim-trec8", "MAP", ValueError, "unknown metric 'MAP'"),
        ("trec8", "nJDCG", ValueError, "metric of trec8 must be one of 'AP', 'P@10', 'RR', got"),
        ("trec9", None, ValueError, r"scores of trec9 \(TREC-9 Web Track\) are not public"),
        ("sim-judges", ["AP"], ValueError, "metric must be a single name for sim-judges"),
    ],
)
def test_load_dataset_refuses_unknown_names_and_metrics(name, metric, error, said):
    with pytest.raises(error, match=said):
        load_dataset(name, metric)


def test_list_datasets_has_citations_and_licenses():
    catalogue = list_datasets()
    assert catalogue[["kind", "track", "license"]].map(len).to_numpy().all()
    assert (catalogue["citation"] == "").equals(catalogue["kind"] == "not public")
    assert catalogue.loc[["sim-judges", "robust2003-runs"], "metrics"].eq("any").all()
    assert catalogue.loc["trec9", ["metrics", "systems"]].tolist() == ["", 105]


PUBLIC = list_datasets().query("kind == 'public' and not index.str.contains('judges')").index


@pytest.mark.parametrize("name", PUBLIC)
def test_load_dataset_has_the_metrics_of_the_catalogue(trec_data, name):
    about = list_datasets().loc[name]
    for metric in about["metrics"].split(", "):
        scores = load_dataset(name, metric)
        if (name, metric) != ("robust2004", "nDCG"):  # the new topics only
            assert scores.shape == (about["topics"], about["systems"])
        assert scores.index.name == "topic" and scores.index.is_unique
        assert scores.attrs["metric"] == metric


def test_load_dataset_has_the_topics_of_the_track_in_order(trec_data):
    """The systems of 2004 found the same topics hard; shuffled rows would not correlate."""
    assert load_dataset("trec7", "RR").index[[0, -1]].tolist() == ["351", "400"]
    late = load_dataset("robust2004", "nDCG").index
    assert len(late) == 99 and "672" not in late
    old = load_dataset("robust2003").mean(axis=1)
    assert old.index[[0, 49, 50, 99]].tolist() == "303 448 601 650".split()
    later = load_dataset("robust2004").loc[old.index].mean(axis=1)
    assert np.corrcoef(old.iloc[:50], later.iloc[:50])[0, 1] > 0.9
    assert np.corrcoef(old.iloc[50:], later.iloc[50:])[0, 1] > 0.9


def test_load_dataset_keeps_metric_and_collection():
    scores = load_dataset("sim-trec8", "P@10")
    assert scores.attrs == {"collection": "simulated campaign", "metric": "P@10"}
    two = load_dataset("sim-trec8", ["AP", "P@10"])
    assert two.columns.names == ["metric", "system"]
    assert two["P@10"].equals(scores) and two["AP"].equals(load_dataset("sim-trec8"))
    assert load_dataset("docs-numpy", "map").attrs["metric"] == "AP"


@pytest.mark.parametrize(("year", "shape"), [(2019, (43, 37)), (2020, (54, 59))])
def test_load_dataset_of_judges_is_their_files(trec_data, year, shape):
    """With the means that the files state, and NaN where a judge judged none of a topic."""
    scores = load_dataset(f"judges-dl{year}")
    judges = scores.columns.unique("judge")
    assert judges[0] == "original" and len(judges) == 13
    assert tuple(list_datasets().loc[f"judges-dl{year}", ["topics", "systems"]]) == shape
    assert scores.index.astype(int).is_monotonic_increasing
    for judge in judges:
        path = irstd.datasets.fetch_dataset(f"judges-dl{year}", judge)
        rows = pd.read_csv(path, names=["system", "topic", "score"], dtype=str)
        rows = rows[rows["topic"] != "topic"].set_index(["topic", "system"])["score"].astype(float)
        found = scores[judge].dropna()
        assert found.stack().to_dict() == rows.drop("average", level="topic").to_dict()
        assert found.mean().to_dict() == pytest.approx(rows["average"].to_dict(), abs=1e-12)
    with pytest.raises(ValueError, match=f"judge of judges-dl{year} must be one of 'original'"):
        irstd.datasets.fetch_dataset(f"judges-dl{year}", "compatibility")


def test_load_dataset_of_mteb_is_its_leaderboard(trec_data):
    """The published Average is that of the data sets, for every complete model."""
    scores = load_dataset("mteb-retrieval")
    assert scores.columns.is_unique and scores.columns[1] == "NV-Embed-v2"  # a real name
    text = (trec_data / "mteb" / "en-retrieval.jsonl").read_text()
    board = pd.DataFrame(map(json.loads, text.splitlines())).replace("", np.nan)
    assert all(model in row for model, row in zip(scores, board["Model"], strict=True))
    theirs = board[list(scores.index)].T.set_axis(scores.columns, axis=1)
    np.testing.assert_allclose(100 * scores, theirs.astype(float), rtol=1e-12)
    whole = scores.columns[scores.notna().all()]
    published = board["Average"].dropna().to_numpy(float)
    assert len(whole) == 228
    assert (100 * scores[whole].mean()).to_numpy() == pytest.approx(published, abs=0.00501)


def test_load_dataset_names_anonymous_systems_by_collection(trec_data):
    """They carry their collection: of the systems whose numbers both have, no two are one."""
    seven, eight = load_dataset("trec7"), load_dataset("trec8").iloc[:, :103]
    assert load_dataset("trec8", "RR").columns[:103].equals(eight.columns)  # metrics match
    with pytest.raises(ValueError, match="must have the same systems.*trec7/run1"):
        irstd.drmse(seven, eight)
