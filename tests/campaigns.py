"""Simulated campaigns, drawn once for all tests of a process."""

import functools

import irstd

TEN = range(1, 11)  # the seeds beside the default


@functools.cache
def campaign(seed=0, design="wmz08"):
    return irstd.simulate_campaign(design, seed=seed)


def write_six_runs(folder, tag):
    """Six simulated run files in a folder `runs`, the first with this tag, and their judgments."""
    collection = campaign()["sim-robust2003"]
    first, *_ = systems = list(collection.systems.index[:6])
    collection.write(folder, systems)
    irstd.write_qrels(collection.qrels(), folder / "qrels.txt")
    irstd.write_run(collection.run(first), folder / "runs" / "odd.gz", tag=tag)
    (folder / "runs" / f"{first}.gz").unlink()
