"""Factors that Webber, Moffat and Zobel published, beside those of the public scores."""

import warnings

import numpy as np
import pandas as pd
import pytest

import irstd
from irstd.datasets.load import _catalogue

PUBLISHED = [name for name, about in _catalogue().items() if "factors" in about]
# The largest difference of a mean or a sd, by collection and metric
EXACT = 2e-15
DIFFERENCES = {
    ("trec5", "AP"): EXACT,
    ("trec5", "P@10"): EXACT,
    ("trec6", "AP"): 1.4e-6,
    ("trec6", "P@10"): EXACT,
    ("trec6", "RR"): 0.0136,
    ("trec7", "AP"): EXACT,
    ("trec7", "P@10"): EXACT,
    ("trec7", "RR"): 0.0124,
    ("trec8", "AP"): 7.8e-7,
    ("trec8", "P@10"): EXACT,
    ("trec8", "RR"): 0.0013,
    ("robust2003", "AP"): EXACT,
    ("robust2004", "AP"): EXACT,
    ("robust2004", "P@10"): EXACT,
}


def test_seventeen_collections_have_published_factors_and_are_listed():
    assert len(PUBLISHED) == 17
    listed = irstd.list_datasets()["factors"]
    assert listed.index[listed].tolist() == PUBLISHED
    with pytest.raises(ValueError, match="name must be one of 'trec5'"):
        irstd.datasets.load_factors("web2010")


@pytest.mark.parametrize("name", PUBLISHED)
def test_factors_of_each_collection_are_read(trec_data, name):
    factors = irstd.datasets.load_factors(name)
    assert set(factors.mean.columns) == set(irstd.METRICS)
    assert not factors.mean.isna().any(axis=None)
    assert (factors.sd > 0).any(axis=None)
    for some in ("AP", ["RR", "AP"]):
        chosen = irstd.datasets.load_factors(name, some).sd
        pd.testing.assert_frame_equal(chosen, factors.sd[list(np.atleast_1d(some))])


@pytest.mark.parametrize(("name", "metric"), DIFFERENCES)
def test_published_factors_are_those_of_the_public_scores(trec_data, name, metric):
    published = irstd.datasets.load_factors(name, metric)
    own = irstd.standardization_factors(irstd.load_dataset(name, [metric]))
    if name == "trec5":  # rows without ids, in the order of these
        own.mean.index = own.sd.index = published.mean.index
    topics = published.mean.index
    largest = max(
        (own.mean.loc[topics] - published.mean).abs().to_numpy().max(),
        (own.sd.loc[topics] - published.sd).abs().to_numpy().max(),
    )
    assert largest <= DIFFERENCES[name, metric]
    assert largest >= 0.9 * DIFFERENCES[name, metric] or DIFFERENCES[name, metric] == EXACT


@pytest.mark.parametrize("name", ["trec5", "web2004", "terabyte2006"])
def test_rows_that_are_only_numbered_are_not_taken_for_topics(trec_data, name):
    scores = irstd.load_dataset(name, "AP")
    with pytest.raises(ValueError, match="topic"), warnings.catch_warnings(action="ignore"):
        irstd.standardize(scores, irstd.datasets.load_factors(name, "AP"))


def test_the_command_takes_published_factors_by_name(trec_data, tmp_path, capsys, monkeypatch):
    from irstd.__main__ import main

    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    scores = irstd.load_dataset("trec8", "AP").iloc[:, :3]
    irstd.write_scores(scores, tmp_path / "ap.csv")
    command = ["standardize", str(tmp_path / "ap.csv"), "--reference", "trec8:factors", "-m", "AP"]
    assert main([*command, "-o", str(tmp_path / "out.csv")]) == 0
    found = irstd.read_scores(tmp_path / "out.csv")
    expected = irstd.standardize(scores, irstd.datasets.load_factors("trec8", "AP"))
    pd.testing.assert_frame_equal(found, expected, check_names=False, atol=1e-12)
    assert main(["standardize", str(tmp_path / "ap.csv"), "--reference", "web2010:factors"]) == 1
    assert "name must be one of" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["trec8", "robust2003", "web2001"])
def test_means_that_are_taken_for_sds_are_refused(trec_data, name):
    key = _catalogue()[name]["factors"]
    means, sds = trec_data / f"{key}.mn.csv", trec_data / f"{key}.sd.csv"
    irstd.Factors.from_csv(means, sds, names="page")
    with pytest.raises(ValueError, match=r"\.sd\.csv, .*give the means first"):
        irstd.Factors.from_csv(sds, means, names="page")
