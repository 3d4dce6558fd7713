"""Widget for relevance judgments, one document at a time."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path

import anywidget
import pandas as pd
from traitlets import Dict, Int, List, Unicode, observe

from irstd.trec.disk import check_words
from irstd.trec.runs import read_qrels, write_qrels


class Judging(anywidget.AnyWidget):
    """Widget of a topic's documents and their grades; see `judge`."""

    _esm = Path(__file__).parent / "judging.js"
    question = Unicode().tag(sync=True)
    names = List(Unicode()).tag(sync=True)
    texts = List(Unicode()).tag(sync=True)
    grades = Dict().tag(sync=True)
    kept = Dict().tag(sync=True)  # grades in the file
    theirs = Dict().tag(sync=True)  # grades of others, shown once all are judged
    at = Int(0).tag(sync=True)
    trouble = Unicode().tag(sync=True)

    def __init__(
        self,
        topic: str,
        question: str,
        documents: Mapping[str, str],
        *,
        path: str | Path | None = None,
        qrels: pd.DataFrame | None = None,
    ) -> None:
        texts = dict(documents.items())
        if not texts:
            raise ValueError("documents must have at least one document to judge, got none")
        check_words([topic], "topic")
        check_words(texts, "document")
        self.topic = topic
        self.path = Path(path or f"judged-{topic}.qrels")
        names = list(texts)
        saved = self._read_file()
        grades = _select_grades(saved, topic, names)
        theirs = {}
        if qrels is not None:
            theirs = _select_grades(qrels, topic, names)
        unjudged = [n for n, name in enumerate(names) if name not in grades]
        super().__init__(
            question=question,
            names=names,
            texts=list(texts.values()),
            grades=grades,
            kept=grades,
            theirs=theirs,
            at=min(unjudged, default=len(names)),
        )

    def _read_file(self) -> pd.DataFrame:
        if self.path.exists():
            return read_qrels(self.path)
        return pd.DataFrame(columns=["query_id", "doc_id", "relevance"]).astype({"relevance": int})

    @property
    def qrels(self) -> pd.DataFrame:  # noqa: D102 (an attribute)
        grades = pd.Series(self.grades, self.names, name="relevance").dropna().astype(int)
        frame = grades.rename_axis("doc_id").reset_index()
        frame.insert(0, "query_id", self.topic)
        return frame

    @observe("grades")
    def _save_grades(self, _: dict) -> None:
        """Save the grades, and report to the page whether they are saved."""
        try:
            self._write_file()
        except (OSError, ValueError) as error:
            self.trouble = str(error)
            raise
        self.trouble = ""
        self.kept = self.grades

    def _write_file(self) -> None:
        """Write the grades to the file, keeping its other judgments."""
        saved = self._read_file()
        is_mine = (saved["query_id"] == self.topic) & saved["doc_id"].isin(self.names)
        judgments = pd.concat([saved[~is_mine], self.qrels], ignore_index=True)
        if len(judgments):
            write_qrels(judgments, self.path)
        else:  # the only grade was taken back
            self.path.unlink(missing_ok=True)

    def __repr__(self) -> str:
        return f"judge({self.question!r}: {len(self.grades)} of {len(self.names)} judged)"

    def _repr_html_(self) -> str:
        """Return a static text for pages without a kernel."""
        documents = "".join(f"<li><code>{html.escape(name)}</code></li>" for name in self.names)
        return f"<p><b>Judge.</b> {html.escape(self.question)}</p><ol>{documents}</ol>"


def _select_grades(qrels: pd.DataFrame, topic: str, names: list[str]) -> dict:
    """Return a topic's grades for the given documents, in their order."""
    grades = qrels[qrels["query_id"] == topic].set_index("doc_id")["relevance"]
    return grades.reindex(names).dropna().astype(int).to_dict()
