"""Factors that Webber, Moffat and Zobel published, beside those of the public scores."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

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
    some = irstd.datasets.load_factors(name, "AP")
    assert some.mean.columns.tolist() == ["AP"]


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


def test_scores_standardized_by_published_factors_are_the_hand_computation(trec_data):
    published = irstd.datasets.load_factors("trec8", "AP")
    scores = irstd.load_dataset("trec8", "AP").iloc[:, :5]
    found = irstd.standardize(scores, published)
    z = scores.sub(published.mean["AP"], axis=0).div(published.sd["AP"], axis=0)
    np.testing.assert_allclose(found, norm.cdf(z), atol=1e-14)
    other = irstd.load_dataset("trec7", "AP").iloc[:, :2]
    with pytest.raises(ValueError, match="no topic"):
        irstd.standardize(other, published)


@pytest.mark.parametrize("name", ["trec5", "web2004", "terabyte2006"])
def test_rows_that_are_only_numbered_are_not_taken_for_topics(trec_data, name):
    scores = irstd.load_dataset(name, "AP")
    with pytest.raises(ValueError, match="topic"), warnings.catch_warnings(action="ignore"):
        irstd.standardize(scores, irstd.datasets.load_factors(name, "AP"))


def test_without_the_files_it_is_said_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.delenv("IRSTD_DATA", raising=False)
    monkeypatch.setenv("IRSTD_CACHE", str(tmp_path))
    monkeypatch.setattr("pooch.HTTPDownloader.__call__", _no_network)
    with pytest.raises(ConnectionError, match="in a folder that the environment variable"):
        irstd.datasets.load_factors("trec8")


def _no_network(*_, **__):
    raise OSError("no network")


def test_factors_can_be_selected_as_others(trec_data):
    factors = irstd.datasets.load_factors("trec8", ["AP", "P@10"])
    table = pd.concat({"AP": factors.mean["AP"], "P@10": factors.mean["P@10"]}, axis=1)
    pd.testing.assert_frame_equal(table, factors.mean, check_names=False)


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
    with pytest.raises(ValueError, match="give the file of means first"):
        irstd.Factors.from_csv(sds, means, names="page")


@pytest.mark.slow
def test_the_report_takes_published_factors_by_name(trec_data, tmp_path, monkeypatch):
    from irstd.__main__ import main

    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    scores = irstd.load_dataset("trec8").iloc[:, :5]
    irstd.write_scores(scores, tmp_path / "ap.csv")
    folder = tmp_path / "kept"
    given = ["--scores", str(tmp_path / "ap.csv"), "-m", "AP", "--reference", "trec8:factors"]
    options = ["-o", str(tmp_path / "page.html"), "--folder", str(folder)]
    assert main(["report", *given, *options]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "trec8:factors" in page
    found = irstd.read_scores(folder / "standardized.csv")
    expected = irstd.standardize(scores, irstd.datasets.load_factors("trec8"))
    np.testing.assert_allclose(found[expected.columns], expected, atol=1e-12)


def sums(name, metric):
    """By topic: by how much the public scores' sum, and sum of squares, exceed the published."""
    published = irstd.datasets.load_factors(name, metric)
    scores = irstd.load_dataset(name, metric)
    n_systems = scores.shape[1]
    mean = published.mean[metric]
    sd = published.sd[metric]
    of_squares = (n_systems - 1) * sd**2 + n_systems * mean**2
    more = {"sum": scores.sum(axis=1) - n_systems * mean}
    more["squares"] = (scores**2).sum(axis=1) - of_squares
    return pd.DataFrame(more), n_systems


@pytest.mark.parametrize(("name", "topics"), [("trec6", ["328"]), ("trec8", ["410", "431"])])
def test_average_precision_differs_by_the_last_digit_of_one_system(trec_data, name, topics):
    """Both are rounded to four digits."""
    more, _ = sums(name, "AP")
    by_much = more["sum"].abs()[more["sum"].abs() > 1e-9]
    assert by_much.index.tolist() == topics
    np.testing.assert_allclose(by_much, 0.0001, atol=1e-9)


def test_reciprocal_ranks_differ_by_four_digits_and_where_one_system_has_another_first_document(
    trec_data,
):
    """Public RR has four digits. Beside this, on nine topics of TREC 6, one 1/a became 1/b."""
    more, n_systems = sums("trec6", "RR")
    rounding = 5e-5 * n_systems**0.5
    beyond = more[more["sum"].abs() > 3 * rounding]
    ranks = [np.inf, *range(1, 1001)]
    moves = 0
    for _, (by_sum, by_squares) in beyond.iterrows():
        # from x to y: y - x is the sum's difference, and y^2 - x^2 that of the squares
        total = by_squares / by_sum
        after, before = (total + by_sum) / 2, (total - by_sum) / 2
        found = [min(abs(1 / rank - value) for rank in ranks) for value in (before, after)]
        moves += max(found) < 0.002
    assert len(beyond) == moves == 9
