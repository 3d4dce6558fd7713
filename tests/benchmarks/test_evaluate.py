"""Run files to scores, against what else computes them from the same files.

Peers compute as many of the eleven metrics as they have, and are not asked to make a table of them.
The C program trec_eval is taken from the path, or from the environment variable TREC_EVAL.
"""

import os
import shutil
import subprocess

import numpy as np
import pytest

import irstd

RUNS = 28
WORK = f"{RUNS} run files x 50 topics x 1,000 documents to 11 metrics"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """1.4 million lines, not gzipped, as trec_eval reads them."""
    folder = tmp_path_factory.mktemp("campaign")
    collection = irstd.simulate_campaign()["sim-trec8"]
    irstd.write_qrels(collection.qrels(), folder / "qrels.txt")
    (folder / "runs").mkdir()
    for system in collection.systems.index[collection.systems["original"]][:RUNS]:
        irstd.write_run(collection.run(system), folder / "runs" / system, tag=system)
    return sorted((folder / "runs").iterdir()), folder / "qrels.txt"


def trec_eval(runs, qrels):
    program = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if not program:
        pytest.skip("needs the program trec_eval, in the path or named by TREC_EVAL")
    command = [program, "-q", *"-m map -m ndcg -m P.10 -m recip_rank -m Rprec".split(), qrels]
    printed = [subprocess.check_output([*command, run], text=True) for run in runs]
    return [float(text.rsplit("map", 1)[1].split()[1]) for text in printed]


def pytrec_eval(runs, qrels):
    import pytrec_eval

    with open(qrels) as file:
        measures = {"map", "P_10", "recip_rank", "Rprec", "ndcg"}
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), measures)
    results = []
    for path in runs:
        with open(path) as file:
            results.append(evaluator.evaluate(pytrec_eval.parse_run(file)))
    return [np.mean([topic["map"] for topic in result.values()]) for result in results]


def ir_measures(runs, qrels):
    import ir_measures
    from ir_measures import AP, RBP, RR, P, Rprec, nDCG

    measures = [AP, P @ 10, RR, Rprec, nDCG, RBP(rel=1, p=0.8), RBP(rel=1, p=0.95)]
    evaluator = ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(str(qrels))))
    results = [list(evaluator.iter_calc(ir_measures.read_trec_run(str(run)))) for run in runs]
    return [np.mean([item.value for item in items if item.measure == AP]) for items in results]


PEERS = {
    "trec_eval (C), 5 metrics": trec_eval,
    "pytrec_eval-terrier, 5 metrics": pytrec_eval,
    "ir_measures, 7 metrics": ir_measures,
}


@pytest.mark.parametrize("runs", [5, RUNS])
def test_two_cores_against_one(against, files, runs):
    paths, qrels = files
    two, one = against(
        f"{runs} run files, `n_jobs=2`",
        lambda: irstd.evaluate(paths[:runs], qrels, n_jobs=2),
        "`n_jobs=1`",
        lambda: irstd.evaluate(paths[:runs], qrels),
    )
    assert two.equals(one)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_files_to_scores(against, files, peer, n_jobs):
    scores, expected = against(
        f"{WORK}, `n_jobs={n_jobs}`",
        lambda: irstd.evaluate(*files, n_jobs=n_jobs),
        peer,
        lambda: PEERS[peer](*files),
    )
    assert scores.shape == (50, 11 * RUNS)
    np.testing.assert_allclose(scores["AP"].mean(), expected, atol=6e-5)  # four digits in print
