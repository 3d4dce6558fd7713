"""Make anew all that follows from the topics, engines and judgments of the documentation.

    python .github/pack_documentation.py

Run it with the versions of .ci/constraints.txt after any of these has changed. It writes the runs
that the package holds. If documents of the pool are not judged, it writes them to to_judge.csv,
in random order, and ends: judge them, add them to judgments.csv, and run it again. Otherwise it
executes the notebooks that use the collection, and runs the tests that hold pages, lessons and
answers of exercises to the new numbers: what fails there is a text that has to follow.
"""

import json
import lzma
import subprocess
import sys
from importlib.metadata import version
from importlib.resources import files
from itertools import chain
from pathlib import Path

import pandas as pd

import irstd

NOTEBOOKS = [f"notebooks/{n}_*.ipynb" for n in ("00", "01", "02", "03", "05", "07", "08")]
TESTS = ["tests/documentation", "tests/course", *NOTEBOOKS]


def pack_runs(target: Path) -> None:
    """Write the runs of all engines; numbers stand for names."""
    packed = {"versions": {name: version(name) for name in ("numpy", "scipy", "pandas", "bm25s")}}
    packed["collections"] = {}
    for name, collection in irstd.documentation_campaign(live=True).collections.items():
        names = sorted({doc_id for run in collection._runs.values() for doc_id in chain(*run)})
        number = {doc_id: n for n, doc_id in enumerate(names)}
        rows = {}
        for system, run in collection._runs.items():
            rows[system] = [[number[doc_id] for doc_id in found] for found in run]
        packed["collections"][name] = {"names": names, "runs": rows}
    text = json.dumps(packed, separators=(",", ":"))
    target.write_bytes(lzma.compress(text.encode(), preset=9))
    print(f"{target}: {target.stat().st_size} bytes")


def find_unjudged() -> pd.DataFrame:
    """Return the documents of the pool that nobody has judged, with their topics, shuffled."""
    unjudged = []
    for collection in irstd.documentation_campaign().collections.values():
        works = collection.systems.query("works == 'yes'").index
        pool = pd.concat([collection.run(name).groupby("query_id").head(10) for name in works])
        pool = pool[["query_id", "doc_id"]].drop_duplicates().merge(collection.qrels(), "left")
        pool = pool[pool["relevance"].isna()].drop(columns="relevance")
        unjudged.append(pool.join(collection.topics[["title", "description"]], on="query_id"))
    return pd.concat(unjudged).sample(frac=1, random_state=0)


def expand(patterns: list[str]) -> list[str]:
    """Return the files of patterns, in order."""
    return [str(path) for pattern in patterns for path in sorted(Path().glob(pattern))]


pack_runs(Path(str(files("irstd.documentation")), "runs.json.xz"))
unjudged = find_unjudged()
if len(unjudged):
    unjudged.to_csv("to_judge.csv", index=False)
    sys.exit(f"{len(unjudged)} documents of the pool are not judged: to_judge.csv")
subprocess.run([sys.executable, ".github/execute.py", *expand(NOTEBOOKS)], check=True)
pytest = [sys.executable, "-m", "pytest", "-m", "not release", *expand(TESTS)]
sys.exit(subprocess.run(pytest).returncode)
