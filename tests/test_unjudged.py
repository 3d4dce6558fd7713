"""Unjudged documents: condensed lists, and what they could change."""

import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from public.lesson_01 import RUNS, first_documents

import irstd

KEYS = ["query_id", "doc_id"]
TREC_EVAL = {"AP": "map", "nDCG": "ndcg", "nDCG@5": "ndcg_cut_5", "P@5": "P_5", "RR": "recip_rank"}
TREC_EVAL |= {"NumRet": "num_ret"}


@given(st.lists(st.sampled_from([None, -1, 0, 1, 2]), min_size=1, max_size=12))
@pytest.mark.filterwarnings("ignore:evaluate")
def test_condensed_lists_are_those_of_trec_eval(grades):
    """Oracle: trec_eval -J, by pytrec_eval; there a negative grade is not judged, either."""
    ranked = {f"d{rank}": grade for rank, grade in enumerate(grades)}
    run = {"1": {document: -float(rank) for rank, document in enumerate(ranked)}}
    judged = {document: grade for document, grade in ranked.items() if grade is not None}
    qrels = {"1": judged | {"below": 2}}
    scores = irstd.evaluate({"a": run}, qrels, [*TREC_EVAL, "Hole@5"], unjudged="drop").loc["1"]
    oracle = pytrec_eval.RelevanceEvaluator(
        qrels, set(TREC_EVAL.values()), judged_docs_only_flag=True
    )
    expected = oracle.evaluate(run).get("1", dict.fromkeys(TREC_EVAL.values(), 0))
    for metric, theirs in TREC_EVAL.items():
        assert scores[metric, "a"] == pytest.approx(expected[theirs], abs=1e-6), metric
    assert scores["Hole@5", "a"] == 0


@pytest.mark.night
@pytest.mark.filterwarnings("ignore:evaluate")
def test_without_what_it_alone_found_a_run_loses_two_ranks(trec_data):
    """As on the page: nobody judged what only uic0301 has among its first 100 documents.

    The ranks there are those among six of the 17 run files of the registry.
    """
    folder = trec_data / "trectools"
    runs = irstd.read_runs([folder / "runs" / f"input.{name}.gz" for name in RUNS])
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    first = pd.concat({name: first_documents(run) for name, run in runs.items()}, names=["run"])
    own = first.reset_index("run").drop_duplicates(KEYS, keep=False).query("run == 'uic0301'")
    is_own = qrels.set_index(KEYS).index.isin(own.set_index(KEYS).index)
    rest = qrels[~is_own]
    as_relevant = {}
    for name, run in runs.items():  # by the recipe of the page
        on_topics = run[run["query_id"].isin(rest["query_id"])]
        all_judged = pd.concat([rest, on_topics.assign(relevance=1)]).drop_duplicates(KEYS)
        as_relevant[name] = irstd.evaluate({name: run}, all_judged, "P@10").mean().item()
    means = {
        "whole": irstd.evaluate(runs, qrels, "P@10").mean(),
        "zero": irstd.evaluate(runs, rest, "P@10").mean(),
        "relevant": pd.Series(as_relevant),
    }
    table = pd.DataFrame(means)
    assert table.loc["uic0301"].round(3).tolist() == [0.39, 0.359, 0.57]
    assert table.rank(ascending=False).loc["uic0301"].tolist() == [2, 4, 1]
