"""Tables of scores: columns are said, or called as the field calls them; all else is refused.

Random tables are read in test_layouts.py.
"""

import re
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from texts import read_page

import irstd
from irstd.course.files import read_table

TABLE = pd.DataFrame({"a": [0.25, 0.0], "b": [0.5, 1.0]}, pd.Index(["301", "302"], name="topic"))
TABLE.columns.name = "system"
TREC_EVAL = "map                   \t301\t0.25\nmap                   \t302\t0.0\nrunid\tall\ta\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.csv", '"topic","a","b"\r\n301,0.25,5e-1\r\n\r\n302, 0 ,1', {}),
        ("x.csv", "id,a,b\n301,.25,.5\n302,0,1\n", {"topic": "id"}),
        ("x.csv", ",a,b\n301,.25,.5\n302,0,1\n", {"topic": ""}),
        ("x.csv", "score,run,query_id\n.25,a,301\n0,a,302\n.5,b,301\n1,b,302\n", {}),
        (
            "x.csv",
            "qid,model,fold,n\n301,a,1,.25\n302,a,2,0\n301,b,1,.5\n302,b,1,1\n",
            {"system": "model", "value": "n"},
        ),
        ("x.jsonl", '{"topic": 301, "a": 0.25, "b": 0.5}\n{"topic": 302, "a": 0, "b": 1}\n', {}),
        ("x.CSV", "\ufefftopic,a,b\n301,.25,.5\n302,0,1\n", {}),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_same_table_in_many_forms(file, name, text, said):
    pd.testing.assert_frame_equal(irstd.read_scores(file(text, name), **said), TABLE)


def test_what_trec_eval_prints(file):
    scores = irstd.read_scores(file(TREC_EVAL, "out.txt"))
    pd.testing.assert_frame_equal(scores, TABLE[["a"]])
    assert scores.attrs == {"metric": "AP"}
    names = "map recip_rank Rprec ndcg P_10 ndcg_cut_20 11pt_avg rbp_resid unj_5".split()
    lines = [f"{name:<22}\t{topic}\t0.{topic}" for topic in (1, 2) for name in names]
    summary = ["relstring\t1\t'01'", "runid\tall\tme", "num_q\tall\t2", "map\tall\t.1"]
    for more, system in ((summary, "me"), ([], "x")):
        scores = irstd.read_scores(file("\n".join(lines + more), "x"))
        assert scores.columns.unique("metric").tolist() == (
            "AP RR RP nDCG P@10 nDCG@20 11pt_avg rbp_resid unj_5".split()
        )
        assert scores["AP"][system].to_dict() == {"1": 0.1, "2": 0.2}


def test_several_files_are_joined_by_topic(file, tmp_path):
    file("qid,score\n1,.5\n2,.25\n", "a.csv")
    file("qid,score\n2,.75\n1,1\n", "b.csv")
    scores = irstd.read_scores(tmp_path / "*.csv")
    assert scores.to_dict() == {"a": {"1": 0.5, "2": 0.25}, "b": {"1": 1, "2": 0.75}}
    file("qid,run,score\n2,a,.75\n", "c.csv")
    with pytest.raises(ValueError, match="system a is in several files"):
        irstd.read_scores(tmp_path / "*.csv")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "topic,a,b\n1,,.5\n2,NA,1\n"),
        ("x.csv", "topic,system,score\n1,b,.5\n2,b,1\n1,a,-\n"),
    ],
)
def test_missing_scores_are_nan_and_said(file, name, text):
    with pytest.warns(UserWarning, match="2 of 4 scores are missing, on topics 1"):
        scores = irstd.read_scores(file(text, name))
    assert scores["a"].isna().all()
    assert scores["b"].tolist() == [0.5, 1]


# A file that is refused, what is said, and the arguments that its message names.
REFUSED = {
    "ids": ("q1,.2,.3\nq2,.1,.4\n", ": no header: the first line is 'q1, .2"),
    "long ids": ("MB101,0\nMB102,.1\n", ": no header: the first line is 'MB101, 0'"),
    "ragged": ("topic,a,b\n1,.5\n2,1,1\n", ": CSV parse error: Row #2: Expected 3 columns, got 2"),
    "model": ("Model,a\nx,.5\n", ": no column called topic"),
    "semicolons": ('"topic";"a"\n"1";"0,5"\n', ": expected columns separated by"),
    "twice": ("topic,a,a\n1,.5,.5\n", ": the column 'a' appears twice"),
    "again": ("topic,a\n1,.5\n1,1\n", ":3: a second score of 'a' on topic '1'"),
    "pairs": ("topic,run,AP\n1,a,.5\n1,a,.6\n", ":3: a second score of 'a' on topic '1'"),
    "nameless": ("topic,a\n1,.5\n,.6\n", ":3: a score lacks the name of its topic"),
    "empty": ("topic,a,\n1,.5,\n2,.5,\n", ": the column '' has a name that no system can have"),
    "quotes": ('topic,a\n1,"5\n', ":2: is not CSV"),
    "measure": ("topic,measure,a\n1,AP,.5\n", ": has a column of metrics, but none of scores"),
    "V6": ("a,b\n.2,.5\n", ": no column called topic or query_id or qid: give scores by topic"),
    "V13 run": (
        "topic,run,base\n1,6.0,.5\n2,6.0,.6\n",
        ": the column 'run' has numbers: pass system=",
    ),
    "H11 fold": (
        "topic,system,score,fold\n1,a,.5,2\n",
        ": the column 'fold' has no role: pass",
    ),
    "H13": ("topic,hit_rate@5,f1@10\n1,.5,.4\n", ": the column 'hit_rate@5' has a metric's name"),
    "metrics": ("qid,AP,F1\n1,.5,.4\n", ": the column 'AP' has a metric's name: pass system="),
    "A1": ("topic,1,2,3\nq1,.1,.2,.3\ntopic,1,2,3\nq2,.2,.3,.4\n", ":3: repeats the header"),
    "long": ("topic,run,score\n1,a,.1\ntopic,run,score\n2,a,.2\n", ":3: repeats the header"),
    "06": ("topic,system,metric,score\n1,a,ndcg@10,.9\n1,b,ndcg@10,76.7\n", "nDCG@10 must be from"),
    "page": ("topic,run,VDCG\n1,a,3\n", 'VDCG is a metric name of the factor page .* names="page"'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_said_is_refused_with_what_to_give(file, case):
    text, said = REFUSED[case]
    path = file(text)
    pattern = said if ".*" in said else re.escape(said)
    with pytest.raises(ValueError, match=f"scores.csv.*{pattern}|csv: {pattern}") as error:
        irstd.read_scores(path)
    assert len(str(error.value)) - len(str(path.parent)) <= 200


SUMS = "mean_score macro-avg macro micro Mittelwert Summary Mean: all AVG overall median".split()
SUMS += "(mean) AllTopics Avg50 meanAP std_err p-value ci_low delta \u00d8 moyenne".split()
SUMS += ["Avg. (6)", "all topics", "sum of all", "summary row", "total score", "overall average"]


@pytest.mark.parametrize("word", SUMS)
def test_a_row_or_column_that_sums_up_is_refused_by_its_whole_name(file, word):
    """A2 and A5: (mean) and mean_score were taken for a topic and a system."""
    path = file(f"topic,a\nq1,.1\n{word},.2\nthe mean height,.3\n")
    with pytest.raises(ValueError, match=f":3: '{re.escape(word)}' is a summary row"):
        irstd.read_scores(path)
    with pytest.raises(ValueError, match="could not be read back"):
        irstd.write_scores(TABLE.rename(index={"301": word}), path)
    with pytest.raises(
        ValueError, match=f"column '{re.escape(word)}' has a name that no system can have"
    ):
        irstd.read_scores(file(f"topic,a,{word}\n1,.1,.2\n"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "name", "all-MiniLM-L6-v2 ALL_862873 mean-pooling sum1a average-colbert".split()
)
def test_a_word_in_part_of_a_name_is_no_reason(file, name):
    scores = irstd.read_scores(file(f"topic,a,{name}\n{name},.1,.2\n2,.3,.4\n"))
    assert scores.loc[name, name] == 0.2


@pytest.mark.filterwarnings("error")
def test_runs_may_be_called_by_numbers(file):
    scores = irstd.read_scores(file("topic,run,score\n7,1,.5\n8,1,.25\n"))
    assert scores["1"].to_dict() == {"7": 0.5, "8": 0.25}
    scores = irstd.read_scores(file("topic,run,AP\n7,1,.5\n7,2,.25\n"))
    assert scores.loc["7"].to_dict() == {"1": 0.5, "2": 0.25}


DRAWN = pd.DataFrame(
    np.random.default_rng(7).random((12, 4)).round(4),
    pd.Index([f"q{number}" for number in range(12)], name="topic"),
    pd.Index([*"abcd"], name="system"),
)


@pytest.mark.parametrize(
    "statistic",
    [pd.DataFrame.mean, pd.DataFrame.sum, pd.DataFrame.std, lambda table: table.std(ddof=0)],
)
@pytest.mark.parametrize("digits", [2, 4, 15])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_row_or_column_equal_to_a_statistic_of_others_is_refused(file, statistic, digits, axis):
    """Its name is of another language, and two such stand below each other."""
    scores = DRAWN if axis == 0 else DRAWN.T
    first = statistic(scores).round(digits)
    first.name = "Kokoelma"
    second = scores.mean().round(digits)
    second.name = "Keskiarvo"
    for rows in ([first], [first, second]):
        table = pd.concat([scores, pd.DataFrame(rows)])
        table = (table if axis == 0 else table.T).rename_axis("topic")
        kind = ["topic", "system"][axis]
        with pytest.raises(
            ValueError, match=f"the {kind} 'K.* looks like the mean, sum or sd of the others"
        ):
            irstd.read_scores(file(table.to_csv()))
        with pytest.raises(ValueError, match=f"scores: the {kind} 'K"):
            irstd.write_scores(table, file("", "x.csv"))


def test_a_mean_of_few_systems_is_refused_though_its_name_has_a_digit(file):
    scores = DRAWN.iloc[:, :3]
    table = scores.assign(**{"50 topics": scores.mean(axis=1).round(4)})
    with pytest.raises(ValueError, match="the system '50 topics' looks like the mean"):
        irstd.read_scores(file(table.to_csv()))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n_topics", [3, 5, 7])
def test_equal_and_evenly_spaced_scores_are_no_summary(file, n_topics):
    steps = np.arange(1, n_topics + 1)[:, None]
    spaced = (steps / 10 + np.arange(6) / 100).round(2)
    for scores in (spaced, np.full((n_topics, 6), 0.2), np.tile(steps / 8, 6)):
        table = pd.DataFrame(scores, 300 + steps.ravel()).rename_axis("topic")
        assert irstd.read_scores(file(table.add_prefix("s").to_csv())).shape == scores.shape


def test_a_metric_that_value_names_keeps_its_range(file):
    """A3: percent passed with value="AP", and nobody knew the metric later."""
    path = file("topic,system,AP\n1,a,50\n2,a,60\n")
    with pytest.raises(ValueError, match="AP must be from 0 to 1, but .* has 50 .*percent"):
        irstd.read_scores(path, value="AP")
    path = file("topic,system,map,n\n1,a,.5,3\n2,a,.6,4\n")
    assert irstd.read_scores(path, value="map").attrs == {"metric": "AP"}


def test_frames_that_name_their_metric_have_its_range():
    named = TABLE * 100
    named.attrs["metric"] = "AP"
    with pytest.raises(ValueError, match="AP must be from 0 to 1, but column a has 25 "):
        irstd.read_scores(named)
    for scores in (DRAWN * 100, pd.concat({"AP": DRAWN * 100}, axis=1, names=["metric"])):
        scores.attrs["metric"] = "AP"
        with pytest.raises(ValueError, match="AP must be from 0 to 1, but .*percent"):
            irstd.comparison_table(scores, "a")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("digits", [3, 17])
def test_public_matrices_are_read_without_a_word(trec_data, tmp_path, digits):
    """Controls: scores of TREC's systems, and 374 names of MTEB's as columns."""
    held = [(name, "AP") for name in ("trec5", "trec6", "trec7", "trec8", "robust2004")]
    for name, metric in [*held, ("mteb-retrieval", "nDCG@10")]:
        with warnings.catch_warnings(action="ignore"):
            scores = irstd.load_dataset(name, metric).fillna(0.5).round(digits).copy()
        long = scores.stack().rename("score").reset_index()
        for table in (scores.reset_index(), long, long.assign(metric=metric)):
            table.to_csv(tmp_path / "x.csv", index=False)
            pd.testing.assert_frame_equal(irstd.read_scores(tmp_path / "x.csv"), scores)


@pytest.mark.parametrize(
    ("cell", "advice"),
    {
        "45.3%": "percent divided by 100",
        '"0,2561"': "a decimal point, and no commas",
        "0.5 \u00b1 0.1": "without its interval",
        "0.41\u2020": "without marks",
        "350 ms": "without unit",
        "\u22120.35": "write the minus as -",
        "<0.001": "not a bound",
        "1e400": "it is too large",
        "True": "1 and 0 for True and False",
        "5_377.3": "digits without _",
        "n.a.": "leave the cell empty",
        "bm25": "pass system='a' if the column names systems",
    }.items(),
)
def test_a_cell_that_is_no_number_is_told_what_it_looks_like(file, cell, advice):
    with pytest.raises(ValueError, match=f":3: .* in 'a' is not a finite number: .*{advice}"):
        irstd.read_scores(file(f"topic,a\n1,.5\n2,{cell}\n"))


def test_blanks_around_names_are_no_part_of_them(tmp_path):
    table = TABLE.reset_index().rename_axis(columns=None)
    odd = table.rename(columns={"topic": " topic", "a": "a "})
    odd.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    odd.to_csv(tmp_path / "x.csv", index=False)
    for source in (odd, tmp_path / "x.jsonl", tmp_path / "x.csv"):
        pd.testing.assert_frame_equal(irstd.read_scores(source, topic=" topic"), TABLE)


def test_lines_of_json_by_ir_measures_are_read_as_its_tsv(file):
    lines = [
        f'{{"query_id": "{topic}", "measure": "AP", "value": 0.{score}}}\n'
        for topic, score in (("301", 25), ("302", 5), ("all", 375))
    ]
    scores = irstd.read_scores(file("".join(lines), "x.jsonl"))
    assert scores["x"].to_dict() == {"301": 0.25, "302": 0.5}
    assert scores.attrs == {"metric": "AP"}


def test_parquet_is_refused_with_what_to_give(tmp_path):
    """A file, and a folder of parts as Spark writes it."""
    folder = tmp_path / "parts.parquet"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    path = tmp_path / "one.parquet"
    DRAWN.to_parquet(path)
    for given in (path, [path], str(path), tmp_path / "one.*", folder):
        with pytest.raises(ValueError, match="is Parquet: read it with pd.read_parquet"):
            irstd.read_scores(given)
    pd.testing.assert_frame_equal(irstd.read_scores(pd.read_parquet(path)), DRAWN)


@pytest.mark.parametrize("other", ["01", "1.0"])
def test_ids_that_are_equal_as_numbers_are_refused(file, tmp_path, other):
    """F6: 1.0 is what pandas makes of 1 where a column has a gap."""
    file("qid,score\n1,.5\n2,.25\n", "a.csv")
    file(f"qid,score\n{other},.5\n2,.25\n", "b.csv")
    with pytest.raises(ValueError, match=f"'1' and '{other}' look like the same id"):
        irstd.read_scores(tmp_path / "*.csv")
    one = pd.Series([0.5, 0.25], ["1", "2"])
    with pytest.raises(ValueError, match=f"'1' and '{other}' look like the same id"):
        irstd.paired_test(one, one.set_axis([other, "2"]))


def test_systems_in_rows_are_warned_of():
    """The layout of Webber, Moffat and Zobel's own definition was ranked by topic."""
    scores = DRAWN.T.rename_axis(index=None, columns=None)
    scores.columns = [str(401 + number) for number in range(12)]
    with pytest.warns(UserWarning, match=r"if the rows are systems, give the frame's .T"):
        irstd.leaderboard(scores)
    for named in (scores.rename_axis("topic"), scores.rename_axis(columns="system"), scores.T):
        with warnings.catch_warnings(action="error"):
            irstd.gmap(named)
    for named in (scores.rename_axis("system"), scores.rename_axis(columns="topic")):
        with pytest.raises(ValueError, match="has one row per system: give scores.T"):
            irstd.gmap(named)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "topic,a,query_length,n_rel\n1,.5,3,10\n2,.25,8,50\n",
            "_length, n_rel reach 8",
        ),
        ("topic,a,b,c\n1,0.5,50.7,0.4\n", "column b reach 50.7, in most others 0.5"),
        ("topic,a,b,c\n1,2,3,1\n", ""),  # counts, of all
        ("topic,a,b\n1,0.9,1.4\n", ""),  # DCG
    ],
)
def test_a_trait_of_topics_is_warned_of(file, recwarn, text, said):
    """A6, H1: query_length led with a mean of 6."""
    irstd.read_scores(file(text))
    assert len(recwarn) == (said != "")
    assert all(said in str(warning.message) for warning in recwarn)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.txt", "x.txt:1: expected output of trec_eval -q"),
        ("x.json", "x.json:1: expected output of trec_eval -q"),
        ("x.jsonl", "x.jsonl:1: is not JSON"),
    ],
)
def test_the_suffix_says_what_a_file_is(file, name, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        irstd.read_scores(file("topic,a\n1,.5\n", name))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("map 1 .5\nmap .6\nrunid all x", 2),
        ("P_1 alpha_nDCG@10 .3\nP_2 alpha_nDCG@10 .4\n", 1),  # topics may be called so
        ("301 0 d1 1\n301 0 d2 0\n", 1),
        ("\nQueryid (Num):\t1\nTotal number of documents\n", 3),  # H11: trec_eval 8, with -o
        ('{"301": {"AP": 0.5}}\n', 1),
        ("map \t1\t.5\nmap \tall\t.5\nreal 1.2 s\n", 3),
        ("map\t301\t.2\nrunid\tall\ta\nmap\t302\t.4\nrunid\tall\tb\n", 4),
    ],
)
def test_what_trec_eval_does_not_print_is_refused_with_its_line(file, text, line):
    with pytest.raises(ValueError, match=f"out.txt:{line}: .*(found|a second runid)"):
        irstd.read_scores(file(text, "out.txt"))
    with pytest.raises(ValueError, match="has no scores by topic .trec_eval and ir_measures print"):
        irstd.read_scores(file("all\tAP\t.5\n", "out.txt"))


def test_topics_may_be_called_as_anything(file):
    """`all` tells the topics, or the names of all measures."""
    assert irstd.read_scores(file("map q,1 .5\nmap topic 1\n", "x")).index.tolist() == [
        "q,1",
        "topic",
    ]
    assert irstd.read_scores(file("P_5 AP .5\nP_5 all .5\n", "x")).index.tolist() == ["AP"]


def test_dicts_are_refused_with_the_frame_to_give():
    """V7: {topic: {system: score}} became a leaderboard of systems 301, 302."""
    for wrong in ({}, TABLE.to_dict("index"), {"me": {"301": {"map": 0.25}}}):
        with pytest.raises(
            ValueError, match="^scores must not be a dict d: .*{topic: {metric: score}}"
        ):
            irstd.read_scores(wrong)
    by_system = pd.DataFrame(TABLE.to_dict()).rename_axis("topic")  # as the message says
    pd.testing.assert_frame_equal(irstd.read_scores(by_system), TABLE)


def test_frames_that_are_no_tables_are_refused():
    for wrong, said in (
        (pd.DataFrame({"qid": [301, None], "a": [0.5, 0.6]}), "ids in 'qid' are floats: read them"),
        (pd.DataFrame({"qid": [1, 1], "a": 0.5, "tag": [1.0, 2.0]}), "ids in 'tag' are floats"),
        (pd.DataFrame({"qid": ["q1", 2.0], "a": 0.5}), "ids in 'qid' are floats"),
        (pd.DataFrame({"qid": pd.Categorical([1.0, 2.0]), "a": 0.5}), "ids in 'qid' are floats"),
        (pd.DataFrame({"qid": [np.nan, np.nan], "a": 0.5}), "a score lacks the name of its topic"),
        (pd.DataFrame({"qid": [1, 2], "run": "", "AP": 0.5}), "a score lacks the name of its"),
        (pd.DataFrame(columns=["topic", "run", "AP"]), "has no scores by topic"),
        (TABLE.rename_axis(columns=None).assign(topic="1"), "the column 'topic' appears twice"),
        (TABLE.iloc[:0], "has no scores by topic"),
        (TABLE > 0.3, "give 1 and 0 for True"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"^the table.*{said}"):
            irstd.read_scores(wrong)


@pytest.mark.filterwarnings("error")
def test_tables_without_cells_are_refused(file):
    empty = pd.DataFrame({"id": np.array([], int), "1": np.array([], float)})
    for table in (empty, pd.DataFrame({"id": ["a", "b"]})):
        with pytest.raises(ValueError, match="^the table: has no scores by topic"):
            irstd.read_scores(table, topic="id")
    for name, said in (("x.csv", "is empty"), ("x.jsonl", "no column called topic")):
        with pytest.raises(ValueError, match=f"{name}: {said}"):
            irstd.read_scores(file("\n", name))


def test_cells_of_single_precision_are_read_exactly():
    cells = [np.float32(0.1), None]
    table = pd.DataFrame({"topic": ["1", "2"], "a": pd.Series(cells, dtype=object)})
    with pytest.warns(UserWarning, match="1 of 2 scores are missing"):
        assert irstd.read_scores(table).loc["1", "a"] == float(cells[0])


def test_arguments_are_names_of_columns_that_are_there(file):
    path = file("topic,a\n1,.5\n")
    for argument in ("topic", "system", "metric", "value"):
        said = f"{argument}='AP' does not name a column; found: 'topic', 'a'"
        with pytest.raises(ValueError, match=said):
            irstd.read_scores(path, **{argument: "AP"})
    with pytest.raises(ValueError, match="one column has two roles"):
        irstd.read_scores(path, topic="a", system="a")
    with pytest.raises(ValueError, match="'Model' names systems, .*set_index"):
        irstd.read_scores(file("Model,ArguAna,SciFact\nx,.5,.6\ny,.4,.5\n"), topic="Model")


OF_PAGE = "topic,metric,system,score\n1,DCG,a,1\n1,nDCG,a,.2\n1,VDCG,a,3\n1,nVDCG@5,a,.4\n"


def test_names_of_the_page_of_factors_are_read_by_an_argument(file):
    scores = irstd.read_scores(file(OF_PAGE), names="page").loc["1"]
    assert scores.to_dict() == {
        ("JDCG", "a"): 1, ("nJDCG", "a"): 0.2, ("DCG", "a"): 3, ("nDCG@5", "a"): 0.4
    }  # fmt: skip


def test_what_would_not_be_read_back_is_not_written(tmp_path):
    both = pd.concat({"AP": TABLE, "RR": TABLE - 1}, axis=1, names=["metric"])
    with pytest.raises(ValueError, match="scores: RR must be from 0 to 1, but column a has -0.75"):
        irstd.write_scores(both, tmp_path / "z.csv")
    for name in ("x.xlsx", "x.json", "x.txt", "x"):
        with pytest.raises(ValueError, match="must end in .csv or .csv.gz"):
            irstd.write_scores(TABLE, tmp_path / name)
    assert not any(tmp_path.iterdir())


def test_standard_input_is_csv(monkeypatch):
    data = SimpleNamespace(read=TABLE.to_csv().encode)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    pd.testing.assert_frame_equal(read_table("-"), TABLE)
    data = SimpleNamespace(read=lambda: b"id,a\n1,.5\n")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    with pytest.raises(ValueError, match="^standard input: no column called topic"):
        read_table("-")


def recipes():
    """The recipes of the page: a table, and how it is read."""
    text = read_page("pages/layouts")
    found = re.findall(
        r"### (.*)\n\n```text\n(.*?)```\n(?:\n[^`]*)?```python\n(.*?)```", text, re.S
    )
    return {name: (table, code) for name, table, code in found}


@pytest.mark.parametrize("name", recipes())
@pytest.mark.filterwarnings("error")
def test_each_recipe_of_the_page_reads_its_table(name, tmp_path, monkeypatch):
    table, code = recipes()[name]
    monkeypatch.chdir(tmp_path)
    file = "mine.jsonl" if "mine.jsonl" in code else "mine.csv"
    Path(file).write_text(table)
    with pytest.raises(ValueError, match=f"{file}:"):
        irstd.read_scores(file)
    held = {"irstd": irstd, "pd": pd}
    exec(code, held)
    scores = held["scores"]
    of_one = [[0.2], [0.4]]
    assert scores.to_numpy().tolist() in ([[0.2, 0.5], [0.4, 0.1]], of_one), scores
    assert scores.index.tolist() == ["301", "302"]


def test_a_file_of_factors_says_which_dcg_it_has(tmp_path):
    """One by irstd 0.3, of Jarvelin and Kekalainen's DCG, has the head without the definition."""
    paths = tmp_path / "mn.csv", tmp_path / "sd.csv"
    scores = pd.concat({"nDCG": DRAWN, "AP": DRAWN}, axis=1, names=["metric"])
    irstd.standardization_factors(scores).to_csv(*paths)
    with pytest.raises(ValueError, match="says its header: leave out names"):
        irstd.Factors.from_csv(*paths, names="page")
    for path in paths:
        path.write_text(path.read_text().replace("; DCG=log2(rank+1)", ""))
    with pytest.raises(ValueError, match='is from irstd before 0.4.* names="page"'):
        irstd.Factors.from_csv(*paths)
    former = irstd.Factors.from_csv(*paths, names="page")
    assert former.mean.columns.tolist() == ["nJDCG", "AP"]


def test_lines_of_json_are_within_bounds(file):
    for wrong in ("9" * 400, "9" * 5000, "[" * 100_000):
        with pytest.raises(ValueError, match="x.jsonl:1: "):
            irstd.read_scores(file(f'{{"topic": "1", "a": {wrong}}}\n', "x.jsonl"))
    with pytest.raises(ValueError, match="surrogates not allowed"):
        irstd.read_scores(file('{"topic": "\\ud800", "a": 1}\n', "x.jsonl"))


# Tables that were read as other numbers than they hold


def test_a_table_with_systems_in_rows_is_transposed_as_its_message_says(file):
    path = file("retriever,301,302\nbm25,.2,.5\ndpr,.4,.1\n")
    with pytest.raises(ValueError, match=r"if rows are systems, .*index_col=0.\.T") as error:
        irstd.read_scores(path)
    frame = re.search(r"give (pd\..*?\.T\S*);", str(error.value))[1]
    scores = irstd.read_scores(eval(frame, {"pd": pd, "path": path}))
    assert scores.to_dict() == {"bm25": {"301": 0.2, "302": 0.5}, "dpr": {"301": 0.4, "302": 0.1}}
    with pytest.warns(UserWarning, match="if the rows are systems"):
        irstd.read_scores(path, topic="retriever")


@pytest.mark.parametrize(("name", "systems"), [("retriever", "ab"), ("Model", "12")])
def test_a_column_that_may_name_systems_is_not_left_out(file, name, systems):
    """A4: two models of two topics each became one system of four topics."""
    a, b = systems
    path = file(f"topic,{name},score,n\n1,{a},.5,3\n2,{a},.6,4\n3,{b},.7,5\n4,{b},.8,6\n")
    with pytest.raises(ValueError, match=f"'{name}' may name systems: pass system='{name}'"):
        irstd.read_scores(path, value="score")
    scores = irstd.read_scores(pd.read_csv(path).drop(columns=name), value="score")
    assert scores["run"].tolist() == [0.5, 0.6, 0.7, 0.8]


@pytest.mark.parametrize("place", [0, 1, 5, 10, 11, 12])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_mean_anywhere_in_the_table_is_refused(file, place, axis):
    mean = DRAWN.mean().round(4).to_frame("Keskiarvo").T
    table = pd.concat([DRAWN[:place], mean, DRAWN[place:]]).set_axis(
        [f"{letter}-topic" for letter in "abcdefghijklm"]
    )
    table = (table if axis == 0 else table.T).rename_axis("topic")
    with pytest.raises(ValueError, match=f"the {['topic', 'system'][axis]} '.-topic' looks like"):
        irstd.read_scores(file(table.to_csv()))


@pytest.mark.filterwarnings("error")
def test_topics_of_scores_with_one_decimal_are_no_means(trec_data, tmp_path):
    """The last topic of four systems was near the means of P@10."""
    names = [f"robust2004/sys{number}" for number in (1, 2, 3, 16)]
    scores = irstd.load_dataset("robust2004", "P@10")[names].copy()
    scores.attrs = {}
    irstd.write_scores(scores, tmp_path / "x.csv")
    pd.testing.assert_frame_equal(irstd.read_scores(tmp_path / "x.csv"), scores)


@pytest.mark.parametrize(
    "metric", "infAP set_F recall iprec_at_recall_0.10 alpha_nDCG@10 nERR@10 IPrec@0.1".split()
)
def test_metrics_of_other_tools_have_their_range(file, metric):
    """As trec_eval and ir_measures define them, these are shares or normalized."""
    rows = f"1,a,45.2,{metric}\n2,a,30.1,{metric}\n"
    with pytest.raises(
        ValueError, match=f"{re.escape(metric)} must be from 0 to 1, but column a has 45.2"
    ):
        irstd.read_scores(file(f"topic,system,score,metric\n{rows}"))
    assert irstd.read_scores(file(f"topic,system,{metric}\n1,a,.4\n")).loc["1", "a"] == 0.4


def test_a_metric_of_two_meanings_is_refused_in_tables(file):
    with pytest.raises(ValueError, match=r"'hits@10' is ambiguous: give 'Success@10'.*'NumRet"):
        irstd.read_scores(file("topic,system,hits@10\n1,a,1\n2,a,0\n"))


def test_a_fraction_among_percent_is_warned_of(file):
    with pytest.warns(UserWarning, match="column a reach 0.43, in most others 45.2"):
        irstd.read_scores(file("topic,a,b,c\n1,.21,45.2,50.1\n2,.43,30.1,60.3\n"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("end", ["", "  \n", "\t\n", "\n \n\n", "  ", "\r\n  \r\n"])
@pytest.mark.parametrize(("name", "mark"), [("x.csv", ","), ("x.tsv", "\t")])
def test_last_lines_of_blanks_are_passed_over(file, end, name, mark):
    text = "topic,a,b\n301,.25,.5\n302,0,1\n".replace(",", mark)
    pd.testing.assert_frame_equal(irstd.read_scores(file(text + end, name)), TABLE)
