"""Slow and obvious readers of runs, qrels and tables of scores, to hold irstd against.

The dialect, where readers of such files differ: fields are separated by C's white space, lines by
line feeds only; lines that begin with ``#`` are comments; numbers are Python's, but ASCII, finite
and without underscores, grades of 32 bits; gzip is told by its first bytes, and NUL and whatever is
not UTF-8 is refused. In tables of scores, lines end as in any editor, cells are stripped, and an
empty cell, NA, NaN and null are missing scores.
"""

import csv
import gzip
import io
import math
import re
import zlib

# lists of names, no rules
from irstd.metrics.names import highest_score, is_measure, our_name
from irstd.trec.score_tables import RESERVED, is_summary

REFUSED = None
NAME = "input"  # of the file, and the system that it holds if it names none


def text_of(data: bytes) -> bytes | None:
    if data.startswith(b"\x1f\x8b"):
        try:
            zlib.decompressobj(wbits=31).decompress(data)  # minds flags that gzip lets pass
            data = gzip.decompress(data)
        except Exception:
            return REFUSED
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError:
        return REFUSED
    return REFUSED if b"\0" in data else data


def number(word: bytes, kind: type) -> float | int | None:
    try:
        value = kind(word)
    except ValueError:
        return REFUSED
    fine = math.isfinite(value) if kind is float else -(2**31) <= value < 2**31
    return value if fine and b"_" not in word else REFUSED


def obvious_lines(data: bytes, width: int, columns: dict[int, type]):
    """The rows of a file, or REFUSED; and the number of the line at fault."""
    text = text_of(data)
    if text is REFUSED:
        return REFUSED, None
    rows = {}
    for place, line in enumerate(text.split(b"\n"), 1):
        words = line.split()
        if words and not line.startswith(b"#"):
            rows[place] = words
    if not rows:
        return REFUSED, 0
    for place, words in rows.items():
        if len(words) != width or not read_numbers(words, columns):
            return REFUSED, place
    seen = set()
    for place, words in rows.items():
        topic_and_document = (words[0], words[2])
        if topic_and_document in seen:
            return REFUSED, place
        seen.add(topic_and_document)
    return list(rows.values()), None


def read_numbers(words: list, columns: dict[int, type]) -> bool:
    """Put numbers in the place of their words; whether all are numbers."""
    for column, kind in columns.items():
        words[column] = number(words[column], kind)
        if words[column] is REFUSED:
            return False
    return True


def is_missing(text: str) -> bool:
    return text.lower() in ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")


def cell(text: str) -> float | None:
    if is_missing(text):
        return math.nan
    return number(text.encode(), float) if looks_like_number(text) else REFUSED


def looks_like_number(text: str) -> bool:
    digits = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.ASCII | re.IGNORECASE)
    return is_missing(text) or digits is not None


COLUMNS = {
    "topic": ["topic", "query_id", "qid"],
    "system": ["system", "run", "run_id", "tag"],
    "metric": ["metric", "measure"],
    "score": ["score", "value"],
}


def obvious_scores(data: bytes, suffix: str):
    """{(metric, system, topic): score} of a file of scores, or REFUSED."""
    text = text_of(data)
    if text is REFUSED:
        return REFUSED
    if suffix == "":
        lines = [line.strip() for line in re.split("\r\n|\r|\n", text.decode())]
        return obvious_records([line for line in lines if line])
    rows = csv_rows(text.decode())
    if rows is REFUSED or len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return REFUSED
    names, *rows = rows
    if len(set(names)) < len(names):
        return REFUSED
    return obvious_table([dict(zip(names, row, strict=True)) for row in rows])


def csv_rows(text: str):
    lines = io.StringIO(text, newline="")
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error:
        return REFUSED
    rows = [[text.strip(" \t") for text in row] for row in rows]
    return [row for row in rows if any(row)]


def obvious_table(rows: list[dict]):
    """A table by the names of its columns, in what order they may be."""
    names = list(rows[0])
    found = {kind: [name for name in names if name in known] for kind, known in COLUMNS.items()}
    place = {kind: known[0] for kind, known in found.items() if known}
    others = [name for name in names if name not in place.values()]
    scores = scores_of(place, others)
    several = max(map(len, found.values())) > 1
    if several or scores is REFUSED or "topic" not in place or may_be_scores(rows, place):
        return REFUSED
    cells = []
    for name in scores:
        own = {"metric": "", "system": NAME}
        if "score" not in place:
            own["metric" if "system" in place else "system"] = name
        for row in rows:
            said = own | {kind: row[column] for kind, column in place.items()}
            cells.append((said["metric"], said["system"], said["topic"], row[name]))
    return make_cells(cells)


def scores_of(place: dict, others: list[str]) -> list[str] | None:
    """The columns of scores, or REFUSED."""
    if "score" in place:
        return REFUSED if others else [place["score"]]
    measures = list(filter(is_measure, others))
    odd = "metric" in place or any(is_odd(name) for name in others if name not in measures)
    of_one_system = "system" not in place and measures
    return REFUSED if odd or of_one_system or not others else others


def is_odd(name: str) -> bool:
    """Whether a column is called as none of scores is."""
    key = re.sub(r"[\s_.-]", "", name).lower()
    return name == "" or name.startswith("Unnamed: ") or key in RESERVED or is_summary(name)


def may_be_scores(rows: list[dict], place: dict) -> bool:
    """Whether a column called run or metric may have the scores of a system."""
    topics = [row[place["topic"]] for row in rows]
    if len(place) == 4 or len(set(topics)) < len(topics):
        return False
    for kind in {"system", "metric"} & set(place):
        if all(looks_like_number(row[place[kind]]) for row in rows):
            return True
    return False


def obvious_records(lines: list[str]):
    rows = [line.split(maxsplit=2) for line in lines]
    if {len(row) for row in rows} != {3}:
        return REFUSED
    if not all(looks_like_number(row[2]) or re.match("relstring|runid$", row[0]) for row in rows):
        return REFUSED
    says = []
    for place in (0, 1):
        by_others = all(is_measure(row[1 - place]) for row in rows)
        says.append(by_others or any(row[place] in ("all", "amean") for row in rows))
    says[1] |= any(re.match(r"\S+ +\t\S", line) for line in lines)
    if says[0] == says[1]:
        return REFUSED
    cells, begun = [], 0
    for row in rows:
        measure, topic = row[:2] if says[1] else row[1::-1]
        if topic in ("all", "amean"):
            if measure == "runid":
                for i in range(begun, len(cells)):
                    cells[i] = (cells[i][0], row[2], *cells[i][2:])
                begun = len(cells)
        elif not measure.startswith("relstring") and measure != "runid":
            cells.append((measure, NAME, topic, row[2]))
    return REFUSED if 0 < begun < len(cells) else make_cells(cells)


def make_cells(cells: list[tuple]):
    """{(metric, system, topic): score} of (metric, system, topic, text), or REFUSED."""
    found = {}
    for metric, system, topic, text in cells:
        key = (our_name(metric), system, topic)
        value = cell(text.strip(" \t"))
        if value is REFUSED or key in found or not system or not topic or is_summary(topic):
            return REFUSED
        highest = highest_score(key[0])
        if not (math.isnan(highest) or math.isnan(value) or -1e-6 <= value <= highest + 1e-6):
            return REFUSED
        found[key] = value
    topics = {topic for *_, topic in found}
    series = {key[:2] for key in found}
    has_gaps = len(found) < len(topics) * len(series) or any(map(math.isnan, found.values()))
    alike = {re.sub(r"^0*([0-9]+?)(\.0*)?$", r"\1", topic) for topic in topics}
    return REFUSED if has_gaps and len(alike) < len(topics) else found or REFUSED
