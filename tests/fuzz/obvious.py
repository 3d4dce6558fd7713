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
CUTS = {"P": "P", "ndcg_cut": "nVDCG", "recall": "R", "success": "Success", "map_cut": "AP"}
MEASURES = ["AP", "RR", "P", "R", "map", "ndcg_cut", "runid", "bpref", "nDCG"]  # that are tried


def our_name(measure: str) -> str:
    start, _, depth = measure.rpartition("_")
    if start in CUTS and re.fullmatch("[1-9][0-9]*", depth):
        return f"{CUTS[start]}@{depth}"
    return OURS.get(measure, measure)


def is_measure(name: str) -> bool:
    start = re.split("[@(]", name)[0]
    known = {*MEASURES, *OURS, *CUTS}
    return start in known or re.sub(r"(_[\d.,+-]+|\.\d+)$", "", start) in known


def measured(words: list[bytes]) -> tuple:
    """What may not stand twice in a file of factors."""
    return words[0].decode(), our_name(words[1].decode())


def is_missing(text: str) -> bool:
    return text.lower() in ("", "na", "n/a", "nan", "null")


def cell(text: str) -> float | None:
    if is_missing(text):
        return math.nan
    digits = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.ASCII | re.IGNORECASE)
    return number(text.encode(), float) if digits else REFUSED


def looks_like_number(text: str) -> bool:
    digits = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.ASCII | re.IGNORECASE)
    return is_missing(text) or digits is not None


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
    """{(metric, system, topic): score} of a table of scores, or REFUSED.

    Without `guess` it is a file of factors, whose first column has the topics.
    """
    text = text_of(data)
    if text is REFUSED:
        return REFUSED
    text = text.decode()
    lines = [line.strip() for line in re.split("\r\n|\r|\n", text) if line.strip()]
    if not lines:
        return REFUSED
    words = lines[0].split()
    if guess and len(words) in (3, 4) and not set(words[0]) & set(',;"'):
        told = our_name(words[0]) != words[0] or words[0] in ("runid", "relstring")
        if kind_of(words[0]) != "topic" and (told or looks_like_number(words[-1])):
            return obvious_records(lines, 3 if words[0] == "runid" else len(words))
    mark = next((mark for mark in ",;\t " if guess and mark in lines[0]), ",")
    source = io.StringIO("\n".join(lines)) if mark == " " else io.StringIO(text, newline="")
    try:
        rows = list(csv.reader(source, delimiter=mark, skipinitialspace=mark == " ", strict=True))
    except csv.Error:
        return REFUSED
    rows = [[text.strip(" \t") for text in row] for row in rows]
    rows = [row for row in rows if any(row)]
    if len(rows) < 2:
        return REFUSED
    names, *rows = rows
    if {len(row) for row in rows} == {len(names) + 1}:
        names.insert(0, "")
    if {len(row) for row in rows} != {len(names)}:
        return REFUSED
    if not guess:
        keys = [("", name, row[0]) for row in rows for name in names[1:]]
        return cells_of(keys, [text for row in rows for text in row[1:]]) if keys else REFUSED
    blank = len(rows) > 1 and kind_of(rows[1][0]) == "topic" and not any(rows[1][1:])
    kinds = [kind_of(names[0]), kind_of(rows[0][0])]
    if blank or kinds in (["metric", "system"], ["system", "metric"]):
        return obvious_pairs([names, *rows], kinds, blank)
    return obvious_table(names, rows)


def obvious_pairs(rows: list[list[str]], kinds: list, blank: bool):
    """A table below two lines of names, of metrics and of systems, in either order."""
    metrics, systems = rows[:2] if kinds[0] != "system" else (rows[1], rows[0])
    body = rows[3 if blank else 2 :]
    pairs = list(zip(map(our_name, metrics[1:]), systems[1:], strict=True))
    keys = [(*pair, row[0]) for row in body for pair in pairs]
    return cells_of(keys, [text for row in body for text in row[1:]]) if keys else REFUSED


def obvious_table(names: list[str], rows: list[list[str]]):
    if len(set(names)) < len(names):
        return REFUSED
    place = {}
    for number_of_column, name in enumerate(names):
        if kind_of(name) and (name or not number_of_column):
            place.setdefault(kind_of(name), number_of_column)
    others = [i for i in range(len(names)) if i not in place.values()]

    def has_text(kind: str) -> bool:
        return kind in place and not all(looks_like_number(row[place[kind]]) for row in rows)

    if {"topic", "score"} <= set(place) and (
        has_text("metric") or ("system" in place and not others)
    ):
        parts = [{kind: row[i] for kind, i in place.items()} for row in rows]
        translate = our_name if "metric" in place else str
        if "metric" in place and "measure" in names[place["metric"]].lower():
            translate = either_name
        keys = [
            (translate(part.get("metric", "")), part.get("system", NAME), part["topic"])
            for part in parts
        ]
        return cells_of(keys, [part["score"] for part in parts])
    if "topic" in place and has_text("system"):
        rest = [i for i in range(len(names)) if i not in (place["topic"], place["system"])]
        keys = [
            (our_name(names[i]), row[place["system"]], row[place["topic"]])
            for row in rows
            for i in rest
        ]
        return cells_of(keys, [row[i] for row in rows for i in rest]) if keys else REFUSED
    first = [row[0] for row in rows]
    column = place.get("topic")
    if column != 0 and not all(map(looks_like_number, first)):
        if column is not None or kind_of(names[0]) == "system":
            return REFUSED  # topics, or systems?
        column = 0
    whole = all(re.fullmatch("[0-9]+", text) for text in first)
    if column is None and whole and len(set(first)) == len(first) > 1:
        return REFUSED  # topics, or a system?
    topics = [str(i) if column is None else row[column] for i, row in enumerate(rows, 1)]
    kept = [i for i in range(len(names)) if i != column]
    systems = [names[i] for i in kept]
    headed = column is not None and kind_of(names[column]) == "topic"
    if not systems or "" in systems or (not headed and all(map(looks_like_number, systems))):
        return REFUSED
    keys = [("", system, topic) for topic in topics for system in systems]
    return cells_of(keys, [row[i] for row in rows for i in kept])


def either_name(measure: str) -> str:
    start, at, depth = measure.partition("@")
    names = {"nDCG": "nVDCG", "Rprec": "RP", "Bpref": "bpref"}
    return our_name(names.get(start, start) + at + depth)


def obvious_records(lines: list[str], width: int):
    rows = [line.split(maxsplit=width - 1) for line in lines]
    if {len(row) for row in rows} != {width}:
        return REFUSED
    first, second = ([row[i] for row in rows] for i in (width - 3, width - 2))
    known = [2 * sum(map(is_measure, set(words))) > len(set(words)) for words in (first, second)]
    summed = ["all" in words for words in (first, second)]
    if known[0] != known[1]:
        order = (first, second) if known[0] else (second, first)
    elif summed[0] != summed[1] and width == 3:
        order = (first, second) if summed[1] else (second, first)
    else:
        return REFUSED
    keys, texts, begun = [], [], 0
    for row, measure, topic in zip(rows, *order, strict=True):
        if measure == "runid" and topic == "all" and width == 3:
            for i in range(begun, len(keys)):
                keys[i] = (keys[i][0], row[2], keys[i][2])
            begun = len(keys)
        elif topic != "all" and not measure.startswith("relstring"):
            keys.append((either_name(measure), row[0] if width == 4 else NAME, topic))
            texts.append(row[-1])
    return cells_of(keys, texts) if keys else REFUSED


def cells_of(keys: list[tuple], texts: list[str]):
    summaries = ("all", "amean", "average", "avg", "mean", "overall")
    kept = [i for i, key in enumerate(keys) if key[2].lower() not in summaries]
    keys, texts = [keys[i] for i in kept], [texts[i] for i in kept]
    values = [cell(text.strip(" \t")) for text in texts]
    if not keys or len(set(keys)) < len(keys) or any(value is REFUSED for value in values):
        return REFUSED
    return dict(zip(keys, values, strict=True))
