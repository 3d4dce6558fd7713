"""What one waits for: `import irstd`, and each notebook run from the top."""

import os
import subprocess
import sys

IMPORTS = """if True:
    from time import perf_counter
    start = perf_counter()
    import pandas, scipy.stats
    middle = perf_counter()
    import irstd
    print(perf_counter() - middle, middle - start)
"""


def test_import(add_row, tmp_path):
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path)}  # as installed: compiled
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", IMPORTS]
    subprocess.check_call(command, env=environment, stdout=subprocess.DEVNULL)
    texts = [subprocess.check_output(command, env=environment) for _ in range(11)]
    rounds = [map(float, text.split()) for text in texts]
    ours, theirs = map(min, zip(*rounds, strict=True))
    task = "`import irstd`, after pandas and scipy.stats"
    add_row(task, ours, "`import pandas, scipy.stats`", theirs)
