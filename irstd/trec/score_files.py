"""Files of scores, by their suffixes: tables, and what trec_eval -q and ir_measures -q print."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pandas as pd

from irstd.trec.cells import Source
from irstd.trec.files import read_bytes, show
from irstd.trec.forms import json_lines, read_parquet
from irstd.trec.measures import is_measure
from irstd.trec.score_tables import (
    LONG,
    Said,
    matrix_of,
    scores_of_frame,
    scores_of_table,
)

SEPARATORS = {".csv": ",", ".tsv": "\t"}
EXPECTED = (
    "is not what trec_eval -q or ir_measures -q print, with lines of all; tables end in .csv, .tsv,"
    " .jsonl, .parquet"
)
SUMMARIES = ("all", "amean")


def scores_of_file(path: Path, said: Said) -> pd.DataFrame:
    """The matrix of a file, columns (metric, system)."""
    name = Path(re.sub(r"(?i)\.gz$", "", path.name))
    suffix = name.suffix.lower()
    source = Source(str(path), ", row " if suffix == ".parquet" else ":", name.stem)
    if suffix == ".json":
        source.fail("is not read: give what json.load makes of it, or an object a line, as .jsonl")
    if suffix == ".parquet":
        return scores_of_frame(read_parquet(path), said, source)
    text = read_bytes(path).decode()
    if suffix in SEPARATORS:
        return scores_of_table(csv_table(text, SEPARATORS[suffix], source), said, source)
    if suffix == ".jsonl":
        return scores_of_table(_json_table(text, source), said, source)
    return matrix_of(_table_of_lines(text, source), LONG, source)


def csv_table(text: str, separator: str, source: Source) -> pd.DataFrame:
    """The table of a CSV file, by the numbers of its lines."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    rows = {}
    try:
        for row in reader:
            cells = [cell.strip(" \t") for cell in row]
            if any(cells):
                rows[reader.line_num] = cells
    except csv.Error as error:
        source.fail(f"is not CSV: {error}", reader.line_num)
    if len(rows) < 2:
        source.fail("holds no table of scores: a line of names, then lines of scores")
    names, *others = rows.values()
    for number, cells in rows.items():
        if len(cells) != len(names):
            expected = f"expected {len(names)} columns as in the first line"
            source.fail(f"{expected}, found {len(cells)}", number)
    return pd.DataFrame(others, list(rows)[1:], names, dtype=object)


def _json_table(text: str, source: Source) -> pd.DataFrame:
    """The table of a file with an object of JSON in each line, by the numbers of lines."""
    rows = json_lines(text, source.fail)
    if not rows:
        source.fail("expected an object of names and numbers in each line", 1)
    return pd.DataFrame.from_dict(rows, "index", dtype=object)


def _table_of_lines(text: str, source: Source) -> pd.DataFrame:
    """The table of lines ``measure topic score``, or ``topic measure score`` as of ir_measures."""
    rows = {}
    # `str.splitlines` also splits at form feeds and the like, as no editor does
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        words = line.strip().split(maxsplit=2)
        if len(words) in (1, 2):
            source.fail(f"{show(line.encode(), 30)} {EXPECTED}", number)
        if words:
            rows[number] = words
    if not rows:
        source.fail("holds no lines")
    table = pd.DataFrame.from_dict(rows, "index", columns=["metric", "topic", "score"])
    of_ir_measures = _are_topics(table["metric"], table["topic"])
    is_padded = re.search(r"(?m)^\S+ +\t\S", text) is not None  # as names of trec_eval are
    if of_ir_measures == (is_padded or _are_topics(table["topic"], table["metric"])):
        source.fail(f"{' '.join(table.iloc[0])!r:.30} {EXPECTED}", table.index[0])
    if of_ir_measures:
        table = table.rename(columns={"metric": "topic", "topic": "metric"})
    is_sum = table["topic"].isin(SUMMARIES)
    # trec_eval names the system in a line after the scores
    is_name = (table["metric"] == "runid") & is_sum
    table["system"] = table["score"].where(is_name).bfill().fillna(source.system)
    is_text = table["metric"].str.match("relstring|runid$")
    return table[~is_sum & ~is_text]


def _are_topics(words: pd.Series, others: pd.Series) -> bool:
    """Whether a word of each line is the topic: it is "all" in a summary, or the others tell it."""
    return bool(words.isin(SUMMARIES).any() or others.map(is_measure).all())
