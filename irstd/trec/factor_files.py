"""Standardization factors on disk: CSV files and trec_eval's z-score file."""

from __future__ import annotations

import csv
import datetime
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from irstd._base.messages import listed, warn
from irstd.metrics.names import find_metric, to_trec_eval, translate_names, translate_page_name
from irstd.trec import disk
from irstd.trec.lines import number_lines, parse_with_python
from irstd.trec.score_files import parse_csv
from irstd.trec.score_tables import Source, to_score_matrix
from irstd.trec.written_scores import check_names_kept, format_csv

Z_LINE = {"topic": str, "measure": str, "mean": float, "sd": float}

HEADER = "datapackage.json"  # metadata of a folder (Frictionless Data)
AS_ON_PAGE = 'names="page" (in a command, --factor-names page)'
# The header of the topic column says what a file holds: any CSV reader can read it, unlike a
# comment line.
DCG_HERE = "DCG=log2(rank+1)"  # irstd before 0.4 had another DCG, and files had no such mark
HEAD = re.compile(
    r"topic \((?P<kind>mean|sd)(?:; systems=(?P<systems>\d{1,9}))?"
    rf"(?P<dcg>; {re.escape(DCG_HERE)})?(?:; collection=(?P<collection>.*))?\)",
    re.DOTALL,
)
Origin = tuple[int | None, str | None]  # number of standardizing systems, their collection


def write_csv(
    mean: pd.DataFrame, sd: pd.DataFrame, origin: Origin, paths: tuple, about: Mapping | None
) -> None:
    """Write means and standard deviations as CSV, exact to the last bit."""
    mean_path, sd_path = map(Path, paths)
    if disk.is_same_file(mean_path, sd_path):
        raise ValueError(f"mean_path and sd_path must differ, both are {mean_path}")
    contents = {
        mean_path: _format_csv(mean, "mean", origin),
        sd_path: _format_csv(sd, "sd", origin),
    }
    if about is not None:
        if mean_path.parent != sd_path.parent:
            raise ValueError(
                f"about= needs both files in one folder, got {mean_path} and {sd_path}"
            )
        n_systems, collection = origin
        metadata = {
            "collection": collection,
            "systems": n_systems,
            "topics": len(mean),
            "constantTopics": {metric: mean.index[sd[metric] == 0].tolist() for metric in mean},
            "created": datetime.date.today().isoformat(),
        }
        header = mean_path.with_name(HEADER)
        contents[header] = _update_header(header, contents, metadata | dict(about))
    disk.write_files(contents)


def _format_csv(table: pd.DataFrame, kind: str, origin: Origin) -> bytes:
    """Format means or standard deviations as CSV."""
    n_systems, collection = origin
    head = kind
    if n_systems is not None:
        head += f"; systems={n_systems}"
    if _has_renamed_dcg(table.columns):
        head += f"; {DCG_HERE}"
    if collection is not None:
        head += f"; collection={collection}"
    check_names_kept(table.index)
    check_names_kept(table.columns.rename("name"))
    return format_csv(table.rename_axis(f"topic ({head})").reset_index()).encode()


def _has_renamed_dcg(metrics: pd.Index) -> bool:
    """Return True if a metric's name had another meaning before irstd 0.4."""
    return any(translate_page_name(metric) != metric for metric in metrics)


def _update_header(header: Path, contents: Mapping[Path, bytes], about: Mapping[str, Any]) -> bytes:
    """Return a data package with these files added or replaced."""
    package = _read_header(header)
    resources = {resource["path"]: resource for resource in package["resources"]}
    for path, data in contents.items():
        resources[path.name] = _describe_file(path.name, data) | dict(about)
    package["resources"] = list(resources.values())
    return json.dumps(package, indent=1, ensure_ascii=False).encode() + b"\n"


def _describe_file(name: str, data: bytes) -> dict[str, Any]:
    """Describe a CSV file for its data package: columns, formulas and SHA-256."""
    topic, *metrics = next(csv.reader(data.decode().splitlines()))
    fields = [{"name": topic, "type": "string"}]
    for metric in metrics:
        fields.append({"name": metric, "type": "number", "description": _get_formula(metric)})
    return {
        "name": name.removesuffix(".csv").lower(),
        "path": name,
        "hash": _compute_sha256(data),
        "schema": {"fields": fields, "primaryKey": topic},
    }


def _get_formula(metric: str) -> str:
    """Return the formula of a metric, or "" if the metric is unknown."""
    parsed = find_metric(metric)
    if parsed is None:
        return ""
    formula = parsed.metric.formula
    if parsed.normalized:
        formula += ", divided by that of the ideal ranking"
    if parsed.argument:
        formula += f"; its parameter is {parsed.argument[0]:g}"
    return formula


def _compute_sha256(data: bytes) -> str:
    """Return the SHA-256 of a file, in the notation of data packages."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _read_header(header: Path) -> dict[str, Any]:
    """Read the data package of a folder, or return an empty one."""
    if not header.is_file():
        return {"name": "standardization-factors", "resources": []}
    try:
        package = json.loads(disk.read_bytes(header))
        _ = [resource["path"] for resource in package["resources"]]
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{header}: must be a data package in JSON ({error})") from error
    return package


def _warn_if_edited(path) -> None:
    """Warn if the SHA-256 of a file differs from that in its data package."""
    file = Path(path).expanduser()
    for resource in _read_header(file.with_name(HEADER))["resources"]:
        expected = resource.get("hash", "")
        is_sha256 = resource["path"] == file.name and expected.startswith("sha256:")
        if is_sha256 and expected != _compute_sha256(file.read_bytes()):
            warn(
                f"{path}: its SHA-256 differs from that in {HEADER}, so it may have been edited:"
                " get the original file"
            )


def read_csv(mean_path, sd_path, names: str = "irstd") -> tuple[pd.DataFrame, pd.DataFrame, Origin]:
    """Read means, standard deviations and their origin from two CSV files."""
    mean, mean_origin = _read_factor_file(mean_path, "mean", names)
    sd, sd_origin = _read_factor_file(sd_path, "sd", names)
    if mean_origin and sd_origin and mean_origin != sd_origin:
        raise ValueError(
            f"{mean_path}, {sd_path}: mean and sd must have the same number of systems and"
            f" collection, got {mean_origin} and {sd_origin}"
        )
    return mean, sd, mean_origin or sd_origin or (None, None)


def _read_factor_file(path, kind: str, names: str) -> tuple[pd.DataFrame, Origin | None]:
    """Read one file of means or standard deviations, and its origin."""
    _warn_if_edited(path)
    source = Source(str(path), ":")
    rows = parse_csv(disk.read_bytes(path), ",", source)
    head = str(rows.columns[0])
    table = to_score_matrix(rows, {"topic": head}, source).droplevel("metric", axis=1)
    metrics = translate_names(table.columns, names, str(path), AS_ON_PAGE)
    origin = None
    match = HEAD.fullmatch(head)
    if match:
        has_dcg = _has_renamed_dcg(table.columns)
        if match["kind"] != kind:
            source.fail(f"holds the {match['kind']} of each topic; expected the {kind}")
        if has_dcg and not match["dcg"] and names == "irstd":
            source.fail(f"is from irstd before 0.4, where DCG means JDCG: pass {AS_ON_PAGE}")
        if match["dcg"] and names == "page":
            source.fail("has irstd's metric names, says its header: leave out names='page'")
        n_systems = int(match["systems"]) if match["systems"] else None
        origin = (n_systems, match["collection"])
    return table.rename(columns=metrics).rename_axis(columns="metric"), origin


def warn_if_rounded(mean: pd.DataFrame, sd: pd.DataFrame, source: str) -> None:
    """Warn if all factors are rounded to four decimals."""
    numbers = pd.concat([mean, sd])
    if numbers.round(4).equals(numbers):
        warn(
            f"{source}: the factors are rounded to four decimals, which shifts z (by up to 0.09 on"
            " TREC data); use unrounded ones if there are any"
        )


def write_trec_eval(mean: pd.DataFrame, sd: pd.DataFrame, path) -> None:
    """Write factors as lines ``topic measure mean sd`` for trec_eval.

    Metrics that trec_eval does not have are left out, with a warning.
    """
    metrics = [metric for metric in mean.columns if to_trec_eval(metric)]
    left_out = listed(mean.columns.difference(metrics, sort=False), 20)
    if not metrics:
        raise ValueError(
            f"trec_eval has none of the metrics {left_out}: name the metric with"
            ' standardization_factors(scores, metric="AP")'
        )
    if left_out:
        warn(f"metrics that trec_eval lacks are left out: {left_out}")
    disk.check_words(mean.index, "query_id")
    factors: Any = pd.concat({"mean": mean[metrics], "sd": sd[metrics]}, axis=1)
    factors = factors.stack(future_stack=True).dropna().astype(object)
    factors = factors.rename(to_trec_eval, level="metric")
    text = factors.to_csv(sep="\t", header=False, quoting=csv.QUOTE_NONE, lineterminator="\n")
    disk.write_text(text, path)


def read_trec_eval(path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read means and standard deviations from lines ``topic measure mean sd``."""
    data = disk.read_bytes(path)
    table = pd.DataFrame(parse_with_python(path, data, Z_LINE), list(number_lines(data)))
    names = {"topic": "topic", "metric": "measure"}
    factors: Any = to_score_matrix(table, names, Source(str(path), ":")).swaplevel(axis=1)
    return factors["mean"], factors["sd"]
