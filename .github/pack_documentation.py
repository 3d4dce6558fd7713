"""Write the runs that the package holds anew, from its topics and engines: run by hand, seldom.

    python .github/pack_documentation.py

Run it with the versions of .ci/constraints.txt after topics or engines have changed: then judge
what is new among the first ten documents, and execute the notebooks.
"""

import json
import lzma
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import irstd

packed = {"versions": {name: version(name) for name in ("numpy", "scipy", "pandas", "bm25s")}}
packed["collections"] = {}
for name, collection in irstd.documentation_campaign(live=True).collections.items():
    runs = {system: collection.run(system) for system in collection.systems.index}
    names = sorted({doc_id for run in runs.values() for doc_id in run["doc_id"]})
    number = {doc_id: n for n, doc_id in enumerate(names)}
    rows = {}
    for system, run in runs.items():
        by_topic = run.assign(doc_id=run["doc_id"].map(number)).groupby("query_id")["doc_id"]
        found = by_topic.agg(list).reindex(collection.topics.index)
        rows[system] = [of_topic if isinstance(of_topic, list) else [] for of_topic in found]
    packed["collections"][name] = {"names": names, "runs": rows}
text = json.dumps(packed, separators=(",", ":"))
target = Path(str(files("irstd.documentation")), "runs.json.xz")
target.write_bytes(lzma.compress(text.encode(), preset=9))
print(f"{target}: {target.stat().st_size} bytes")
