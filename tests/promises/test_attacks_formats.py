"""Each form that another tool writes: read to the right numbers, written back, or refused."""

import csv
import json
import re
import subprocess
import sys

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import irstd
from irstd.trec.leaderboards import read_leaderboard

RUN = {"301": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "302": {"d1": 0.5, "d4": 0.25}}
QRELS = {"301": {"d1": 0, "d2": 2, "d3": 1}, "302": {"d1": 1, "d9": 1}}


def matrix(values, systems=("a", "b"), topics=("301", "302")):
    return pd.DataFrame(
        values, pd.Index(topics, name="topic"), pd.Index(systems, name="system"), dtype=float
    )


SCORES = matrix([[0.25, 0.1], [0.0, 0.7]])
BOTH = pd.concat({"AP": SCORES, "RR": SCORES.T.set_axis(["301", "302"]).set_axis(
    ["a", "b"], axis=1).rename_axis(index="topic", columns="system") + 0.125},
    axis=1, names=["metric", "system"])  # fmt: skip


def same(one, other):
    pd.testing.assert_frame_equal(one, other, check_exact=True)


@pytest.fixture
def file(tmp_path):
    def write(text, name="mine.txt"):
        (tmp_path / name).write_bytes(text.encode())
        return tmp_path / name

    return write


def lines(*order, mark="\t", tail=()):
    """A line per score of BOTH, with its parts in some order."""
    cells = [
        dict(measure=theirs, run=run, topic=topic, score=str(BOTH.loc[topic, (ours, run)]))
        for run in "ab"
        for topic in ("301", "302")
        for ours, theirs in (("AP", "map"), ("RR", "recip_rank"))
    ]
    return "\n".join([*(mark.join(cell[part] for part in order) for cell in cells), *tail]) + "\n"


FORMS = {
    "four columns": lines("run", "measure", "topic", "score"),
    "four columns, topic first": lines("run", "topic", "measure", "score", mark="  "),
    "any order": "score;run;measure;qid\n" + lines("score", "run", "measure", "topic", mark=";"),
    "PyTerrier": "name,qid,measure,value\n" + lines("run", "topic", "measure", "score", mark=","),
    "blanks": "run measure topic value\n" + lines("run", "measure", "topic", "score", mark=" "),
    "a column per metric": "topic,run,AP,recip_rank\n"
    + "".join(
        f"{topic},{run},{BOTH['AP', run][topic]},{BOTH['RR', run][topic]}\n"
        for topic in ("301", "302")
        for run in "ab"
    ),
    "to_csv": BOTH.to_csv(),
    "to_csv, no names": BOTH.rename_axis(columns=[None, None]).to_csv(),
    "to_csv, systems above": BOTH.swaplevel(axis=1).to_csv(),
    "JSON lines": BOTH.stack([0, 1], future_stack=True)
    .rename("value")
    .reset_index()
    .to_json(orient="records", lines=True, double_precision=15),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_numbers(file, form):
    scores = irstd.read_scores(file(FORMS[form]))
    same(scores[BOTH.columns], BOTH)
    same(irstd.read_scores(file(FORMS[form]), metric="RR"), BOTH["RR"])


FRAMES = {
    "itself": BOTH,
    "PyTerrier": irstd.to_pyterrier(BOTH),
    "ir_measures": irstd.to_ir_measures(BOTH),
    "long": BOTH.stack([0, 1], future_stack=True).rename("score").reset_index(),
    "stacked": BOTH.stack([0, 1], future_stack=True).rename("score").to_frame(),
    "a column per metric": BOTH.stack(1, future_stack=True).reset_index(),
    "dict": irstd.to_dict(BOTH),
}


@pytest.mark.parametrize("form", FRAMES)
def test_every_form_in_memory_has_the_same_numbers(form):
    same(irstd.read_scores(FRAMES[form])[BOTH.columns], BOTH)


def test_a_single_matrix_there_and_back():
    one = SCORES.copy()
    one.attrs["metric"] = "nVDCG@20"
    for form in (irstd.to_pyterrier(one), irstd.to_ir_measures(one)):
        assert set(form["measure"]) == {"nDCG@20"}  # as they call it
        back = irstd.read_scores(form)
        same(back, SCORES)
        assert back.attrs == {"metric": "nVDCG@20"}
    for form in (SCORES, irstd.to_dict(SCORES), SCORES.astype(object), SCORES.reset_index()):
        same(irstd.read_scores(form), SCORES)
    with pytest.raises(ValueError, match="nDCG@20 is that of Jarvelin"):
        irstd.to_pyterrier(SCORES, metric="nDCG@20")


def test_what_ir_measures_prints_is_not_transposed(tmp_path):
    """It was: metrics became topics, topics metrics, without a word."""
    irstd.write_run(irstd.as_run(RUN), tmp_path / "me.run", tag="me")
    irstd.write_qrels(irstd.as_qrels(QRELS), tmp_path / "qrels")
    measures = ["AP", "nDCG@2", "RBP(p=0.5,rel=1)"]
    command = [sys.executable, "-m", "ir_measures", "qrels", "me.run", *measures, "-q", "-p", "17"]
    for options in ([], ["-o", "jsonl"], ["-n"]):
        printed = subprocess.run(
            command + options, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        (tmp_path / "me.txt").write_text(printed.stdout)
        scores = irstd.read_scores(tmp_path / "me.txt")
        ours = irstd.evaluate({"me": irstd.as_run(RUN)}, QRELS, ["AP", "nVDCG@2", "RBP.5"])
        pd.testing.assert_frame_equal(scores[ours.columns], ours, rtol=0, atol=1e-12)


def test_what_iter_calc_gives_is_read():
    frame = pd.DataFrame(ir_measures.iter_calc([ir_measures.AP, ir_measures.nDCG @ 2], QRELS, RUN))
    scores = irstd.read_scores(frame)
    ours = irstd.evaluate({"run": RUN}, QRELS, ["AP", "nVDCG@2"])
    pd.testing.assert_frame_equal(scores.loc[ours.index, ours.columns], ours, atol=1e-12)


def test_what_pytrec_eval_gives_is_read():
    results = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg_cut.2"}).evaluate(RUN)
    scores = irstd.read_scores({"me": results})
    ours = irstd.evaluate({"me": RUN}, QRELS, ["AP", "nVDCG@2"])
    pd.testing.assert_frame_equal(scores.loc[ours.index, ours.columns], ours, atol=1e-12)
    with pytest.raises(ValueError, match="has measures where topics should be"):
        irstd.read_scores(results)


def test_trec_eval_with_all_measures_has_some_that_are_no_numbers(file):
    text = "".join(
        f"{name:<22}\t{topic}\t{value}\n"
        for topic in ("301", "302", "all")
        for name, value in (
            ("num_ret", "3"),
            ("map", "0.2500"),
            ("P_5", "0.2000"),
            ("relstring_10", "'0100000000'"),
            ("iprec_at_recall_0.00", "0.5"),
            ("11pt_avg", "0.1"),
            ("utility_1.00,-1.00,0.00,0.00", "-1"),
        )
    )
    scores = irstd.read_scores(file(f"{text}runid                 \tall\tme\n"))
    assert {"AP", "P@5", "num_ret", "11pt_avg"} < set(scores.columns.get_level_values(0))
    assert scores.index.tolist() == ["301", "302"]
    assert set(scores.columns.get_level_values(1)) == {"me"}
    assert "relstring_10" not in scores.columns.get_level_values(0)


TAGS = [
    "run", "system", "score", "value", "topic", "tag", "runid", "metric", "measure", "name",
    "query", "1", "2025", "1e3", "nan", "NA", "null", "my run 1", "my run", "a\rb", "a\nb",
    "a,b", 'say "x"', "a;b", "a\tb", "all", "mean", "map", "AP", "\u00a0x\u2003", "x\x1c",
    "\u2028", "#x", "=1", "{",
]  # fmt: skip


@pytest.mark.parametrize("one", TAGS)
def test_what_is_written_is_read_for_any_run_tag(tmp_path, one):
    for other in ["a", "score", "value", "run", "2", "topic", "system"]:
        if one == other:
            continue
        scores = SCORES.set_axis(pd.Index([one, other], name="system"), axis=1)
        both = pd.concat({"AP": scores, "P@5": scores}, axis=1, names=["metric", "system"])
        for table in (scores, both, scores[[one]]):
            irstd.write_scores(table, tmp_path / "x.csv")
            same(irstd.read_scores(tmp_path / "x.csv"), table)


def test_evaluate_and_standardize_of_the_command_keep_any_tag(tmp_path, capsys):
    from irstd.__main__ import main

    irstd.write_qrels(irstd.as_qrels(QRELS), tmp_path / "qrels")
    runs = []
    for tag in ("run", "score", "1"):
        runs.append(str(tmp_path / f"{tag}.run"))
        irstd.write_run(irstd.as_run(RUN), runs[-1], tag=tag)
    table, out = str(tmp_path / "t.csv"), str(tmp_path / "out.csv")
    assert main(["evaluate", *runs, str(tmp_path / "qrels"), "-m", "AP", "-o", table]) == 0
    assert main(["standardize", table, "--method", "max", "-o", out]) == 0
    assert irstd.read_scores(out).columns.tolist() == ["run", "score", "1"]


def test_names_that_no_table_keeps_are_refused(tmp_path):
    for name in ("", " a", "a\t"):
        with pytest.raises(ValueError, match="a name must not be empty, begin or end with a blank"):
            irstd.write_scores(SCORES.rename(columns={"a": name}), tmp_path / "x.csv")


@pytest.mark.parametrize("name", ["mean", "all", "amean", "Average", "ALL"])
@pytest.mark.parametrize("form", ["wide", "long", "frame"])
def test_a_row_that_sums_up_is_no_topic(tmp_path, name, form):
    scores = pd.concat([SCORES, SCORES.mean().to_frame(name).T]).rename_axis("topic")
    if form == "long":
        scores = scores.stack().rename_axis(["topic", "system"]).rename("score").to_frame()
    scores.to_csv(tmp_path / "x.csv")
    with pytest.warns(UserWarning, match=f"'{name}' sums up the topics and is none of them: left"):
        same(irstd.read_scores(scores if form == "frame" else tmp_path / "x.csv"), SCORES)


REFUSED = {
    "a row per system": ("system,301,302\na,.25,0\n", "to hold systems; expected one line"),
    "a row per system, no topics": ("run,AP,P@10\na,.25,0\n", "seems to hold systems"),
    "measures or topics": ("foo q1 .5\n", r"mine\.txt:1: which are the measures, which the topics"),
    "judgments": ("301 0 d1 1\n301 0 d2 0\n", r":1: which are the measures, which the topics"),
    "judgments of BEIR": ("301\td1\t1\n301\td2\t1\n", r":1: which are the measures, which the"),
    "a run": ("301 Q0 d1 1 2.5 me\n301 Q0 d2 2 1.5 me\n", "is not a finite number"),
    "numbers alone": (".1 .2 .3\n.1 .2 .3\n", "which are the measures"),
    "only a summary": ("all\tAP\t.5\n", "holds no per-topic scores; run trec_eval or ir_measures"),
    "a column twice": ("topic,a,a\n1,.5,.5\n", "the column 'a' appears twice"),
    "a column without a name": ("topic,a,\n1,.5,\n2,.5,\n", "a column without a name"),
    "no scores": ("topic,system\n1,a\n2,b\n", "has topics and systems, but no scores"),
    "topics alone": ("topic\n301\n302\n", "has no scores"),
    "JSON cut off": ('{"query_id": "1", "mea\n', r"mine\.txt:1: is not JSON"),
    "a list of JSON": ('{"query_id": "1"}\n[1]\n', r"mine\.txt:2: expected an object"),
    "two scores": ("topic,run,AP\n1,a,.5\n1,a,.6\n", r":3: a second score of AP a on topic 1"),
    "no number": ("topic,run,AP\n1,a,x\n", r"mine\.txt:2: 'x' is not a finite number"),
    "hexadecimal": ("topic,a\n1,0x1\n", "'0x1' is not a finite number"),
    "too large": ("topic,a\n1,1e400\n", "'1e400' is not a finite number"),
}  # fmt: skip


@pytest.mark.parametrize("form", REFUSED)
def test_what_may_be_read_in_two_ways_is_refused(file, form):
    text, said = REFUSED[form]
    with pytest.raises(ValueError, match=said) as raised:
        irstd.read_scores(file(text))
    assert re.search(r"mine\.txt", str(raised.value))


def test_runs_and_judgments_in_every_form_score_the_same():
    run, qrels = irstd.as_run(RUN), irstd.as_qrels(QRELS)
    expected = irstd.evaluate({"me": run}, qrels, ["AP", "nVDCG"])
    forms = [irstd.to_dict, irstd.to_pyterrier, irstd.to_ir_measures, lambda frame: frame]
    for to in forms:
        same(irstd.evaluate({"me": to(run)}, to(qrels), ["AP", "nVDCG"]), expected)
        assert irstd.to_dict(irstd.as_run(to(run))) == RUN
        assert irstd.to_dict(irstd.as_qrels(to(qrels))) == QRELS
    ranks = irstd.to_pyterrier(irstd.as_run({"1": {"a": 1.0, "b": 2.0, "c": 1.0}}))
    assert ranks["docno"].tolist() == ["b", "c", "a"]
    assert ranks["rank"].tolist() == [0, 1, 2]


def test_a_form_that_is_none_is_said():
    for wrong in (3, None, [RUN], {"301": 3.0}, {}):
        with pytest.raises(TypeError, match="run 'me' must be a "):
            irstd.evaluate({"me": wrong}, QRELS, "AP")
    with pytest.raises(TypeError, match="run '301' must be a dict .*found a float for a topic"):
        irstd.evaluate(RUN, QRELS, "AP")  # a run where runs should be
    with pytest.raises(ValueError, match="twice"):
        irstd.to_dict(pd.concat([irstd.as_run(RUN)] * 2))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ranx_holds_the_same_runs_and_judgments():
    ranx = pytest.importorskip("ranx")
    run = irstd.to_ranx(irstd.as_run(RUN), name="me")
    qrels = irstd.to_ranx(irstd.as_qrels(QRELS))
    assert (type(run), type(qrels), run.name) == (ranx.Run, ranx.Qrels, "me")
    assert irstd.to_dict(irstd.as_run(run)) == RUN
    assert irstd.to_dict(irstd.as_qrels(qrels)) == QRELS
    assert irstd.to_dict(irstd.as_run(run.to_dataframe())) == RUN
    ours = irstd.evaluate({"me": run}, qrels, "AP")["me"].mean()
    assert ranx.evaluate(qrels, run, "map") == pytest.approx(ours, abs=1e-12)


def test_the_archived_leaderboard(trec_data):
    """The published Average is that of the data sets, for every complete model."""
    path = trec_data / "mteb" / "en-retrieval.jsonl"
    if not path.exists():
        pytest.skip("no leaderboard there")
    with pytest.warns(UserWarning, match="scores are missing"):
        scores = irstd.read_scores(path)
    assert scores.shape == (15, 374)
    same(scores, read_leaderboard(path))
    whole = scores.loc[:, scores.notna().all()]
    assert whole.shape[1] == 228
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    published = [row["Average"] for row in rows if row["Average"] != ""]
    assert (100 * whole.mean()).to_numpy() == pytest.approx(published, abs=0.00501)


def test_a_folder_of_results(tmp_path):
    for model, revision, task, score in (
        ("org__one", "r1", "SciFact", 0.5),
        ("org__one", "r1", "NFCorpus", 0.25),
        ("two", "r1", "SciFact", 0.75),
        ("two", "r2", "SciFact", 1.0),
    ):
        file = tmp_path / model / revision / f"{task}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        part = {"hf_subset": "default", "main_score": score, "mrr_at_10": 0.125}
        file.write_text(json.dumps({"task_name": task, "scores": {"test": [part], "dev": []}}))
        (file.parent / "model_meta.json").write_text("{}")
    with pytest.warns(UserWarning, match="2 of 6 scores are missing, on the topics NFCorpus"):
        scores = irstd.read_scores(tmp_path, split="test")
    assert scores.loc["SciFact"].to_dict() == {"org/one": 0.5, "two/r1": 0.75, "two/r2": 1.0}
    assert scores.attrs == {"metric": "main_score"}
    with pytest.warns(UserWarning, match="missing"):
        assert set(
            irstd.read_scores(tmp_path, split="test", metric="mrr_at_10").loc["SciFact"]
        ) == {0.125}
    with pytest.raises(ValueError, match="no file has scores of the split 'train'"):
        irstd.read_scores(tmp_path, split="train")
    with pytest.raises(ValueError, match=r"NFCorpus\.json: is not a file of results with recall"):
        irstd.read_scores(tmp_path, split="test", metric="recall")


def test_factor_files_say_what_they_are_of(tmp_path):
    """So that means are not taken for standard deviations, nor those of others for these."""
    means, sds, other = (tmp_path / name for name in ("m.csv", "s.csv", "o.csv"))
    factors = irstd.standardization_factors(BOTH)
    factors = irstd.Factors(factors.mean, factors.sd, factors.n_systems, "a; systems=9, (b)")
    factors.to_csv(means, sds)
    with means.open(newline="") as opened:
        head, *metrics = next(csv.reader(opened))
    assert head == "topic (mean; systems=2; collection=a; systems=9, (b))"
    assert metrics == ["AP", "RR"]
    back = irstd.Factors.from_csv(means, sds)
    assert (back.n_systems, back.collection) == (2, "a; systems=9, (b)")
    same(back.mean, factors.mean)
    table = pd.read_csv(sds, index_col=0, dtype={0: str})
    np.testing.assert_allclose(
        table, factors.sd, rtol=1e-13
    )  # pandas 2 reads to the last bit but one
    assert table.index.tolist() == factors.sd.index.tolist()
    (tmp_path / "link").symlink_to(means)
    for wrong, said in (
        ((means, means), "given for the means and for the standard deviations"),
        ((means, tmp_path / "link"), "given for the means and for the standard deviations"),
        ((sds, means), r"s\.csv: holds the sd of each topic; expected the mean"),
    ):
        with pytest.raises(ValueError, match=said):
            irstd.Factors.from_csv(*wrong)
    irstd.Factors(factors.mean, factors.sd, 3).to_csv(tmp_path / "x.csv", other)
    with pytest.raises(ValueError, match="are of different systems or collections"):
        irstd.Factors.from_csv(means, other)
    with pytest.raises(ValueError, match="says that there were 2 systems, not 7"):
        irstd.Factors.from_csv(means, sds, n_systems=7)
    with pytest.raises(ValueError, match="mean_path and sd_path must differ"):
        factors.to_csv(means, tmp_path / "link")
    assert irstd.Factors.from_csv(means, sds).n_systems == 2  # nothing was lost


def test_factors_without_a_name_say_what_to_do(tmp_path):
    factors = irstd.standardization_factors(SCORES)
    with pytest.raises(ValueError, match=r'standardization_factors\(scores, metric="AP"\)'):
        factors.to_trec_eval(tmp_path / "z.txt")
    assert np.isfinite(factors.mean.to_numpy()).all()
