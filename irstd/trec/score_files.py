"""Per-topic scores in the file formats of other tools."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from irstd._base.frames import as_frame
from irstd._base.matrix import ScoreTable, refuse_similar_ids, split_by_metric
from irstd._base.messages import format_topics, import_optional, list_items, listed, warn
from irstd.metrics import check_range
from irstd.metrics.names import get_highest_score, is_metric_name, translate_names
from irstd.trec.disk import PARQUET, AnyPath, find_files, read_bytes
from irstd.trec.score_tables import (
    Source,
    convert_table,
    parse_numbers,
    quote,
    refuse_summaries,
    to_long_form,
)

SEPARATORS = {".csv": ",", ".tsv": "\t"}
LINE = r"(?P<metric>\S+)\s+(?P<topic>\S+)\s+(?P<score>.+)"
SUMMARIES = ("all", "amean")
OF_IR_MEASURES = {"query_id", "measure", "value"}  # names in its JSON lines
NO_SCORE = "relstring|runid$"  # measures of trec_eval with text as value
EXPECTED = "expected output of trec_eval -q or ir_measures -q, found"
ADVICE = "for a run use irstd evaluate; the name of a table must end in .csv, .tsv or .jsonl"
BLOCK = 1 << 30  # bytes that Arrow parses at once, nearly always the whole file
MANY_TIMES = 20  # a column that is so much larger than most is not a system
DICT = (
    "scores must not be a dict d: for {system: {topic: score}} give pd.DataFrame(d).rename_axis("
    "'topic'), for {topic: {metric: score}} pd.DataFrame(d).T.rename_axis('topic').assign(run='a')"
)


def read_scores(
    source: AnyPath | Iterable | pd.DataFrame,
    *,
    topic: str | None = None,
    system: str | None = None,
    metric: str | None = None,
    value: str | None = None,
    names: str = "irstd",
) -> pd.DataFrame:
    """Read per-topic scores computed by another tool.

    The role of a column follows from its name, never from its values. For a column whose role is
    unclear, the error names the argument to pass; the page "Layouts of score tables" has recipes.

    Parameters
    ----------
    source : path, glob or list of paths, or DataFrame
        A table in CSV (``.csv``), TSV (``.tsv``) or JSON lines (``.jsonl``), gzipped or not,
        recognized by the suffix; any other file must be output of ``trec_eval -q`` or
        ``ir_measures -q``. Several files are joined by topic. Or a DataFrame, whose index is a
        column if it has a name; an object with ``to_pandas`` (polars, Arrow); or a list of the
        items of ir_measures' ``iter_calc``. Dicts must be converted to a DataFrame.
    topic : str, optional
        The column of topic ids; by default ``topic``, ``query_id`` or ``qid``.
    system : str, optional
        The column of system names; by default ``system``, ``run``, ``run_id`` or ``tag``. Without
        it and without a column of scores, the table is wide: each other column is a system.
    metric : str, optional
        The column of metric names; by default ``metric`` or ``measure``.
    value : str, optional
        The column of scores; by default ``score`` or ``value``. If it is given, columns without a
        role are left out. Without one, beside a column of systems, each other column is a metric.
    names : {"irstd", "page"}, default "irstd"
        Origin of the metric names. ``"page"`` is the page *Standardization factors for IR test
        collections* (Webber 2008), or irstd before 0.4: there DCG and nDCG are JDCG and nJDCG, and
        VDCG and nVDCG are DCG and nDCG.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. With
        several metrics, the columns are pairs ``(metric, system)``; the name of a single metric,
        if it is known, is in ``attrs["metric"]``.

    Raises
    ------
    ValueError
        With file and line: if the role of a column is unclear; a score is not a finite number; a
        row or column of a table is a summary (``all``, ``mean``); a system has two scores on a
        topic; or a score is outside the range of its metric, such as an AP of 50.

    Warns
    -----
    UserWarning
        If scores are missing, which become NaN; or if the metric is unknown, and the scale of a
        column suggests a property of the topics, not a system.

    Notes
    -----
    Metric names of trec_eval and ir_measures are translated (``map`` to AP, ``ndcg_cut_20`` to
    ``nDCG@20``, ``Rprec`` to RP); others are kept. Scores without a system name are taken as those
    of one system, named after the file without its suffix, or ``run`` in a DataFrame.

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
    given_names = {"topic": topic, "system": system, "metric": metric, "value": value}
    tables = _read_tables(as_frame(source))
    name = listed((origin.name for _, origin in tables), 1)
    matrices = [convert_table(table, given_names, origin) for table, origin in tables]
    scores = pd.concat(matrices, axis=1)
    if not scores.columns.is_unique:
        repeated = listed(scores.columns[scores.columns.duplicated()].unique("system"))
        raise ValueError(
            f"{name}: system {repeated:.60} is in several files; join parts of one table with"
            " pd.concat"
        )
    metrics = translate_names(scores.columns.unique("metric"), names, name)
    scores = scores.rename(columns=metrics, level="metric")
    for metric, part in split_by_metric(scores).items():
        check_range(part, metric, name)
        if math.isnan(get_highest_score(metric)):
            _warn_of_non_systems(part, name)
    refuse_summaries(scores, Source(name))
    refuse_similar_ids(scores.index.tolist(), name)
    missing = scores.isna()
    topics = format_topics(missing)
    if topics:
        warn(
            f"{name}: {missing.to_numpy().sum()} of {missing.size} scores are missing, on {topics};"
            " they are NaN"
        )
    if len(metrics) > 1:
        return ScoreTable.from_scores(scores)
    scores = scores.droplevel("metric", axis=1)
    (name_of_metric,) = metrics.values()
    if name_of_metric:
        scores.attrs["metric"] = name_of_metric
    return scores


def _warn_of_non_systems(scores: pd.DataFrame, name: str) -> None:
    """Warn about columns that look like properties of topics, not systems."""
    peaks = scores.abs().max()
    are_whole = (scores.isna() | (scores % 1 == 0)).all()
    if are_whole.all():
        are_whole[:] = False
    usual = float(peaks[~are_whole].quantile(0.5, interpolation="lower"))
    is_large = (peaks > 1) & (are_whole | (peaks > MANY_TIMES * usual))
    is_small = (usual > 1) & (peaks > 0) & (peaks <= 1) & (MANY_TIMES * peaks < usual)
    odd = peaks.index[is_large | is_small]
    if len(odd):
        warn(
            f"{name}: scores in {list_items(odd, 'columns')} reach {peaks[odd[0]]:g}, in most"
            f" others {usual:g}: remove columns that are not systems, and divide percentages by 100"
        )


def _read_tables(source: Any) -> list[tuple[pd.DataFrame, Source]]:
    """Read the tables of a source of scores, each with its origin."""
    if isinstance(source, pd.DataFrame):
        metric = source.attrs.get("metric", "")
        return [(_convert_frame(source), Source("the table", metric=metric))]
    if isinstance(source, Mapping):
        raise ValueError(DICT)
    if str(source).endswith(".parquet"):  # a file, or a folder as Spark writes
        raise ValueError(f"{source}: is {PARQUET}")
    return [_read_table_file(file) for file in find_files(source)]


def _convert_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert a DataFrame to a table, with a named index as a column."""
    has_topics = list(frame.index.names) != [None]
    if frame.columns.nlevels > 1 or (frame.columns.name == "system" and has_topics):
        frame = to_long_form(frame)
    elif has_topics:
        frame = frame.reset_index(allow_duplicates=True)
    names = ["" if pd.isna(name) else str(name).strip(" \t") for name in frame.columns]
    return frame.set_axis(names, axis=1)


def _read_table_file(path: Path) -> tuple[pd.DataFrame, Source]:
    """Read the table in one file, with its origin."""
    name = Path(re.sub(r"(?i)\.gz$", "", path.name))
    suffix = name.suffix.lower()
    source = Source(str(path), ":", name.stem)
    data = read_bytes(path)
    if suffix in SEPARATORS:
        return parse_csv(data, SEPARATORS[suffix], source), source
    if suffix == ".jsonl":
        return _parse_json_lines(data.decode(), source), source
    return _parse_tool_output(data.decode(), source), source


def parse_csv(data: bytes, separator: str, source: Source) -> pd.DataFrame:
    """Parse CSV as a table, indexed by line number."""
    first = re.search(rb".*\S.*", data)
    if first and separator.encode() not in first[0]:
        advice = "give pd.read_csv(path, sep=..., decimal=...)"
        found = quote(first[0].decode().strip())
        source.fail(f"expected columns separated by {separator!r}, found {found}: {advice}")
    if not first:
        source.fail("is empty")
    data = data[: data.find(b"\n", len(data.rstrip())) + 1] or data  # without last lines of blanks
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    reader = csv.reader(lines, delimiter=separator, strict=True)
    has_quotes = b'"' in data
    arrow_csv = import_optional("pyarrow.csv")
    try:
        names = [str(place) for place, _ in enumerate(next(filter(None, reader), ""))]
        deque(reader if has_quotes else [], maxlen=0)  # Arrow is less strict about quotes
        table = arrow_csv.read_csv(
            io.BytesIO(data),
            arrow_csv.ReadOptions(column_names=names, use_threads=False, block_size=BLOCK),
            arrow_csv.ParseOptions(
                delimiter=separator, newlines_in_values=has_quotes, ignore_empty_lines=False
            ),
            arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, "string")),
        ).to_pandas()
    except csv.Error as error:
        source.fail(f"is not CSV: {error}", reader.line_num)
    except ValueError as error:  # of Arrow, with the line
        source.fail(f"{error!s:.99}")
    table.index += 1
    if (table["0"] == "").any():
        table = table[(table != "").any(axis=1)]
    if len(table) < 2:
        source.fail("must have a header line and lines of scores")
    header = table.iloc[0].str.strip(" \t").tolist()
    forms = table["0"].head(2).str.replace("[0-9]+", "0", regex=True)  # MB101 is like MB102
    is_id = re.fullmatch(r"\w?[0-9.]+", header[0]) or not forms.is_unique
    if is_id and not parse_numbers(table.iloc[0, 1:])[1].any():
        source.fail(f"no header: the first line is {listed(header, 3)!r}; add topic,SYSTEM,...")
    return table.iloc[1:].set_axis(header, axis=1)


def _parse_json_lines(text: str, source: Source) -> pd.DataFrame:
    """Parse JSON lines as a table, indexed by line number."""
    rows = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_refuse_repeated_names)
        except (ValueError, RecursionError) as error:
            source.fail(f"is not JSON: {error!s:.60}: {quote(line)}", number)
        if not isinstance(row, dict):
            source.fail(f"expected a JSON object of names and numbers, found {quote(line)}", number)
        rows[number] = row
    table = pd.DataFrame.from_dict(rows, "index", dtype=object).rename(columns=str.strip)
    if set(table) == OF_IR_MEASURES:
        table = table[~table["query_id"].isin(SUMMARIES)]
    return table


def _refuse_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict, or raise if a name is repeated."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name is repeated")
    return dict(pairs)


def _parse_tool_output(text: str, source: Source) -> pd.DataFrame:
    """Parse the output of ``trec_eval -q`` or ``ir_measures -q`` as a table."""
    # unlike editors, `str.splitlines` also splits at form feeds and the like
    lines = pd.Series(io.StringIO(text, newline=None).readlines(), dtype=object).str.strip()
    lines.index += 1
    lines = lines[lines != ""]
    table = lines.str.extract(LINE).fillna("?")
    is_text = table["metric"].str.match(NO_SCORE)
    wrong = lines[parse_numbers(table["score"])[1] & ~is_text]
    of_ir_measures = _look_like_topics(table["metric"], table["topic"])
    is_padded = lines.str.match(r"\S+ +\t\S").any()  # trec_eval pads names of measures
    of_trec_eval = is_padded or _look_like_topics(table["topic"], table["metric"])
    if wrong.empty and of_ir_measures == of_trec_eval:
        wrong = lines
    for line, found in wrong.items():
        source.fail(f"{EXPECTED} {quote(found)}: {ADVICE}", line)
    if of_ir_measures:
        table = table.rename(columns={"metric": "topic", "topic": "metric"})
    is_sum = table["topic"].isin(SUMMARIES)
    systems = table["score"][is_sum & (table["metric"] == "runid")]
    if len(systems) > 1:
        source.fail("a second runid: give each system its own file", systems.index[1])
    if len(systems):
        table["system"] = systems.iloc[0]
    return table[~is_sum & ~is_text]


def _look_like_topics(topics: pd.Series, metrics: pd.Series) -> bool:
    """Return True if one column looks like topic ids, or the other like metrics."""
    return bool(topics.isin(SUMMARIES).any() or metrics.map(is_metric_name).all())
