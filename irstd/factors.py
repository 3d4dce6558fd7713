"""Standardization factors: what the standardizing systems score on each topic, to be published."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._arrays import TINY
from irstd._checks import check_choice, check_scores, listed
from irstd.trec import _factor_files

NEAR = 1e-3  # of their size, by which scores of a topic differ


@dataclass(frozen=True, eq=False)
class Factors:
    """Standardization factors: what the standardizing systems score on each topic.

    Attributes
    ----------
    mean, sd : DataFrame
        A row a topic (index ``topic``), a column a metric: mean and standard deviation (ddof=1)
        over the standardizing systems. The sd is exactly 0 where they all score the same.
    n_systems : int or None
        How many standardizing systems there are; None if the file does not tell.

    See Also
    --------
    standardization_factors : factors from scores.

    Examples
    --------
    >>> import irstd
    >>> factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8", ["AP", "RR"]))
    >>> factors
    Factors(50 topics, 129 systems, metrics AP, RR)
    >>> factors["AP"].mean.shape
    (50, 1)
    """

    mean: pd.DataFrame
    sd: pd.DataFrame
    n_systems: int | None = None

    def __post_init__(self) -> None:
        if not (
            self.mean.index.equals(self.sd.index) and self.mean.columns.equals(self.sd.columns)
        ):
            raise ValueError("mean and sd must have the same topics and the same metrics")
        if (self.sd < 0).to_numpy().any():
            topics = self.sd.index[(self.sd < 0).any(axis=1)]
            raise ValueError(f"sd must not be negative; it is on the topics {listed(topics)}")

    def __repr__(self) -> str:
        systems = "an unknown number of" if self.n_systems is None else self.n_systems
        metrics = listed(self.mean.columns, 20)
        return f"Factors({len(self.mean)} topics, {systems} systems, metrics {metrics})"

    def __getitem__(self, metrics: str | list[str]) -> Factors:
        """The factors of one metric or of several."""
        chosen = [metrics] if isinstance(metrics, str) else list(metrics)
        for metric in chosen:
            check_choice(metric, self.mean.columns, "metric")
        return Factors(self.mean[chosen], self.sd[chosen], self.n_systems)

    def to_csv(self, mean_path, sd_path) -> None:
        """Write the pair of CSV files of the factor page, at full precision.

        Parameters
        ----------
        mean_path, sd_path : path
            Files of the means and of the standard deviations: a first line with the names of the
            metrics, a first column with the topics.

        Notes
        -----
        Names are written as they are, in quotes where CSV needs them, so that what is read is what
        was written. A spreadsheet takes a name that begins with ``=``, ``+``, ``-`` or ``@`` for a
        formula: mind that with names that are not your own.
        """
        _factor_files.write_csv(self.mean, mean_path)
        _factor_files.write_csv(self.sd, sd_path)

    @classmethod
    def from_csv(cls, mean_path, sd_path, *, n_systems: int | None = None) -> Factors:
        """Read the pair of CSV files of the factor page.

        Parameters
        ----------
        mean_path, sd_path : path
            As `to_csv` writes them.
        n_systems : int, optional
            How many standardizing systems there were, which the files do not tell.

        Raises
        ------
        ValueError
            With file and line, if a file is not such a table; if the two differ in topics or in
            metrics; if a standard deviation is negative.

        Warns
        -----
        UserWarning
            If all numbers have four decimals at most: this shifts z, by up to 0.09 on TREC data,
            and makes 0 of a small standard deviation.
        """
        mean, sd = _factor_files.read_csv(mean_path), _factor_files.read_csv(sd_path)
        return cls._read(mean, sd, n_systems, f"{mean_path}, {sd_path}")

    def to_trec_eval(self, path) -> None:
        """Write the file that ``trec_eval -Z`` reads: lines ``topic measure mean sd``.

        The metrics are given trec_eval's names: AP ``map``, RR ``recip_rank``, RP ``Rprec``, P@10
        ``P_10``, nVDCG ``ndcg`` (which is what trec_eval computes under that name), nVDCG@20
        ``ndcg_cut_20``, and VDCG ``dcg`` (trec_eval 10). SP, DCG, nDCG and RBP have no name there
        and are left out with a warning. Numbers are written at full precision.

        Parameters
        ----------
        path : path

        Raises
        ------
        ValueError
            If none of the metrics has a name in trec_eval.
        """
        _factor_files.write_trec_eval(self.mean, self.sd, path)

    @classmethod
    def from_trec_eval(cls, path, *, n_systems: int | None = None) -> Factors:
        """Read a file for ``trec_eval -Z``: lines ``topic measure mean sd``.

        Measures get the names they have here, those that `to_trec_eval` lists; others keep theirs.

        Parameters
        ----------
        path : path
        n_systems : int, optional
            How many standardizing systems there were, which the file does not tell.

        Raises
        ------
        ValueError
            With file and line, if a line is malformed or repeats a topic and measure.

        Warns
        -----
        UserWarning
            If all numbers have four decimals at most, as in `from_csv`.
        """
        mean, sd = _factor_files.read_trec_eval(path)
        return cls._read(mean, sd, n_systems, str(path))

    @classmethod
    def _read(cls, mean, sd, n_systems: int | None, source: str) -> Factors:
        try:
            factors = cls(mean, sd, n_systems)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from error
        _factor_files.warn_if_rounded(mean, sd, source)
        return factors


def standardization_factors(scores: pd.DataFrame, *, metric: str = "score") -> Factors:
    """The factors of a test collection, from the scores of its standardizing systems.

    Compute them from all standardizing systems, before any is filtered out.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (a row a topic, a column a system), or several with columns
        ``(metric, system)`` as `evaluate` returns them.
    metric : str, default "score"
        The name of the metric, if `scores` is a single score matrix, which does not have it.

    Returns
    -------
    Factors
        Mean and standard deviation (ddof=1) of each topic and metric, at full precision, and the
        number of systems.

    Raises
    ------
    ValueError
        If there are fewer than two systems.

    Warns
    -----
    UserWarning
        If scores are missing (NaN), naming the topics: their factors are those of the systems that
        have a score, and NaN if fewer than two have.

    Notes
    -----
    mu_t = mean_s x_st and sigma_t = sd_s x_st. R-normalization divides a topic by a constant, so
    the standardized scores of AP and SP, of nDCG and DCG, and of nVDCG and VDCG are the same.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346.

    Examples
    --------
    >>> import irstd
    >>> factors = standardization_factors(irstd.load_dataset("sim-trec8"), metric="AP")
    >>> factors.n_systems, factors.sd.shape
    (129, (50, 1))
    """
    scores = check_scores(scores, several=True, complete=False)
    blocks = by_metric(scores, metric)
    topics = scores.index[scores.isna().any(axis=1)]
    if len(topics):
        warnings.warn(
            f"the standardizing systems lack scores on the topics {listed(topics)}: the factors are"
            " those of the systems that have one",
            stacklevel=2,
        )
    values = {name: moments(block.to_numpy()) for name, block in blocks.items()}
    mean, sd = (
        pd.DataFrame({name: pair[i] for name, pair in values.items()}, scores.index)
        for i in range(2)
    )
    mean.columns = sd.columns = pd.Index(list(values), name="metric")
    return Factors(mean, sd, max(block.shape[1] for block in blocks.values()))


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1) of each row; the sd is exactly 0 where all values are the same."""
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        gaps = np.isnan(values).any()
        least, most, mean_of, sd_of = (
            (np.nanmin, np.nanmax, np.nanmean, np.nanstd)
            if gaps
            else (np.min, np.max, np.mean, np.std)
        )
        low, high, mean = (of(values, axis=1) for of in (least, most, mean_of))
        sd = sd_of(values, axis=1, ddof=1)
        width, size = high - low, np.maximum(np.abs(low), np.abs(high))
        near = np.flatnonzero((low != high) & ((width < NEAR * size) | (size < TINY)))
        if len(near):  # sums, or squares, lose the digits in which these scores differ
            rows = np.array(values[near], order="C")  # the layout in memory moves the last bit
            rows.sort(axis=1)  # as the order of systems does
            mean[near] = mean_of(rows, axis=1)
            rows = (rows - low[near, None]) / width[near, None]
            sd[near] = sd_of(rows, axis=1, ddof=1) * width[near]
    few = np.isfinite(values).sum(axis=1) < 2
    sd[low == high] = 0
    mean[low == high] = low[low == high]
    mean[few] = sd[few] = np.nan
    return mean, sd


def by_metric(scores: pd.DataFrame, name: str | None = None) -> dict:
    """Score matrices by metric; a single one under `name`."""
    if scores.columns.nlevels == 1:
        return {name: scores}
    metrics = scores.columns.get_level_values(0)
    return {metric: scores.loc[:, metrics == metric] for metric in metrics.unique()}
