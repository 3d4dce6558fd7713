"""The catalogue and `load_dataset`; the scores themselves are tested in test_simulate."""

import pytest

from irstd.datasets import list_datasets, load_dataset

# Systems and topics as WMZ08, section 3 and 5, counts them (its Robust 2004 has 49 topics).
SHAPES = {
    "sim-trec7": (50, 103),
    "sim-trec8": (50, 129),
    "sim-robust2003": (50, 78),
    "sim-robust2004": (50, 110),
    "sim-robust2004-all": (200, 110),
}


def test_catalogue_agrees_with_what_is_loaded():
    catalogue = list_datasets()
    assert catalogue.index.name == "name"
    assert {"metrics", "kind", "licence", "citation"} <= set(catalogue.columns)
    assert list(catalogue.index) == list(SHAPES)
    for name, shape in SHAPES.items():
        scores = load_dataset(name)
        assert scores.shape == shape == tuple(catalogue.loc[name, ["topics", "systems"]])
        assert scores.index.name == "topic" and scores.columns.name == "system"
        assert scores.index.is_unique and scores.columns.is_unique
        assert scores.min(axis=None) >= 0 and scores.max(axis=None) <= 1


def test_topics_are_those_of_the_collections_modelled():
    ranges = [("sim-trec7", 351), ("sim-trec8", 401), ("sim-robust2003", 601)]
    for name, first in [*ranges, ("sim-robust2004", 651)]:
        assert list(load_dataset(name).index) == [str(first + i) for i in range(50)]


def test_all_topics_of_the_later_systems():
    everything = load_dataset("sim-robust2004-all")
    assert everything.loc["651":].equals(load_dataset("sim-robust2004"))
    assert not set(everything.columns) & set(load_dataset("sim-trec7").columns)


def test_one_metric_is_a_matrix_and_several_are_nested():
    both = load_dataset("sim-robust2003", ["AP", "P@10"])
    assert both.columns.names == ["metric", "system"]
    assert both["P@10"].equals(load_dataset("sim-robust2003", "P@10"))
    assert both["AP"].equals(load_dataset("sim-robust2003"))


def test_a_caller_may_change_what_it_got():
    scores = load_dataset("sim-robust2003")
    before = scores.copy()
    scores.iloc[:] = 0
    scores.index = range(50)
    assert load_dataset("sim-robust2003").equals(before)


def test_an_unknown_name_is_told_what_there_is():
    with pytest.raises(ValueError, match="sim-trec7.*did you mean 'sim-trec8'"):
        load_dataset("trec-8")
    with pytest.raises(ValueError, match="unknown metric 'MAP'"):
        load_dataset("sim-trec8", "MAP")
