"""The rows of CSV files of scores, by the numbers of their lines."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

import pandas as pd

from irstd.trec._cells import Source
from irstd.trec._columns import role_of
from irstd.trec.files import show
from irstd.trec.score_files import FORMS


def separator_of(line: str) -> str:
    """What separates the names in the first line of a file."""
    unquoted = re.sub('"[^"]*"', "", line)
    mark = re.search("[,;\t]", unquoted)
    if mark:
        return mark[0]
    if " " in unquoted:
        return " "
    return ","


def rows_of(text: str, source: Source, separator: str) -> pd.DataFrame:
    """The rows of a CSV file, by the numbers of their lines; the first has the names."""
    rows = _csv_rows(text, source, separator)
    names, *others = rows.values() if rows else [[]]
    if not others:
        source.fail("holds no table of scores: a line of names, then lines of scores")
    # R writes row names below a line of names; others end lines with a separator, or write 0,5
    longer = source.topic_column == "" or _is_quoted_by_r(text)
    for row in others:
        if len(row) != len(names) + 1 or not row[-1]:
            longer = False
    has_roles = any(role_of(name) for name in names)
    not_named = len(names) > 1 and not has_roles
    if longer and (source.topic_column == "" or not_named):
        source.note("row names", "each line has one cell more than the first, as R writes it")
        names.insert(0, "")
    for number, cells in rows.items():
        if len(cells) != len(names):
            expected = f"{len(names)} columns as in the first line, separated by {separator!r}"
            count = f"{len(cells)} (if R wrote row names, say topic_column='')"
            line = show(separator.join(cells).encode())
            source.fail(f"expected {expected}, found {count}: {line}", number)
    return pd.DataFrame(list(rows.values()), list(rows), dtype=object)


def _is_quoted_by_r(text: str) -> bool:
    """Whether the names in the first line are quoted, and the first cell of each line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first_ends_quoted = lines[0].endswith('"')
    return first_ends_quoted and all(line.startswith('"') for line in lines)


def _csv_rows(text: str, source: Source, separator: str) -> dict[int, list[str]]:
    """The stripped cells of each row of a CSV file that is not blank."""
    lines: Iterable[str] = io.StringIO(text, newline="")
    by_blanks = separator == " "
    if by_blanks:
        lines = (line.strip(" \t\r\n") for line in lines)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    rows = {}
    try:
        for row in reader:
            cells = [cell.strip(" \t") for cell in row]
            if any(cells):
                rows[reader.line_num] = cells
    except csv.Error as error:
        source.fail(f"is not CSV: {error}; {FORMS}", reader.line_num)
    return rows
