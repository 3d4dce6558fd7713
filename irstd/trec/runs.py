"""TREC runs and qrels: reading, writing, and naming of systems.

Files may be plain or gzipped (recognized by their first bytes, not by their name), separated by
spaces or tabs, with blank lines, and with comment lines that begin with ``#``, as in trec_eval 10.
Malformed lines raise ``ValueError`` with ``file:line``. So do named pipes, and gzip files that
unpack to more than 64 MB and 50 times their size.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import listed, warn
from irstd.trec.disk import AnyPath, check_words, find_files, write_text
from irstd.trec.parsed import Table, count_contrary_ranks, parse_table, rank_lines


def read_run(path: AnyPath) -> pd.DataFrame:
    """Read a TREC run file.

    Parameters
    ----------
    path : path
        A file, plain or gzipped, with lines ``topic Q0 document rank score tag``, topics in any
        order; or with lines ``qid pid rank`` (MS MARCO), where the ranks of a topic are 1, 2, 3
        ..., and the score becomes minus the rank.

    Returns
    -------
    DataFrame
        One row per line, in the order of the file: ``query_id`` (str), ``doc_id`` (str) and
        ``score`` (float). Documents rank by descending score, ties by descending document id.

    Raises
    ------
    ValueError
        With file and line: for a malformed line; a document that appears twice in a topic; rank and
        score swapped; with MS MARCO's lines also for ranks with gaps, and for ranks that fall from
        line to line on every topic, as scores do.

    Warns
    -----
    UserWarning
        If ranks contradict the scores, as they do if the scores are distances. The scores count.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "example.run")
    >>> _ = path.write_text("301 Q0 d7 1 2.5 me\\n301 Q0 d9 2 1.5 me\\n")
    >>> read_run(path)
      query_id doc_id  score
    0      301     d7    2.5
    1      301     d9    1.5
    """
    return _parse_run(Path(path)).to_frame("score")


def _parse_run(path: Path) -> Table:
    """Parse a run file, and warn if its ranks contradict its scores."""
    table = parse_table(path, "score", "")
    if count_contrary_ranks(table)[0]:
        warn(f"{path}: ranks contradict the scores, which decide the order (are scores distances?)")
    return table


def read_runs(
    paths: AnyPath | Iterable, *, names: Sequence[str] | None = None
) -> dict[str, pd.DataFrame]:
    """Read several TREC run files.

    Parameters
    ----------
    paths : path, glob or list of paths
        A file, a folder, a pattern such as ``"runs/*.gz"``, or a list of these.
    names : sequence of str, optional
        The systems' names, one per file. By default a system is named by its run tag; files that
        share a tag, or that hold none or several, are named by their file names.

    Returns
    -------
    dict of str to DataFrame
        Run frames by system name, as `read_run` returns them.

    Raises
    ------
    ValueError
        As `read_run`; if no file is found; if `names` are not unique, or not one per file.

    Warns
    -----
    UserWarning
        As `read_run`; if a file has more than one run tag.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for tag in ("mine", "theirs"):
    ...     _ = (folder / f"{tag}.run").write_text(f"301 Q0 d7 1 2.5 {tag}\\n")
    >>> read_runs(folder)["mine"]
      query_id doc_id  score
    0      301     d7    2.5
    """
    files = find_files(paths)
    tables = [_parse_run(file) for file in files]
    if names is None:
        names = name_systems(files, [table.tags for table in tables])
    if len(names) != len(files) or len(set(names)) != len(names):
        raise ValueError(
            f"names must be unique, one per file ({len(files)} in all), got {[*names]}"
        )
    return {system: table.to_frame("score") for system, table in zip(names, tables, strict=True)}


def read_qrels(path: AnyPath) -> pd.DataFrame:
    """Read a TREC qrels file.

    Parameters
    ----------
    path : path
        A file with lines ``topic iteration document relevance``, plain or gzipped; or a BEIR file,
        with the header ``query-id corpus-id score``.

    Returns
    -------
    DataFrame
        One row per line, in the order of the file: ``query_id`` (str), ``doc_id`` (str),
        ``relevance`` (int).

    Raises
    ------
    ValueError
        With file and line: for a malformed line, and a document that appears twice in a topic.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "example.qrels")
    >>> _ = path.write_text("301 0 d7 1\\n")
    >>> read_qrels(path)
      query_id doc_id  relevance
    0      301     d7          1
    """
    return parse_table(Path(path), "relevance", "").to_frame("relevance")


def write_run(run: pd.DataFrame, path: AnyPath, *, tag: str) -> None:
    """Write a run frame as a TREC run file.

    Topics keep the order of the frame; the documents of a topic are ranked as by trec_eval: by
    descending score, ties by descending document id.

    Parameters
    ----------
    run : DataFrame
        Columns ``query_id``, ``doc_id``, ``score``.
    path : path
        Where to write; a name that ends in ``.gz`` is gzipped.
    tag : str
        The run tag: the system's name, without white space. Other tools identify the system by it,
        so there is no default.

    Raises
    ------
    ValueError
        If a column or a value is missing; if a document appears twice in a topic; if an id or the
        tag is empty, has white space, or begins with ``#``.

    Examples
    --------
    >>> import pandas as pd, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "example.run")
    >>> run = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [1.0, 2.0]})
    >>> write_run(run, path, tag="me")
    >>> print(path.read_text().strip())
    1 Q0 b 1 2.0 me
    1 Q0 a 2 1.0 me
    """
    check_words([tag], "tag")
    table = _parse_to_write(run, "score", "run")
    ranks = rank_lines(table)
    lines = table.to_frame("score").assign(Q0="Q0", rank=ranks + 1, tag=tag)
    lines = lines.iloc[np.lexsort((ranks, table.codes))]
    _write_lines(lines[["query_id", "Q0", "doc_id", "rank", "score", "tag"]], path)


def write_qrels(qrels: pd.DataFrame, path: AnyPath) -> None:
    """Write a qrels frame as a TREC qrels file, in the order of the frame.

    Parameters
    ----------
    qrels : DataFrame
        Columns ``query_id``, ``doc_id``, ``relevance`` (int).
    path : path
        Where to write; a name that ends in ``.gz`` is gzipped.

    Raises
    ------
    ValueError
        As `write_run`; if a relevance is not a whole number of 32 bits.

    Examples
    --------
    >>> import pandas as pd, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "example.qrels")
    >>> write_qrels(pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [2]}), path)
    >>> print(path.read_text().strip())
    1 0 a 2
    """
    table = _parse_to_write(qrels, "relevance", "qrels")
    largest = np.abs(table.values).max(initial=0)
    if largest >= 2**31:  # `read_qrels` would refuse it
        raise ValueError(f"qrels: relevance must fit into 32 bits, found {largest:g}")
    lines = table.to_frame("relevance")
    lines.insert(1, "iteration", 0)
    _write_lines(lines, path)


def _parse_to_write(data: pd.DataFrame, value: str, name: str) -> Table:
    """Return a checked table of a frame."""
    if isinstance(data, AnyPath):
        raise TypeError(f"{name} must be a DataFrame, got the path {str(data)!r}: read it first")
    table = parse_table(data, value, name)
    check_words(table.topics, "query_id")
    check_words(table.documents.tolist(), "doc_id")
    return table


def _write_lines(lines: pd.DataFrame, path: AnyPath) -> None:
    """Write lines of words that are separated by spaces."""
    text = lines.to_csv(
        sep=" ", header=False, index=False, quoting=csv.QUOTE_NONE, lineterminator="\n"
    )
    write_text(text, path)


def name_systems(files: Sequence[Path], tags: Sequence[Sequence[str]]) -> list[str]:
    """Name each file's system by its run tag, or by file name if tags repeat."""
    mixed = [file.name for file, file_tags in zip(files, tags, strict=True) if len(file_tags) > 1]
    if mixed:
        warn(f"files with more than one run tag are named by file name: {listed(mixed)}")
    file_names = [file.name for file in files]
    if len(set(file_names)) < len(file_names):
        file_names = [str(file) for file in files]
    # files of MS MARCO have no tag
    own_tags = [file_tags[0] if len(file_tags) == 1 else None for file_tags in tags]
    uses = Counter(own_tags)
    systems = []
    for tag, file_name in zip(own_tags, file_names, strict=True):
        systems.append(tag if tag and uses[tag] == 1 else file_name)
    if len(set(systems)) < len(systems):
        raise ValueError(
            f"a run tag equals the name of another file, in {listed(systems)}: rename the file"
        )
    return systems


def collect_sources(runs: Any) -> dict[str, Any]:
    """Return the source of each run: a run by its name, or a file by its path."""
    is_one = isinstance(runs, pd.DataFrame) or hasattr(runs, "to_pandas")
    if is_one or (isinstance(runs, Mapping) and not runs):
        raise ValueError('runs must be paths or a dict {"name": run}, not one run or an empty dict')
    if not isinstance(runs, Mapping):
        return {str(path): path for path in find_files(runs)}
    sources = {str(name): run for name, run in runs.items()}
    if len(sources) < len(runs):
        raise ValueError(f"run names must differ as text, got {listed(map(repr, runs))}")
    return sources
