"""Run files to scores, against what else computes them from the same files.

Peers compute the same five metrics, and are not asked to make a table of them.
"""

import gzip
import zlib

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


@pytest.fixture(scope="module")
def like_trec(files, tmp_path_factory):
    """The same with ids as on TREC's disks, and scores as runs have them: four are of few digits.

    One of six has the scores of a rank: all documents of a block of hundred tie.
    """
    runs, qrels = files
    folder = tmp_path_factory.mktemp("trec")
    (folder / "runs").mkdir()
    judged = irstd.read_qrels(qrels)
    irstd.write_qrels(judged.assign(doc_id=trec_ids(judged["doc_id"])), folder / "qrels.txt")
    for place, path in enumerate(runs):
        run = irstd.read_run(path)
        run["doc_id"] = trec_ids(run["doc_id"])
        if place % 6 == 0:
            run["score"] = -(run.groupby("query_id").cumcount() // 100)
        elif place % 6 < 4:
            run["score"] = run["score"].round(3)
        irstd.write_run(run, folder / "runs" / f"{path.name}.gz", tag=path.name)
    return sorted((folder / "runs").iterdir()), folder / "qrels.txt"


def trec_ids(documents):
    """Ids such as FR940711-1-00060, FBIS3-16217 and FT911-3: they differ in few places."""
    ids = []
    for document in documents:
        number = zlib.crc32(document.encode()) % 600_000
        kinds = (
            f"FR94{number % 12 + 1:02d}{number % 28 + 1:02d}-{number % 3}-{number // 84:05d}",
            f"FBIS{number % 2 + 3}-{number}",
            f"FT9{number % 40 + 11}-{number // 40}",
            f"LA{number % 12 + 1:02d}{number % 28 + 1:02d}90-{number // 84:04d}",
        )
        ids.append(f"{kinds[number % 4]}{document[-3:]}")
    return ids


def opened(path):
    """A run file as text."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt")
    return open(path)


def pytrec_eval(runs, qrels):
    import pytrec_eval

    with open(qrels) as file:
        measures = {"map", "P_10", "recip_rank", "Rprec", "ndcg"}
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), measures)
    results = []
    for path in runs:
        with opened(path) as file:
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
    compare(against, files, f"{WORK}, `n_jobs={n_jobs}`", peer, n_jobs)


@pytest.mark.filterwarnings("ignore:evaluate")
def test_files_like_those_of_trec(against, like_trec):
    task = f"{WORK}, gzipped, with ids and ties as in TREC's, `n_jobs=1`"
    compare(against, like_trec, task, "pytrec_eval-terrier", 1)


def compare(against, files, task, peer, n_jobs):
    scores, expected = against(
        task,
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
