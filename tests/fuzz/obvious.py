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
    found = {}
    for place, line in enumerate(text.split(b"\n"), 1):
        words = line.split()
        if words and not line.startswith(b"#"):
            found[place] = words
    if not found:
        return REFUSED, 0
    for place, words in found.items():
        if len(words) != width:
            return REFUSED, place
        for column, kind in columns.items():
            words[column] = number(words[column], kind)
            if words[column] is REFUSED:
                return REFUSED, place
    seen = set()
    for place, words in found.items():
        if (words[0], words[2]) in seen:
            return REFUSED, place
        seen.add((words[0], words[2]))
    return list(found.values()), None


OURS = {"map": "AP", "recip_rank": "RR", "Rprec": "RP", "ndcg": "nVDCG", "dcg": "VDCG"}
CUTS = {"P": "P", "ndcg_cut": "nVDCG", "recall": "R", "success": "Success", "map_cut": "AP"}


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
    words = lines[0].split()
    if len(words) in (3, 4) and not set(words[0]) & set(',;"'):
        told = words[:2] == ["runid", "all"]
        if kind_of(words[0]) != "topic" and (told or looks_like_number(words[-1])):
            return obvious_records(lines)
    bare = re.sub('"[^"]*"', "", lines[0])
    mark = next((mark for mark in bare if mark in ",;\t"), " " if " " in bare else ",")
    source = io.StringIO(text, newline="")
    if mark == " ":
        source = (line.strip(" \t\r\n") for line in source)
    try:
        rows = list(csv.reader(source, delimiter=mark, skipinitialspace=mark == " ", strict=True))
    except csv.Error:
        return REFUSED
    rows = [[text.strip(" \t") for text in row] for row in rows]
    rows = [row for row in rows if any(row)]
    if len(rows) < 2:
        return REFUSED
    names, *rows = rows
    longer = all(len(row) == len(names) + 1 and row[-1] for row in rows)
    if longer and len(names) > 1 and not any(map(kind_of, names)):
        names.insert(0, "")
    if {len(row) for row in rows} != {len(names)}:
        return REFUSED
    told = [kind_of(names[0]), kind_of(rows[0][0])]
    below = len(rows) > 2 and kind_of(rows[1][0]) == "topic" and not any(rows[1][1:])
    if below and told in (["metric", "system"], [None, "system"]):
        pairs = list(zip(map(our_name, names[1:]), rows[0][1:], strict=True))
        keys = [(*pair, row[0]) for row in rows[2:] for pair in pairs]
        return cells_of(keys, [text for row in rows[2:] for text in row[1:]])
    return obvious_table(names, rows)


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
    if re.fullmatch(r"|Unnamed: \d+|index", names[0]) and "topic" in map(kind_of, names[1:]):
        if sorted(column(names, rows, names[0])) != sorted(map(str, range(len(rows)))):
            return REFUSED
        names, rows = names[1:], [row[1:] for row in rows]
    named = [name for name in names if kind_of(name) == "topic"]
    first = column(names, rows, names[0])
    if len(named) > 1:
        return REFUSED
    if named:
        topic = named[0]
        held = column(names, rows, topic)
        if len(set(held)) > 1 and are_shares(held) and not are_ids(held):
            return REFUSED
    elif kind_of(names[0]) == "system":
        topic = None
    elif names[0] == "" and are_ids(first) and not are_ids(names[1:]):
        topic = ""
    elif names[0] == "" or are_ids(first) or not all(map(looks_like_number, first)):
        return REFUSED
    else:
        topic = None
    topics = [str(i) for i in range(1, len(rows) + 1)]
    topics = topics if topic is None else column(names, rows, topic)
    others = [name for name in names if name != topic]
    kinds = {name: kind_of(name) for name in others}
    if "name" in kinds and (topic == "qid" or {"metric", "score"} <= {*kinds.values()}):
        kinds["name"] = "system"
    found = sorted(kind for kind in kinds.values() if kind)
    if named and len(set(topics)) == len(topics) and found != ["metric"]:
        for name in others:
            held = column(names, rows, name)
            names_of = kinds[name] in ("system", "metric") and all(map(looks_like_number, held))
            if names_of and (len(set(held)) > 1 or are_shares(held)):
                return REFUSED
    long = (["score", "system"], ["metric", "score"], ["metric", "score", "system"])
    if named and found in long and len(found) == len(others):
        parts = {kind: column(names, rows, name) for name, kind in kinds.items()}
        metrics = [""] * len(rows)
        if "metric" in parts:
            theirs = any("measure" in name.lower() or name == "name" for name in others)
            metrics = map(either_name if theirs else our_name, parts["metric"])
        keys = zip(metrics, parts.get("system", [NAME] * len(rows)), topics, strict=True)
        return cells_of(list(keys), parts["score"])
    if named and found == ["system"] and len(others) > 1:
        place = next(name for name in others if kinds[name])
        systems, our = column(names, rows, place), either_name if place == "name" else our_name
        rest = [name for name in others if name != place]
        pairs = zip(systems, topics, strict=True)
        keys = [(our(name), *pair) for pair in pairs for name in rest]
        return cells_of(keys, [row[names.index(name)] for row in rows for name in rest])
    if {"system", "topic"} & set(found) or {"metric", "score"} <= set(found):
        return REFUSED
    odd = all(map(is_measure, others)) or any(re.fullmatch(r"|Unnamed: \d+", n) for n in others)
    if odd or any(name.lower().rstrip(".") in SUMMARIES for name in others):
        return REFUSED
    if topic is None and all(looks_like_number(name) and not is_missing(name) for name in others):
        return REFUSED
    keys = [("", name, key) for key in topics for name in others]
    return cells_of(keys, [row[names.index(name)] for row in rows for name in others])


def either_name(measure: str) -> str:
    start, at, depth = measure.partition("@")
    names = {"nDCG": "nVDCG", "Rprec": "RP", "Bpref": "bpref"}
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
