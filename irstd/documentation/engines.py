"""Search engines for the documentation collection, as set in ``engines.csv``.

Each row has the settings of one engine:

======= ======================================================================================
group   group of engines that share a setting, like the runs of one team
field   indexed part of a document: text, summary (its first paragraph), name, parameters
tokens  words; content (without stop words); stems; grams (of four characters); stop (only the stop
        words: a deliberate mistake)
model   a BM25 variant of bm25s; lsa (latent semantic analysis); fusion; alphabet (no ranking: a
        deliberate mistake)
k1, b   parameters of BM25; delta is 0.5 in BM25+ and BM25L
rank    number of dimensions of LSA
query   part of a topic used as query: title, or title+description
fuses   engines whose reciprocal ranks are added (Cormack, Clarke, Buettcher 2009)
works   whether the engine works; others are broken on purpose
======= ======================================================================================
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import scipy

from irstd._base.messages import import_optional
from irstd.documentation.sources import join_fields, read_table

WORDS = r"[a-z0-9]{2,}"
PATTERNS = {
    "grams": r"(?=([a-z0-9 ]{4}))",  # a lookahead, so that grams overlap
    "stop": r"\b(?:an?|and|are|as|at|by|for|from|in|is|it|of|on|or|that|the|to|with)\b",
}
CONSTANT = 60  # k of reciprocal rank fusion
LARGEST_RANK = 150  # dimensions of latent semantic analysis


def read_engines() -> pd.DataFrame:
    """Return the settings of the search engines, one row per engine."""
    return read_table("engines.csv").set_index("system")


def tokenize(texts: Iterable[str], tokens: str, **settings: Any) -> Any:
    """Return token ids by text and their vocabulary, in the form of bm25s."""
    settings["token_pattern"] = PATTERNS.get(tokens, WORDS)
    settings["stopwords"] = None
    if tokens in ("content", "stems"):
        settings["stopwords"] = "en_plus"
    if tokens == "stems":
        settings["stemmer"] = import_optional("snowballstemmer").stemmer("english")
    return import_optional("bm25s").tokenize(list(texts), show_progress=False, **settings)


class Engines:
    """Search engines on the documents of one collection, with shared indexes."""

    def __init__(self, documents: pd.Series) -> None:
        self.documents = documents
        self._corpus = functools.cache(self._tokenize_documents)  # freed with the object
        self._index = functools.cache(self._build_index)
        self._space = functools.cache(self._build_space)

    def rank(self, system: str, topics: pd.DataFrame) -> np.ndarray:
        """Return the retrieved document numbers, best first, one row per topic.

        Documents that score 0 are replaced by -1. Ties keep the order of the documents.
        """
        scores = self._score_documents(system, topics).round(5)
        order = np.argsort(-scores, axis=1, kind="stable")
        return np.where(np.take_along_axis(scores, order, axis=1) > 0, order, -1)

    def _score_documents(self, system: str, topics: pd.DataFrame) -> np.ndarray:
        """Return retrieval scores of all documents (topics x documents)."""
        engine: Any = read_engines().loc[system]
        scores = np.zeros((len(topics), len(self.documents)))
        if engine["model"] == "alphabet":
            return scores + np.arange(len(self.documents), 0, -1)
        if engine["model"] == "fusion":
            for other in engine["fuses"].split():
                for row, retrieved in zip(scores, self.rank(other, topics), strict=True):
                    retrieved = retrieved[retrieved >= 0]
                    row[retrieved] += CONSTANT / (CONSTANT + 1 + np.arange(len(retrieved)))
            return scores
        questions = topics[engine["query"].split("+")].agg(" ".join, axis=1)
        vocabulary = self._corpus(engine["field"], engine["tokens"]).vocab
        tokenized = tokenize(questions, engine["tokens"], return_ids=False)
        queries = [
            [vocabulary[token] for token in words if token in vocabulary] for words in tokenized
        ]
        if engine["model"] == "lsa":
            return self._compute_cosines(queries, engine)
        index = self._index(*engine[["field", "tokens", "model", "k1", "b"]])
        for row, query in zip(scores, queries, strict=True):
            if query:
                row[:] = index.get_scores_from_ids(query)
        return scores

    def _tokenize_documents(self, field: str, tokens: str) -> Any:
        texts = [join_fields(str(name), text, field) for name, text in self.documents.items()]
        return tokenize(texts, tokens)

    def _build_index(self, field: str, tokens: str, model: str, k1: str, b: str) -> Any:
        index = import_optional("bm25s").BM25(float(k1), float(b), method=model)
        ids, vocabulary = self._corpus(field, tokens)
        index.index((ids, dict(vocabulary)), show_progress=False)  # bm25s adds to the vocabulary
        if index.nonoccurrence_array is not None:
            _restrict_delta(index)
        return index

    def _compute_cosines(self, queries: list[list[int]], engine: pd.Series) -> np.ndarray:
        """Return cosines in the space of latent semantic analysis (topics x documents)."""
        rarity, documents, directions = self._space(engine["field"], engine["tokens"])
        n_dimensions = int(engine["rank"])
        query_vectors = (_log_counts(queries, len(rarity)) * rarity) @ directions[:, :n_dimensions]
        return _normalize_rows(query_vectors) @ _normalize_rows(documents[:, :n_dimensions]).T

    def _build_space(self, field: str, tokens: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return token rarities, document vectors and token vectors of the LSA space."""
        ids, vocabulary = self._corpus(field, tokens)
        weights = _log_counts(ids, len(vocabulary))
        rarity = np.log(len(ids) / np.maximum(1, np.count_nonzero(weights, axis=0)))
        weights *= rarity
        weighted = scipy.sparse.csr_array(_normalize_rows(weights))
        start = np.ones(min(weighted.shape))
        left, values, right = scipy.sparse.linalg.svds(weighted, LARGEST_RANK, v0=start)
        order = np.argsort(-values)
        return rarity, (left * values)[:, order], right[order].T


def _log_counts(texts: list[list[int]], n_tokens: int) -> np.ndarray:
    """Return log(1 + count) of each token in each text (texts x tokens)."""
    counts = [np.bincount(text, minlength=n_tokens).astype(np.float32) for text in texts]
    return np.log1p(counts, dtype=float)


def _restrict_delta(index: Any) -> None:
    """Restrict delta to documents with the token (Lv and Zhai 2011).

    bm25s gives delta to all documents: it subtracts the score of no occurrence from stored scores,
    and adds it to each document at the end.
    """
    documents_with = np.diff(index.scores["indptr"])
    index.scores["data"] += np.repeat(index.nonoccurrence_array, documents_with)
    index.nonoccurrence_array = None


def _normalize_rows(vectors: np.ndarray) -> np.ndarray:
    """Scale vectors to length 1, except zero vectors."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)
