"""Tables of per-topic scores, read from what many tools write, by the suffixes of files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from irstd._base.frames import as_frame
from irstd._base.matrix import ScoreTable, by_metric
from irstd._base.messages import listed, needed, topics_where, warn
from irstd.metrics import check_range
from irstd.metrics.names import is_measure, names_here
from irstd.trec.cells import Source
from irstd.trec.columns import show
from irstd.trec.files import find_files, read_bytes
from irstd.trec.score_tables import LONG, Said, matrix_of, scores_of_frame, scores_of_table

SEPARATORS = {".csv": ",", ".tsv": "\t"}
EXPECTED = (
    "is not what trec_eval -q or ir_measures -q print; remove what a wrapper printed; tables end in"
    " .csv, .tsv, .jsonl, .parquet"
)
SUMMARIES = ("all", "amean")
MOST_ROWS = 10_000_000
MANY_TIMES = 20  # the scale of others, which is that of no system
DICT = (
    "expected {system: {topic: {metric: score}}}; of {system: {topic: score}} give"
    " pd.DataFrame(scores).rename_axis('topic'), of {topic: {system: score}} its .T so"
)


def read_scores(
    source: str | os.PathLike | Iterable | pd.DataFrame | Mapping,
    *,
    topic: str | None = None,
    system: str | None = None,
    metric: str | None = None,
    value: str | None = None,
    names: str = "irstd",
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    What a column holds is said by its name, and nothing is guessed from its values. What cannot be
    read so is refused, with the argument to give; the page "Layouts of score tables" has recipes.

    Parameters
    ----------
    source : path, glob or list of paths, DataFrame, or dict
        By its suffix, a table in CSV (``.csv``), TSV (``.tsv``), lines of JSON (``.jsonl``), each
        gzipped or not, or Parquet (``.parquet``, with pyarrow); a file of any other name is what
        ``trec_eval -q`` or ``ir_measures -q`` print. Several files are joined by topic. A
        DataFrame, whose index counts if it has a name, or what has ``to_pandas`` (polars, Arrow);
        a list of what ir_measures' ``iter_calc`` yields; a dict ``{system: {topic: {metric:
        score}}}``, the inner part as pytrec_eval returns it.
    topic : str, optional
        The column of topics; by default ``topic``, ``query_id`` or ``qid``.
    system : str, optional
        The column of systems; by default ``system``, ``run``, ``run_id`` or ``tag``. If there is
        none, and no column of scores, the table is wide: each other column is a system.
    metric : str, optional
        The column of names of metrics; by default ``metric`` or ``measure``.
    value : str, optional
        The column of scores; by default ``score`` or ``value``. Said, other columns are left out.
        If there is none beside a column of systems, each other column is a metric.
    names : {"irstd", "page"}, default "irstd"
        ``"page"``: the metrics have the names of the page of factors, and of irstd before 0.4,
        where DCG and nDCG are JDCG and nJDCG, VDCG and nVDCG are DCG and nDCG.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. If there
        are several metrics, the columns are pairs ``(metric, system)``; the name of a single one,
        if known, is in ``attrs["metric"]``.

    Raises
    ------
    ValueError
        With file and line: columns that are not said; text where a score should be; a row that
        sums up others (``all``, ``mean``); two scores of a system on a topic; a score that its
        metric cannot have, as an AP of 50.

    Warns
    -----
    UserWarning
        If scores are missing: they are NaN. If nobody says the metric, and a column has another
        scale than most: it may be a trait of the topics.

    Notes
    -----
    Names of trec_eval and ir_measures are translated (``map`` is AP, ``ndcg_cut_20`` ``nDCG@20``,
    ``Rprec`` RP). Others are kept. Scores without a name of their system are those of one, called
    as the file without its suffix; in a DataFrame it is called ``run``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> _ = path.write_text("id,a,b\\n301,0.25,0.5\\n302,0,1\\n")
    >>> read_scores(path, topic="id")
    system     a    b
    topic
    301     0.25  0.5
    302     0.00  1.0
    """
    said = {"topic": topic, "system": system, "metric": metric, "value": value}
    name, parts = _parts(as_frame(source), said)
    scores = pd.concat(parts, axis=1)
    if not scores.columns.is_unique:
        repeated = listed(scores.columns[scores.columns.duplicated()].unique("system"))
        raise ValueError(f"{name}: the system {repeated} is in more than one of the files")
    theirs = scores.columns.unique("metric")
    metrics = names_here(theirs, names, name)
    scores = scores.rename(columns=dict(zip(theirs, metrics, strict=True)), level="metric")
    for metric, part in by_metric(scores).items():
        check_range(part, metric, name)
    missing = scores.isna()
    topics = topics_where(missing)
    if topics:
        count = f"{missing.to_numpy().sum()} of {missing.size} scores are missing"
        warn(f"{name}: {count}, on the topics {topics}; they are NaN")
    if len(metrics) > 1:
        return ScoreTable.of(scores)
    scores = scores.droplevel("metric", axis=1)
    if metrics[0]:
        scores.attrs["metric"] = metrics[0]
    else:
        _warn_of_scale(scores, name)
    return scores


def _warn_of_scale(scores: pd.DataFrame, name: str) -> None:
    """Warn of what may be no system: nobody has said the metric, and it has a scale of its own."""
    peaks = scores.abs().max()
    usual = float(peaks.quantile(0.5, interpolation="lower"))
    are_whole = (scores.isna() | (scores % 1 == 0)).all()
    odd = peaks.index[(peaks > 1) & (are_whole | (peaks > MANY_TIMES * usual))]
    if len(odd) and usual <= 1:
        warn(
            f"{name}: {listed(odd)} has scores up to {peaks[odd[0]]:g}, most others up to"
            f" {usual:g}: if it is no system, remove it"
        )


def _parts(source: Any, said: Said) -> tuple[str, list[pd.DataFrame]]:
    """What messages call the source of scores, and a matrix of each file, (metric, system)."""
    if isinstance(source, pd.DataFrame):
        return "the table", [scores_of_frame(source, said, Source("the table"))]
    if isinstance(source, Mapping):
        return "the dict", [_of_dict(source, Source("the dict"))]
    files = find_files(source)
    parts = [scores_of_file(file, said) for file in files]
    return listed(file.name for file in files), parts


def _of_dict(scores: Mapping, source: Source) -> pd.DataFrame:
    """The matrix of ``{system: {topic: {metric: score}}}``."""
    rows = []
    for system, by_topic in scores.items():
        if not isinstance(by_topic, Mapping):
            source.fail(DICT)
        for topic, held in by_topic.items():
            if not isinstance(held, Mapping) or is_measure(str(topic)):
                source.fail(DICT)
            for metric, score in held.items():
                rows.append((topic, system, metric, score))
    table = pd.DataFrame(rows, columns=list(LONG.values()), dtype=object)
    return matrix_of(table, LONG, source)


def scores_of_file(path: Path, said: Said) -> pd.DataFrame:
    """The matrix of a file, columns (metric, system)."""
    name = Path(re.sub(r"(?i)\.gz$", "", path.name))
    suffix = name.suffix.lower()
    source = Source(str(path), ", row " if suffix == ".parquet" else ":", name.stem)
    if suffix == ".json":
        source.fail("is not read: give what json.load makes of it, or an object a line, as .jsonl")
    if suffix == ".parquet":
        return scores_of_frame(_table_of_parquet(path), said, source)
    text = read_bytes(path).decode()
    if suffix in SEPARATORS:
        return scores_of_table(csv_table(text, SEPARATORS[suffix], source), said, source)
    if suffix == ".jsonl":
        return scores_of_table(_table_of_json(text, source), said, source)
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
    if len(names) == 1:
        source.fail(
            f"one column, {names[0]!r:.40}: give pd.read_csv(path, sep=..., decimal=...)", 1
        )
    for number, cells in rows.items():
        if len(cells) != len(names):
            expected = f"expected {len(names)} columns as in the first line"
            source.fail(f"{expected}, found {len(cells)}", number)
    return pd.DataFrame(others, list(rows)[1:], names, dtype=object)


def _table_of_parquet(path: Path) -> pd.DataFrame:
    """The table of a file of Parquet, unless it has so many rows that they may fill the memory."""
    parquet = needed("pyarrow.parquet")
    try:
        rows = parquet.read_metadata(path.expanduser()).num_rows
        if rows > MOST_ROWS:
            raise ValueError(f"{rows:,} rows, of which more than {MOST_ROWS:,} are not read")
        return pd.read_parquet(path.expanduser(), engine="pyarrow")
    except FileNotFoundError:
        raise
    except (OSError, ValueError, NotImplementedError) as error:  # Arrow's are some of these
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path}: is not Parquet, or is damaged: {reason:.90}") from None


def _table_of_json(text: str, source: Source) -> pd.DataFrame:
    """The table of a file with an object of JSON in each line, by the numbers of lines."""
    rows: dict[int, dict] = {}
    names = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_named_once)
            json.dumps(row, ensure_ascii=False).encode()  # fails of half a pair of surrogates
        except (ValueError, RecursionError) as error:
            source.fail(f"is not JSON: {error!s:.60}: {show(line.encode(), 60)}", number)
        if not isinstance(row, dict) or set(row) != (names or set(row)):
            expected = ", ".join(sorted(names or ["names and numbers"]))
            source.fail(f"expected an object of {expected}: {show(line.encode(), 60)}", number)
        names = set(row)
        rows[number] = row
    return pd.DataFrame.from_dict(rows, "index", dtype=object)


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which Python would keep the last of equal names."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name is there twice")
    return dict(pairs)


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
