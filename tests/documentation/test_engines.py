"""Each engine against its formula, written out here from the papers, at all ranks."""

import importlib
import inspect
import math
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import snowballstemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS
from numpydoc.docscrape import NumpyDocString

import irstd
from irstd.documentation.engines import Engines, read_engines
from irstd.documentation.sources import PLACES, join_fields, read_documents

SYSTEMS = read_engines()
OF_BM25 = SYSTEMS.index[SYSTEMS["k1"] != ""]
STOPPED = set("a an and are as at by for from in is it of on or that the to with".split())


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("docs-pandas", 3, 5), id="sample"),
        pytest.param(("docs-numpy", 1, 1), id="docs-numpy", marks=pytest.mark.night),
        pytest.param(("docs-pandas", 1, 1), id="docs-pandas", marks=pytest.mark.night),
    ],
)
def sample(request):
    """A collection, and that each third document and each fifth topic of it is taken."""
    return request.param


@pytest.fixture(scope="module")
def documents(sample):
    collection, step, _ = sample
    return read_documents(collection).iloc[::step]


@pytest.fixture(scope="module")
def engines(documents):
    return Engines(documents)


@pytest.fixture(scope="module")
def topics(sample):
    collection, _, step = sample
    return irstd.documentation_campaign()[collection].topics.iloc[::step]


def cut(text, tokens):
    """The tokens of a text."""
    text = text.lower()
    if tokens == "grams":
        starts = range(len(text) - 3)
        return [text[i : i + 4] for i in starts if re.fullmatch("[a-z0-9 ]{4}", text[i : i + 4])]
    if tokens == "stop":
        return [word for word in re.findall(r"\w+", text) if word in STOPPED]
    words = re.findall("[a-z0-9]{2,}", text)
    if tokens == "words":
        return words
    words = [word for word in words if word not in STOPWORDS_EN_PLUS]
    if tokens == "content":
        return words
    return snowballstemmer.stemmer("english").stemWords(words)


def read(documents, topics, engine):
    """Counts of tokens (documents x tokens), and the tokens of each question."""
    counts = []
    for name, text in documents.items():
        counts.append(Counter(cut(join_fields(name, text, engine["field"]), engine["tokens"])))
    questions = topics["title"]
    if engine["query"] == "title+description":
        questions = questions + " " + topics["description"]
    table = pd.DataFrame(counts).fillna(0)
    return table, [cut(question, engine["tokens"]) for question in questions]


IDF = {  # of n documents, df of which have the token: Kamphuis et al. (2020), table 1
    "lucene": lambda n, df: math.log(1 + (n - df + 0.5) / (df + 0.5)),
    "robertson": lambda n, df: max(0.0, math.log((n - df + 0.5) / (df + 0.5))),
    "atire": lambda n, df: math.log(n / df),
    "bm25l": lambda n, df: math.log((n + 1) / (df + 0.5)),
    "bm25+": lambda n, df: math.log((n + 1) / df),
}


def gain_of(model, tf, k1, norm):
    """What tf occurrences add, in a document whose length, as a share of the mean, gives norm.

    Delta counts for tokens that occur (Lv and Zhai 2011, both papers): none adds nothing.
    """
    if model == "bm25l":
        c = tf / norm + 0.5
        return (k1 + 1) * c / (k1 + c)
    plain = tf / (k1 * norm + tf)
    if model in ("lucene", "robertson"):
        return plain
    return (k1 + 1) * plain + (0.5 if model == "bm25+" else 0)


def bm25(counts, question, engine):
    k1, b = float(engine["k1"]), float(engine["b"])
    lengths = counts.sum(axis=1)
    norm = 1 - b + b * lengths / lengths.mean()
    scores = np.zeros(len(counts))
    for token in question:
        if token in counts:
            tf = counts[token]
            idf = IDF[engine["model"]](len(counts), (tf > 0).sum())
            scores += np.where(tf > 0, idf * gain_of(engine["model"], tf, k1, norm), 0)
    return scores


def assert_ranked_by(scores, ranking):
    """Best first, and all that score; what differs by less than single precision may be swapped."""
    ranking = ranking[ranking >= 0]
    assert len(ranking) == len(set(ranking))
    assert set(np.flatnonzero(scores > 1e-4)) <= set(ranking)
    assert (np.diff(scores[ranking]) <= 1e-4).all()
    assert (scores[ranking] > 0).all()


@pytest.mark.parametrize("system", OF_BM25)
def test_bm25_ranks_as_its_formula_does(documents, engines, topics, system):
    engine = SYSTEMS.loc[system]
    counts, questions = read(documents, topics, engine)
    found = engines.rank(system, topics)
    assert found.shape == (len(topics), len(documents))
    for question, ranking in zip(questions, found, strict=True):
        assert_ranked_by(bm25(counts, question, engine), ranking)


@pytest.mark.parametrize("system", SYSTEMS.index[SYSTEMS["model"] == "lsa"])
def test_latent_semantic_analysis_is_that_of_a_full_decomposition(
    documents, engines, topics, system
):
    engine = SYSTEMS.loc[system]
    counts, questions = read(documents, topics, engine)
    rarity = np.log(len(counts) / (counts > 0).sum())
    weighted = np.log1p(counts) * rarity
    lengths = np.linalg.norm(weighted, axis=1)
    weighted = weighted.div(lengths, axis=0).fillna(0).to_numpy()
    directions = np.linalg.svd(weighted, full_matrices=False)[2][: int(engine["rank"])].T
    reduced = weighted @ directions
    for question, ranking in zip(questions, engines.rank(system, topics), strict=True):
        asked = [question.count(word) for word in counts]
        asked = (np.log1p(asked) * rarity.to_numpy()) @ directions
        norms = np.linalg.norm(reduced, axis=1) * np.linalg.norm(asked)
        cosines = np.divide(reduced @ asked, norms, where=norms > 0, out=np.zeros(len(norms)))
        assert_ranked_by(cosines, ranking)


@pytest.mark.parametrize("system", SYSTEMS.index[SYSTEMS["model"] == "fusion"])
def test_fusion_adds_reciprocal_ranks(engines, topics, system):
    found = engines.rank(system, topics)
    parts = [engines.rank(part, topics) for part in SYSTEMS.loc[system, "fuses"].split()]
    for i, ranking in enumerate(found):
        scores = np.zeros(found.shape[1])
        for part in parts:
            for rank, document in enumerate(part[i][part[i] >= 0], start=1):
                scores[document] += 60 / (60 + rank)
        assert_ranked_by(scores, ranking)


def test_broken_engines_fail(engines, topics):
    """One does not look at the question; the other finds nothing that is not a stop word."""
    assert (np.diff(engines.rank("broken-order", topics), axis=1) == 1).all()
    asked = pd.DataFrame({"title": ["median quantile", "the median of it"], "description": ""})
    nothing, something = engines.rank("broken-stop", asked)
    assert (nothing == -1).all() and something[0] >= 0


@pytest.mark.parametrize("name", list(PLACES))
def test_read_documents_gives_docstrings(name):
    documents = read_documents(name)
    assert documents.is_unique and documents.index.is_unique
    for dotted, text in documents.items():
        package, *rest = dotted.split(".")
        thing = importlib.import_module(package)
        for part in rest:
            thing = getattr(thing, part)
        lines = inspect.getdoc(thing).splitlines()
        assert text.splitlines() == [line for line in lines if "# may vary" not in line], dotted
        assert not rest[-1].startswith("_")


@pytest.mark.parametrize("name", list(PLACES))
def test_join_fields_agrees_with_numpydoc(name):
    """But for a few texts in which a section or a signature is not marked as its rules ask."""
    documents = read_documents(name)
    others = set()
    for dotted, text in documents.items():
        parsed = NumpyDocString(text)
        names = " ".join(parameter.name for parameter in parsed["Parameters"])
        found = join_fields(dotted, text, "parameters").replace("\\", "")
        if set(re.findall(r"\w+", names)) - set(re.findall(r"\w+", found)):
            others.add(dotted)
        if " ".join(parsed["Summary"]).split() != join_fields(dotted, text, "summary").split():
            others.add(dotted)
    assert len(others) <= 0.005 * len(documents), others
