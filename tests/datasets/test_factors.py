"""Standardization factors by name: bundled, of the authors, and a user's own, published."""

import hashlib
import itertools
import json
import re
import shutil
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, norm
from texts import code_of, read_page

import irstd
from irstd.datasets import _fetch
from irstd.datasets.load import _read_catalogue, bundled_factors

AUTHORS = [name for name, about in _read_catalogue().items() if "authors" in about]
PUBLIC = [name for name in bundled_factors() if _read_catalogue()[name]["kind"] == "public"]
PACKAGE = json.loads((_fetch.BUNDLED / "datapackage.json").read_text("utf-8"))
RESOURCES = {resource["path"]: resource for resource in PACKAGE["resources"]}
# The largest difference of a mean or a sd from the authors', by collection and metric
DIFFERENCES = dict.fromkeys(
    [
        *itertools.product(["trec5", "trec6", "trec7", "trec8", "robust2004"], ["AP", "P@10"]),
        ("trec5", "RR"),
        ("robust2003", "AP"),
    ],
    2e-15,
) | {
    ("trec6", "AP"): 1.4e-6,
    ("trec6", "RR"): 0.0136,
    ("trec7", "RR"): 0.0124,
    ("trec8", "AP"): 7.8e-7,
    ("trec8", "RR"): 0.0013,
    ("robust2004", "nDCG"): 0.148,  # of another definition
}

ROW = r"(?m)^\| `([\w-]+)` \| (\d{4}) \| (\d+) \| (\d+) \| (.*?) \|.*\| (.*?) \| .*$"
PAGE = read_page("pages/factors")


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No data but the package's."""
    monkeypatch.delenv("IRSTD_DATA", raising=False)
    monkeypatch.setenv("IRSTD_CACHE", str(tmp_path / "empty"))


def test_list_datasets_says_where_factors_are():
    files = [path.name.removesuffix(".mean.csv") for path in _fetch.BUNDLED.glob("*.mean.csv")]
    assert sorted(files) == sorted(bundled_factors())
    sources = irstd.list_datasets()["factors"]
    assert sources.index[sources.str.contains("authors'")].tolist() == AUTHORS
    free = [name for name, about in _read_catalogue().items() if about["license"] == "CC BY-SA 4.0"]
    assert sorted(PUBLIC) == sorted(free)


CASES = [(name, metric) for name in PUBLIC for metric in _read_catalogue()[name]["files"]]


@pytest.mark.parametrize(("name", "metric"), CASES)
def test_load_factors_are_pandas_moments_of_the_score_file(trec_data, name, metric):
    path = trec_data / _read_catalogue()[name]["files"][metric]
    scores = pd.read_csv(path).drop(columns="topic", errors="ignore")
    factors = irstd.load_factors(name, metric)
    np.testing.assert_allclose(factors.mean[metric], scores.mean(axis=1), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(factors.sd[metric], scores.std(axis=1), rtol=1e-12, atol=1e-15)
    assert factors.mean.index.equals(irstd.load_dataset(name, metric).index)
    assert factors.n_systems == scores.shape[1]
    sources = {source["title"]: source["hash"] for source in RESOURCES[f"{name}.sd.csv"]["sources"]}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert sources[_read_catalogue()[name]["files"][metric]] == f"sha256:{digest}"


@pytest.mark.parametrize("name", ["docs-numpy", "docs-pandas"])
def test_load_factors_of_documentation_are_those_of_its_engines(name):
    scores = irstd.load_dataset(name, irstd.METRICS)
    factors = irstd.load_factors(name)
    expected = scores.T.groupby("metric", sort=False)
    np.testing.assert_allclose(factors.mean, expected.mean().T, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(factors.sd, expected.std().T, rtol=1e-12, atol=1e-15)


def test_datapackage_describes_every_file():
    files = {path.relative_to(_fetch.BUNDLED).as_posix() for path in _fetch.BUNDLED.rglob("*.csv")}
    assert files == set(RESOURCES)
    for path, resource in RESOURCES.items():
        data = (_fetch.BUNDLED / path).read_bytes()
        assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        assert resource["licenses"] and resource["sources"] and resource["citation"]
        if "schema" not in resource:
            continue
        table = pd.read_csv(_fetch.BUNDLED / path, index_col=0, dtype={0: str})
        columns = [field["name"] for field in resource["schema"]["fields"]]
        assert columns == [table.index.name, *table]
        assert resource["topics"] == len(table)
        if path.endswith(".sd.csv"):
            flat = {metric: table.index[table[metric] == 0].tolist() for metric in table}
            assert resource["constantTopics"] == flat


@pytest.mark.parametrize("name", ["trec7", "trec8", "robust2003", "robust2004"])
def test_load_dataset_of_wmz08_needs_no_network(offline, name):
    about = irstd.list_datasets().loc[name]
    scores = irstd.load_dataset(name)
    assert scores.shape == (about["topics"], about["systems"])
    assert scores.columns.str.startswith(f"{name}/").all()  # anonymous, as they were published
    by_name = irstd.standardize(scores, name, "z")
    pd.testing.assert_frame_equal(by_name, irstd.standardize(scores, method="z"), atol=1e-12)
    by_scores = irstd.standardize(scores, name, "ecdf")
    pd.testing.assert_frame_equal(by_scores, irstd.standardize(scores, method="ecdf"))


def test_compare_across_takes_names(offline):
    ours = irstd.load_dataset("trec8")
    theirs = irstd.load_dataset("robust2003").loc["601":]
    pair = ours.iloc[:, 3], theirs.iloc[:, 4]
    by_name = irstd.compare_across(*pair, references=("trec8", "robust2003"))
    by_scores = irstd.compare_across(*pair, references=(ours, theirs))
    pd.testing.assert_frame_equal(by_name, by_scores, atol=1e-12)


def test_to_trec_eval_has_our_z(offline, tmp_path):
    """trec_eval -Z FILE computes (score - mean) / sd from lines of topic, measure, mean, sd."""
    irstd.load_factors("trec8", ["AP", "P@10"]).to_trec_eval(tmp_path / "z.txt")
    table = pd.read_csv(tmp_path / "z.txt", sep="\t", names=["topic", "measure", "mean", "sd"])
    table = table[table["measure"] == "map"].set_index("topic")
    scores = irstd.load_dataset("trec8")
    z = scores.to_numpy() - table[["mean"]].to_numpy()
    expected = irstd.standardize(scores, "trec8", "z")
    np.testing.assert_allclose(z / table[["sd"]].to_numpy(), expected, rtol=1e-12, atol=1e-12)


def test_page_lists_the_datapackage():
    rows = re.findall(ROW, PAGE)
    assert sorted(row[0] for row in rows) == sorted(bundled_factors())
    for name, *numbers, metrics, license in rows:
        resource = RESOURCES[f"{name}.mean.csv"]
        assert [int(n) for n in numbers] == [resource[key] for key in ("year", "topics", "systems")]
        fields = ", ".join(field["name"] for field in resource["schema"]["fields"][1:])
        assert metrics == fields.replace(", ".join(irstd.METRICS), "the eleven of `irstd.METRICS`")
        assert license.replace(" ", "-") == resource["licenses"][0]["name"]


@pytest.mark.filterwarnings("ignore:all standardizing systems score the same on topic")
def test_code_of_the_page_runs(offline, tmp_path, monkeypatch):
    for path in _fetch.BUNDLED.glob("trec8.*.csv"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {"scores": pd.read_csv(_fetch.BUNDLED / "sigir2019-statistical/adhoc8_ap.csv")["run16"]}
    names["scores"].index = [str(topic) for topic in range(401, 451)]
    for code in code_of(PAGE):
        exec(code, names)
    by_hand = norm.cdf(names["z"]).mean()
    assert by_hand == pytest.approx(irstd.standardize(names["mine"], "trec8").mean().item())
    assert len(names["later"].columns) >= 15
    if shutil.which("awk"):
        (command,) = re.findall(r"(?m)^paste.*$", PAGE)
        subprocess.run(command, shell=True, check=True)
        factors = irstd.Factors.from_trec_eval("trec8.z")
        pd.testing.assert_frame_equal(factors.sd, irstd.load_factors("trec8", "AP").sd)


@pytest.mark.filterwarnings("ignore:(there are only|all standardizing)")
def test_page_says_what_fifteen_engines_do():
    """Level and order by so many engines at random."""
    scores = irstd.load_dataset("docs-numpy", "nDCG@10")
    rng = np.random.default_rng(0)

    def means(reference):
        return irstd.standardize(scores, reference).mean()

    rows = []
    for _ in range(100):
        order = rng.permutation(scores.columns)
        by_all, by_5, by_15 = (means(scores[order[:n]])[order[15:]] for n in (None, 5, 15))
        tau = kendalltau(by_5, by_all).statistic
        rows.append([tau, by_5.mean() - by_all.mean(), by_15.mean() - by_all.mean()])
    low, high = np.quantile(rows, [0.05, 0.95], axis=0)
    assert low[0] > 0.8
    assert np.maximum(-low, high)[1:] == pytest.approx([0.09, 0.04], abs=0.015)
    ranked = scores.mean().sort_values().index
    weakest, best = means(scores[ranked[:15]]).mean(), means(scores[ranked[-15:]]).mean()
    assert [best, weakest] == pytest.approx([0.38, 0.58], abs=0.02)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: irstd.load_factors("sim-trec8"), "name must be one of"),
        (lambda: irstd.load_factors("trec8", "P@20"), "metric of trec8 must be one of 'AP'"),
        (lambda: irstd.load_factors("trec8", source="2008"), "source must be one of"),
        (lambda: irstd.load_factors("web2010", source="authors"), "name must be one of 'trec5'"),
    ],
)
def test_load_factors_refuses_unknown_names_and_metrics(call, match):
    with pytest.raises(ValueError, match=match):
        call()


def unnamed(scores):
    scores.attrs = {}
    return scores


@pytest.mark.parametrize(
    ("change", "name", "match"),
    [
        (unnamed, "trec8", "needs the metric of the scores"),
        (lambda scores: scores.loc["401":], "trec7", "no topic in common"),
        (
            lambda scores: scores.set_axis("MB" + scores.index),
            "trec8",
            "MB403.*reference has topics 401",
        ),
        (lambda scores: scores, "trec9", r'load_factors\("trec9", source="authors"\)'),
        (lambda scores: scores, "trec-8", "did you mean 'trec8'"),
    ],
)
def test_standardize_refuses_names_of_other_factors(offline, change, name, match):
    scores = change(irstd.load_dataset("trec8"))
    with pytest.raises(ValueError, match=match):
        irstd.standardize(scores, name)


@pytest.fixture
def published(tmp_path):
    """Factors of five engines, as somebody else publishes them."""
    runs = irstd.load_dataset("docs-numpy", "AP").iloc[:, :5]
    with warnings.catch_warnings(action="ignore"):
        factors = irstd.standardization_factors(runs)
    about = {"title": "Five runs", "licenses": [{"name": "CC-BY-4.0"}]}
    factors.to_csv(tmp_path / "mean.csv", tmp_path / "sd.csv", about=about)
    return tmp_path / "mean.csv", tmp_path / "sd.csv"


def test_to_csv_publishes_factors_that_others_standardize_by(published):
    header = json.loads(published[0].with_name("datapackage.json").read_text())
    mean, sd = header["resources"]
    assert (mean["path"], sd["path"]) == ("mean.csv", "sd.csv")
    assert (mean["systems"], mean["topics"], mean["title"]) == (5, 50, "Five runs")
    scores = irstd.load_dataset("docs-numpy", "AP")
    with warnings.catch_warnings(action="ignore"):  # of few systems, and of a constant topic
        factors = irstd.Factors.from_csv(*published)
        found = irstd.standardize(scores, factors, "z")
        expected = irstd.standardize(scores, scores.iloc[:, :5], "z")
    pd.testing.assert_frame_equal(found, expected, rtol=1e-10)
    assert (factors.mean.attrs, factors.n_systems, factors.collection) == ({}, 5, "docs-numpy")


def test_to_csv_keeps_other_files_in_the_datapackage(published):
    factors = irstd.Factors.from_csv(*published)
    factors.to_csv(*(path.with_stem(f"b.{path.stem}") for path in published), about={})
    factors.to_csv(*published, about={"title": "Again"})
    text = published[0].with_name("datapackage.json").read_text()
    assert text.startswith('{\n "')  # one entry a line, so that versions can be compared
    header = json.loads(text)
    titles = {resource["path"]: resource.get("title") for resource in header["resources"]}
    assert titles == {"mean.csv": "Again", "sd.csv": "Again", "b.mean.csv": None, "b.sd.csv": None}


def test_to_csv_needs_one_folder_and_a_datapackage(published):
    factors = irstd.Factors.from_csv(*published)
    (published[0].parent / "other").mkdir()
    with pytest.raises(ValueError, match="both files in one folder"):
        factors.to_csv(published[0], published[0].parent / "other" / "sd.csv", about={})
    published[0].with_name("datapackage.json").write_text("[]")
    with pytest.raises(ValueError, match="must be a data package in JSON"):
        irstd.Factors.from_csv(*published)


def test_from_csv_warns_of_edited_numbers(published):
    text = published[1].read_text()
    published[1].write_text(text.replace("0.1", "0.2", 1))
    with pytest.warns(UserWarning, match=r"sd\.csv: its SHA-256 differs from that in"):
        irstd.Factors.from_csv(*published)


def test_from_csv_refuses_files_that_are_no_pair(tmp_path):
    files = _fetch.BUNDLED
    with pytest.raises(ValueError, match="must have the same number of systems"):
        irstd.Factors.from_csv(files / "trec7.mean.csv", files / "robust2003.sd.csv")
    with pytest.raises(ValueError, match=r"sd\.csv: holds the sd of each topic; expected the mean"):
        irstd.Factors.from_csv(files / "trec8.sd.csv", files / "trec8.mean.csv")
    for metric in ("AP", "RR"):
        paths = [tmp_path / f"{metric}.mean.csv", tmp_path / f"{metric}.sd.csv"]
        irstd.load_factors("trec8", metric).to_csv(*paths)
    with pytest.raises(ValueError, match="the same metrics"):
        irstd.Factors.from_csv(tmp_path / "AP.mean.csv", tmp_path / "RR.sd.csv")
    for path in paths:
        path.write_text(path.read_text().partition("\n")[2])
    with pytest.raises(ValueError, match=r"RR\.mean\.csv"):
        irstd.Factors.from_csv(*paths)


@pytest.mark.parametrize("name", AUTHORS)
def test_load_factors_of_the_authors(trec_data, name):
    factors = irstd.load_factors(name, source="authors")
    assert set(factors.mean.columns) == set(irstd.METRICS)
    assert not factors.mean.isna().any(axis=None)
    chosen = irstd.load_factors(name, ["RR", "AP"], source="authors").sd
    pd.testing.assert_frame_equal(chosen, factors.sd[["RR", "AP"]])


@pytest.mark.parametrize(("name", "metric"), DIFFERENCES)
def test_load_factors_of_the_authors_are_those_of_the_scores(trec_data, name, metric):
    theirs = irstd.load_factors(name, metric, source="authors")
    ours = irstd.load_factors(name, metric)
    topics = theirs.mean.index.intersection(ours.mean.index)
    off = [
        ours.mean.loc[topics] - theirs.mean.loc[topics],
        ours.sd.loc[topics] - theirs.sd.loc[topics],
    ]
    largest = np.abs(off).max()
    expected = DIFFERENCES[name, metric]
    assert largest <= expected
    assert largest >= 0.9 * expected or expected < 1e-14


@pytest.mark.parametrize("name", ["web2004", "terabyte2006"])
def test_standardize_refuses_numbered_rows_as_topics(trec_data, name):
    scores = irstd.load_dataset(name, "AP")
    with pytest.raises(ValueError, match="topic"), warnings.catch_warnings(action="ignore"):
        irstd.standardize(scores, irstd.load_factors(name, "AP", source="authors"))


@pytest.mark.parametrize("name", ["trec8", "robust2003", "web2001"])
def test_from_csv_refuses_swapped_files_of_the_authors(trec_data, name):
    key = _read_catalogue()[name]["authors"]
    means, sds = trec_data / f"{key}.mn.csv", trec_data / f"{key}.sd.csv"
    irstd.Factors.from_csv(means, sds, names="page")
    with pytest.raises(ValueError, match=r"\.sd\.csv, .*give the means first"):
        irstd.Factors.from_csv(sds, means, names="page")


def test_commands_take_factors_by_name(offline, tmp_path, capsys):
    from irstd.__main__ import main

    ap, output = tmp_path / "ap.csv", tmp_path / "out.csv"
    scores = irstd.load_dataset("trec8").iloc[:, :3]
    irstd.write_scores(scores, ap)
    assert main(f"standardize {ap} --reference trec8 -m AP -o {output}".split()) == 0
    expected = irstd.standardize(scores, "trec8")
    pd.testing.assert_frame_equal(irstd.read_scores(output), expected, check_names=False)
    assert main(f"standardize {ap} --reference trec8".split()) == 1
    assert "--metric AP" in capsys.readouterr().err
