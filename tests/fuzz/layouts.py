"""Random tables of known numbers in many forms: right numbers or a refusal, never other numbers.

A table is a dict of scores that pandas lays out, so that what must be read is known without a
reader. Each is read as it is, and then with the arguments that decide, where there are some: then
it must be read. Text is read once more with one to three bytes changed: refused, or numbers that
stand in it beside their topic.
"""

import io
import json
import random
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import pandas as pd
from obvious import NAME, is_in_text

import irstd

TOPICS = [
    [str(number) for number in range(301, 320)],
    [str(number) for number in range(19)],
    [f"{number}.10" for number in range(19)],
    [str(-number) for number in range(19)],
    [f"q{number}" for number in range(19)],
    "007 1_0 \u0661 MB-01 d\u00e9 nan #1 ArguAna".split(),
    ["what is 5 %", "a, b", "x;y", "301_1", "the mean height", "what is"],
]
PLAIN = "bm25 BM25+RM3 bge-large/v1.5 d\u00e9 e5 a my_run run1 Wert".split()
SYSTEMS = (
    PLAIN
    + (
        "1 2 2025 1e3 .5 nan NA null #x =1 a,b a;b run system score value tag runid metric name"
        " query index id Model Rank all mean map AP P_10"
    ).split()
)
METRICS = {"AP": "map", "RR": "recip_rank", "P@10": "P_10", "nDCG@20": "ndcg_cut_20", "SP": "SP"}
TOPIC_COLUMNS = ["Unnamed: 0", "", *"topic query_id qid Topic query id _id index tid".split()]
LAYOUTS = "wide,rows numbered,no topics,long,metrics,pairs,one,trec_eval,ir_measures".split(",")
WAYS = ("csv", "csv.gz", "tsv", "jsonl", "read_csv", "frame", "index")


class Case:
    """A table: its scores {(metric, system, topic): score}, as what it is given, what decides."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.layout = LAYOUTS[seed % len(LAYOUTS)]
        self.way = self.random.choice(WAYS)
        topics = self.random.choice(TOPICS)
        self.topics = self.random.sample(topics, self.random.randint(2, 5))
        systems = self.random.choice([PLAIN, PLAIN, SYSTEMS])
        self.systems = self.random.sample(systems, self.random.randint(1, 4))
        self.metrics = [""]
        if self.layout in ("metrics", "pairs", "trec_eval", "ir_measures"):
            self.metrics = self.random.sample(list(METRICS), self.random.randint(1, 3))
        if self.layout in ("one", "ir_measures"):
            self.systems = [NAME]
        if self.layout == "trec_eval":
            self.systems = self.systems[:1]
        self.scores = {}
        for metric in self.metrics:
            for system in self.systems:
                for topic in self.topics:
                    drawn = [self.random.random(), round(self.random.random(), 4), 0.0, 1.0]
                    self.scores[metric, system, topic] = self.random.choice(drawn)
        # pandas renames the second of two columns of a name
        free = [name for name in TOPIC_COLUMNS if name not in self.systems]
        if self.way == "read_csv":
            free.remove("")
        if self.random.random() < 0.5:
            free = ["topic"]
        self.column = self.random.choice(free)
        self.said = {"topic": self.column}

    def frame(self) -> pd.DataFrame:
        """The scores as a frame without an index of its own."""
        rows = [(*names, score) for names, score in self.scores.items()]
        table = pd.DataFrame(rows, columns=["metric", "system", self.column, "score"], dtype=object)
        kinds = ["system", "run", "tag", "method"]
        system = self.random.choice([kind for kind in kinds if kind != self.column])
        named = table.rename(columns={"system": system})
        if self.layout == "one":
            return table[[self.column, "score"]]
        if self.layout in ("long", "metrics"):
            self.said["system"] = system
            absent = "metric" if self.layout == "long" else "no such"
            return named.drop(columns=absent, errors="ignore").sample(frac=1, random_state=1)
        if self.layout == "pairs":
            self.said["system"] = system
            wide = named.pivot(index=[self.column, system], columns="metric", values="score")
            wide = wide.rename(columns=METRICS)  # which are translated
            return wide.rename_axis(columns=None).reset_index()
        wide = table.pivot(index=self.column, columns="system", values="score")
        self.said = {} if self.layout != "wide" else self.said
        wide = wide.rename_axis(columns=None).reset_index(names=self.column)
        if self.layout == "rows numbered":
            free = [name for name in ("", "Unnamed: 0", "index") if name not in wide]
            return wide.reset_index(names=self.random.choice(free))
        return wide.drop(columns=self.column) if self.layout == "no topics" else wide

    def text(self) -> str:
        """The scores as trec_eval or ir_measures print them."""
        lines = []
        for (metric, _, topic), score in self.scores.items():
            if self.layout == "trec_eval":
                lines.append(f"{METRICS[metric]:<22}\t{topic}\t{score}")
            else:
                lines.append(f"{topic}\t{metric}\t{score}")
        if self.layout == "trec_eval":
            lines.append(f"runid                 \tall\t{self.systems[0]}\nmap\tall\t0.5\n")
        else:
            lines.append("all\tAP\t0.5\n")
        return "\n".join(lines)

    def source(self, folder: Path) -> object:
        """What is given to the reader."""
        if self.layout in ("trec_eval", "ir_measures"):
            self.said = {}
            (folder / NAME).write_text(self.text(), encoding="utf-8")
            return folder / NAME
        return self.laid_out(self.frame(), folder / f"{NAME}.{self.way}")

    def laid_out(self, table: pd.DataFrame, path: Path) -> object:
        """A table as a file or a frame."""
        as_csv = table.to_csv(index=False)
        if self.way == "frame":
            return table
        if self.way == "read_csv":
            return pd.read_csv(io.StringIO(as_csv), dtype=str, keep_default_na=False)
        if self.way == "index":
            return table.set_index(table.columns[0])
        if self.way == "jsonl":
            lines = [json.dumps(row) for row in table.to_dict("records")]
            path.write_text("\n".join(lines))
        else:
            table.to_csv(path, index=False, sep="\t" if self.way == "tsv" else ",")
        return path

    def fits(self, found: pd.DataFrame) -> bool:
        """Whether scores are those of the table, by the name that a file or a frame gives one."""
        called = NAME
        if self.way in ("read_csv", "frame", "index"):
            called = "run"
        # topics and scores alone are those of one system, called as the file
        of_one = self.layout == "one" or (
            self.layout == "wide" and self.systems in (["score"], ["value"])
        )
        expected = {}
        for (metric, system, topic), score in self.scores.items():
            name = called if of_one and metric == "" else system
            expected[metric if len(self.metrics) > 1 else "", name, topic] = score
        return make_cells(found) == expected


def make_cells(scores: pd.DataFrame, only_metric: str = "") -> dict:
    cells = {}
    for names, column in scores.items():
        metric, system = names if isinstance(names, tuple) else (only_metric, names)
        for topic, score in column.items():
            cells[metric, system, topic] = score
    return cells


def outcome(case: Case, source: object, said: dict) -> str:
    try:
        return "read" if case.fits(irstd.read_scores(source, **said)) else "WRONG numbers"
    except ValueError as error:
        message = str(error).replace(str(Path(str(source)).parent), "")
        is_long = len(message) > 200 or not str(error).startswith((str(source), "the ", NAME))
        return f"WRONG message: {error}" if is_long else "refused"


def damage(case: Case, path: Path, folder: Path) -> str:
    """Read a file of text with a few bytes changed: "" or what is wrong."""
    data = bytearray(path.read_bytes())
    for _ in range(case.random.randint(1, 3)):
        place = case.random.randrange(len(data))
        new = case.random.choice([b"", *(bytes([byte]) for byte in b'0a,;\t\n" .-\xff')])
        data[place : place + case.random.randint(0, 1)] = new
    changed = folder / "damaged" / path.name
    changed.parent.mkdir(exist_ok=True)
    changed.write_bytes(bytes(data))
    try:
        scores = irstd.read_scores(changed)
    except ValueError as error:
        return "" if path.name in str(error) else f"WRONG message: {error}"
    found = make_cells(scores, scores.attrs.get("metric", ""))
    is_right = is_in_text(bytes(data), path.suffix, found)
    return "" if is_right else f"WRONG: {bytes(data)!r}: {found}"


def count(number: int, seed: int = 0) -> tuple[Counter, list]:
    """How many of so many tables were read and refused, and what went wrong."""
    results: Counter = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings(action="ignore"):
        folder = Path(name)
        for i in range(number):
            case = Case(seed * number + i)
            source = case.source(folder)
            found = outcome(case, source, {})
            if found == "refused" and case.said and case.layout != "wide":
                found = f"refused, then {outcome(case, source, case.said)}"
            results[case.layout, found.partition(":")[0]] += 1
            if "WRONG" in found or found == "refused, then refused":
                wrong.append((seed * number + i, case.layout, case.way, found, case.said, source))
            if isinstance(source, Path) and source.suffix in ("", ".csv"):
                damaged = damage(case, source, folder)
                if damaged:
                    wrong.append((seed * number + i, damaged))
    return results, wrong
