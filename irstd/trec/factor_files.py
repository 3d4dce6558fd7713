"""Standardization factors on disk: the factor page's CSV files, and trec_eval's z-score file."""

from __future__ import annotations

import re
from typing import NamedTuple

import pandas as pd

from irstd._base.messages import listed, warn
from irstd.trec import files
from irstd.trec.measures import from_trec_eval, to_trec_eval
from irstd.trec.scores import csv_text, read_named_table

Z_LINE = {"topic": str, "measure": str, "mean": float, "sd": float}


# The head of the column of topics says what a file holds: any reader of CSV finds a column there,
# where it would stumble over a line of comment.
HEAD = re.compile(r"topic \((mean|sd)(?:; systems=(\d{1,9}))?(?:; collection=(.*))?\)", re.DOTALL)


class Origin(NamedTuple):
    """What is known of the standardizing systems beside the factors."""

    n_systems: int | None = None
    collection: str | None = None


def write_csv(mean: pd.DataFrame, sd: pd.DataFrame, origin: Origin, mean_path, sd_path) -> None:
    """Two files, numbers such that reading them gives the same bits."""
    if files.same_file(mean_path, sd_path):
        raise ValueError(f"mean_path and sd_path must differ, both are {mean_path}")
    said = "" if origin.n_systems is None else f"; systems={origin.n_systems}"
    said += "" if origin.collection is None else f"; collection={origin.collection}"
    tables = {}
    for path, kind, table in ((mean_path, "mean", mean), (sd_path, "sd", sd)):
        named = table.rename_axis(f"topic ({kind}{said})").reset_index()
        tables[path] = csv_text(named, table.index, table.columns.rename("name")).encode()
    files.write_files(tables)


def read_csv(mean_path, sd_path) -> tuple[pd.DataFrame, pd.DataFrame, Origin]:
    """Means and standard deviations, and what the files tell of their origin."""
    tables, origins = [], []
    for kind, path in (("mean", mean_path), ("sd", sd_path)):
        head, table = read_named_table(path)
        told = HEAD.fullmatch(head)
        if told and told[1] != kind:
            raise ValueError(f"{path}: holds the {told[1]} of each topic; expected the {kind}")
        tables.append(table.rename_axis(columns="metric"))
        if told:
            origins.append(Origin(int(told[2]) if told[2] else None, told[3]))
    if len(set(origins)) > 1:
        raise ValueError(f"{mean_path}, {sd_path}: are of different systems or collections")
    return tables[0], tables[1], origins[0] if origins else Origin()


def warn_if_rounded(mean: pd.DataFrame, sd: pd.DataFrame, source: str) -> None:
    numbers = pd.concat([mean, sd])
    if (numbers.isna() | (numbers.round(4) == numbers)).all(axis=None):
        said = "rounded to four decimals, which shifts z (by up to 0.09 on TREC data)"
        warn(f"{source}: the factors are {said}; use those of full precision if there are any")


def write_trec_eval(mean: pd.DataFrame, sd: pd.DataFrame, path) -> None:
    known = [metric for metric in mean.columns if to_trec_eval(metric)]
    left_out = listed(mean.columns.difference(known, sort=False), 20)
    if not known:
        which = 'say which metric it is: standardization_factors(scores, metric="AP")'
        raise ValueError(f"none of the metrics {left_out} has a name in trec_eval; {which}")
    if left_out:
        warn(f"left out, since trec_eval has no such measure: {left_out}")
    files.check_words(mean.index, "query_id")
    both = pd.concat({"mean": mean[known], "sd": sd[known]}, axis=1)
    rows = both.stack(future_stack=True).dropna().itertuples(name=None)
    lines = [f"{t}\t{to_trec_eval(metric)}\t{mu!r}\t{sigma!r}\n" for (t, metric), mu, sigma in rows]
    files.write_text("".join(lines), path)


def read_trec_eval(path) -> tuple[pd.DataFrame, pd.DataFrame]:
    data = files.read_bytes(path)
    keys = pd.DataFrame(files.take_apart(path, data, Z_LINE)).rename(columns={"measure": "metric"})
    keys["metric"] = keys["metric"].map(from_trec_eval)
    twice = keys.duplicated(["topic", "metric"]).to_numpy()
    if twice.any():
        row = int(twice.argmax())
        topic, metric = keys.loc[row, ["topic", "metric"]]
        files.fail(path, data, row, f"topic {topic} has factors of {metric} twice")
    both = keys.pivot(index="topic", columns="metric", values=["mean", "sd"])
    both = both.loc[keys["topic"].unique()].reindex(keys["metric"].unique(), axis=1, level="metric")
    return pd.DataFrame(both["mean"]), pd.DataFrame(both["sd"])
