"""Tables of scores from other tools: read to the right numbers, or refused with what decides.

Random tables of all layouts are read in test_layouts.py.
"""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import irstd

TABLE = pd.DataFrame({"a": [0.25, 0.0], "b": [0.5, 1.0]}, pd.Index(["301", "302"], name="topic"))


@pytest.mark.parametrize(
    "text",
    [
        '"topic";"a";"b"\n301;0.25;0.5\n302;0;1',
        "qid\ta\tb\r\n301\t0.25\t5e-1\r\n\r\n302\t0\t1\r\n",
        '"a","b"\n"301",0.25,0.5\n"302",0,1\n',
        "map  \t301\t0.25\nmap\t302\t0.0\nrunid\tall\ta\nmap\tall\t0.1\n"
        "map\t301\t0.5\nmap\t302\t1\nrunid\tall\tb\n",
    ],
    ids="semicolons tabs R trec_eval".split(),
)
def test_the_same_table_in_many_forms(file, text):
    scores = irstd.read_scores(file(text))
    pd.testing.assert_frame_equal(scores, TABLE.rename_axis(columns="system"))


def test_topics_are_numbered_if_the_file_has_none(file):
    with pytest.warns(UserWarning, match="no column of topics: they are the rows, numbered"):
        scores = irstd.read_scores(file("a,b\n.5,.25\n1,0\n"))
    assert scores.index.tolist() == ["1", "2"]
    counts = file("a,b\n12,3\n7,4\n", "counts.csv")
    with pytest.raises(ValueError, match=r"'a' hold\? Say by topic_column"):
        irstd.read_scores(counts)
    assert irstd.read_scores(counts, topic_column=False).columns.tolist() == ["a", "b"]
    assert irstd.read_scores(counts, topic_column="a").index.tolist() == ["12", "7"]
    assert irstd.read_scores(counts, topic_column="b").index.tolist() == ["3", "4"]


def test_several_metrics_are_pairs_and_trec_evals_names_are_translated(file):
    names = "map recip_rank Rprec ndcg P_10 P_5 ndcg_cut_20 bpref".split()
    lines = [f"{name}\t{topic}\t0.{topic}" for topic in (1, 2) for name in names]
    summary = [f"runid\tall\tmine\nnum_q\tall\t2\n{names[0]}\tall\t.1"]
    scores = irstd.read_scores(file("\n".join(lines + summary)))
    assert list(scores.columns) == [
        (name, "mine") for name in "AP RR RP nDCG P@10 P@5 nDCG@20 bpref".split()
    ]
    assert scores["AP"]["mine"].to_dict() == {"1": 0.1, "2": 0.2}
    long = "metric,topic,system,score\nAP,1,a,.5\nRR,1,a,1\n"
    assert irstd.read_scores(file(long)).columns.tolist() == [("AP", "a"), ("RR", "a")]


def test_several_files_are_joined_by_topic(file, tmp_path):
    file("map\t1\t.5\nmap\t2\t.25\nrunid\tall\ta\n", "a.eval")
    file("map\t2\t.75\nmap\t1\t1\n", "b.eval")
    scores = irstd.read_scores(tmp_path / "*.eval")
    assert scores.to_dict() == {"a": {"1": 0.5, "2": 0.25}, "b": {"1": 1, "2": 0.75}}
    file("map\t2\t.75\nrunid\tall\ta\n", "c.eval")
    with pytest.raises(ValueError, match="the system a is in more than one of the files"):
        irstd.read_scores(tmp_path / "*.eval")


@pytest.mark.parametrize(
    "text",
    [
        "topic,a,b\n1,,.5\n2,NA,1\n",
        "topic,system,score\n1,b,.5\n2,b,1\n1,a,-\n",
        "map 1 nan\nmap 2 n/a\nrunid all a\nmap 1 .5\nmap 2 1\nrunid all b",
    ],
)
def test_missing_scores_are_nan_and_said(file, text):
    with pytest.warns(UserWarning, match="scores.csv: 2 of 4 scores are missing, on the topics 1"):
        scores = irstd.read_scores(file(text))
    assert scores["a"].isna().all()
    assert scores["b"].tolist() == [0.5, 1]


REFUSED = [
    ("topic,a\n1,.5\n2,x\n", ":3: 'x' is not a finite number"),
    ("topic,a\n1,1_0\n", ":2: '1_0' is not a finite number"),
    ("topic,a\n1,1e400\n", ":2: '1e400' is not a finite number"),
    ("topic;a,b;c\n1;0,5;.2\n", ":2: '0,5' is not a finite"),
    ("topic,a,b\n1,.5\n2,1,1\n", ":2: expected 3 columns as in the first line"),
    ("a,b\n.1,.2,\n.3,.4,\n", ":2: expected 2 columns"),
    ("bm25\n0,5\n1,25\n", ":2: expected 1 columns"),
    ("topic,a,a\n1,.5,.5\n", ": the column 'a' appears twice"),
    ("topic,a\n1,.5\n1,1\n", ":3: a second score of topic 1: a"),
    ("topic,run,AP\n1,a,.5\n1,a,.6\n", ":3: a second score of topic 1: a AP"),
    ("map 1 1\nrunid all a\nmap 1 1\nrunid all a", ":3: a second score of topic 1: a AP"),
    ("topic,a\n1,.5\n,.6\n", ":3: a score without the name of its topic"),
    ("topic,a,\n1,.5,\n2,.5,\n", ": what does the column '' hold"),
    ("topic,a,Unnamed: 2\n1,.5,\n2,.5,\n", ": what does the column 'Unnamed: 2' hold"),
    (".5,.25\n.1,0\n", ": what does the column '.5', '.25' hold?"),
    ("301 Q0 d1 1 2.5 me\n301 Q0 d2 2 1.5 me\n", ": what does the column '301' hold"),
    ("topic,a\n", ": holds no table of scores"),
    ("topic\n301\n302\n", ": holds no scores of topics"),
    ('topic,a\n1,"5\n', ":2: is not CSV"),
    ('{"301": {"AP": 0.5}}\n', ":1: is JSON, but"),
    ("all\tAP\t.5\n", ": holds only a summary; run trec_eval or ir_measures with -q"),
    ("map\t1\t.5\nmap .6\n", ":2: expected lines 'measure topic score'"),
    ("foo q1 .5\n", ":1: expected lines 'measure topic score'"),
    ("301 0 d1 1\n301 0 d2 0\n", ":1: expected lines"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_no_layout_is_refused_with_its_line(file, text, said):
    path = file(text)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path) + said)}"):
        irstd.read_scores(path)


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
    "papers": ("Model,301,302,BEIR Avg\na,.25,0,1\nb,.1,.7,1\nMean,0,0,0\n", {"rows": "systems"}),
    "no name, text": (",301,302\na,.25,0\nb,.1,.7\n", {"rows": "systems"}),
    "a system called score": ("topic,score,b\n301,.25,.1\n302,0,.7\n", {}),
    "two called as in a long table": (
        "topic,score,measure\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}
    ),
    "whole numbers called score": ("score,b\n301,.25\n302,0\n", None),
    "a system called query": ("query,b\n.25,.1\n0,.7\n", None),
    "a system called run": ("topic,run,b\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}),
    "a system called mean": ("topic,Mean,b\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}),
    "metrics of a run": ("topic,AP,P_10\n301,.25,.1\n302,0,.7\n", {"rows": "topics"}),
    "a system called measure": (
        "system,topic,score\nmeasure,301,.25\nmeasure,302,0\nb,301,.1\nb,302,.7\n", {}
    ),
    "long, with another name": (
        "id,system,score\n301,a,.25\n302,a,0\n301,b,.1\n302,b,.7\n", {"topic_column": "id"}
    ),
    "R": ('"a","b"\n"301",.25,.1\n"302",0,.7\n', {}),
}  # fmt: skip


@pytest.mark.parametrize("form", DECIDED)
def test_what_may_be_read_in_two_ways_is_refused_with_the_argument_that_decides(file, form):
    text, said = DECIDED[form]
    path = file(text)
    if said != {}:
        with pytest.raises(ValueError, match=r"csv: what does the column .* hold\? Say") as error:
            irstd.read_scores(path)
        if said is None:
            return
        assert next(iter(said)) in str(error.value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if "Avg" in text else "error")
        scores = irstd.read_scores(path, **said)
    assert scores.to_numpy().tolist() == [[0.25, 0.1], [0, 0.7]]
    assert scores.index.tolist() == ["301", "302"]
    assert not {"topic", "system", "index", "Unnamed: 0", ""} & set(scores.columns)


@pytest.mark.parametrize("how", [{}, {"index_col": 0}, {"na_values": "-"}, {"dtype": str}])
def test_a_frame_of_a_paper_s_table_reads_as_its_file_does(file, how):
    path = file("Model,NQ,SciFact,Avg\nBM25,32.9,.66,31\nDPR,47.4,-,47\n")
    said = "'Avg' .*left out.*1 of 4 scores .*SciFact; .*above 1, as in percent, on NQ; not divided"
    for table in (path, pd.read_csv(path, **how)):
        with pytest.warns(UserWarning) as warned:
            scores = irstd.read_scores(table, rows="systems")
        assert re.search(said, " ".join(str(each.message) for each in warned))
        assert scores.fillna(-1).to_numpy().tolist() == [[32.9, 47.4], [0.66, -1]]


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
    with pytest.raises(ValueError, match="'run'"):  # a pair has a topic
        irstd.read_scores(file("run,AP\nx,.1\n"), rows="pairs", topic_column=False)


def test_arguments_are_checked(file):
    path = file("topic,a\n1,.5\n")
    with pytest.raises(ValueError, match=r"has no column 'id'; its first are"):
        irstd.read_scores(path, topic_column="id")
    for wrong in (0, True, ["topic"], pd.NA):
        with pytest.raises(TypeError, match="topic_column must be a name, False or None"):
            irstd.read_scores(path, topic_column=wrong)
    for wrong in ([1], np.nan, ""):
        with pytest.raises(TypeError, match="metric must be a name or None"):
            irstd.read_scores(path, metric=wrong)
    for wrong in ("columns", ["topics"]):
        with pytest.raises(ValueError, match="rows must be one of 'topics', 'systems', 'pairs'"):
            irstd.read_scores(path, rows=wrong)
    with pytest.raises(ValueError, match="'pairs'"):
        irstd.read_scores(path, rows="pairs")
    assert irstd.read_scores(path, metric="AP").attrs == {"metric": "AP"}


def test_tables_in_memory_that_are_none_are_refused():
    for wrong, said in (
        (pd.DataFrame({"qid": [301, None], "measure": "AP", "value": [0.5, 0.6]}), "make ids text"),
        (TABLE.assign(topic="1"), "the column 'topic' appears twice"),
        (pd.DataFrame({"a": [0.1, 0.2]}, ["q1", "q2"]), "rows='systems'"),
        (TABLE.iloc[:0], "is empty"),
        ({}, "holds no scores"),
        ({"a": {}}, "holds no scores"),
        ({"a": 0.5}, "expected {system: {topic: score}}"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            irstd.read_scores(wrong)


@pytest.mark.parametrize(
    ("text", "system", "topics"),
    [
        ("map q,1 .5\nmap q,2 1\n", "scores", ["q,1", "q,2"]),  # trec_eval -q: a comma in a topic
        ("map topic .5\nmap query .5\n", "scores", ["topic", "query"]),  # topics called so
        ("topic,my run 2\n301,.5\n302,1\n", "my run 2", ["301", "302"]),  # names: the first tells
        ("topic a 2\n301 .5 .7\n302 1 .7\n", "a", ["301", "302"]),
    ],
)
def test_the_first_word_tells_names_from_scores(file, text, system, topics):
    scores = irstd.read_scores(file(text))
    assert scores.index.tolist() == topics
    assert scores.columns[0] == system


@pytest.mark.parametrize(
    ("text", "said", "topics"),
    [
        # a column called query: topics if its texts are ids, or not shares, or one text
        ("query,b\nq1,.1\nq2,.7\n", {}, ["q1", "q2"]),
        ("query,b\n1,.1\n0,.7\n", {}, ["1", "0"]),
        ("query,b\n.5,.1\n", {}, [".5"]),
        ("query,b\n.25,.1\n0,.7\n", {"rows": "topics"}, [".25", "0"]),
        ("query,b\n.25,.1\n0,.7\n", {}, None),
        # a column without a name: topics if its texts are ids and the other names are not
        (",b\n301,.1\n302,.7\n", {}, ["301", "302"]),
        (",b\nq1,.1\nq2,.7\n", {}, None),
        (",b\n.25,.1\n.5,.7\n", {}, None),
        (",1\n301,.1\n302,.7\n", {}, None),
        (",b\nq1,.1\nq2,.7\n", {"rows": "topics"}, ["q1", "q2"]),
        # a column with another name: of a system if its texts are numbers, but no ids
        ("a,b\n.25,.1\n.5,.7\n", {}, ["1", "2"]),
        ("a,b\n301,.1\n302,.7\n", {}, None),
        ("a,b\nq1,.1\nq2,.7\n", {}, None),
    ],
)
@pytest.mark.filterwarnings("ignore:.*no column of topics")
def test_which_column_has_the_topics(file, text, said, topics):
    path = file(text)
    if topics is None:
        with pytest.raises(ValueError, match="what does the column .* hold"):
            irstd.read_scores(path, **said)
    else:
        assert irstd.read_scores(path, **said).index.tolist() == topics


OF_PAGE = "topic,metric,system,score\n1,DCG,a,1\n1,nDCG,a,.2\n1,VDCG,a,3\n1,nVDCG@5,a,.4\n"


def test_names_of_the_page_of_factors_are_read_by_an_argument(file):
    table = file(OF_PAGE)
    with pytest.raises(ValueError, match=r'VDCG, nVDCG@5 is a name of the page .* names="page"'):
        irstd.read_scores(table)
    scores = irstd.read_scores(table, names="page").loc["1"]
    assert scores.to_dict() == {
        ("JDCG", "a"): 1, ("nJDCG", "a"): 0.2, ("DCG", "a"): 3, ("nDCG@5", "a"): 0.4
    }  # fmt: skip
    today = irstd.read_scores(file("topic,metric,system,score\n1,nDCG,a,.2\n"))
    assert today.attrs["metric"] == "nDCG"
    with pytest.raises(ValueError, match="names must be one of 'irstd', 'page'"):
        irstd.read_scores(table, names="0.3")


def test_factors_with_names_of_the_page_are_read_by_an_argument(tmp_path):
    means = tmp_path / "mn.csv"
    sds = tmp_path / "sd.csv"
    means.write_text("topic,DCG,VDCG,AP\n1,.41237,.5,.3\n2,.4,.5,.3\n")
    sds.write_text("topic,DCG,VDCG,AP\n1,.11237,.2,.3\n2,.1,.2,.2\n")
    with pytest.raises(ValueError, match='VDCG is a name of the page of factors .* names="page"'):
        irstd.Factors.from_csv(means, sds)
    factors = irstd.Factors.from_csv(means, sds, names="page")
    assert factors.mean.columns.tolist() == ["JDCG", "DCG", "AP"]
    assert factors.sd.loc["2"].tolist() == [0.1, 0.2, 0.2]


def test_a_file_of_factors_says_which_dcg_it_has(tmp_path):
    """One by irstd 0.3, of Jarvelin and Kekalainen's DCG, has the head without the definition."""
    means = tmp_path / "mn.csv"
    sds = tmp_path / "sd.csv"
    scores = irstd.load_dataset("sim-trec8", ["nDCG", "AP"])
    factors = irstd.standardization_factors(scores)
    factors.to_csv(means, sds)
    assert irstd.Factors.from_csv(means, sds).mean.equals(factors.mean)
    with pytest.raises(ValueError, match="has the names of irstd 0.4, as its head says"):
        irstd.Factors.from_csv(means, sds, names="page")
    for path in (means, sds):
        path.write_text(path.read_text().replace("; DCG=log2(rank+1)", ""))
    with pytest.raises(ValueError, match='nDCG is of irstd before 0.4.* names="page"'):
        irstd.Factors.from_csv(means, sds)
    former = irstd.Factors.from_csv(means, sds, names="page")
    assert former.mean.columns.tolist() == ["nJDCG", "AP"]
    assert (former.n_systems, former.collection) == (129, factors.collection)
    of_ap = irstd.standardization_factors(scores[["AP"]])
    of_ap.to_csv(means, sds)
    assert "DCG" not in means.read_text()
