"""Standardization factors on disk: the factor page's CSV, trec_eval's z-score file."""

from __future__ import annotations

import csv
import datetime
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from irstd._base.messages import listed, warn
from irstd.metrics.names import from_page, known_metric, names_here, to_trec_eval
from irstd.trec import disk
from irstd.trec.lines import lines_of, take_apart
from irstd.trec.score_files import csv_table
from irstd.trec.score_tables import Source, matrix_of
from irstd.trec.written_scores import check_kept, csv_text

Z_LINE = {"topic": str, "measure": str, "mean": float, "sd": float}

HEADER = "datapackage.json"  # of a folder, as frictionless data has it
AS_ON_PAGE = 'names="page" (as an option of a command, --factor-names page)'
# The head of the column of topics says what a file holds: any reader of CSV finds a column there,
# where it would stumble over a line of comment.
DCG_HERE = "DCG=log2(rank+1)"  # irstd before 0.4 wrote no such thing, and had another DCG
HEAD = re.compile(
    r"topic \((?P<kind>mean|sd)(?:; systems=(?P<systems>\d{1,9}))?"
    rf"(?P<dcg>; {re.escape(DCG_HERE)})?(?:; collection=(?P<collection>.*))?\)",
    re.DOTALL,
)


class Origin(NamedTuple):
    """Number of standardizing systems, and name of their collection."""

    n_systems: int | None = None
    collection: str | None = None


def write_csv(
    mean: pd.DataFrame, sd: pd.DataFrame, origin: Origin, paths: tuple, about: Mapping | None
) -> None:
    """Write means and standard deviations as CSV, exact to the last bit."""
    mean_path, sd_path = paths
    if disk.same_file(mean_path, sd_path):
        raise ValueError(f"mean_path and sd_path must differ, both are {mean_path}")
    contents = {
        Path(mean_path): _format_csv(mean, "mean", origin),
        Path(sd_path): _format_csv(sd, "sd", origin),
    }
    if about is not None:
        known = {
            "collection": origin.collection,
            "systems": origin.n_systems,
            "topics": len(mean),
            "constantTopics": {metric: mean.index[sd[metric] == 0].tolist() for metric in mean},
            "created": datetime.date.today().isoformat(),
        }
        header = Path(mean_path).with_name(HEADER)
        contents[header] = _update_header(header, contents, known | dict(about))
    disk.write_files(contents)


def _update_header(header: Path, contents: Mapping[Path, bytes], about: Mapping[str, Any]) -> bytes:
    """Add these files to the header; files of the same names are replaced."""
    package = _read_header(header)
    resources = {resource["path"]: resource for resource in package["resources"]}
    for path, data in contents.items():
        if path.parent != header.parent:
            raise ValueError(f"with about, one folder for both: got {header.parent}, {path.parent}")
        resources[path.name] = _describe_file(path.name, data) | dict(about)
    package["resources"] = list(resources.values())
    return json.dumps(package, indent=1, ensure_ascii=False).encode() + b"\n"


def _formula(metric: str) -> str:
    """Return the formula of a metric by its name; no text for a name that is not known."""
    known = known_metric(metric)
    if known is None:
        return ""
    formula = known.metric.formula
    if known.normalized:
        formula = f"{formula}, divided by that of the ideal ranking"
    values = ", ".join(f"{value:g}" for value in known.argument)
    return f"{formula}; its parameter is {values}" if values else formula


def _describe_file(name: str, data: bytes) -> dict[str, Any]:
    """Describe a file for the header: columns, size and SHA-256."""
    topic, *metrics = next(csv.reader(data.decode().splitlines()))
    fields = [{"name": topic, "type": "string"}]
    for metric in metrics:
        fields.append({"name": metric, "type": "number", "description": _formula(metric)})
    return {
        "name": name.removesuffix(".csv").lower(),
        "path": name,
        "format": "csv",
        "mediatype": "text/csv",
        "bytes": len(data),
        "hash": f"sha256:{hashlib.sha256(data).hexdigest()}",
        "schema": {"fields": fields, "primaryKey": topic},
    }


def _read_header(header: Path) -> dict[str, Any]:
    """Read the header of a folder, or start a new one."""
    if not header.is_file():
        return {"name": "standardization-factors", "resources": []}
    try:
        package = json.loads(disk.read_bytes(header))
        _ = [resource["path"] for resource in package["resources"]]
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{header}: must be a data package in JSON ({error})") from error
    return package


def _warn_if_edited(path) -> None:
    """Warn if the SHA-256 of a file differs from that in the header beside it."""
    file = Path(path).expanduser()
    for resource in _read_header(file.with_name(HEADER))["resources"]:
        told = resource.get("hash", "")
        if resource["path"] != file.name or not told.startswith("sha256:"):
            continue
        if told != f"sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}":
            advice = "its numbers may have been edited; ask for the original"
            warn(f"{path}: is not the file that {HEADER} tells of (by its SHA-256): {advice}")


def _format_csv(table: pd.DataFrame, kind: str, origin: Origin) -> bytes:
    """Format means or standard deviations as CSV."""
    head = kind
    if origin.n_systems is not None:
        head += f"; systems={origin.n_systems}"
    if any(from_page(metric) != metric for metric in table.columns):
        head += f"; {DCG_HERE}"
    if origin.collection is not None:
        head += f"; collection={origin.collection}"
    named = table.rename_axis(f"topic ({head})").reset_index()
    check_kept(table.index)
    check_kept(table.columns.rename("name"))
    return csv_text(named).encode()


def read_csv(mean_path, sd_path, names: str = "irstd") -> tuple[pd.DataFrame, pd.DataFrame, Origin]:
    """Read means, standard deviations and their origin."""
    mean, mean_origin = _read_factor_file(mean_path, "mean", names)
    sd, sd_origin = _read_factor_file(sd_path, "sd", names)
    if mean_origin and sd_origin and mean_origin != sd_origin:
        raise ValueError(f"{mean_path}, {sd_path}: are of different systems or collections")
    return mean, sd, mean_origin or sd_origin or Origin()


def _read_factor_file(path, kind: str, names: str) -> tuple[pd.DataFrame, Origin | None]:
    """Read a file of means or standard deviations, and its origin if it is given."""
    _warn_if_edited(path)
    source = Source(str(path), ":")
    rows = csv_table(disk.read_bytes(path).decode(), ",", source)
    head = str(rows.columns[0])
    table = matrix_of(rows, {"topic": head}, source).droplevel("metric", axis=1)
    match = HEAD.fullmatch(head)
    if match:
        _check_definition(table.columns, bool(match["dcg"]), names, path)
    metrics = names_here(table.columns, names, str(path), AS_ON_PAGE)
    table.columns = pd.Index(metrics, name="metric")
    if not match:
        return table, None
    if match["kind"] != kind:
        raise ValueError(f"{path}: holds the {match['kind']} of each topic; expected the {kind}")
    n_systems = None
    if match["systems"] is not None:
        n_systems = int(match["systems"])
    return table, Origin(n_systems, match["collection"])


def _check_definition(metrics: pd.Index, is_defined: bool, names: str, path) -> None:
    """Raise if the file's definition of DCG is not that of `names`."""
    ambiguous = [metric for metric in metrics if from_page(metric) != metric]
    if is_defined and names == "page":
        raise ValueError(f"{path}: has the names of irstd 0.4, as its head says: leave out names")
    if ambiguous and not is_defined and names == "irstd":
        raise ValueError(
            f"{path}: {listed(ambiguous)} is of irstd before 0.4, which had Jarvelin and"
            f" Kekalainen's DCG under this name: read it with {AS_ON_PAGE}"
        )


def warn_if_rounded(mean: pd.DataFrame, sd: pd.DataFrame, source: str) -> None:
    """Warn if no factor has more than four decimals."""
    numbers = pd.concat([mean, sd])
    rounded = numbers.isna() | (numbers.round(4) == numbers)
    if rounded.all(axis=None):
        effect = "rounded to four decimals, which shifts z (by up to 0.09 on TREC data)"
        warn(f"{source}: the factors are {effect}; use those of full precision if there are any")


def write_trec_eval(mean: pd.DataFrame, sd: pd.DataFrame, path) -> None:
    """Write lines ``topic measure mean sd``, of the metrics that trec_eval has."""
    known = [metric for metric in mean.columns if to_trec_eval(metric)]
    left_out = listed(mean.columns.difference(known, sort=False), 20)
    if not known:
        advice = 'say which metric it is: standardization_factors(scores, metric="AP")'
        raise ValueError(f"none of the metrics {left_out} has a name in trec_eval; {advice}")
    if left_out:
        warn(f"left out, since trec_eval has no such measure: {left_out}")
    disk.check_words(mean.index, "query_id")
    both = pd.DataFrame(
        {"mean": mean[known].stack(future_stack=True), "sd": sd[known].stack(future_stack=True)}
    )
    lines = []
    for (topic, metric), mean_of_topic, sd_of_topic in both.dropna().itertuples(name=None):
        lines.append(f"{topic}\t{to_trec_eval(metric)}\t{mean_of_topic!r}\t{sd_of_topic!r}\n")
    disk.write_text("".join(lines), path)


def read_trec_eval(path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read lines ``topic measure mean sd`` as means and standard deviations."""
    data = disk.read_bytes(path)
    table = pd.DataFrame(take_apart(path, data, Z_LINE), list(lines_of(data)))
    both = matrix_of(table, {"topic": "topic", "metric": "measure"}, Source(str(path), ":"))
    mean, sd = (both.xs(kind, axis=1, level="system") for kind in ("mean", "sd"))
    return pd.DataFrame(mean), pd.DataFrame(sd)
