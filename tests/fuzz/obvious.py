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

from irstd.trec.measures import is_measure  # a list of names, no rule

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


OURS = {"map": "AP", "recip_rank": "RR", "Rprec": "RP", "ndcg": "nDCG", "dcg": "DCG"}
CUTS = {"P": "P", "ndcg_cut": "nDCG", "recall": "R", "success": "Success", "map_cut": "AP"}


def our_name(measure: str) -> str:
    start, _, depth = measure.replace(".", "_").rpartition("_")
    if start in CUTS and re.fullmatch("[1-9][0-9]*", depth):
        return f"{CUTS[start]}@{depth}"
    return OURS.get(measure, measure)


def is_missing(text: str) -> bool:
    return text.lower() in ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")


def cell(text: str) -> float | None:
    if is_missing(text):
        return math.nan
    return number(text.encode(), float) if looks_like_number(text) else REFUSED


def looks_like_number(text: str) -> bool:
    digits = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.ASCII | re.IGNORECASE)
    return is_missing(text) or digits is not None


KINDS = {
    "topic": ["topic", "topics", "topicid", "queryid", "query", "qid"],
    "system": ["system", "systemid", "run", "runid", "tag"],
    "metric": ["metric", "measure"],
    "score": ["score", "value"],
}
SUMMARIES = "all amean average avg gmap gmean map mean overall sd std sum total".split()


def kind_of(name: str) -> str | None:
    name = re.sub(r"[\s_.-]", "", name).lower()
    return next((kind for kind, names in KINDS.items() if name in names), None)


def obvious_scores(data: bytes):
    """{(metric, system, topic): score} of a table of scores, or REFUSED."""
    text = text_of(data)
    if text is REFUSED:
        return REFUSED
    text = text.decode()
    lines = [line.strip() for line in re.split("\r\n|\r|\n", text) if line.strip()]
    if not lines or lines[0][0] in "{[":
        return REFUSED
    if begins_with_score(lines[0]):
        return obvious_records(lines)
    rows = csv_rows(text, separator_of(lines[0]))
    if rows is REFUSED or len(rows) < 2:
        return REFUSED
    names, *rows = rows
    quoted = all(line.lstrip().startswith('"') for line in text.splitlines() if line.strip())
    longer = quoted and all(len(row) == len(names) + 1 and row[-1] for row in rows)
    if longer and len(names) > 1 and not any(map(kind_of, names)):
        names.insert(0, "")
    if {len(row) for row in rows} != {len(names)}:
        return REFUSED
    if has_three_heads(names, rows):
        return obvious_pairs(names, rows)
    return obvious_table(names, rows)


def begins_with_score(line: str) -> bool:
    """Whether the first line is a record of trec_eval or ir_measures, no line of names."""
    words = line.split()
    if len(words) not in (3, 4) or set(words[0]) & set(',;"'):
        return False
    if kind_of(words[0]) == "topic":
        return False
    return words[:2] == ["runid", "all"] or looks_like_number(words[-1])


def separator_of(line: str) -> str:
    """The first separator outside quotes."""
    bare = re.sub('"[^"]*"', "", line)
    for mark in bare:
        if mark in ",;\t":
            return mark
    return " " if " " in bare else ","


def csv_rows(text: str, separator: str) -> list[list[str]] | None:
    """The rows of a CSV file that are not blank, or REFUSED."""
    source = io.StringIO(text, newline="")
    blanks = separator == " "
    if blanks:
        source = (line.strip(" \t\r\n") for line in source)
    try:
        rows = list(csv.reader(source, delimiter=separator, skipinitialspace=blanks, strict=True))
    except csv.Error:
        return REFUSED
    rows = [[text.strip(" \t") for text in row] for row in rows]
    return [row for row in rows if any(row)]


def has_three_heads(names: list[str], rows: list[list[str]]) -> bool:
    """Whether a table begins with metrics, systems, and the word topic, as pandas writes it."""
    if len(rows) < 3 or kind_of(rows[1][0]) != "topic" or any(rows[1][1:]):
        return False
    return kind_of(names[0]) in ("metric", None) and kind_of(rows[0][0]) == "system"


def obvious_pairs(names: list[str], rows: list[list[str]]):
    """A table below a line of metrics, one of systems, and one with the word topic."""
    pairs = list(zip(map(our_name, names[1:]), rows[0][1:], strict=True))
    keys = [(*pair, row[0]) for row in rows[2:] for pair in pairs]
    return cells_of(keys, [text for row in rows[2:] for text in row[1:]])


def column(names: list[str], rows: list[list[str]], name: str) -> list[str]:
    return [row[names.index(name)] for row in rows]


def are_ids(texts: list[str]) -> bool:
    texts = [text for text in texts if not is_missing(text)]
    return len(set(texts)) == len(texts) and all(re.fullmatch(r"[0-9]+(\.0*)?", t) for t in texts)


def are_shares(texts: list[str]) -> bool:
    return all(looks_like_number(t) and not is_missing(t) and float(t) <= 1 for t in texts)


def obvious_table(names: list[str], rows: list[list[str]]):
    """A table by the names of its columns, in what order they may be."""
    if len(set(names)) < len(names):
        return REFUSED
    if has_row_numbers(names):
        if sorted(column(names, rows, names[0])) != sorted(map(str, range(len(rows)))):
            return REFUSED
        names, rows = names[1:], [row[1:] for row in rows]
    answer = topic_name(names, rows)
    if answer is REFUSED:
        return REFUSED
    (topic,) = answer
    return obvious_columns(names, rows, topic)


def obvious_columns(names: list[str], rows: list[list[str]], topic: str | None):
    """A table of which it is known where the topics are."""
    if topic is None:
        topics = [str(i) for i in range(1, len(rows) + 1)]
    else:
        topics = column(names, rows, topic)
    others = [name for name in names if name != topic]
    kinds = {name: kind_of(name) for name in others}
    if "name" in kinds and (topic == "qid" or {"metric", "score"} <= {*kinds.values()}):
        kinds["name"] = "system"
    if topic is not None and kind_of(topic) == "topic":
        found = sorted(kind for kind in kinds.values() if kind)
        if found != ["metric"] and may_hold_scores(names, rows, kinds, topics):
            return REFUSED
        long = (["score", "system"], ["metric", "score"], ["metric", "score", "system"])
        if found in long and len(found) == len(others):
            return obvious_long(names, rows, kinds, topics)
        if found == ["system"] and len(others) > 1:
            return obvious_metrics(names, rows, kinds, topics)
    if is_doubtful(others, kinds, topic):
        return REFUSED
    keys = [("", name, key) for key in topics for name in others]
    return cells_of(keys, [row[names.index(name)] for row in rows for name in others])


def has_row_numbers(names: list[str]) -> bool:
    """Whether the first column is called as pandas calls the numbers of rows, beside topics."""
    called_so = re.fullmatch(r"|Unnamed: \d+|index", names[0]) is not None
    return called_so and "topic" in map(kind_of, names[1:])


def topic_name(names: list[str], rows: list[list[str]]) -> tuple[str | None] | None:
    """The name of the column of topics, or None if none has them, in a tuple; or REFUSED."""
    named = [name for name in names if kind_of(name) == "topic"]
    if len(named) > 1:
        return REFUSED
    if named:
        held = column(names, rows, named[0])
        scores = len(set(held)) > 1 and are_shares(held) and not are_ids(held)
        return REFUSED if scores else (named[0],)
    if kind_of(names[0]) == "system":
        return (None,)
    first = column(names, rows, names[0])
    if names[0] == "":
        return ("",) if are_ids(first) and not are_ids(names[1:]) else REFUSED
    if are_ids(first) or not all(map(looks_like_number, first)):
        return REFUSED
    return (None,)


def may_hold_scores(names: list[str], rows: list[list[str]], kinds: dict, topics: list) -> bool:
    """Whether a column that is called run or metric may hold the scores of a system."""
    if len(set(topics)) < len(topics):
        return False
    for name, kind in kinds.items():
        held = column(names, rows, name)
        changes = len(set(held)) > 1 or are_shares(held)
        if kind in ("system", "metric") and changes and all(map(looks_like_number, held)):
            return True
    return False


def obvious_long(names: list[str], rows: list[list[str]], kinds: dict, topics: list):
    """A table with a score a row."""
    parts = {kind: column(names, rows, name) for name, kind in kinds.items()}
    metrics = [""] * len(rows)
    if "metric" in parts:
        theirs = any("measure" in name.lower() or name == "name" for name in kinds)
        metrics = map(either_name if theirs else our_name, parts["metric"])
    keys = zip(metrics, parts.get("system", [NAME] * len(rows)), topics, strict=True)
    return cells_of(list(keys), parts["score"])


def obvious_metrics(names: list[str], rows: list[list[str]], kinds: dict, topics: list):
    """A table with a row for each system and topic, and a column for each metric."""
    place = next(name for name in kinds if kinds[name])
    systems = column(names, rows, place)
    our = either_name if place == "name" else our_name
    rest = [name for name in kinds if name != place]
    keys = []
    for system, topic in zip(systems, topics, strict=True):
        keys += [(our(name), system, topic) for name in rest]
    return cells_of(keys, [row[names.index(name)] for row in rows for name in rest])


def is_doubtful(others: list[str], kinds: dict, topic: str | None) -> bool:
    """Whether a column may be something else than a system."""
    found = set(kinds.values())
    if {"system", "topic"} & found or {"metric", "score"} <= found:
        return True
    if all(map(is_measure, others)) or any(re.fullmatch(r"|Unnamed: \d+", n) for n in others):
        return True
    if any(name.lower().rstrip(".") in SUMMARIES for name in others):
        return True
    if topic is not None:
        return False
    return all(looks_like_number(name) and not is_missing(name) for name in others)


def either_name(measure: str) -> str:
    start, at, depth = measure.partition("@")
    names = {"Rprec": "RP", "Bpref": "bpref"}
    return our_name(names.get(start, start) + at + depth)


def obvious_records(lines: list[str]):
    rows = [line.split(maxsplit=2) for line in lines]
    if {len(row) for row in rows} != {3}:
        return REFUSED
    known = [all(is_measure(row[place]) for row in rows) for place in (0, 1)]
    if known[0] == known[1]:
        return REFUSED
    keys, texts, begun = [], [], 0
    for row in rows:
        measure, topic = row[:2] if known[0] else row[1::-1]
        if measure == "runid" and topic == "all":
            for i in range(begun, len(keys)):
                keys[i] = (keys[i][0], row[2], keys[i][2])
            begun = len(keys)
        elif topic != "all" and not measure.startswith("relstring"):
            keys.append((either_name(measure), NAME, topic))
            texts.append(row[-1])
    return cells_of(keys, texts) if keys else REFUSED


def cells_of(keys: list[tuple], texts: list[str]):
    kept = [i for i, key in enumerate(keys) if key[2].lower().rstrip(".") not in SUMMARIES]
    keys, texts = [keys[i] for i in kept], [texts[i] for i in kept]
    values = [cell(text.strip(" \t")) for text in texts]
    nameless = any(not key[1] or not key[2] for key in keys)
    if not keys or nameless or len(set(keys)) < len(keys) or any(v is REFUSED for v in values):
        return REFUSED
    return dict(zip(keys, values, strict=True))
