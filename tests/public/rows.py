"""The rows of notebooks/data/public.csv: what public scores say of a lesson's bold sentences.

`lesson_02.py` beside this has the numbers of lesson 02: its functions return them by name, and its
NUMBERS says of each function which data it reads. To compute and store a lesson anew::

    IRSTD_DATA=... python tests/public/rows.py 02
"""

import importlib
import sys
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent
STORED = HERE.parents[1] / "notebooks" / "data" / "public.csv"
COLUMNS = ["lesson", "name", "data", "value", "error", "function"]
LESSONS = sorted(path.stem.removeprefix("lesson_") for path in HERE.glob("lesson_*.py"))


def stored():
    return pd.read_csv(STORED, dtype={"lesson": str})


def computed(lesson):
    """The rows of a lesson; a function returns ``{name: value}`` or ``{name: (value, error)}``."""
    module = importlib.import_module(f"public.lesson_{lesson}")
    rows = []
    for function, data in module.NUMBERS.items():
        for name, found in function().items():
            value, error = found if isinstance(found, tuple) else (found, None)
            rows.append([lesson, name, data, value, error, function.__name__])
    return pd.DataFrame(rows, columns=COLUMNS).astype({"value": float, "error": float})


def store(lessons):
    """Put rows of these lessons in the place of the old ones."""
    tables = [computed(lesson) for lesson in lessons]
    if STORED.exists():
        old = stored()
        tables.append(old[~old["lesson"].isin(lessons)])
    table = pd.concat(tables).sort_values("lesson", kind="stable")
    table.to_csv(STORED, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    sys.path.append(str(HERE.parent))  # what the lessons share
    store(sys.argv[1:] or LESSONS)
