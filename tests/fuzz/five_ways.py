"""Tables of the page's layouts, each given in five ways: read the same, or refused with the reason.

Not by the author of layouts.py, and of another design: a table is a dict of scores that is laid out
by pandas, so that what must be read is known without a reader. By hand, for many:
``python tests/fuzz/five_ways.py 0 10000``. Each outcome is counted.
"""

import io
import random
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pandas as pd

import irstd
from irstd.course.files import read_table

TOPICS = [
    [str(number) for number in range(301, 320)],
    [str(number) for number in range(0, 19)],
    [str(number) for number in range(1, 20)],
    [f"q{number}" for number in range(19)],
    [f"MB{number:03}" for number in range(19)],
    ["max", "what is 5 %", "a, b", "x;y", "caf\u00e9", "301_1"],
]
SYSTEMS = ["bm25", "dpr", "run", "mean", "tag", "id", "AP", "1", "2", "a b", "colbert+rm3", "x_y"]
METRICS = ["AP", "P@10", "nDCG@20", "RR"]
TOPIC_COLUMNS = ["topic", "qid", "query_id", "Query", "id", "tid"]
SAID = ("topic_column", "holds no scores of topics", "rows=", "row names", "metrics or topics")
CHANGED = {  # what pandas changes before irstd sees it
    "leading zeros": ["007", "010", "011"],
    "words for missing": ["NA", "null", "None"],
}


def draw(seed):
    """The scores of a random table, {(metric, system, topic): score}, and it laid out."""
    rng = random.Random(seed)
    all_topics = rng.choice(TOPICS)
    topics = rng.sample(all_topics, rng.randint(2, min(7, len(all_topics))))
    systems = rng.sample(SYSTEMS, rng.randint(1, 4))
    layout = rng.choice(["wide", "long", "long of metrics", "pairs", "nameless"])
    metrics = [""]
    if layout in ("long of metrics", "pairs"):
        metrics = rng.sample(METRICS, rng.randint(2, 3))
    scores = {}
    for metric in metrics:
        for system in systems:
            for topic in topics:
                scores[metric, system, topic] = rng.choice([rng.random(), 0.0, 1.0, 0.5])
    # pandas renames the second of two columns of a name
    column = rng.choice([name for name in TOPIC_COLUMNS if name not in systems])
    return scores, laid_out(scores, layout, column), column, layout


def laid_out(scores, layout, column):
    """Scores as a frame without an index of its own."""
    rows = [(*names, score) for names, score in scores.items()]
    table = pd.DataFrame(rows, columns=["metric", "system", column, "score"])
    if layout == "long of metrics":
        return table
    if layout == "long":
        return table.drop(columns="metric")
    if layout == "pairs":
        wide = table.pivot(index=[column, "system"], columns="metric", values="score")
        return wide.rename_axis(columns=None).reset_index()
    wide = table.pivot(index=column, columns="system", values="score").rename_axis(columns=None)
    return wide.reset_index(names="" if layout == "nameless" else column, allow_duplicates=True)


def ways(table, folder):
    """The same table in five ways."""
    file = Path(folder, "table.csv")
    file.write_text(table.to_csv(index=False))
    frame = pd.read_csv(file)
    again = Path(folder, "again.csv")
    frame.to_csv(again)
    return {
        "file": lambda **said: irstd.read_scores(file, **said),
        "read_csv": lambda **said: irstd.read_scores(frame, **said),
        "to_csv": lambda **said: irstd.read_scores(again, **said),
        "reset_index": lambda **said: irstd.read_scores(frame.reset_index(), **said),
        "standard input": lambda **said: by_pipe(file.read_bytes(), **said),
    }


def by_pipe(data, **said):
    with mock.patch.object(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data))):
        return read_table("-", **said)


def outcome(read, scores, said):
    """What a reading gives: "read" if the scores are as written, "refused", or what is wrong."""
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            found = read(**said)
    except ValueError as error:
        if any(word in str(error) for word in SAID) or "appears twice" in str(error):
            return "refused"
        return f"refused without a reason: {error}"
    cells = {}
    for names, column in found.items():
        metric, system = names if isinstance(names, tuple) else ("", names)
        for topic, score in column.items():
            cells[metric, system, topic] = score
    left_out = any("sums up the topics" in str(each.message) for each in warned)
    missing = {topic for *_, topic in scores.keys() - cells.keys()}
    if left_out and missing and missing <= {"max"} and cells.items() <= scores.items():
        return "last rows left out with a warning"
    return "read" if cells == scores else f"other scores: {found.head(3)}"


def judge(seed, folder):
    """What became of a table in each way, undecided and with the arguments that decide."""
    scores, table, column, layout = draw(seed)
    given = ways(table, folder)
    name = "" if layout == "nameless" else column
    decided = {"topic_column": name}
    if layout in ("wide", "nameless"):
        decided["rows"] = "topics"
    has_numbers = layout == "long" and set(table["system"]) <= {"1", "2"}  # or scores of "system"
    if layout == "pairs" or has_numbers:
        decided["rows"] = "pairs"
    results = {}
    for way, read in given.items():
        found = outcome(read, scores, {})
        as_written = layout != "nameless" or way in ("file", "standard input")
        if found == "refused" and as_written:
            found = f"refused, then {outcome(read, scores, decided)}"
        results[way] = found
    return layout, results


LEFT_OUT = "last rows left out with a warning"
RIGHT = ("read", "refused", "refused, then read", LEFT_OUT, f"refused, then {LEFT_OUT}")


def count(seeds):
    """How many tables came out how, and the wrong ones."""
    counts = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            layout, results = judge(seed, folder)
            for way, found in results.items():
                counts[way, found.split(":")[0]] += 1
                if found not in RIGHT:
                    wrong.append((seed, layout, way, found))
    return counts, wrong


if __name__ == "__main__":
    found, bad = count(range(*map(int, sys.argv[1:])))
    for each, number in sorted(found.items()):
        print(*each, number)
    for each in bad[:10]:
        print(each)
    print(len(bad), "wrong")
