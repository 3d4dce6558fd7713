"""One gate: what may be a topic is decided alike in files, frames and pipes, or refused."""

import io
import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import irstd
from irstd.__main__ import irstd_command
from irstd.course.files import read_table

IDS = "id,bm25,dpr\n301,.2,.3\n302,.4,.1\n303,.5,.6\n"


def test_numbers_of_rows_beside_ids_are_refused_in_a_frame_and_in_its_file(file):
    path = file(IDS)
    frame = pd.read_csv(path)
    named = frame.set_index("id")
    nameless = named.rename_axis(None).reset_index()  # ids in a column called index
    from_r = '"","id","bm25"\n"1",301,.2\n"2",302,.4\n'
    sources = {"frame": frame, "nameless": nameless}
    for name, table in list(sources.items()):
        sources[f"{name} as file"] = file(table.to_csv(), f"{name}.csv")
    sources["R"] = file(from_r, "r.csv")
    for name, source in sources.items():
        column = "index" if "nameless" in name else "id"
        with pytest.raises(ValueError, match=f"say topic_column='{column}'"):
            irstd.read_scores(source)
        scores = irstd.read_scores(source, topic_column=column)
        assert scores.index[:2].tolist() == ["301", "302"]
        assert scores["bm25"].tolist()[:2] == [0.2, 0.4]
        if name != "R":
            numbered = irstd.read_scores(source, topic_column="")
            assert numbered.columns[0] == column


def test_numbers_of_rows_are_topics_where_nothing_else_may_be():
    frame = pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 1.0]})
    assert irstd.read_scores(frame).index.tolist() == ["0", "1"]


@pytest.mark.parametrize(
    "text", ["id,bm25\n301,0,5\n302,0,25\n", "tid,sys0\n301,21.96,0.7\n302,3.5,0.1\n"]
)
def test_row_names_of_r_are_told_by_its_quotes_or_asked_for(file, text):
    path = file(text)
    with pytest.raises(ValueError, match=":2: expected 2 columns"):
        irstd.read_scores(path)
    asked = irstd.read_scores(path, topic_column="")
    assert asked.index.tolist() == ["301", "302"]
    assert irstd.read_scores(file('"a","b"\n"q1",.1,.2\n"q2",.3,.4\n'), topic_column="").shape == (
        2,
        2,
    )


@pytest.mark.parametrize(
    "names", ["AP,nDCG@10,HR@10", "AP,F1,RR", "ndcg_cut_10,MRR@10,Hit@1", "P@5,time"]
)
def test_a_runs_table_of_metrics_is_refused_though_some_are_not_known(file, names):
    width = names.count(",") + 1
    cells = ",".join([".5"] * width)
    path = file(f"qid,{names}\n1,{cells}\n2,{cells}\n")
    for source in (path, pd.read_csv(path)):
        with pytest.raises(ValueError, match="what does the column"):
            irstd.read_scores(source)
        assert irstd.read_scores(source, rows="topics").shape == (2, width)


def test_lines_whose_topics_may_be_measures_are_refused(file):
    with pytest.raises(ValueError, match="metrics or topics"):
        irstd.read_scores(file("P_1 alpha_nDCG@10 .3\nP_2 alpha_nDCG@10 .4\n"))
    one_topic = irstd.read_scores(file("P_5 301 .3\nP_10 301 .4\n"))
    assert one_topic.index.tolist() == ["301"]
    assert irstd.read_scores(file("map q1 .3\nP_10 q1 .4\n")).index.tolist() == ["q1"]


@pytest.mark.parametrize("word", ["Mean:", "median", "max", "stdev", "count", "macro avg"])
def test_a_last_row_that_sums_up_is_left_out_with_a_warning(file, word):
    path = file(f"topic,a\nq1,.1\nq2,.3\n{word},.2\n")
    for source in (path, pd.read_csv(path)):
        with pytest.warns(UserWarning, match="sums up the topics"):
            scores = irstd.read_scores(source)
        assert scores.index.tolist() == ["q1", "q2"]


@pytest.mark.filterwarnings("error")
def test_a_query_that_ends_in_mean_is_a_topic(file):
    texts = ["golden mean", "max", "median income", "bee"]
    rows = "".join(f"{text},.5\n" for text in texts)
    assert irstd.read_scores(file(f"topic,a\n{rows}")).index.tolist() == texts


@pytest.mark.filterwarnings("ignore:.*sums up")
def test_what_describe_adds_is_left_out(file):
    table = pd.DataFrame({"a": [0.1, 0.2]}, pd.Index(["q1", "q2"], name="topic"))
    described = pd.concat([table, table.describe()]).rename_axis("topic")
    assert irstd.read_scores(file(described.to_csv())).index.tolist() == ["q1", "q2"]


def test_a_system_called_topics_is_not_the_topics(file):
    with pytest.raises(ValueError, match="column 'topics' hold"):
        irstd.read_scores(file("dpr,topics\n38.59,14.09\n12,20.5\n"))


@pytest.mark.parametrize("system", ["run", "a", "Unnamed: 0"])
def test_topics_0_and_1_are_read_back(tmp_path, system):
    topics = pd.Index(["0", "1"], name="topic")
    columns = pd.MultiIndex.from_product(
        [["AP", "P@10"], [system, "b"]], names=["metric", "system"]
    )
    scores = pd.DataFrame([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]], topics, columns)
    for table in (scores, irstd.select(scores, "AP")):
        path = tmp_path / "scores.csv"
        irstd.write_scores(table, path)
        pd.testing.assert_frame_equal(irstd.read_scores(path), table)


def test_quoted_names_after_a_blank_have_no_quotes(file):
    scores = irstd.read_scores(file('"topic", "bm25"\n"301", .5\n'))
    assert scores.columns.tolist() == ["bm25"]


def test_an_index_of_floats_is_refused():
    with pytest.raises(ValueError, match="holds floats: make ids text"):
        irstd.read_scores(pd.DataFrame({"a": [0.1, 0.2]}, index=[301.0, 302.0]))


def test_a_dry_reading_says_what_was_taken_for_what(file):
    path = file("qid,system,AP\n301,a,.5\n302,a,.25\nmean,a,.375\n")
    with pytest.warns(UserWarning, match="sums up"):
        found = irstd.read_scores(path, explain=True)
    said = found.set_index("what")["found"]
    assert said["column 'qid'"] == "topics, by its name"
    assert said["layout"] == "a column per metric: AP"
    assert said["topics"] == "2: '301', '302'"
    assert said["left out"].startswith("'mean'")
    frame = irstd.read_scores(pd.DataFrame({"a": [0.1, 0.2]}), explain=True)
    assert (frame["file"] == "the table").all()


def test_the_command_scores_prints_the_dry_reading(file):
    result = CliRunner().invoke(irstd_command, ["scores", str(file("topic,a\n301,.5\n"))])
    assert result.exit_code == 0
    assert "column 'topic'" in result.output
    assert "1: '301'" in result.output


def test_standard_input_is_read_as_the_file(file, monkeypatch):
    for text, refused in ((IDS, True), ("topic,a\n301,.5\n", False)):
        stdin = SimpleNamespace(buffer=io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        if refused:
            with pytest.raises(ValueError, match=re.escape("standard input: what does")):
                read_table("-")
        else:
            pd.testing.assert_frame_equal(read_table("-"), irstd.read_scores(file(text)))


QRELS = {"1": {"a": 2, "b": 0, "c": 1}}
RUN = {"m": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}}}


def test_own_metrics_do_not_see_what_others_write():
    def binary(grades):
        grades[grades > 0] = 1
        return grades[:5].mean()

    def gain(grades):
        return (2**grades - 1).sum()

    one = irstd.evaluate(RUN, QRELS, {"gain": gain, "binary": binary})
    other = irstd.evaluate(RUN, QRELS, {"binary": binary, "gain": gain})
    assert one["gain"]["m"].tolist() == other["gain"]["m"].tolist() == [4.0]


def test_own_metrics_may_return_truths_and_numbers_of_numpy():
    metrics = {"any": lambda g: (g > 0).any(), "bool": lambda g: bool(g[0]), "n": lambda g: g.sum()}
    scores = irstd.evaluate(RUN, QRELS, metrics | {"array": lambda g: np.array(0.5)})
    assert scores.loc["1"].tolist() == [1.0, 1.0, 3.0, 0.5]


def test_own_metrics_are_named_and_tried_before_the_scoring_starts():
    from functools import partial

    with pytest.raises(TypeError, match="has no name: give it one"):
        irstd.evaluate(RUN, QRELS, partial(np.mean))
    assert irstd.evaluate(RUN, QRELS, {"mean": partial(np.mean)}).shape == (1, 1)
    with pytest.raises(TypeError, match="tried on 100 ranks"):
        irstd.evaluate({"m": "no such file"}, QRELS, {"text": str})


def test_a_persistence_that_rounds_to_1_is_refused():
    with pytest.raises(ValueError, match="rounds to 1"):
        irstd.evaluate(RUN, QRELS, "RBP.99999999999999999")


def test_labels_are_refused_that_count_twice_or_need_a_huge_square():
    one = {"1": {"a": 1}}
    twice = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "a"], "relevance": [1, 0]})
    with pytest.raises(ValueError, match="twice"):
        irstd.compare_labels(twice, one)
    with pytest.raises(ValueError, match="grades from 1 to 100000"):
        irstd.compare_labels({"1": {"a": 100_000}}, one)
    number = pd.DataFrame({"query_id": [1], "doc_id": ["a"], "relevance": [1]})
    two = pd.concat([number, number.assign(doc_id="b", relevance=0)])
    assert irstd.compare_labels(two, {"1": {"a": 1, "b": 0}}).documents == 2


LONG = "qid,model,map\n301,bm25,.2\n301,dpr,.3\n302,bm25,.4\n302,dpr,.1\n"


@pytest.mark.parametrize("name", ["model", "Method", "run_name"])
def test_texts_in_a_column_called_model_name_systems(file, name):
    found = irstd.read_scores(file(LONG.replace("model", name)))
    assert found.attrs["metric"] == "AP"
    assert found.loc["302"].to_dict() == {"bm25": 0.4, "dpr": 0.1}
    with_text = LONG.replace("map\n", "answer,score\n").replace(",.", ",why,.")
    beside = irstd.read_scores(file(with_text.replace("model", name)), columns=["score"])
    np.testing.assert_array_equal(beside, found)


def test_numbers_in_a_column_called_model_are_scores_of_a_system_of_that_name(file):
    found = irstd.read_scores(file("qid,baseline,model\n301,.2,.3\n302,.4,.1\n"))
    assert found.columns.tolist() == ["baseline", "model"]


def test_a_column_of_systems_of_another_name_is_asked_for(file):
    unknown = file(LONG.replace("model", "approach"))
    with pytest.raises(ValueError, match="rows='pairs' needs a column of systems, called system"):
        irstd.read_scores(unknown, rows="pairs")
    scored = file(LONG.replace("model", "approach").replace("map", "score"))
    with pytest.raises(ValueError, match="if 'approach' holds names of systems, call it 'system'"):
        irstd.read_scores(scored)


@pytest.mark.parametrize("first", ["name", "system", "model"])
def test_means_of_systems_are_no_scores_of_topics(file, first):
    """As PyTerrier's Experiment and ranx's report have them: once, metrics became topics."""
    means = pd.DataFrame({first: ["bm25", "dpr"], "map": [0.2, 0.3], "ndcg_cut_10": [0.4, 0.1]})
    for source in (means, means.set_index(first), file(means.to_csv(index=False))):
        for rows in (None, "systems"):
            with pytest.raises(ValueError, match=r"these are means.*perquery=True"):
                irstd.read_scores(source, rows=rows)
    with_tests = means.assign(**{"map p-value": [0.1, 0.2]})
    with pytest.raises(ValueError, match="these are means"):
        irstd.read_scores(with_tests)
    tasks = means.set_axis([first, "ArguAna", "FiQA"], axis=1)
    assert irstd.read_scores(tasks, rows="systems").index.tolist() == ["ArguAna", "FiQA"]


def test_scores_by_metric_as_of_ranx_are_read_with_the_name_of_their_run():
    scores = {"map": {"301": 0.2, "302": 0.3}, "ndcg": {"301": 0.4, "302": 0.1}}
    with pytest.raises(ValueError, match=r"has metrics for systems: .*\{name: pd.DataFrame"):
        irstd.read_scores(scores)
    found = irstd.read_scores({"mine": pd.DataFrame(scores)})
    assert found.loc["302"].to_dict() == {("AP", "mine"): 0.3, ("nDCG", "mine"): 0.1}


def test_scores_are_written_in_the_form_that_the_name_says(tmp_path):
    scores = irstd.load_dataset("sim-trec8", ["AP", "RR"]).iloc[:, ::40]
    irstd.write_scores(scores, tmp_path / "x.parquet")
    assert (tmp_path / "x.parquet").read_bytes()[:4] == b"PAR1"
    assert irstd.read_scores(tmp_path / "x.parquet").equals(scores)
    assert pd.read_parquet(tmp_path / "x.parquet").columns.tolist() == [
        "topic", "metric", "system", "score",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="'all' would not be read back"):
        irstd.write_scores(scores.rename(index={"401": "all"}), tmp_path / "all.parquet")
    for suffix in (".xlsx", ".json"):
        with pytest.raises(ValueError, match=f"writes CSV or Parquet, not what {suffix} means"):
            irstd.write_scores(scores, tmp_path / f"x{suffix}")
        assert not (tmp_path / f"x{suffix}").exists()
