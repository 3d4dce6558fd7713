"""Slow and obvious readers of runs, qrels and tables of scores, to hold irstd against.

The dialect, where readers of such files differ: fields are separated by C's white space, lines by
line feeds only; lines that begin with ``#`` are comments; numbers are Python's, but ASCII, finite
and without underscores, grades of 32 bits; gzip is told by its first bytes, and NUL and whatever is
not UTF-8 is refused. In tables of scores, lines end as in any editor, and cells are stripped.
"""

import csv
import gzip
import io
import math
import re
import zlib

from irstd.metrics.names import translate_name

REFUSED = None
SYSTEM_COLUMNS = {"system", "run", "run_id", "tag"}
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


def is_in_text(data: bytes, suffix: str, found: dict) -> bool:
    """Whether each score {(metric, system, topic): score} stands in a row of its topic and system.

    In CSV also in the column of its name: of its metric if systems have a column, else of its
    system; a system may be called as their column.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode()
    rows = [line.split(maxsplit=2) for line in re.split("\r\n|\r|\n", text)]
    names = []
    if suffix:
        rows = list(csv.reader(io.StringIO(text, newline="")))
        rows = [[cell.strip(" \t") for cell in row] for row in rows if any(row)]
        names = [translate_name(name) for name in rows[0]]
    known = [{*row, *map(translate_name, row), *names, NAME, ""} for row in rows]
    for (metric, system, topic), score in found.items():
        column = metric if SYSTEM_COLUMNS.intersection(names) else system
        cells = []
        for row, words in zip(rows, known, strict=True):
            if topic in row and metric in words and (system in words or not suffix):
                cells += [row[names.index(column)]] if column in names else row
        if not math.isnan(score) and repr(score) not in map(repr, map(as_number, cells)):
            return False
    return True


def as_number(cell: str) -> float | int | None:
    return number(cell.strip().encode(), float)
