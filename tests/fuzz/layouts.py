"""Random tables in the supported layouts: read exactly, or refused with what makes them read right.

    python tests/fuzz/layouts.py 1500 [seed]

Each table is made from known numbers, in a layout of the page; every fifth has a hostile name. It
is read exactly; or it is refused, and read exactly with the arguments that the message names; any
other result is counted as wrong. Each is read once more with one to three bytes changed: it is
refused by a ValueError that names the file, or read, as the obvious reader does.
"""

import csv
import io
import random
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from obvious import NAME, REFUSED, obvious_scores

import irstd

PLAIN = "a b c bm25 BM25+RM3 run1 sys-2 t8orig01a my_run bge-large/v1.5 d\u00e9 e5".split()
HOSTILE = [
    *"run system score value tag runid metric measure name query index 1 2025 1e3 .5 nan".split(),
    *"NA null a,b a;b all mean map AP sum #x =1 \u2028 Model P_10 -".split(" "),
    *("my run", 'say "x"', "a\tb"),
]
TOPICS = "301 302 303 1 2 10 007 q1 MB-01 2.5 1_0 \u0661 score AP #1 d\u00e9 nan ArguAna".split()
METRICS = ["AP", "RR", "P@10", "nDCG@20", "RBP.5", "SP"]
THEIRS = {"AP": "map", "RR": "recip_rank", "P@10": "P_10", "nDCG@20": "ndcg_cut_20"}
OF_IR_MEASURES = {"AP": "AP", "RR": "RR", "P@10": "P@10", "nDCG@20": "nDCG@20"}
QUOTED = ("R", "numbered")
TOPIC_NAMES = ["topic", "query_id", "qid", "Query ID", "topics"]


class Case:
    """A table: what is read, what it holds, and what decides where it can be read in two ways."""

    def __init__(self, layout: str, seed: int):
        self.layout = layout
        self.random = random.Random(f"{layout} {seed}")
        self.said: dict = {}
        self.source: object = None
        self.text = ""
        self.metrics = self.draw_metrics()
        self.separator = self.draw_separator()
        self.systems = self.draw_systems()
        self.topics = self.draw_topics()
        if layout == "R" and len(self.systems) == 1:
            self.systems.append("another")  # one alone is refused
        if layout == "ir_measures":
            self.systems = ["table"]
        self.cells = {}
        for topic in self.topics:
            for system in self.systems:
                for metric in self.metrics:
                    self.cells[metric, system, topic] = self.draw_score()
        getattr(self, layout.replace(" ", "_").replace(".", "_"))()

    def draw_metrics(self) -> list[str]:
        if self.layout in ("wide", "R", "numbered", "dict", "frame wide", "row numbers"):
            return [""]
        metrics = self.random.sample(METRICS, self.random.randint(1, 3))
        if self.layout in ("trec_eval", "ir_measures"):
            metrics = self.random.sample(list(THEIRS), self.random.randint(1, 3))
        return metrics

    def draw_separator(self) -> str:
        separators = [",", ",", ";", "\t"]
        if self.layout not in QUOTED:
            separators.append(" ")
        return self.random.choice(separators)

    def draw_systems(self) -> list[str]:
        self.systems = self.random.sample(PLAIN, self.random.randint(1, 4))
        if self.random.random() < 0.2:
            names = [name for name in HOSTILE if self.keeps(name)]
            self.systems[0] = self.random.choice(names)
        return self.systems

    def draw_topics(self) -> list[str]:
        ids = TOPICS
        if self.layout == "R":
            ids = ["301", "302", "303", "1", "2", "10"]
        topics = self.random.sample(ids, self.random.randint(2, 5))
        if self.layout == "numbered":
            topics = [str(i) for i in range(1, len(topics) + 1)]
        return topics

    def draw_score(self) -> float:
        exact = self.random.random()
        rounded = round(self.random.random(), 4)
        return self.random.choice([exact, rounded, 0.0, 1.0])

    def keeps(self, name: str) -> bool:
        """Whether a name is told from what it stands beside."""
        marks = set(",;\t") - set(self.separator)
        if self.layout == "trec_eval" and not name.isascii():
            return False  # blanks that are not ASCII
        first = self.separator == " " or self.layout in QUOTED  # nothing but the name says it
        return name not in self.systems and not (first and marks & set(name))

    def write(
        self, rows: list[list], separator: str | None = None, quoting: int = csv.QUOTE_MINIMAL
    ) -> None:
        separator = separator or self.separator
        text = io.StringIO()
        end = self.random.choice(["\n", "\r\n"])
        writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
        writer.writerows(rows)
        self.text = text.getvalue()

    def by_topic(self, head: str) -> list[list]:
        rows = [[t, *(self.cells["", s, t] for s in self.systems)] for t in self.topics]
        return [[head, *self.systems], *rows]

    def by_pair(self) -> pd.DataFrame:
        rows = [
            {"topic": t, "system": s} | {m: self.cells[m, s, t] for m in self.metrics}
            for t in self.topics
            for s in self.systems
        ]
        return pd.DataFrame(rows)

    def matrix(self) -> pd.DataFrame:
        table = pd.DataFrame(
            [
                [self.cells[m, s, t] for m in self.metrics for s in self.systems]
                for t in self.topics
            ],
            pd.Index(self.topics, name="topic"),
            pd.MultiIndex.from_product([self.metrics, self.systems], names=["metric", "system"]),
        )
        return table if len(self.metrics) > 1 else table.droplevel("metric", axis=1)

    def wide(self) -> None:
        head = self.random.choice(TOPIC_NAMES)
        self.said = {"topic_column": head, "rows": "topics"}
        self.write(self.by_topic(head))

    def row_numbers(self) -> None:
        head = self.random.choice(TOPIC_NAMES)
        self.said = {"topic_column": head, "rows": "topics"}
        rows = self.by_topic(head)
        first = self.random.choice(["", "Unnamed: 0"])
        numbered = [[first, *rows[0]], *([i, *row] for i, row in enumerate(rows[1:]))]
        self.write(numbered, ",")

    def R(self) -> None:
        self.said = {"topic_column": "", "rows": "topics"}
        rows = self.by_topic("")
        self.write([rows[0][1:], *rows[1:]], quoting=csv.QUOTE_ALL)

    def numbered(self) -> None:
        self.said = {"topic_column": False, "rows": "topics"}
        rows = self.by_topic("")
        self.write([row[1:] for row in rows])

    def long(self) -> None:
        names = {
            "topic": self.random.choice(TOPIC_NAMES),
            "system": self.random.choice(["system", "run"]),
        }
        names |= {"score": self.random.choice(["score", "value"]), "metric": "metric"}
        if self.metrics[1:]:
            order = self.random.sample(list(names), 4)
        else:
            order = self.random.sample(["topic", "system", "score"], 3)
        rows = [
            [dict(metric=m, system=s, topic=t, score=score)[part] for part in order]
            for (m, s, t), score in self.random.sample(list(self.cells.items()), len(self.cells))
        ]
        self.said = {"topic_column": names["topic"], "rows": "pairs"}
        self.write([[names[part] for part in order], *rows])

    def PyTerrier(self) -> None:
        rows = [[s, t, m, score] for (m, s, t), score in self.cells.items()]
        self.write([["name", "qid", "measure", "value"], *rows], ",")

    def per_metric(self) -> None:
        table = self.by_pair()
        self.said = {"topic_column": "topic", "rows": "pairs"}
        self.write([list(table), *table.to_numpy(object).tolist()])

    def to_csv(self) -> None:
        self.said = {"topic_column": "topic", "rows": "topics"}
        self.text = self.matrix().to_csv()

    def write_scores(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            irstd.write_scores(self.matrix(), Path(folder, "x.csv"))
            self.text = Path(folder, "x.csv").read_bytes().decode()

    def trec_eval(self) -> None:
        for system in self.systems:
            for topic in self.topics:
                for m in self.metrics:
                    self.text += f"{THEIRS[m]:<22}\t{topic}\t{self.cells[m, system, topic]}\n"
            self.text += f"runid                 \tall\t{system}\nmap\tall\t0.5\n"

    def ir_measures(self) -> None:
        for (m, _, topic), score in self.cells.items():
            self.text += f"{topic}\t{OF_IR_MEASURES[m]}\t{score}\n"
        self.text += "all\tAP\t0.5\n"

    def frame_wide(self) -> None:
        self.said = {"topic_column": "topic", "rows": "topics"}
        self.source = self.matrix().rename_axis(columns=self.random.choice([None, "system"]))

    def frame_long(self) -> None:
        self.said = {"topic_column": "topic", "rows": "pairs"}
        self.source = self.by_pair().sample(frac=1, random_state=1)

    def dict(self) -> None:
        self.said = {"rows": "topics"}  # of systems that are called as metrics
        self.source = {s: {t: self.cells["", s, t] for t in self.topics} for s in self.systems}

    def dict_of_metrics(self) -> None:
        self.said = {"rows": "topics"}
        self.source = {
            s: {t: {m: self.cells[m, s, t] for m in self.metrics} for t in self.topics}
            for s in self.systems
        }

    def fits(self, scores: pd.DataFrame) -> bool:
        expected = self.cells
        if scores.columns.nlevels == 1:
            expected = {key[1:]: value for key, value in self.cells.items()}
            found = {(s, t): scores.loc[t, s] for s in scores for t in scores.index}
        else:
            found = {(*pair, t): scores.loc[t, pair] for pair in scores for t in scores.index}
        return found == expected


LAYOUTS = (
    "wide,row numbers,R,numbered,long,PyTerrier,per metric,to_csv,write_scores,trec_eval,"
    "ir_measures,frame wide,frame long,dict,dict of metrics"
).split(",")


def attempt(case: Case, folder: Path) -> str:
    """What becomes of a table: "read", "refused, then read", or "WRONG" and why."""
    path = folder / "table.csv"
    path.write_bytes(case.text.encode())
    source = path if case.source is None else case.source
    try:
        return "read" if case.fits(irstd.read_scores(source)) else "WRONG: read as another table"
    except ValueError as error:
        said = str(error)
    try:
        fits = case.fits(irstd.read_scores(source, **case.said))
    except ValueError as error:
        return f"WRONG: still refused: {error}"
    named = any(argument in said for argument in case.said)
    return "refused, then read" if fits and named else f"WRONG: {said}"


def damage(case: Case, folder: Path) -> None:
    """Read the table with a few bytes changed."""
    data = changed(case)
    path = folder / NAME
    path.write_bytes(data)
    expected = obvious_scores(data)
    try:
        scores = irstd.read_scores(path)
    except ValueError as error:
        if str(path) not in str(error) or expected is not REFUSED:
            raise AssertionError(f"{data!r}: {error!r}, obvious: {expected}") from error
        return
    if expected is REFUSED or not holds(scores, expected):
        raise AssertionError(f"{data!r}: {scores}, obvious: {expected}")


def changed(case: Case) -> bytes:
    """The bytes of a table, of which one to three are left out, replaced or followed by others."""
    data = bytearray(case.text.encode())
    for _ in range(case.random.randint(1, 3)):
        place = case.random.randrange(len(data))
        kind = case.random.randrange(3)
        new = b"" if kind == 0 else [case.random.choice(b'0a,;\t\n" .-\xff')]
        if kind == 1:
            data[place:place] = new
        else:
            data[place : place + 1] = new
    return bytes(data)


def holds(scores: pd.DataFrame, expected: dict) -> bool:
    """Whether scores are the expected ones, and missing elsewhere."""
    if len({metric for metric, _, _ in expected}) == 1:
        expected = {key[1:]: value for key, value in expected.items()}
    found = {}
    for name in scores:
        names = name if isinstance(name, tuple) else (name,)
        for topic in scores.index:
            found[*names, topic] = float(scores.loc[topic, name])
    full = {key: expected.get(key, np.nan) for key in found}
    # repr, since NaN is not NaN, and -0.0 not 0.0
    same = repr(list(full.values())) == repr(list(found.values()))
    return same and expected.keys() <= found.keys()


def count(number: int, seed: int = 0) -> tuple[Counter, list[Case]]:
    """How many of so many tables were read and refused, and those that were read as another."""
    results: Counter = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
        for i in range(number):
            case = Case(LAYOUTS[i % len(LAYOUTS)], seed * number + i)
            result = attempt(case, Path(folder))
            results[result.partition(":")[0]] += 1
            if result.startswith("WRONG"):
                wrong.append((case.layout, result, case.text or case.source))
            if case.text:
                damage(case, Path(folder))
    return results, wrong


if __name__ == "__main__":
    found, failed = count(int(sys.argv[1]), int((*sys.argv, "0")[2]))
    print(found)
    for what in failed[:40]:
        print(*what, sep="\n", end="\n\n")
