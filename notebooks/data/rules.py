"""How many statements hold, by the rule of the ledger and by others that are as fair.

A statement counts if a row of it could have failed; what is not public counts nowhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from data import ledger as book

KEEPS = ("in full", "under a reading")


def count(table: pd.DataFrame, holds: Callable[[pd.DataFrame], bool]) -> pd.Series:
    """Of how many statements `holds` is true of the rows that are public, by text."""
    outcomes = book.statements(table)
    asked = outcomes[~outcomes["outcome"].isin(["could hardly fail", "not public"])]
    rows = table[table["kind"].isin(book.COULD_FAIL) & (table["verdict"] != "not public")]
    kept = {quote: holds(part) for quote, part in rows.groupby("quote") if quote in asked.index}
    return pd.Series(kept).groupby(asked["text"]).sum()


def every_row(rows: pd.DataFrame) -> bool:
    """The rule of the ledger."""
    return bool(rows["verdict"].isin(book.HOLDS).all())


def as_printed(rows: pd.DataFrame) -> bool:
    """No row holds only by a reading that was chosen."""
    return bool(
        rows["verdict"].isin(["exact", "agrees"]).all() and not (rows["reading"] != "").any()
    )


def no_row_fails(rows: pd.DataFrame) -> bool:
    """It is not refuted."""
    return not (rows["verdict"] == "differs").any()


def most_rows(rows: pd.DataFrame) -> bool:
    """More than half of its rows hold."""
    return bool(rows["verdict"].isin(book.HOLDS).mean() > 0.5)


def with_elsewhere(table: pd.DataFrame) -> pd.DataFrame:
    """What is asked of other collections counts for the statement, of all texts alike."""
    kind = table["kind"].mask(table["kind"] == "elsewhere", "words")
    return table.assign(kind=kind)


def with_errors_over_topics(table: pd.DataFrame) -> pd.DataFrame:
    """All rows of words are charged with an error over topics, if theirs is smaller."""
    verdicts = []
    for _, row in table.iterrows():
        verdicts.append(
            _charged(row) if row["se_topics"] and row["ours"] != "–" else row["verdict"]
        )
    return table.assign(verdict=verdicts)


def by_value(table: pd.DataFrame) -> pd.DataFrame:
    """No row is charged with an error; of several values most decide, and ties are against it."""
    verdicts = []
    for _, row in table.iterrows():
        if row["verdict"] == "not public":
            verdicts.append("not public")
            continue
        values = [float(x) for x in row["ours"].split(", ")]
        if row["se"]:
            values = values[:1]
        verdicts.append(_verdict(row, values, np.zeros(len(values))))
    return table.assign(verdict=verdicts)


def _charged(row: pd.Series) -> str:
    values = [float(x) for x in row["ours"].split(", ")]
    errors = [float(x) for x in row["se_topics"].split(", ")]
    if len(errors) != len(values):
        errors = [max(errors)] * len(values)
    own = float(row["se"]) if row["se"] else 0
    return _verdict(row, values, np.maximum(errors, own))


def _verdict(row: pd.Series, values: list[float], errors: np.ndarray) -> str:
    """The verdict that all values have, each with its error; undecided if they disagree."""
    found = set()
    for value, error in zip(values, errors, strict=True):
        ours = book.Estimate(value, float(error)) if np.isfinite(error) else None
        if ours is None:  # the number is infinite
            ours = value
        options = {"reading": row["reading"], "null": row["null"]}
        found.add(book.verdict(row["rule"], row["printed"], ours, **options))
    return found.pop() if len(found) == 1 else "undecided"


def table_of_rules(table: pd.DataFrame) -> pd.DataFrame:
    """By rule: the statements that hold, of each text and of all, and their share."""
    rules = {
        "every row holds": count(table, every_row),
        "the same, and by no chosen reading": count(table, as_printed),
        "the same as the first, asked elsewhere, too": count(with_elsewhere(table), every_row),
        "the first, with errors over topics": count(with_errors_over_topics(table), every_row),
        "the first, by values without errors": count(by_value(table), every_row),
        "no row fails": count(table, no_row_fails),
        "most rows hold": count(table, most_rows),
    }
    rules["asked"] = count(table, lambda rows: True)
    counted = pd.DataFrame(rules).T.fillna(0).astype(int)
    counted["all"] = counted.sum(axis=1)
    counted["%"] = (100 * counted["all"] / counted.at["asked", "all"]).round().astype(int)
    return counted
