"""Run files to scores against pytrec_eval-terrier on the same files: pytest tests/benchmarks."""

import gzip
import subprocess
import sys

import pytest
import pytrec_eval

import irstd

FIVE = {"map", "P_10", "recip_rank", "Rprec", "ndcg"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """28 runs of 50 topics x 1,000 documents: 1.4 million lines, gzipped, and their qrels."""
    folder = tmp_path_factory.mktemp("campaign")
    collection = irstd.simulate_campaign()["sim-trec8"]
    collection.qrels().pipe(irstd.write_qrels, folder / "qrels.txt")
    (folder / "runs").mkdir()
    for system in collection.systems.index[collection.systems["original"]][:28]:
        run = collection.run(system)
        irstd.write_run(run, folder / "runs" / f"{system}.gz", tag=system)
    return folder


def by_pytrec_eval(folder):
    with open(folder / "qrels.txt") as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), FIVE)
    results = {}
    for path in sorted((folder / "runs").iterdir()):
        with gzip.open(path, "rt") as file:
            results[path.name] = evaluator.evaluate(pytrec_eval.parse_run(file))
    return results


@pytest.mark.benchmark(group="28 run files to scores")
def test_pytrec_eval_five_metrics(benchmark, files):
    assert len(benchmark.pedantic(by_pytrec_eval, [files], rounds=3)) == 28


@pytest.mark.benchmark(group="28 run files to scores")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_irstd_eleven_metrics(benchmark, files, n_jobs):
    scores = benchmark.pedantic(
        irstd.evaluate,
        [files / "runs", files / "qrels.txt"],
        {"n_jobs": n_jobs},
        rounds=3,
        warmup_rounds=1,
    )
    assert scores.shape == (50, 11 * 28)


@pytest.mark.benchmark(group="28 run files to scores")
def test_irstd_five_metrics(benchmark, files):
    five = ["AP", "P@10", "RR", "RP", "nVDCG"]
    arguments = [files / "runs", files / "qrels.txt", five]
    assert benchmark.pedantic(irstd.evaluate, arguments, rounds=3).shape == (50, 5 * 28)


def test_memory_does_not_grow_with_the_number_of_runs(files):
    """Peak memory of a process that scores 3 runs, and of one that scores all 28."""
    code = (
        "import irstd, resource, sys; from pathlib import Path\n"
        "folder, n = Path(sys.argv[1]), int(sys.argv[2])\n"
        "irstd.evaluate(sorted((folder / 'runs').iterdir())[:n], folder / 'qrels.txt')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    few, all_of_them = (
        int(subprocess.check_output([sys.executable, "-c", code, str(files), str(n)]))
        for n in (3, 28)
    )
    print(f"peak memory: {few} MB for 3 runs, {all_of_them} MB for 28")
    assert all_of_them < few + 50
