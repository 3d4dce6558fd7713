"""Write the runs that the package holds anew, from its topics and engines: run by hand, seldom.

    python .github/pack_documentation.py

Run it with the versions of .ci/constraints.txt after topics or engines have changed: then judge
what is new among the first ten documents, and execute the notebooks.
"""

import json
import lzma
from importlib.metadata import version
from importlib.resources import files
from itertools import chain
from pathlib import Path

import irstd

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
target = Path(str(files("irstd.documentation")), "runs.json.xz")
target.write_bytes(lzma.compress(text.encode(), preset=9))
print(f"{target}: {target.stat().st_size} bytes")
