"""Standardization factors and their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import pandas as pd

from irstd._base.arguments import check_choice, check_count, check_text
from irstd._base.arrays import moments
from irstd._base.matrix import ByMetric, check_same_labels, check_scores, scores_by_metric
from irstd._base.messages import describe_few_systems, format_topics, listed, warn
from irstd.metrics import check_range
from irstd.trec import factor_files
from irstd.trec.disk import AnyPath

UNNAMED = "score"  # the metric of factors from scores that do not say theirs


MANY = 10  # topics, of which a share tells something
SWAPPED = 0.02  # share of topics whose sd cannot be one, as if means and sds were swapped


@dataclass(frozen=True, eq=False)
class Factors:
    """Standardization factors: mean and standard deviation of each topic.

    Returned by `standardization_factors` and `load_factors`, and taken by `standardize`; they can
    be published with a test collection. ``factors["AP"]`` are those of one metric, and
    ``factors[["AP", "RR"]]`` of several.

    Attributes
    ----------
    mean, sd : DataFrame
        One row per topic (index ``topic``, str), one column per metric: mean and standard deviation
        (ddof=1) of the standardizing systems' scores. The sd is exactly 0 where they all score the
        same; both are NaN where they are not known.
    n_systems : int or None
        Number of standardizing systems; None if the file does not say.
    collection : str or None
        Name of the test collection (topics, documents and judgments), if known.

    Raises
    ------
    ValueError
        If means and standard deviations differ in topics or metrics, are infinite, or are the same
        numbers; if a standard deviation is negative; if the numbers show that the two are swapped.

    Examples
    --------
    >>> import irstd
    >>> factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8", ["AP", "RR"]))
    >>> factors
    Factors(50 topics, 129 systems, metrics AP, RR)
    >>> factors.mean.head(2).round(3)
    metric     AP     RR
    topic
    401     0.085  0.491
    402     0.207  0.857
    """

    mean: pd.DataFrame
    sd: pd.DataFrame
    n_systems: int | None = None
    collection: str | None = None

    def __post_init__(self) -> None:
        mean = check_scores(self.mean, "mean", complete=False, column_of="metric")
        sd = check_scores(self.sd, "sd", complete=False, column_of="metric")
        check_same_labels(mean.index, sd.index, ("mean", "sd"), of="topics")
        check_same_labels(mean.columns, sd.columns, ("mean", "sd"), of="metrics")
        sd = sd.reindex_like(mean)
        negative = format_topics(sd < 0)
        if negative:
            raise ValueError(f"sd must not be negative, but is on {negative}")
        if mean.size > 1 and mean.equals(sd) and (sd > 0).to_numpy().any():
            raise ValueError("mean and sd are identical: is the same table or file given twice?")
        _refuse_swapped(mean, sd)
        if self.n_systems is not None:
            check_count(self.n_systems, "n_systems", 2)
        if self.collection is not None:
            check_text(self.collection, "collection")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "sd", sd)

    def __repr__(self) -> str:
        systems = "an unknown number of" if self.n_systems is None else self.n_systems
        metrics = listed(self.mean.columns, 20)
        return f"Factors({len(self.mean)} topics, {systems} systems, metrics {metrics})"

    def __getitem__(self, metrics: str | list[str]) -> Factors:
        """Return the factors of one or several metrics."""
        chosen = [metrics] if isinstance(metrics, str) else list(metrics)
        for metric in chosen:
            check_choice(metric, self.mean.columns, "metric")
        return replace(self, mean=self.mean[chosen], sd=self.sd[chosen])

    def to_csv(
        self, mean_path: AnyPath, sd_path: AnyPath, *, about: Mapping[str, Any] | None = None
    ) -> None:
        """Write factors to a pair of CSV files, one of means and one of sds.

        Parameters
        ----------
        mean_path, sd_path : path
            Files of the means and of the standard deviations: one row per topic, one column per
            metric. The header of the first column is ``topic (mean; systems=129;
            collection=trec8)``, as far as known, and ``topic (sd; ...)`` in the other file; with a
            DCG among the metrics, it has ``DCG=log2(rank+1)``, too.
        about : mapping, optional
            Metadata to publish with the files, as JSON can hold it, such as ``title``,
            ``licenses``, ``sources``, ``citation``, ``standardizingSystems``. It is written into
            ``datapackage.json`` in their folder (a Frictionless data package), with the collection,
            the metrics and their formulas, the numbers of systems and topics, topics without a
            scale, date, and SHA-256 of the files. Entries of other files are kept.

        Raises
        ------
        ValueError
            If both paths are one file; with `about`, if they are in two folders.

        Warns
        -----
        UserWarning
            If the metric of the factors is not named: such factors standardize any metric.

        Examples
        --------
        >>> import irstd, tempfile
        >>> factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8"), metric="AP")
        >>> files = [f"{tempfile.mkdtemp()}/{name}.csv" for name in ("means", "sds")]
        >>> factors.to_csv(*files)
        >>> Factors.from_csv(*files)
        Factors(50 topics, 129 systems, metrics AP)
        """
        if UNNAMED in self.mean:
            warn(
                f"these factors have no metric name: they are written as {UNNAMED!r}, which fits"
                ' any metric; name it with standardization_factors(..., metric="AP")'
            )
        origin = (self.n_systems, self.collection)
        factor_files.write_csv(self.mean, self.sd, origin, (mean_path, sd_path), about)

    @classmethod
    def from_csv(cls, mean_path: AnyPath, sd_path: AnyPath, *, names: str = "irstd") -> Self:
        """Read factors from a pair of CSV files, one of means and one of sds.

        Parameters
        ----------
        mean_path, sd_path : path
            As `to_csv` writes them; the first column may have any header.
        names : {"irstd", "page"}, default "irstd"
            Origin of the metric names. ``"page"`` is the page *Standardization factors for IR test
            collections* (Webber 2008), or irstd before 0.4: there DCG and nDCG are JDCG and nJDCG,
            and VDCG and nVDCG are DCG and nDCG.

        Returns
        -------
        Factors

        Raises
        ------
        ValueError
            With file and line, if a file is not such a table; if the two differ in topics or in
            metrics; if a standard deviation is negative; if means and standard deviations are the
            same or, by header or numbers, swapped; if the header contradicts `names`.

        Warns
        -----
        UserWarning
            If no number has more than four decimals: this shifts z, by up to 0.09 on TREC data, and
            rounds a small standard deviation to 0. If a file is not the one described in
            ``datapackage.json`` beside it.
        """
        mean, sd, origin = factor_files.read_csv(mean_path, sd_path, names)
        return cls._read(f"{mean_path}, {sd_path}", mean, sd, *origin)

    def to_trec_eval(self, path: AnyPath) -> None:
        """Write factors for ``trec_eval -Z``: lines ``topic measure mean sd``.

        The metrics get trec_eval's names: ``map`` for AP, ``recip_rank`` for RR, ``Rprec`` for RP,
        ``P_10`` for ``P@10``, ``ndcg`` for nDCG, ``ndcg_cut_20`` for ``nDCG@20``, ``dcg`` for DCG
        (trec_eval 10). SP, JDCG, nJDCG and RBP have no name there and are left out with a warning.
        Numbers are written at full precision.

        Parameters
        ----------
        path : path
            The file to write.

        Raises
        ------
        ValueError
            If none of the metrics has a name in trec_eval.

        Examples
        --------
        >>> import irstd, pathlib, tempfile
        >>> factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8"), metric="AP")
        >>> path = pathlib.Path(tempfile.mkdtemp(), "zscores")
        >>> factors.to_trec_eval(path)
        >>> print(path.read_text().splitlines()[0].split())
        ['401', 'map', '0.08454105004938914', '0.08365743762258385']
        """
        factor_files.write_trec_eval(self.mean, self.sd, path)

    @classmethod
    def from_trec_eval(cls, path: AnyPath) -> Self:
        """Read factors for ``trec_eval -Z``: lines ``topic measure mean sd``.

        Measures that `to_trec_eval` lists get irstd's names; others keep theirs. The file does not
        say how many systems standardized, nor the collection: both are None.

        Parameters
        ----------
        path : path
            As `to_trec_eval` writes it.

        Returns
        -------
        Factors

        Raises
        ------
        ValueError
            With file and line, if a line is malformed or repeats a topic and measure.

        Warns
        -----
        UserWarning
            If no number has more than four decimals, as in `from_csv`.
        """
        mean, sd = factor_files.read_trec_eval(path)
        return cls._read(str(path), mean, sd)

    @classmethod
    def _read(cls, source: str, *parts: Any) -> Self:
        try:
            factors = cls(*parts)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from error
        factor_files.warn_if_rounded(factors.mean, factors.sd, source)
        return factors


def _refuse_swapped(mean: pd.DataFrame, sd: pd.DataFrame) -> None:
    """Raise ValueError if means and standard deviations appear to be swapped."""
    # The variance of six or more scores in [0, 1] is at most 6/5 m (1 - m).
    impossible = sd**2 > 6 / 5 * mean * (1 - mean) + 1e-9
    if_swapped = mean**2 > 6 / 5 * sd * (1 - sd) + 1e-9
    swapped = (impossible.mean() >= SWAPPED) & ~if_swapped.any()
    if len(mean) >= MANY and swapped.any():
        raise ValueError(
            f"the standard deviations are too large for scores with these means on"
            f" {format_topics(impossible)}: mean and sd seem swapped; give the means first"
        )


def standardization_factors(scores: pd.DataFrame, *, metric: str | None = None) -> Factors:
    """Return the standardization factors of a test collection.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (one row per topic, one column per system), or several with columns
        ``(metric, system)`` as `evaluate` returns them.
    metric : str, optional
        Name of the metric of a single score matrix; by default ``scores.attrs["metric"]``, else
        "score", which fits any metric.

    Returns
    -------
    Factors
        ``mean`` and ``sd`` (ddof=1) of each topic and metric, at full precision; ``n_systems`` (of
        the metric that has most); and ``collection``, if ``scores.attrs["collection"]`` names it.

    Raises
    ------
    ValueError
        If there are fewer than two systems; if scores are outside the range of `metric`.

    Warns
    -----
    UserWarning
        If there are fewer than ten systems. If scores are missing (NaN), naming the topics: their
        factors are those of the systems that have a score, and NaN if fewer than two have.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346.

    Examples
    --------
    >>> import irstd
    >>> factors = standardization_factors(irstd.load_dataset("sim-trec8"), metric="AP")
    >>> factors.mean.head(2).round(3)
    metric     AP
    topic
    401     0.085
    402     0.207
    >>> factors.sd.head(2).round(3)
    metric     AP
    topic
    401     0.084
    402     0.139
    """
    parts = scores_by_metric(scores, systems=2)
    if metric is not None:
        parts = _name_metric(parts, metric)
    mean, sd, _, collection = moments_by_metric(parts)
    n_systems = max(part.shape[1] for part in parts.values())
    messages = describe_few_systems(n_systems)
    gaps = pd.concat(parts, axis=1).isna()
    if gaps.any(axis=None):
        messages.append(
            f"some standardizing systems have no score on {format_topics(gaps)}: factors there are"
            " those of the other systems"
        )
    warn(*messages)
    return Factors(mean, sd, n_systems, collection)


class Moments(NamedTuple):
    """Factors computed from score matrices, with the smallest number of systems."""

    mean: pd.DataFrame
    sd: pd.DataFrame
    n_systems: int
    collection: str | None


def moments_by_metric(parts: ByMetric) -> Moments:
    """Return each topic's mean and standard deviation by metric."""
    means, sds = {}, {}
    for metric, part in parts.items():
        mean, sd = moments(part.to_numpy())
        means[metric or UNNAMED] = pd.Series(mean, part.index)
        sds[metric or UNNAMED] = pd.Series(sd, part.index)
    n_systems = min(part.shape[1] for part in parts.values())
    return Moments(pd.DataFrame(means), pd.DataFrame(sds), n_systems, part.attrs.get("collection"))


def _name_metric(parts: ByMetric, metric: str) -> ByMetric:
    """Name the metric of a single score matrix."""
    check_text(metric, "metric")
    if len(parts) > 1:
        raise ValueError(
            f"metric={metric!r} cannot name several metrics: scores has {listed(parts)}"
        )
    (part,) = parts.values()
    check_range(part, metric, "scores")
    return {metric: part}
