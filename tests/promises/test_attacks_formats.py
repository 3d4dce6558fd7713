"""Each form that another tool writes: read to the right numbers, written back, or refused."""

import re
import subprocess
import sys

import ir_measures
import numpy as np
import pandas as pd
import pytest
from as_frames import qrels_of, run_of
from texts import code_of, read_page

import irstd

RUN = {"301": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "302": {"d1": 0.5, "d4": 0.25}}
QRELS = {"301": {"d1": 0, "d2": 2, "d3": 1}, "302": {"d1": 1, "d9": 1}}
SCORES = pd.DataFrame(
    [[0.25, 0.1], [0.0, 0.7]],
    pd.Index(["301", "302"], name="topic"),
    pd.Index(["a", "b"], name="system"),
)
BOTH = pd.concat({"AP": SCORES, "RR": SCORES + 0.125}, axis=1, names=["metric", "system"])
LONG = BOTH.stack([0, 1], future_stack=True).rename("value")


def same(one, other):
    pd.testing.assert_frame_equal(one, other, check_exact=True)


@pytest.mark.parametrize("form", [BOTH.swaplevel(axis=1), LONG.to_frame()])
def test_pairs_in_any_form_have_the_same_numbers(form):
    same(irstd.read_scores(form)[BOTH.columns], BOTH)
    with pytest.raises(ValueError, match="metric='P@5' does not name a column"):
        irstd.read_scores(form, metric="P@5")


def test_a_single_matrix_there_and_back():
    for form in (SCORES, SCORES.astype("float32").astype(object), SCORES.reset_index()):
        pd.testing.assert_frame_equal(irstd.read_scores(form), SCORES, atol=1e-7)
    odd = SCORES.rename(columns={"a": "mean"})
    same(irstd.read_scores(odd), odd)  # its columns are said to be systems
    frame = LONG.reset_index().query("metric == 'AP'").assign(metric="nDCG@20")
    back = irstd.read_scores(frame.rename(columns={"metric": "measure"}))  # its index has gaps
    same(back, SCORES)
    assert back.attrs == {"metric": "nDCG@20"}  # as it is called here


def close(scores, ours):
    pd.testing.assert_frame_equal(scores.loc[ours.index, ours.columns], ours, rtol=0, atol=1e-12)


def test_what_ir_measures_prints_is_not_transposed(tmp_path):
    """It was: metrics became topics, topics metrics, without a word."""
    irstd.write_run(run_of(RUN), tmp_path / "me.run", tag="me")
    irstd.write_qrels(qrels_of(QRELS), tmp_path / "qrels")
    measures = ["AP", "nDCG@2", "RBP(p=0.5,rel=1)"]
    command = [sys.executable, "-m", "ir_measures", "qrels", "me.run", *measures, "-q", "-p", "17"]
    for options in ([], ["-n"]):
        printed = subprocess.check_output(command + options, cwd=tmp_path, text=True)
        (tmp_path / "me.txt").write_text(printed)
        scores = irstd.read_scores(tmp_path / "me.txt")
        ours = irstd.evaluate({"me": run_of(RUN)}, QRELS, ["AP", "nDCG@2", "RBP.5"])
        close(scores, ours)


def test_what_pyterrier_gives_is_read():
    frame = pd.DataFrame(ir_measures.iter_calc([ir_measures.AP, ir_measures.nDCG @ 2], QRELS, RUN))
    ours = irstd.evaluate({"run": RUN}, QRELS, ["AP", "nDCG@2"])
    wide = frame.astype({"measure": str}).pivot(index="query_id", columns="measure")["value"]
    of_pyterrier = wide.reset_index(names="qid").assign(name="run")
    close(irstd.read_scores(of_pyterrier, system="name"), ours)


TAGS = [
    *"run metric mean P@5 1 nan map #x {".split(),
    "a\nb",
    'say "x", a,b',
    "\u00a0x\u2003",
    "\u2028",
]


@pytest.mark.parametrize("one", TAGS)
def test_what_is_written_is_read_for_any_run_tag(tmp_path, one):
    """To the last bit, whatever systems are called; in packed CSV."""
    for other in ("score", "2"):
        scores = SCORES.set_axis(pd.Index([one, other], name="system"), axis=1) / 3
        both = pd.concat({"AP": scores, "P@5": scores}, axis=1, names=["metric", "system"])
        for table, expected in ((scores, scores), (both, both), (scores[[one]], scores[[one]])):
            irstd.write_scores(table, tmp_path / "x.csv.gz")
            same(irstd.read_scores(tmp_path / "x.csv.gz"), expected)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *(({"columns": {"a": name}}, "rename it") for name in ("", " a", "a\t", "a\0")),
        *(({"index": {"301": topic}}, f"'{topic}'") for topic in ("mean", "ALL")),
        ({"columns": {"AP": "map"}}, "'map'"),
    ],
)
def test_names_that_no_table_keeps_are_refused(tmp_path, change, said):
    scores = BOTH.rename(**change)
    with pytest.raises(ValueError, match=f"could not be read back.*{said}|{said} could not be"):
        irstd.write_scores(scores, tmp_path / "x.csv")
    factors = irstd.standardization_factors(scores)
    if "index" in change:
        with pytest.raises(ValueError, match=f"{said} could not be read back"):
            factors.to_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_run_and_no_judgments_is_refused():
    run, qrels = run_of(RUN), qrels_of(QRELS)
    for wrong in (
        *(3, None, [RUN], {"301": 3.0}, {}, {"1": None}, qrels),
        *({"1": {"a": score}} for score in ("x", np.inf, True)),
        *({1: {"a": 1.0}, "1": {"b": 1.0}}, {"1": {1: 1.0, "1": 2.0}}),
    ):
        with pytest.raises((TypeError, ValueError), match="run 'me'|runs must be a dict"):
            irstd.evaluate({"me": wrong}, QRELS, "AP")
    for wrong in (run, [run], *({"1": {"a": grade}} for grade in (1.5, True, None))):
        with pytest.raises((TypeError, ValueError), match="qrels"):
            irstd.evaluate({"me": RUN}, wrong, "AP")
    with pytest.raises(ValueError, match='must be {topic: {document: score}}.*{"name": run}'):
        irstd.evaluate(RUN, QRELS, "AP")  # a run where runs should be


@pytest.mark.parametrize("recipe", code_of(read_page("pages/other_tools")))
@pytest.mark.filterwarnings("ignore")
def test_recipes_for_other_tools_run(recipe, tmp_path, monkeypatch):
    for tool in re.findall(r"(?m)^import (\w+)", recipe):
        pytest.importorskip(tool)
    monkeypatch.chdir(tmp_path)
    names = {"run": run_of(RUN), "qrels": qrels_of(QRELS), "irstd": irstd}
    names["scores"] = irstd.load_dataset("sim-trec8").iloc[:, :4]
    exec(recipe, names)


def test_factor_files_are_kept_apart_and_named(tmp_path):
    means, sds = tmp_path / "m.csv", tmp_path / "s.csv"
    factors = irstd.standardization_factors(BOTH)
    factors.to_csv(means, sds)
    with pytest.raises(ValueError, match="mean_path and sd_path must differ"):
        factors.to_csv(means, means)
    same(irstd.Factors.from_csv(means, sds).mean, factors.mean)  # nothing was lost
    means.write_text(means.read_text().replace("systems=2", "systems=" + "9" * 5000))
    assert irstd.Factors.from_csv(means, sds).n_systems == 2  # as the other file says
    with pytest.raises(ValueError, match=r'standardization_factors\(scores, metric="AP"\)'):
        irstd.standardization_factors(SCORES).to_trec_eval(tmp_path / "z.txt")
