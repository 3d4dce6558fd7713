"""Runs to scores, against what else computes them from the same files, frames or dicts.

Peers compute the same five metrics, and are not asked to make a table of them.
"""

import gzip

import numpy as np
import pytest
from as_frames import dict_of

import irstd

RUNS = 28
METRICS = ["AP", "P@10", "RR", "RP", "nDCG"]  # of both sides


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """1.4 million lines, not gzipped, as trec_eval reads them; ids of equal length, no ties."""
    folder = tmp_path_factory.mktemp("campaign")
    collection = irstd.simulate_campaign()["sim-trec8"]
    irstd.write_qrels(collection.qrels(), folder / "qrels.txt")
    (folder / "runs").mkdir()
    for system in collection.systems.index[collection.systems["original"]][:RUNS]:
        irstd.write_run(collection.run(system), folder / "runs" / system, tag=system)
    return sorted((folder / "runs").iterdir()), folder / "qrels.txt"


def pytrec_eval(runs, qrels):
    import pytrec_eval

    with open(qrels) as file:
        measures = {"map", "P_10", "recip_rank", "Rprec", "ndcg"}
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), measures)
    results = []
    for path in runs:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt") as file:
            results.append(evaluator.evaluate(pytrec_eval.parse_run(file)))
    return [np.mean([topic["map"] for topic in result.values()]) for result in results]


WORK = f"{RUNS} run files x 50 topics x 1,000 documents to 5 metrics"


def test_two_cores_against_one(against, files):
    two, one = against(
        f"{RUNS} run files, `n_jobs=2`",
        lambda: irstd.evaluate(*files, METRICS, n_jobs=2),
        "`n_jobs=1`",
        lambda: irstd.evaluate(*files, METRICS),
    )
    assert two.equals(one)


def test_files_to_scores(against, files):
    scores, expected = against(
        WORK,
        lambda: irstd.evaluate(*files, METRICS),
        "pytrec_eval-terrier",
        lambda: pytrec_eval(*files),
    )
    assert scores.shape == (50, len(METRICS) * RUNS)
    np.testing.assert_allclose(scores["AP"].mean(), expected, atol=6e-5)  # four digits in print


@pytest.fixture(scope="module")
def frames(files):
    """The same runs and judgments as frames."""
    return irstd.read_runs(files[0]), irstd.read_qrels(files[1])


def test_dicts_to_scores(against, frames):
    import pytrec_eval

    runs = {name: dict_of(frame) for name, frame in frames[0].items()}
    qrels = dict_of(frames[1])
    measures = {"map", "P_10", "recip_rank", "Rprec", "ndcg"}

    def by_pytrec_eval():
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
        return [evaluator.evaluate(run) for run in runs.values()]

    scores, expected = against(
        WORK.replace("run files", "dicts of dicts"),
        lambda: irstd.evaluate(runs, qrels, METRICS),
        "pytrec_eval-terrier",
        by_pytrec_eval,
    )
    of_first = [topic["map"] for topic in expected[0].values()]
    np.testing.assert_allclose(scores["AP"].iloc[:, 0].mean(), np.mean(of_first), atol=6e-5)


def test_frames_to_scores(against, frames):
    import ir_measures
    from ir_measures import AP, RR, P, Rprec, nDCG

    runs, qrels = frames

    def by_ir_measures():
        evaluator = ir_measures.evaluator([AP, P @ 10, RR, Rprec, nDCG], qrels)
        return [evaluator.calc(run).aggregated[AP] for run in runs.values()]

    scores, expected = against(
        WORK.replace("run files", "frames"),
        lambda: irstd.evaluate(runs, qrels, METRICS),
        "ir_measures' `calc`",
        by_ir_measures,
    )
    np.testing.assert_allclose(scores["AP"].mean(), expected, atol=6e-5)


@pytest.mark.filterwarnings("ignore:evaluate")
def test_real_files(against, trec_data):
    runs = sorted((trec_data / "trectools" / "runs").rglob("*.gz"))
    qrels = trec_data / "trectools" / "qrels" / "robust03_qrels.txt"
    against(
        f"{len(runs)} run files of TREC 2003, gzipped, to 5 metrics",
        lambda: irstd.evaluate(runs, qrels, METRICS),
        "pytrec_eval-terrier",
        lambda: pytrec_eval(runs, qrels),
    )
