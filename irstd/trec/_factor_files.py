"""Standardization factors on disk: the factor page's CSV files, and trec_eval's z-score file."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd

from irstd._checks import listed, warn
from irstd.trec._files import check_topics, read_lines
from irstd.trec._measures import TREC_EVAL, from_trec_eval, to_trec_eval
from irstd.trec._write import write_text
from irstd.trec.scores import read_named_table

Z_LINE = {"topic": str, "measure": str, "mean": float, "sd": float}


def write_csv(table: pd.DataFrame, path) -> None:
    """A row a topic, a column a metric, numbers such that reading them gives the same bits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["topic", *table.columns])
    for topic, values in zip(table.index, table.to_numpy().tolist(), strict=True):
        writer.writerow([topic, *("" if np.isnan(value) else repr(value) for value in values)])
    write_text(text.getvalue(), path)


def read_csv(path) -> pd.DataFrame:
    return read_named_table(path)[1].rename_axis(columns="metric")


def warn_if_rounded(mean: pd.DataFrame, sd: pd.DataFrame, source: str) -> None:
    numbers = np.concatenate([mean.to_numpy().ravel(), sd.to_numpy().ravel()])
    numbers = numbers[~np.isnan(numbers)]
    if len(numbers) and (np.round(numbers, 4) == numbers).all():
        warn(
            f"{source}: the factors are rounded to four decimals, which shifts z (by up to 0.09 on"
            " TREC data) and makes 0 of a small sd; use factors of full precision if there are any"
        )


def write_trec_eval(mean: pd.DataFrame, sd: pd.DataFrame, path) -> None:
    names = {metric: to_trec_eval(metric) for metric in mean.columns}
    left_out = [metric for metric, name in names.items() if name is None]
    if len(left_out) == len(names):
        raise ValueError(
            f"none of the metrics {listed(left_out, 20)} has a name in trec_eval; those that have"
            f" are {listed(TREC_EVAL.values())}, P@k, nVDCG@k, R@k, AP@k and Success@k. Factors"
            ' know the metric of scores of several, and of load_dataset(name, "AP"); else say'
            ' standardization_factors(scores, metric="AP")'
        )
    if left_out:
        warn(f"left out, since trec_eval has no such measure: {listed(left_out, 20)}")
    check_topics(mean.index)
    rows = [
        f"{topic}\t{name}\t{mu!r}\t{sigma!r}\n"
        for topic, means, sds in zip(
            mean.index, mean.to_numpy().tolist(), sd.to_numpy().tolist(), strict=True
        )
        for name, mu, sigma in zip(names.values(), means, sds, strict=True)
        if name and not np.isnan(sigma)
    ]
    write_text("".join(rows), path)


def read_trec_eval(path) -> tuple[pd.DataFrame, pd.DataFrame]:
    lines = read_lines(path, Z_LINE)
    keys = lines.columns.to_pandas().rename(columns={"measure": "metric"})
    keys["metric"] = keys["metric"].map(from_trec_eval)
    twice = keys.duplicated(["topic", "metric"]).to_numpy()
    if twice.any():
        lines.fail(int(twice.argmax()), "a second line of this topic and measure")
    topics, metrics = keys["topic"].unique(), keys["metric"].unique()
    mean, sd = (
        keys.pivot(index="topic", columns="metric", values=value).loc[topics, metrics]
        for value in ("mean", "sd")
    )
    return mean, sd
