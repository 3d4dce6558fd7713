"""Run files to scores, against what else computes them from the same files.

Peers compute the same five metrics, and are not asked to make a table of them.
"""

import gzip

import numpy as np
import pytest

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


def ir_measures(runs, qrels):
    import ir_measures
    from ir_measures import AP, RR, P, Rprec, nDCG

    measures = [AP, P @ 10, RR, Rprec, nDCG]
    evaluator = ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(str(qrels))))
    results = [list(evaluator.iter_calc(ir_measures.read_trec_run(str(run)))) for run in runs]
    return [np.mean([item.value for item in items if item.measure == AP]) for items in results]


PEERS = {
    "pytrec_eval-terrier": pytrec_eval,
    "ir_measures": ir_measures,
}
WORK = f"{RUNS} run files x 50 topics x 1,000 documents to 5 metrics"


@pytest.mark.parametrize("runs", [5, RUNS])
def test_two_cores_against_one(against, files, runs):
    paths, qrels = files
    two, one = against(
        f"{runs} run files, `n_jobs=2`",
        lambda: irstd.evaluate(paths[:runs], qrels, METRICS, n_jobs=2),
        "`n_jobs=1`",
        lambda: irstd.evaluate(paths[:runs], qrels, METRICS),
    )
    assert two.equals(one)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_files_to_scores(against, files, peer, n_jobs):
    scores, expected = against(
        f"{WORK}, `n_jobs={n_jobs}`",
        lambda: irstd.evaluate(*files, METRICS, n_jobs=n_jobs),
        peer,
        lambda: PEERS[peer](*files),
    )
    assert scores.shape == (50, len(METRICS) * RUNS)
    np.testing.assert_allclose(scores["AP"].mean(), expected, atol=6e-5)  # four digits in print


@pytest.mark.usefixtures("trec_data")
@pytest.mark.filterwarnings("ignore:evaluate")
def test_real_files(against, trec_data):
    runs = sorted((trec_data / "trectools" / "runs").rglob("*.gz"))
    (qrels,) = (trec_data / "trectools" / "qrels").iterdir()
    against(
        f"{len(runs)} run files of TREC 2003, gzipped, to 5 metrics",
        lambda: irstd.evaluate(runs, qrels, METRICS),
        "pytrec_eval-terrier",
        lambda: pytrec_eval(runs, qrels),
    )
