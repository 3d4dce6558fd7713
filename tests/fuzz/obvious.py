"""Slow and obvious readers of runs, qrels, factors and tables of scores, to hold irstd against.

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


def pair(words: list[bytes]) -> tuple:
    """What may not stand twice in a run or in qrels."""
    return words[0], words[2]


def obvious_lines(data: bytes, width: int, columns: dict[int, type], key=pair):
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
        for place, words in found.items():
            words[column] = number(words[column], kind)
            if words[column] is REFUSED:
                return REFUSED, place
    seen = set()
    for place, words in found.items():
        if key(words) in seen:
            return REFUSED, place
        seen.add(key(words))
    return list(found.values()), None


OURS = {"map": "AP", "recip_rank": "RR", "Rprec": "RP", "ndcg": "nVDCG", "dcg": "VDCG"}


def our_name(measure: str) -> str:
    cuts = {"P_": "P@", "ndcg_cut_": "nVDCG@", "recall_": "R@", "success_": "Success@"}
    for theirs, ours in (cuts | {"map_cut_": "AP@"}).items():
        if re.fullmatch(theirs + "[1-9][0-9]*", measure):
            return ours + measure.removeprefix(theirs)
    return OURS.get(measure, measure)


def measured(words: list[bytes]) -> tuple:
    """What may not stand twice in a file of factors."""
    return words[0].decode(), our_name(words[1].decode())


def cell(text: str) -> float | None:
    if text.lower() in ("", "na", "nan", "null"):
        return math.nan
    return number(text.encode(), float) if text.isascii() else REFUSED


def looks_like_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.lower() in ("", "na", "nan", "null")
    return True


KINDS = {
    "topic": ["topic", "topics", "topicid", "queryid", "query", "qid", ""],
    "system": ["system", "systemid", "run", "runid", "tag"],
    "metric": ["metric", "measure"],
    "score": ["score", "value"],
}


def kind_of(name: str) -> str | None:
    name = re.sub(r"[\s_.-]", "", name).lower()
    return next((kind for kind, names in KINDS.items() if name in names), None)


def obvious_scores(data: bytes, guess: bool = True):
    """{(metric, system, topic): score} of a table of scores, or REFUSED."""
    text = text_of(data)
    if text is REFUSED:
        return REFUSED
    text = text.decode()
    lines = re.split("\r\n|\r|\n", text)
    lines = [line for line in lines if line.strip()]
    if not lines:
        return REFUSED
    first = lines[0].strip().split(maxsplit=2)
    if (guess and len(first) == 3) and (
        looks_like_number(first[2]) or first[1] == "all" or our_name(first[0]) != first[0]
    ):
        return obvious_trec_eval(lines)
    mark = next((mark for mark in ",;\t" if guess and mark in lines[0]), ",")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error:
        return REFUSED
    rows = [[text.strip() for text in row] for row in rows]
    rows = [row for row in rows if any(row)]
    if len(rows) < 2:
        return REFUSED
    names, *rows = rows
    if {len(row) for row in rows} == {len(names) + 1}:
        names.insert(0, "")
    if {len(row) for row in rows} != {len(names)}:
        return REFUSED
    kinds = [kind_of(name) for name in names]
    if guess and sorted(map(str, kinds)) in (
        ["score", "system", "topic"],
        ["metric", "score", "system", "topic"],
    ):
        parts = [dict(zip(kinds, row, strict=True)) for row in rows]
        keys = [(part.get("metric", ""), part["system"], part["topic"]) for part in parts]
        return cells_of(keys, [part["score"] for part in parts])
    column = [row[0] for row in rows]
    if not guess or kinds[0] == "topic" or not all(map(looks_like_number, column)):
        names, topics, rows = names[1:], column, [row[1:] for row in rows]
    elif len(set(column)) == len(column) > 1 and all(re.fullmatch(r"\d+", t) for t in column):
        return REFUSED  # topics, or a system?
    else:
        topics = [str(place) for place in range(1, len(rows) + 1)]
    if all(map(looks_like_number, names)):
        return REFUSED
    keys = [("", name, topic) for topic in topics for name in names]
    return cells_of(keys, [text for row in rows for text in row])


def obvious_trec_eval(lines: list[str]):
    keys, texts, begun = [], [], 0
    for line in lines:
        words = line.strip().split(maxsplit=2)
        if len(words) != 3:
            return REFUSED
        if words[:2] == ["runid", "all"]:
            for place in range(begun, len(keys)):
                keys[place] = (keys[place][0], words[2], keys[place][2])
            begun = len(keys)
        elif words[1] != "all":
            keys.append((our_name(words[0]), NAME, words[1]))
            texts.append(words[2])
    return cells_of(keys, texts) if keys else REFUSED


def cells_of(keys: list[tuple], texts: list[str]):
    values = [cell(text) for text in texts]
    if len(set(keys)) < len(keys) or any(value is REFUSED for value in values):
        return REFUSED
    return dict(zip(keys, values, strict=True))
