"""Test collections made of the documentation of numpy, scipy and pandas."""

from __future__ import annotations

import functools
import itertools
import json
import lzma
import warnings
from collections.abc import Iterable, Sequence
from importlib.resources import files

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd.documentation.engines import Engines, read_engines
from irstd.documentation.sources import PLACES, read_documents, read_table
from irstd.evaluation import evaluate
from irstd.simulate import Campaign

DEPTH = 100  # documents kept per topic of a run
NOT_INSTALLED = " is not in the versions that are installed here: read it on the web."
FOLDER = files("irstd.documentation")
Runs = dict[str, list[np.ndarray]]  # by engine, the documents of each topic, best first


def documentation_campaign(*, live: bool = False) -> Campaign:
    """Return two test collections, on the documentation of numpy/scipy and pandas.

    Each docstring is a document. The topics are fifty questions per collection, as somebody asks
    who does not know the name of the function. Language models graded documents: 2, 1 or 0. Thirty
    search engines, and two that are broken on purpose, ran all topics.

    Parameters
    ----------
    live : bool, default False
        By default, runs come with the package, with 100 documents per topic: they are the same on
        every machine, and need no engine. If True, the engines index the installed packages in some
        20 seconds, by ``bm25s`` and ``snowballstemmer`` (installed with the extra ``course``).

    Returns
    -------
    Campaign
        ``campaign["docs-numpy"]`` (numpy and scipy) and ``campaign["docs-pandas"]``. Each has the
        tables ``topics`` and ``systems``, the texts ``documents``, and the methods ``scores()``,
        ``run()`` and ``qrels()``; ``help(campaign["docs-pandas"])`` describes them.

    Raises
    ------
    ImportError
        If `live` needs engines that are not installed.

    Notes
    -----
    Texts are read from the installed packages, and are not part of irstd. The page "The
    documentation collection" of the site says how topics and judgments were made.

    Examples
    --------
    >>> import irstd
    >>> pandas_docs = irstd.documentation_campaign()["docs-pandas"]
    >>> pandas_docs.scores("AP").mean().nlargest(3).round(3)
    system
    lsa-150-both    0.564
    fusion-all      0.464
    text-long       0.446
    dtype: float64
    """
    collections = {name: DocumentationCollection(name, live=live) for name in PLACES}
    return Campaign("documentation", 0, collections)  # type: ignore[arg-type]


class DocumentationCollection:
    """Test collection with topics, documents, judgments and engines.

    Parameters
    ----------
    name : {"docs-numpy", "docs-pandas"}
    live : bool, default False
        As in `documentation_campaign`.
    """

    def __init__(self, name: str, *, live: bool = False) -> None:
        self.name = name
        self.live = live
        questions = read_table("topics.csv").query("collection == @name").set_index("topic")
        self._questions = questions[["title", "description"]]

    def __repr__(self) -> str:
        return f"<Collection {self.name}: {len(self._questions)} topics>"

    @functools.cached_property
    def documents(self) -> pd.Series:
        """Installed texts by dotted name.

        If the installed versions lack a judged or retrieved document, its text says so, and its
        name is in ``attrs["missing"]``. With ``live=True`` it is left out.
        """
        installed = read_documents(self.name)
        if self.live:
            return installed
        retrieved = itertools.chain.from_iterable(self._runs.values())
        doc_ids = set(self.qrels()["doc_id"]).union(*retrieved)
        missing = pd.Index(doc_ids).difference(installed.index)
        documents = pd.concat([installed, pd.Series(missing + NOT_INSTALLED, missing)])
        documents.attrs["missing"] = missing.tolist()
        return documents.rename("text").rename_axis("doc_id")

    @property
    def systems(self) -> pd.DataFrame:
        """Settings of the engines, one row per engine.

        The columns are described in `irstd.documentation.engines`.
        """
        return read_engines()

    @functools.cached_property
    def topics(self) -> pd.DataFrame:
        """Topics: title, description, and numbers of judged and relevant documents."""
        grades = self.qrels().groupby("query_id")["relevance"]
        relevant = grades.agg(lambda of_topic: (of_topic > 0).sum())
        return self._questions.assign(judged=grades.size(), relevant=relevant)

    def qrels(self, judge: str = "adjudicated") -> pd.DataFrame:
        """Return the judgments as a qrels frame: query_id, doc_id, relevance (0 to 2).

        Parameters
        ----------
        judge : {"adjudicated", "first", "second"}, default "adjudicated"
            ``"first"`` and ``"second"`` are two independent language models; ``"adjudicated"`` are
            their judgments, with differences decided by a third model. With ``live=True``,
            documents that are not installed are left out.
        """
        check_choice(judge, ("adjudicated", "first", "second"), "judge")
        judged = read_table("judgments.csv").query("collection == @self.name")
        frame = judged[["topic", "doc_id", judge]].reset_index(drop=True)
        frame.columns = ["query_id", "doc_id", "relevance"]
        if self.live:
            frame = frame[frame["doc_id"].isin(self.documents.index)].reset_index(drop=True)
        return frame

    def run(self, system: str) -> pd.DataFrame:
        """Return the run of an engine as a run frame: query_id, doc_id, score.

        The score encodes the rank: 100 for the first document, 99 for the second.
        """
        check_choice(system, read_engines().index, "system")
        retrieved = pd.Series(self._runs[system], self._questions.index, name="doc_id")
        frame = retrieved.explode().dropna().rename_axis("query_id").reset_index()
        return frame.assign(score=DEPTH - frame.groupby("query_id").cumcount().astype(float))

    def scores(
        self, metric: str | Sequence[str] = "AP", systems: Iterable[str] | None = None
    ) -> pd.DataFrame:
        """Return a score matrix of all or some engines.

        Metrics are those of `irstd.evaluate`; several give columns (metric, system). An engine that
        retrieves nothing for a topic scores 0 on it.
        """
        names = read_engines().index if systems is None else systems
        runs = {name: self.run(name) for name in names}
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            scores = evaluate(runs, self.qrels(), metric)
        scores.attrs["collection"] = self.name
        return scores

    @functools.cached_property
    def _runs(self) -> Runs:
        if not self.live:
            return read_packed_runs()[self.name]
        engines = Engines(self.documents)
        names = self.documents.index.to_numpy()
        runs = {}
        for system in read_engines().index:
            best = engines.rank(system, self._questions)[:, :DEPTH]
            runs[system] = [names[row[row >= 0]] for row in best]
        return runs


@functools.cache
def read_packed_runs() -> dict[str, Runs]:
    """Read the runs in the package, by collection and engine."""
    packed = json.loads(lzma.decompress((FOLDER / "runs.json.xz").read_bytes()))
    runs = {}
    for collection, parts in packed["collections"].items():
        names = np.array(parts["names"], dtype=object)
        runs[collection] = {s: [names[row] for row in rows] for s, rows in parts["runs"].items()}
    return runs
