"""Simulated collections: topics, systems and a pool of judged documents."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice, check_count
from irstd._base.matrix import ScoreTable
from irstd._base.messages import list_items, listed, warn
from irstd.metrics import Ranking, parse_metric
from irstd.simulate._model import LEANINGS, draw_more_topics, seed_number
from irstd.simulate._truth import RUN_LENGTH, Truth
from irstd.trec.disk import AnyPath
from irstd.trec.runs import write_qrels, write_run


@dataclass(frozen=True, eq=False)
class Collection:
    """Simulated test collection: topics, systems and a pool of judged documents.

    Returned by `simulate_campaign`, and by the methods `judge` and `more_topics` of another one.

    Attributes
    ----------
    depth : int or None
        Number of documents of each pooled run that are judged; None if all are.
    """

    _truth: Truth
    depth: int | None
    _groups: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the collection, such as ``sim-trec7``."""
        return self._truth.name

    def __repr__(self) -> str:
        systems = self._truth.systems
        return (
            f"<Collection {self.name}: {len(self._truth.topics)} topics,"
            f" {systems['original'].sum()} original and {systems['later'].sum()} later systems>"
        )

    @property
    def topics(self) -> pd.DataFrame:
        """Topic parameters, one row per topic.

        ============= ======================================================================
        separation    mean score of the relevant documents, in standard deviations of the
                      other documents' scores; large is easy
        true_relevant number of relevant documents
        relevant      number of known relevant documents: those in the pool
        judged        number of judged documents, relevant or not
        ============= ======================================================================
        """
        known = self._truth.count_by_topic(self._is_known)
        judged = self._truth.count_by_topic(self._is_judged)
        return self._truth.topics.assign(relevant=known, judged=judged)

    @property
    def systems(self) -> pd.DataFrame:
        """System parameters, one row per system.

        ========== =========================================================================
        group      name of its group
        manual     True if people took part in the run
        original   True for the systems of the collection's own campaign, some of which are pooled
        later      True for the systems that are run on all collections
        pooled     True if its run is in the pool
        quality    what it adds to the topic's separation (see `topics`)
        move       what is added to its quality in this collection only
        volatility weight of the topics that suit its group, and of those that do not: above 1,
                   it varies more than others over topics
        failures   probability that it fails on a topic, hard or easy
        slope      above 0, it loses more than others on hard topics, and gains more on easy ones
        ========== =========================================================================
        """
        systems = self._truth.systems.drop(columns=["noise", *LEANINGS])  # of no lesson
        pooled = systems["pooled"] & systems["group"].isin(self._groups)
        return systems.assign(pooled=pooled)

    def judge(
        self, depth: int | None = 100, groups: int | Iterable[str] | None = None
    ) -> Collection:
        """Return the same runs, judged from another pool.

        Parameters
        ----------
        depth : int or None, default 100
            Number of documents judged of each pooled run, at most 1000. With None, every relevant
            document is known, retrieved or not.
        groups : int or list of str, optional
            Groups whose first run is pooled: the number of original groups to take, or their names;
            by default all.

        Returns
        -------
        Collection

        Raises
        ------
        ValueError, TypeError
            If the depth is not 1 to 1000, or there are no such groups.

        Examples
        --------
        >>> import irstd
        >>> ad_hoc = irstd.simulate_campaign()["sim-trec7"]
        >>> [c.topics["relevant"].mean().item() for c in (ad_hoc, ad_hoc.judge(groups=15))]
        [84.76, 65.74]
        """
        if depth is not None and check_count(depth, "depth") > RUN_LENGTH:
            raise ValueError(f"depth must be 1 to {RUN_LENGTH}, or None, got {depth}")
        return replace(self, depth=depth, _groups=self._choose_groups(groups))

    def _choose_groups(self, groups: int | Iterable[str] | None) -> tuple[str, ...]:
        """Choose the groups whose first run is pooled."""
        systems = self._truth.systems
        known = list(systems.loc[systems["pooled"], "group"])
        if groups is None:
            return tuple(known)
        if isinstance(groups, Iterable):
            chosen = tuple(groups)
            for group in chosen:
                check_choice(group, known, "groups")
            return chosen
        if check_count(groups, "groups") > len(known):
            raise ValueError(f"groups must be 1 to {len(known)}, got {groups}")
        return tuple(known[:groups])

    def more_topics(self, n: int, *, seed: Seed = 0) -> Collection:
        """Return the same systems on new topics of the same kind, judged in the same way.

        Scores on a thousand of them are nearly the true ones, which fifty topics estimate: they
        show which of two systems is better, or varies less.

        Parameters
        ----------
        n : int
            Number of new topics, a random sample of all possible ones; a thousand take seconds.
        seed : int or numpy.random.Generator, default 0
            Equal seeds give equal topics.

        Returns
        -------
        Collection
            Its topics are named ``newSEED-1`` to ``newSEED-n``.

        Examples
        --------
        >>> import irstd
        >>> collection = irstd.simulate_campaign()["sim-trec8"]
        >>> truth = collection.more_topics(200, seed=1)
        >>> truth.scores().iloc[:2, :3].round(3)
        system  t8orig01a  t8orig01b  t8orig01c
        topic
        new1-1      0.009      0.050      0.030
        new1-2      0.089      0.365      0.295
        """
        truth = draw_more_topics(self._truth, check_count(n, "n"), seed_number(seed))
        return replace(self, _truth=truth)

    @functools.cached_property
    def _pool(self) -> np.ndarray:
        """Positions of the systems whose runs are pooled."""
        return np.flatnonzero(self.systems["pooled"])

    @functools.cached_property
    def _is_known(self) -> np.ndarray:
        """Mask of the relevant documents that are judged."""
        truth = self._truth
        known = np.zeros(len(truth.topic_of), bool)
        if self.depth is None:
            known[: truth.n_relevant] = True
        else:
            known[: truth.n_relevant] = (truth.ranks[self._pool] <= self.depth).any(axis=0)
        return known

    @functools.cached_property
    def _is_judged(self) -> np.ndarray:
        """Mask of the documents that are judged."""
        return self._is_known | self._truth.retrieved(self._pool, self.depth or RUN_LENGTH)

    @functools.cached_property
    def _is_retrieved(self) -> np.ndarray:
        """Mask of the documents that any run retrieves within the pool depth."""
        rows = np.arange(len(self._truth.systems))
        return self._truth.retrieved(rows, self.depth or RUN_LENGTH)

    def _locate_systems(self, systems: str | Iterable[str]) -> np.ndarray:
        """Return the positions of the chosen systems."""
        table = self._truth.systems
        if isinstance(systems, str):
            check_choice(systems, ("original", "later"), "systems")
            return np.flatnonzero(table[systems])
        names = list(systems)
        for name in names:
            check_choice(name, table.index, "systems")
        return table.index.get_indexer(pd.Index(names))

    def scores(
        self, metric: str | Sequence[str] = "AP", systems: str | Iterable[str] = "original"
    ) -> pd.DataFrame:
        """Score the systems by the judged relevant documents.

        Parameters
        ----------
        metric : str or sequence of str, default "AP"
            Metrics as `irstd.evaluate` takes them.
        systems : {"original", "later"} or iterable of str, default "original"
            A set of systems, or their names. In ``sim-robust2004`` the later systems are the
            original ones.

        Returns
        -------
        DataFrame
            A score matrix; for several metrics with columns ``(metric, system)``. The same as
            `irstd.evaluate` gives on the files that `write` makes. Topics without a known relevant
            document, as in small pools, are left out with a warning.
        """
        if not isinstance(metric, str):
            tables = {name: self.scores(name, systems) for name in metric}
            return ScoreTable.from_scores(pd.concat(tables, axis=1, names=["metric"]))
        without = f"{self.name}: topics without a known relevant document are left out"
        return self._score_systems(systems, metric, self._is_known, without=without)

    def _score_systems(
        self, systems: str | Iterable[str], metric: str, is_relevant: np.ndarray, *, without: str
    ) -> pd.DataFrame:
        """Score systems, given the documents that count as relevant.

        Topics without any are left out, with a warning that begins with `without`.
        """
        rows = self._locate_systems(systems)
        truth = self._truth
        parts = parse_metric(metric)
        if parts.metric.needs_nonrelevant:
            raise ValueError(
                f"{metric} needs the judged documents: evaluate the files that write() creates"
            )
        n_relevant = truth.count_by_topic(is_relevant)
        has_relevant = n_relevant > 0
        topics = truth.topics.index
        if not has_relevant.all():
            warn(f"{without}: {list_items(topics[~has_relevant])}")
        n_relevant = n_relevant[has_relevant]
        ideal = (np.arange(RUN_LENGTH) < n_relevant[:, None]).astype(np.int8)
        best = Ranking.from_grades(ideal, "linear", n_relevant)
        rank_documents = truth.rank_all
        if not is_relevant[truth.n_relevant :].any():  # then others need not be drawn
            rank_documents = truth.rank_relevant
        scores = []
        for row in rows:
            gains = is_relevant[rank_documents(row)[has_relevant]].astype(np.int8)
            run = Ranking.from_grades(gains, "linear", n_relevant)
            scores.append(parts.compute_scores(run, best))
        names = truth.systems.index[rows]
        return pd.DataFrame(np.column_stack(scores), topics[has_relevant], names)

    def run(self, system: str) -> pd.DataFrame:
        """Return a system's run of 1000 documents per topic: query_id, doc_id, score."""
        truth = self._truth
        check_choice(system, truth.systems.index, "system")
        documents = truth.rank_all(list(truth.systems.index).index(system))
        scores = np.arange(RUN_LENGTH, 0.0, -1)
        return truth.frame(documents.ravel()).assign(score=np.tile(scores, len(documents)))

    def qrels(self) -> pd.DataFrame:
        """Return the judgments as a qrels frame: query_id, doc_id, relevance (0 or 1)."""
        truth = self._truth
        judged = np.flatnonzero(self._is_judged)
        order = np.lexsort([truth.labels[judged], truth.topic_of[judged]])
        documents = judged[order]
        is_relevant = documents < truth.n_relevant
        return truth.frame(documents).assign(relevance=is_relevant.astype(int))

    def write(
        self, folder: AnyPath, systems: str | Iterable[str] = "original"
    ) -> tuple[Path, Path]:
        """Write run files and a qrels file in TREC's format.

        Parameters
        ----------
        folder : path
            Folder for ``runs/SYSTEM.gz`` and ``qrels.gz``.
        systems : {"original", "later"} or iterable of str, default "original"
            Systems whose runs are written.

        Returns
        -------
        runs, qrels : Path
            The folder of the runs and the qrels file: arguments for `irstd.evaluate`.

        Raises
        ------
        FileExistsError
            If ``runs`` holds other files.

        Examples
        --------
        >>> import irstd, tempfile
        >>> collection = irstd.simulate_campaign()["sim-robust2003"]
        >>> runs, qrels = collection.write(tempfile.mkdtemp(), ["r3orig01a"])
        >>> irstd.evaluate(runs, qrels, "AP").head(2).round(3)
        system  r3orig01a
        topic
        601         0.336
        602         0.262
        """
        names = self._truth.systems.index[self._locate_systems(systems)]
        runs = Path(folder, "runs")
        qrels = Path(folder, "qrels.gz")
        runs.mkdir(parents=True, exist_ok=True)
        others = {path.name for path in runs.glob("[!.]*")} - set(names + ".gz")
        if others:
            raise FileExistsError(
                f"{runs} holds other files: {listed(sorted(others))}; choose an empty folder"
            )
        write_qrels(self.qrels(), qrels)
        for name in names:
            write_run(self.run(name), runs / f"{name}.gz", tag=name)
        return runs, qrels
