"""Tables of scores from other tools: wide and long CSV, trec_eval -q."""

import pytest

import irstd


@pytest.fixture
def file(tmp_path):
    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


EXPECTED = {"a": {"301": 0.25, "302": 0.0}, "b": {"301": 0.5, "302": 1.0}}


@pytest.mark.parametrize(
    "text",
    [
        "topic,a,b\n301,.25,.5\n302,0,1\n",
        '"topic";"a";"b"\n301;0.25;0.5\n302;0;1',
        "qid\ta\tb\r\n301\t0.25\t5e-1\r\n\r\n302\t0\t1\r\n",
        ",a,b\n301,0.25,0.5\n302,0,1\n",
        '"a","b"\n"301",0.25,0.5\n"302",0,1\n',
        "Query ID,a,b\n301,0.25,0.5\n302,0,1\n",
        "topic,system,score\n301,a,0.25\n301,b,0.5\n302,a,0\n302,b,1\n",
        "run,value,query_id\na,0.25,301\na,0,302\nb,0.5,301\nb,1,302\n",
        "map  \t301\t0.25\nmap\t302\t0.0\nrunid\tall\ta\nmap\tall\t0.1\n"
        "map\t301\t0.5\nmap\t302\t1\nrunid\tall\tb\n",
    ],
    ids="wide semicolons tabs no-name R blank-in-name long shuffled trec_eval".split(),
)
def test_the_same_table_in_many_forms(file, text):
    scores = irstd.read_scores(file(text))
    assert scores.to_dict() == EXPECTED
    assert (scores.index.name, scores.columns.name) == ("topic", "system")
    assert scores.index.map(type).unique().tolist() == [str]


def test_topics_are_numbered_if_the_file_has_none(file):
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
        (name, "mine") for name in "AP RR RP nVDCG P@10 P@5 nVDCG@20 bpref".split()
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
    ["topic,a,b\n1,,.5\n2,NA,1\n", "topic,system,score\n1,b,.5\n2,b,1\n1,a,NaN\n"],
    ids=["wide", "long"],
)
def test_missing_scores_are_nan_and_said(file, text):
    with pytest.warns(UserWarning, match="scores.csv: 2 of 4 scores are missing, on the topics 1"):
        scores = irstd.read_scores(file(text))
    assert scores["a"].isna().all()
    assert scores["b"].tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,a\n1,.5\n2,x\n", r"scores\.csv:3: 'x' is not a finite number"),
        ("topic,a\n1,inf\n", r"scores\.csv:2: 'inf' is not a finite number"),
        ("topic,a\n1,1_0\n", r"scores\.csv:2: '1_0' is not a finite number"),
        ("topic,a,b\n1,.5\n2,1,1\n", r"scores\.csv:2: expected 3 columns as in the first line"),
        ("topic,a,a\n1,.5,1\n", r"scores\.csv: the column 'a' appears twice"),
        ("topic,a\n1,.5\n1,1\n", r"scores\.csv:3: a second score of topic 1: a"),
        ("topic,system,score\n1,a,.5\n1,a,.5\n", r"scores\.csv:3: a second score of topic 1: a"),
        (".5,.25\n.1,0\n", r"scores\.csv: what does the column '\.5', '\.25' hold\?"),
        ("topic,a\n", r"scores\.csv: holds no table of scores"),
        ("\n", r"scores\.csv: holds no table of scores"),
        ('topic,a\n1,"5\n', r"scores\.csv:2: is not CSV"),
        (
            "map\tall\t.5\nrunid\tall\tme\n",
            r"holds only a summary; run trec_eval or ir_measures with -q",
        ),
        ("map\t1\t.5\nmap\t1\t.6\n", r"scores\.csv:2: a second score of topic 1: scores AP"),
        ("map\t1\t.5\nmap .6\n", r"scores\.csv:2: expected lines 'measure topic score'"),
        ("map\t2\t1\nmap\t1\thigh\n", r"scores\.csv:2: 'high' is not a finite number"),
        (
            "map\t1\t1\nrunid\tall\ta\nmap\t1\t1\nrunid\tall\ta",
            r"scores\.csv:3: a second score of topic 1: a AP",
        ),
    ],
)
def test_malformed_tables_are_refused(file, text, message):
    with pytest.raises(ValueError, match=message):
        irstd.read_scores(file(text))


def test_an_unknown_topic_column_is_refused(file):
    with pytest.raises(ValueError, match=r"has no column 'id'; its first are"):
        irstd.read_scores(file("a,b\n1,2\n"), topic_column="id")


def test_the_public_score_tables_are_read_as_they_are(trec_data):
    robust = irstd.read_scores(trec_data / "sigir2018-simulation" / "robust2004_ap.csv")
    assert robust.shape == (249, 110)
    assert robust.index[[0, -1]].tolist() == ["301", "700"]
    trec8 = irstd.read_scores(trec_data / "sigir2019-statistical" / "adhoc8_ap.csv")
    assert trec8.shape == (50, 129)


@pytest.mark.parametrize(
    "text", ["map 1 nan\nmap 2 0.5\n", "map 2 0.5\nmap 1 nan", "map 1 NA\r\nmap 2 0.5"]
)
def test_a_missing_score_of_trec_eval_is_missing_in_any_line(file, text):
    """Found by tests/fuzz: it was refused but in a last line without an end."""
    with pytest.warns(UserWarning, match="1 of 2 scores are missing, on the topics 1; they are"):
        scores = irstd.read_scores(file(text, "me.txt"))
    assert scores["me"].isna().to_dict() == {"1": True, "2": False}
    assert scores.loc["2", "me"] == 0.5
