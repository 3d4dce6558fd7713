"""Each form that another tool writes: read to the right numbers, written back, or refused."""

import csv
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import irstd

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


LONG = BOTH.stack([0, 1], future_stack=True).rename("value").reset_index()


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
    "to_csv, row numbers": LONG.to_csv(),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_numbers(file, form):
    scores = irstd.read_scores(file(FORMS[form]))
    same(scores[BOTH.columns], BOTH)
    same(irstd.read_scores(file(FORMS[form]), metric="RR"), BOTH["RR"])


FRAMES = {
    "itself": BOTH,
    "PyTerrier": LONG.set_axis(["qid", "measure", "name", "value"], axis=1),
    "swapped": BOTH.swaplevel(axis=1),
    "long": BOTH.stack([0, 1], future_stack=True).rename("score").reset_index(),
    "stacked": BOTH.stack([0, 1], future_stack=True).rename("score").to_frame(),
    "a column per metric": BOTH.stack(1, future_stack=True).reset_index(),
    "dict": irstd.to_dict(BOTH),
}


@pytest.mark.parametrize("form", FRAMES)
def test_every_form_in_memory_has_the_same_numbers(form):
    same(irstd.read_scores(FRAMES[form])[BOTH.columns], BOTH)


def test_a_single_matrix_there_and_back():
    for form in (SCORES, irstd.to_dict(SCORES), SCORES.astype(object), SCORES.reset_index()):
        same(irstd.read_scores(form), SCORES)
    frame = (
        LONG[LONG["metric"] == "AP"].assign(metric="nDCG@20").rename(columns={"metric": "measure"})
    )
    back = irstd.read_scores(frame)  # its index has gaps
    same(back, SCORES)
    assert back.attrs == {"metric": "nVDCG@20"}  # as it is called here
    half = SCORES.astype("float32")
    same(irstd.read_scores(half), half.astype(float))


def test_what_ir_measures_prints_is_not_transposed(tmp_path):
    """It was: metrics became topics, topics metrics, without a word."""
    irstd.write_run(irstd.as_run(RUN), tmp_path / "me.run", tag="me")
    irstd.write_qrels(irstd.as_qrels(QRELS), tmp_path / "qrels")
    measures = ["AP", "nDCG@2", "RBP(p=0.5,rel=1)"]
    command = [sys.executable, "-m", "ir_measures", "qrels", "me.run", *measures, "-q", "-p", "17"]
    for options in ([], ["-n"]):
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
    assert {"AP", "P@5", "NumRet", "11pt_avg"} < set(scores.columns.get_level_values(0))
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
    for name in ("", " a", "a\t", "a\0"):
        with pytest.raises(ValueError, match="would not be read back: a name must not be empty"):
            irstd.write_scores(SCORES.rename(columns={"a": name}), tmp_path / "x.csv")
    for topic in ("mean", "ALL", "Total", "std"):
        topics = {"301": topic}
        with pytest.raises(ValueError, match=f"'{topic}' would not be read back"):
            irstd.write_scores(SCORES.rename(index=topics), tmp_path / "x.csv")
        factors = irstd.standardization_factors(BOTH.rename(index=topics))
        with pytest.raises(ValueError, match=f"'{topic}' would not be read back"):
            factors.to_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    with pytest.raises(ValueError, match="'map' would not be read back"):
        irstd.write_scores(BOTH.rename(columns={"AP": "map"}), tmp_path / "x.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["mean", "all", "Average", "Avg.", "MAP", "Total"])
@pytest.mark.parametrize("form", ["wide", "long", "frame"])
def test_a_row_that_sums_up_is_no_topic(tmp_path, name, form):
    scores = pd.concat([SCORES, SCORES.mean().to_frame(name).T]).rename_axis("topic")
    if form == "long":
        scores = scores.stack().rename_axis(["topic", "system"]).rename("score").to_frame()
    scores.to_csv(tmp_path / "x.csv")
    with pytest.warns(UserWarning, match=f"'{name}' sums up the topics, is none: left out"):
        same(irstd.read_scores(scores if form == "frame" else tmp_path / "x.csv"), SCORES)


# what may be read in two ways; each is read right with the argument that the message names
DECIDED = {
    "row numbers": (",topic,a,b\n0,301,.25,.1\n1,302,0,.7\n", {}),
    "row numbers that pandas read": ("Unnamed: 0,qid,a,b\n1,301,.25,.1\n0,302,0,.7\n", {}),
    "an index": ("index,topic,a,b\n0,301,.25,.1\n1,302,0,.7\n", {}),
    "other numbers": (",topic,a,b\n7,301,.25,.1\n4,302,0,.7\n", {"topic_column": "topic"}),
    "two of topics": ("query,qid,a,b\n7,301,.25,.1\n4,302,0,.7\n", None),
    "no name, numbers": (",1,2\n301,.25,.1\n302,0,.7\n", {"topic_column": ""}),
    "another name": ("id,a,b\n301,.25,.1\n302,0,.7\n", {"topic_column": "id"}),
    "a row per system": ("system,301,302\na,.25,0\nb,.1,.7\n", {"rows": "systems"}),
    "as papers print": ("Model,301,302,Avg.\na,.25,0,.1\nb,.1,.7,.4\n", {"rows": "systems"}),
    "no name, text": (",301,302\na,.25,0\nb,.1,.7\n", {"rows": "systems"}),
    "a system called score": ("topic,score,b\n301,.25,.1\n302,0,.7\n", {}),
    "two called as in a long table": (
        "topic,score,measure\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}
    ),
    "whole numbers called score": ("score,b\n301,.25\n302,0\n", None),
    "a system called query": ("query,b\n.25,.1\n0,.7\n", None),
    "a system called run": ("topic,run,b\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}),
    "a system called mean": ("topic,Mean,b\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}),
    "a system called measure": (
        "system,topic,score\nmeasure,301,.25\nmeasure,302,0\nb,301,.1\nb,302,.7\n", {}
    ),
    "R": ("a,b\n301,.25,.1\n302,0,.7\n", {}),
}  # fmt: skip


@pytest.mark.parametrize("form", DECIDED)
def test_what_may_be_read_in_two_ways_is_refused_with_the_argument_that_decides(file, form):
    text, said = DECIDED[form]
    path = file(text)
    if said != {}:
        with pytest.raises(
            ValueError, match=r"mine\.txt: what does the column .* hold\? Say"
        ) as error:
            irstd.read_scores(path)
        if said is None:
            return
        assert next(iter(said)) in str(error.value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if "Avg" in text else "error")
        scores = irstd.read_scores(path, **said)
    assert (scores.to_numpy() == SCORES.to_numpy()).all()
    assert scores.index.tolist() == ["301", "302"]
    assert not {"topic", "system", "index", "Unnamed: 0", ""} & set(scores.columns)


def test_a_system_of_numbers_beside_metrics_is_a_system(file):
    scores = irstd.read_scores(file("topic\tsystem\tAP\tRR\n1\t2020\t.1\t.2\n2\t2020\t.2\t.4\n"))
    assert scores["AP"].to_dict() == {"2020": {"1": 0.1, "2": 0.2}}
    changing = file("topic,run,AP\n1,2020,.1\n2,2021,.3\n")
    with pytest.raises(ValueError, match="rows='pairs'"):
        irstd.read_scores(changing)
    with pytest.warns(UserWarning, match="2 of 4 scores are missing"):
        scores = irstd.read_scores(changing, rows="pairs")
    assert (scores.loc["1", "2020"], scores.attrs) == (0.1, {"metric": "AP"})
    odd = file("topic,run,value,AP\n1,x,.1,.2\n")
    with pytest.raises(ValueError, match="'run', 'value'"):
        irstd.read_scores(odd)
    assert irstd.read_scores(odd, rows="pairs")["value"].to_dict() == {"x": {"1": 0.1}}


def test_a_dash_is_a_gap(file):
    with pytest.warns(UserWarning, match="1 of 4 scores are missing, on the topics 302"):
        scores = irstd.read_scores(file("topic,a,b\n301,.25,.1\n302,-,.7\n"))
    assert np.isnan(scores.loc["302", "a"])


REFUSED = {
    "a separator at the end": ("topic,a,b\n1,.1,.2,\n2,.3,.4,\n", ":2: expected 3 columns"),
    "decimal commas": ("topic,bm25\n301,0,5\n302,0,25\n", ":2: expected 2 columns"),
    "decimal commas, one name": ("bm25\n0,5\n1,25\n", ":2: expected 1 columns"),
    "decimal commas, semicolons": ("topic;a,b;c\n1;0,5;.2\n", ":2: '0,5' is not a finite"),
    "the end of each line, no topics": ("a,b\n.1,.2,\n.3,.4,\n", ":2: expected 2 columns"),
    "measures or topics": ("foo q1 .5\n", ":1: expected lines 'measure topic score'"),
    "only measures": ("map map .5\n", ":1: expected lines"),
    "judgments": ("301 0 d1 1\n301 0 d2 0\n", ":1: expected lines"),
    "judgments of BEIR": ("301\td1\t1\n301\td2\t1\n", ":1: expected lines"),
    "a run": ("301 Q0 d1 1 2.5 me\n301 Q0 d2 2 1.5 me\n", "what does the column '301' hold"),
    "numbers alone": (".1 .2 .3\n.1 .2 .3\n", ":1: expected lines"),
    "only a summary": ("all\tAP\t.5\n", "holds only a summary; run trec_eval or ir_measures"),
    "a column twice": ("topic,a,a\n1,.5,.5\n", "the column 'a' appears twice"),
    "a column without a name": ("topic,a,\n1,.5,\n2,.5,\n", "what does the column '' hold"),
    "pandas' name for it": ("topic,a,Unnamed: 2\n1,.5,\n2,.5,\n", "the column 'Unnamed: 2'"),
    "topics alone": ("topic\n301\n302\n", "holds no scores of topics"),
    "a topic without a name": ("topic,a\n1,.5\n,.6\n", ":3: a score without the name of its"),
    "a metric for each row": ("topic,metric,a\n1,AP,.5\n", ":2: 'AP' is not a finite number"),
    "two scores": ("topic,run,AP\n1,a,.5\n1,a,.6\n", ":3: a second score of topic 1: a AP"),
    "no number": ("topic,run,AP\n1,a,x\n", ":2: 'x' is not a finite number"),
    "hexadecimal": ("topic,a\n1,0x1\n", ":2: '0x1' is not a finite number"),
    "too large": ("topic,a\n1,1e400\n", ":2: '1e400' is not a finite number"),
    "JSON lines": ('{"query_id": 301, "measure": "AP", "value": 0.5}\n', ":1: JSON is not read"),
    "a list of JSON": ('[{"Rank": 1, "Model": "a", "T": 0.62}]', ":1: JSON is not read"),
}  # fmt: skip


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_no_layout_is_refused(file, form):
    text, said = REFUSED[form]
    with pytest.raises(ValueError, match=re.escape(said)) as raised:
        irstd.read_scores(file(text))
    assert str(raised.value).startswith(str(file(text)))


def test_arguments_are_checked(file):
    path = file("topic,a\n1,.5\n")
    for wrong in (0, 1, True, ["topic"], np.array(["topic"]), 1.5, pd.NA):
        with pytest.raises(TypeError, match="topic_column must be a name, False or None"):
            irstd.read_scores(path, topic_column=wrong)
    for wrong in ([1], 3.5, np.nan, "", object()):
        with pytest.raises(TypeError, match="metric must be a name or None"):
            irstd.read_scores(path, metric=wrong)
    for wrong in ("columns", 0, ["topics"]):
        with pytest.raises(ValueError, match="rows must be one of 'topics', 'systems', 'pairs'"):
            irstd.read_scores(path, rows=wrong)
    with pytest.raises(ValueError, match="'pairs'"):
        irstd.read_scores(path, rows="pairs")
    assert irstd.read_scores(path, metric="AP").attrs == {"metric": "AP"}


def test_tables_in_memory_that_are_none_are_refused():
    for wrong, said in (
        (pd.DataFrame({"qid": [301, None], "measure": "AP", "value": [0.5, 0.6]}), "make ids text"),
        (SCORES.assign(topic="1"), "the column 'topic' appears twice"),
        (pd.DataFrame({"a": [0.1, 0.2]}, ["q1", "q2"]), "rows='systems'"),
        (SCORES.iloc[:0], "is empty"),
        ({}, "holds no scores"),
        ({"a": {}}, "holds no scores"),
        ({"a": 0.5}, "expected {system: {topic: score}}"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            irstd.read_scores(wrong)


def test_runs_and_judgments_in_every_form_score_the_same():
    run, qrels = irstd.as_run(RUN), irstd.as_qrels(QRELS)
    expected = irstd.evaluate({"me": run}, qrels, ["AP", "nVDCG"])
    theirs = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    forms = [irstd.to_dict, lambda frame: frame.rename(columns=theirs), lambda frame: frame]
    for to in forms:
        same(irstd.evaluate({"me": to(run)}, to(qrels), ["AP", "nVDCG"]), expected)
        assert irstd.to_dict(irstd.as_run(to(run))) == RUN
        assert irstd.to_dict(irstd.as_qrels(to(qrels))) == QRELS


def test_a_form_that_is_none_is_said():
    for wrong in (3, None, [RUN], {"301": 3.0}, {}):
        with pytest.raises(TypeError, match="run 'me' must be a "):
            irstd.evaluate({"me": wrong}, QRELS, "AP")
    with pytest.raises(TypeError, match="run '301' must be a .*, got dict"):
        irstd.evaluate(RUN, QRELS, "AP")  # a run where runs should be
    with pytest.raises(ValueError, match="twice"):
        irstd.to_dict(pd.concat([irstd.as_run(RUN)] * 2))


def test_what_is_no_run_and_no_judgments_is_refused():
    run, qrels = irstd.as_run(RUN), irstd.as_qrels(QRELS)
    for wrong in (
        qrels, run.rename(columns={"score": "rank"}), {"1": {"a": "x"}}, {"1": {"a": np.inf}},
        {1: {"a": 1.0}, "1": {"b": 1.0}}, {"1": {1: 1.0, "1": 2.0}}, {"1": {"a": True}},
        {"1": None},
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match="run"):
            irstd.as_run(wrong)
    for wrong in (run, {"1": {"a": 1.5}}, {"1": {"a": True}}, {"1": {"a": None}}, [run]):
        with pytest.raises((TypeError, ValueError), match="qrels"):
            irstd.as_qrels(wrong)
    assert irstd.as_run(run) is run


def recipes():
    page = Path(__file__).parents[2] / ".site" / "pages" / "other_tools.md"
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("recipe", recipes())
@pytest.mark.filterwarnings("ignore")
def test_recipes_for_other_tools_run(recipe, tmp_path, monkeypatch):
    for tool in re.findall(r"(?m)^import (\w+)", recipe):
        pytest.importorskip(tool)
    monkeypatch.chdir(tmp_path)
    names = {"run": irstd.as_run(RUN), "qrels": irstd.as_qrels(QRELS), "irstd": irstd}
    names["scores"] = irstd.load_dataset("sim-trec8").iloc[:, :4]
    exec(recipe, names)


def test_the_archived_leaderboard(trec_data):
    """The published Average is that of the data sets, for every complete model."""
    path = trec_data / "mteb" / "en-retrieval.jsonl"
    if not path.exists():
        pytest.skip("no leaderboard there")
    scores = irstd.load_dataset("mteb-retrieval")
    whole = scores.loc[:, scores.notna().all()]
    assert whole.shape == (15, 228)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    published = [row["Average"] for row in rows if row["Average"] != ""]
    assert (100 * whole.mean()).to_numpy() == pytest.approx(published, abs=0.00501)
    board = pd.DataFrame(rows).set_index("Model")[["NQ", "SciFact"]].replace("", np.nan)
    with pytest.warns(UserWarning, match="are missing"):  # and so a board of one's own is read
        mine = irstd.read_scores(board, rows="systems")
    np.testing.assert_allclose(mine / 100, scores.loc[["NQ", "SciFact"]], rtol=1e-12)


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


def test_of_two_factor_files_both_are_written_or_none(tmp_path):
    factors = irstd.standardization_factors(BOTH)
    means, sds = tmp_path / "m.csv", tmp_path / "s.csv.gz"
    (tmp_path / "there").mkdir()
    for wrong in (tmp_path / "none" / "s.csv", tmp_path / "there", "/proc/s.csv"):
        with pytest.raises(OSError, match="none|there|/proc/s.csv"):
            factors.to_csv(means, wrong)
        assert [file.name for file in tmp_path.iterdir()] == ["there"]
    factors.to_csv(means, sds)
    means.chmod(0o640)
    odd = irstd.Factors(factors.mean, factors.sd, 2, "a; b")
    odd.to_csv(means, sds)
    assert irstd.Factors.from_csv(means, sds).collection == "a; b"
    assert means.stat().st_mode & 0o777 == 0o640
    means.write_text(means.read_text().replace("systems=2", "systems=" + "9" * 5000))
    assert irstd.Factors.from_csv(means, sds).n_systems == 2  # as the other file says
