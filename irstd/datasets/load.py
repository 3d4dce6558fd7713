"""Catalogue of data sets, and functions that load them."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd

from irstd._base.arguments import check_choice, check_list
from irstd._base.matrix import ScoreTable
from irstd.datasets._fetch import BUNDLED, fetch_file, fetch_folder
from irstd.documentation import documentation_campaign
from irstd.evaluation import evaluate
from irstd.factors import Factors
from irstd.metrics.names import translate_name
from irstd.simulate import judge_collection, simulate_campaign

CATALOGUE = files("irstd.datasets") / "catalogue.json"  # details by name
_simulate_campaign = functools.cache(simulate_campaign)


def list_datasets() -> pd.DataFrame:
    """List the data sets and the tracks whose scores are not public.

    Returns
    -------
    DataFrame
        One row per data set, index ``name``:

        ========== =======================================================================
        metrics    metrics that it has; "any" is any that `evaluate` knows
        factors    sources of its factors (the mean and standard deviation of each topic):
                   "bundled" with irstd, "authors'" of 2008, fetched, or both; or "none". See
                   `load_factors`
        systems    number of systems (<NA> if not known)
        topics     number of topics
        kind       "simulated"; "documentation": engines on the documentation of numpy, scipy,
                   pandas; "public": scores, fetched on demand; "runs": public run files and
                   judgments; "not public": scores to be had from NIST only
        track      the TREC track, or what is simulated
        license    license of the scores
        citation   reference to cite for the scores
        ========== =======================================================================

    Examples
    --------
    >>> list_datasets().loc[["sim-trec8", "trec8"], ["metrics", "systems", "topics", "kind"]]
                metrics  systems  topics       kind
    name
    sim-trec8           any      129      50  simulated
    trec8      AP, P@10, RR      129      50     public
    """
    table = pd.DataFrame.from_dict(_read_catalogue(), orient="index").rename_axis("name")
    metrics = {name: ", ".join(_list_metrics(about)) for name, about in _read_catalogue().items()}
    has_any = table["kind"].isin(["simulated", "documentation", "runs"])
    table["metrics"] = pd.Series(metrics).mask(has_any, "any")
    columns = ["metrics", "systems", "topics", "kind", "factors", "track", "license", "citation"]
    return table[columns].astype({"systems": "Int64", "topics": "Int64"})


def load_dataset(name: str, metric: str | Sequence[str] | None = None) -> pd.DataFrame:
    """Load a data set as a score matrix.

    Parameters
    ----------
    name : str
        A name in `list_datasets`. Simulated data, documentation, and AP of ``trec7``, ``trec8``,
        ``robust2003`` and ``robust2004`` need no network. Other files are looked up in the folder
        that the environment variable ``IRSTD_DATA`` names, then in the user's cache (or
        ``IRSTD_CACHE``); otherwise they are downloaded once and verified.
    metric : str or sequence of str, optional
        A metric of the data set; for simulated ones and for run files, any that `evaluate` knows.
        By default AP, or the data set's only metric; for ``sim-judges`` nRBP.9.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str: the TREC topic ids where they are
        known, and else "1", "2", … in the order of the file), one column per system. For a sequence
        of metrics, columns ``(metric, system)``; for judges, ``(judge, system)``. Its ``attrs``
        hold the name of the ``collection`` (the same for data sets that share topics, such as
        ``trec7`` and ``robust2004``) and, if there is only one, the ``metric``.

    Raises
    ------
    ValueError
        If there is no such data set, or not in this metric; if its scores are not public; if the
        SHA-256 of a file is not the expected one; if ``IRSTD_DATA`` names no folder.
    ConnectionError
        If the file is not on this machine and cannot be downloaded; says how to get it.

    Notes
    -----
    The systems of public matrices are anonymous, by agreement with NIST: they are numbered, under
    the name of the data set (``trec7/run16``), and must not be matched to runs, nor between data
    sets. ``robust2004`` in nDCG has the topics 601-700 only, and its systems are numbered otherwise
    (``run1``, not ``sys1``).

    All nDCG are discounted by log2(rank + 1). In ``nDCG@20`` of ``web2010`` to ``web2014`` the
    gains are exponential, as TREC's gdeval has them: compare it with ``evaluate(...,
    gain="exponential")``; in nDCG of ``robust2004`` and ``terabyte2006`` they are trec_eval's,
    linear.

    ``judges-dl2019``, ``-dl2020``, ``-dl2021`` are scores of the same runs under several judges:
    ``scores["original"]``, the human judges, and twelve language models; ``sim-judges`` has this
    form, too. The metric is "compatibility", the rank-biased overlap with an ideal ranking. A topic
    that a judge has not judged, or a data set that a model of ``mteb-retrieval`` lacks, is NaN.

    Examples
    --------
    >>> load_dataset("sim-trec8").iloc[:2, :3].round(3)
    system  t8orig01a  t8orig01b  t8orig01c
    topic
    401         0.101      0.311      0.125
    402         0.266      0.464      0.412
    """
    check_choice(name, _read_catalogue(), "name")
    about = _read_catalogue()[name]
    if about["kind"] == "not public":
        raise ValueError(
            f"the scores of {name} ({about['track']}) are not public, but its factors are:"
            f' load_factors("{name}", source="authors")'
        )
    if metric is None:
        metric = _list_metrics(about)[0]
    several = not isinstance(metric, str)
    if several and "judged_in" in about:
        raise ValueError(f"metric must be a single name for {name}, got {metric!r}")
    asked: Any = check_list(metric, "metric", '["AP", "P@10"]') if several else metric
    if name == "sim-judges":
        scores = judge_collection(_simulate_campaign()["sim-robust2003"], metric=asked)
    elif about["kind"] == "simulated":
        campaign = _simulate_campaign()
        parts = [campaign[part].scores(asked, about["which"]) for part in about["parts"]]
        scores = pd.concat(parts)
    elif about["kind"] == "documentation":
        scores = documentation_campaign()[name].scores(asked)
    elif about["kind"] == "runs":
        scores = _score_runs(name, asked)
    elif several:
        tables = {each: _read_public_scores(name, each) for each in asked}
        scores = pd.concat(tables, axis=1, names=["metric"])
    else:
        scores = _read_public_scores(name, asked)
    scores.attrs = {"collection": about.get("collection", name)}
    if several:
        return ScoreTable.from_scores(scores)
    scores.attrs["metric"] = translate_name(asked)
    return scores


def load_factors(
    name: str, metric: str | Sequence[str] | None = None, *, source: str = "irstd"
) -> Factors:
    """Load published standardization factors of a collection.

    Parameters
    ----------
    name : str
        A collection that has factors: see the column ``factors`` of `list_datasets`.
    metric : str or sequence of str, optional
        One metric or several; by default all that have factors.
    source : {"irstd", "authors"}, default "irstd"
        ``"irstd"``: means and standard deviations of the public scores, and of the engines of the
        documentation collections, which come with irstd. ``"authors"``: those that Webber, Moffat
        and Zobel published in 2008 for seventeen collections and eleven metrics, fetched once.

    Returns
    -------
    Factors
        Means and standard deviations by topic, over all systems of the track whose scores are
        public. Topics have their TREC ids; where these are not known, the numbers of their rows, as
        `load_dataset` has them.

    Raises
    ------
    ValueError
        If there are no such factors, or not in this metric; if the SHA-256 of a file is not the
        expected one.
    ConnectionError
        If files of the authors are not on this machine and cannot be downloaded; says how to get
        them.

    Notes
    -----
    The bundled factors of TREC collections are computed from scores that Urbano and colleagues
    published, and are under the same license, CC BY-SA 4.0; ``datapackage.json`` beside them has
    the source, date, citation and SHA-256 of each file. The page *Standardization factors* is their
    index.

    The authors' files have no license, and are never bundled. Their VDCG and nVDCG are DCG and nDCG
    here, their DCG and nDCG are JDCG and nJDCG. For TREC 5 to 8 and Robust 2003 and 2004, both
    sources agree to 2e-15 in AP and ``P@10``, except AP of TREC 6 and 8, to 1e-6: one system on one
    topic differs in the last of four digits. RR of TREC 6 to 8 differs by up to .014: public RR is
    rounded to four digits, and on some topics (nine of TREC 6) one system has its first relevant
    document at another rank, such as 3 instead of 1 on topic 304, though its AP is the same: the
    programs seem to have ordered documents of equal score differently.

    Of ``web2004``, 150 of the authors' 225 topics are public; of ``terabyte2006``, 149 topics are
    public, and 50 are the authors'. These rows have no topic ids, so the two cannot be matched.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346.

    Examples
    --------
    >>> factors = load_factors("trec8", "AP")
    >>> factors
    Factors(50 topics, 129 systems, metrics AP)
    >>> factors.mean.head(2).round(3)
    metric     AP
    topic
    401     0.048
    402     0.204
    """
    check_choice(source, ("irstd", "authors"), "source")
    if source == "authors":
        factors = _load_authors_factors(name)
    else:
        check_choice(name, bundled_factors(), "name")
        factors = Factors.from_csv(BUNDLED / f"{name}.mean.csv", BUNDLED / f"{name}.sd.csv")
    if metric is None:
        return factors
    metrics = [metric] if isinstance(metric, str) else list(metric)
    for each in metrics:
        check_choice(each, factors.mean.columns, f"metric of {name}")
    factors = factors[metrics]
    topics = factors.mean.dropna(how="all").index  # in some metric there are fewer
    return replace(factors, mean=factors.mean.loc[topics], sd=factors.sd.loc[topics])


def bundled_factors() -> list[str]:
    """Return the names of collections whose factors are bundled with irstd."""
    return [name for name, about in _read_catalogue().items() if "bundled" in about["factors"]]


def _load_authors_factors(name: str) -> Factors:
    """Load the factors that the authors published; download them if needed."""
    published = {entry: about for entry, about in _read_catalogue().items() if "authors" in about}
    check_choice(name, published, "name")
    about = published[name]
    means, sds = (fetch_file(f"{about['authors']}.{kind}.csv") for kind in ("mn", "sd"))
    factors = Factors.from_csv(means, sds, names="page")
    n_systems = about["systems"] if about["kind"] == "public" else None
    collection = about.get("collection", name)
    if n_systems and "topic_ids" not in about:  # the rows of the public scores are only numbered
        collection = f"{collection} by topic ids"
    return replace(factors, n_systems=n_systems, collection=collection)


def fetch_dataset(name: str, metric: str | None = None) -> Path:
    """Return the path to the files of a real data set; download them if needed.

    Parameters
    ----------
    name : str
        A data set of kind "public" or "runs".
    metric : str, optional
        Metric of the score file; by default AP, or the data set's only metric. For
        ``judges-dl2019`` and its like, the judge. For ``trec7``, ``trec8`` and ``robust2003``
        "qrels", too: the judgments.

    Returns
    -------
    Path
        The file of scores; for ``"robust2003-runs"``, a folder with the run files in ``runs``
        and the judgments in ``qrels/robust03_qrels.txt``.

    Raises
    ------
    ValueError, ConnectionError
        As `load_dataset`.

    Warns
    -----
    UserWarning
        For ``"robust2003-runs"``, naming runs that cannot be downloaded.
    """
    entries = _read_catalogue().items()
    real = {entry: about for entry, about in entries if about["kind"] in ("public", "runs")}
    check_choice(name, real, "name")
    about = real[name]
    if "folder" in about:
        return fetch_folder(about["folder"], needed=about["qrels"])
    files = dict(about["files"])
    if "qrels" in about:
        files["qrels"] = about["qrels"]
    if metric is None:
        metric = next(iter(files))
    kind = "judge" if "judged_in" in about else "metric"
    check_choice(metric, files, f"{kind} of {name}")
    return fetch_file(files[metric])


@functools.cache
def _read_catalogue() -> dict[str, dict[str, Any]]:
    """Read the catalogue of data sets.

    kind, track, systems, topics, factors, license, citation, and: ``parts`` of the simulated
    campaign and ``which`` of their systems; or ``files`` by metric, keys of the registry, with
    ``topic_ids`` by metric if the files have none; by judge, if they are ``judged_in`` one metric;
    ``qrels``; the beginning of the keys of the ``authors``' factors; the ``collection`` if other
    data sets have the same topics.
    """
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


def _list_metrics(about: dict[str, Any]) -> list[str]:
    """Return the metrics of a data set; the first is the default."""
    if "judged_in" in about:
        return [about["judged_in"]]
    default = [] if about["kind"] == "not public" else ["AP"]
    return list(about.get("files", default))


def _score_runs(name: str, metric: str | list[str]) -> pd.DataFrame:
    """Evaluate the run files of a data set."""
    folder = fetch_dataset(name)
    with warnings.catch_warnings():
        # That some runs lack topics, where they score 0, and one has ties, is known of these.
        warnings.filterwarnings("ignore", "evaluate: (topics missing from a run|all scores of)")
        return evaluate(folder / "runs", folder / "qrels" / "robust03_qrels.txt", metric)


def _read_public_scores(name: str, metric: str) -> pd.DataFrame:
    """Read the public scores of a data set in one metric."""
    about = _read_catalogue()[name]
    check_choice(metric, _list_metrics(about), f"metric of {name}")
    if "judged_in" in about:
        judges = {judge: _read_judge(fetch_dataset(name, judge)) for judge in about["files"]}
        table = pd.concat(judges, axis=1, names=["judge", "system"])
        return table.sort_index(key=lambda topics: topics.astype(int))
    path = fetch_dataset(name, metric)
    if path.suffix == ".jsonl":
        return _read_leaderboard(path)
    table = pd.read_csv(path, dtype=str)
    if "topic" in table:
        table = table.set_index("topic")
    else:  # most have no ids of topics: they are numbered from 1 where these are not known
        topics = about.get("topic_ids", {}).get(metric, f"1-{len(table)}")
        table.index = pd.Index(_expand_topics(topics), name="topic")
    return table.astype(float).rename_axis(columns="system").add_prefix(f"{name}/")


def _expand_topics(spans: str) -> list[str]:
    """Expand a list of topic ids such as ``601-671 673``."""
    topics: list[str] = []
    for span in spans.split():
        first, _, last = span.partition("-")
        topics += map(str, range(int(first), int(last or first) + 1))
    return topics


def _read_judge(path: Path) -> pd.DataFrame:
    """Read one judge's scores from a file of blocks by run."""
    rows = pd.read_csv(path, names=["system", "topic", "score"], dtype=str)
    rows = rows[(rows["system"] != "runid") & (rows["topic"] != "average")]
    return rows.astype({"score": float}).pivot(index="topic", columns="system", values="score")


def _read_leaderboard(path: Path) -> pd.DataFrame:
    """Read MTEB's archived leaderboard as a score matrix (data sets by models).

    A model has the name that its link shows or, where others show the same, the end of its address.
    """
    lines = path.read_text("utf-8").splitlines()
    board = pd.DataFrame(map(json.loads, lines))
    names = board["Model"].str.replace("<[^>]*>", "", regex=True).str.strip()
    ends = board["Model"].str.extract(r'href="[^"]*?([^/"]+/[^/"]+)/?"')[0]
    is_shared = names.duplicated(keep=False)
    systems = names.where(~is_shared, ends.fillna(names))
    board.index = pd.Index(systems, name="system")
    tasks = board.loc[:, "ArguAna":].apply(pd.to_numeric)  # type: ignore[misc]
    return (tasks.T / 100).round(12).rename_axis("topic")
