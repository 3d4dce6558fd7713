"""Documents: docstrings of the installed numpy, scipy and pandas."""

from __future__ import annotations

import functools
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pandas as pd

PLACES = {  # modules and classes whose public functions are documents, by collection
    "docs-numpy": """numpy numpy.linalg numpy.fft scipy.stats scipy.optimize scipy.linalg
        scipy.signal scipy.interpolate scipy.integrate scipy.spatial.distance""".split(),
    "docs-pandas": """pandas pandas.DataFrame pandas.Series pandas.Series.str pandas.Series.dt
        pandas.api.typing.DataFrameGroupBy pandas.api.typing.Rolling""".split(),
}
SHORTEST = 80  # characters; shorter docstrings are not informative
VARYING = re.compile(r"^.*# may vary.*\n?", re.MULTILINE)  # scipy draws some of them at each import
SIGNATURE = re.compile(r"[\w.]+\([^)]*[,)/]")  # some docstrings begin with it
PARAMETERS = re.compile(r"^Parameters\n-+\n(.*?)(?:^\w[\w ]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)


@functools.cache
def read_table(name: str) -> pd.DataFrame:
    """Read a CSV file of this package, with empty cells as empty text."""
    with (files("irstd.documentation") / name).open(encoding="utf-8") as table:
        return pd.read_csv(table, keep_default_na=False)


def read_documents(collection: str) -> pd.Series:
    """Read the installed docstrings by dotted name, without duplicates.

    A second name for the same text is left out, and so are lines of examples whose numbers vary by
    session.
    """
    texts: dict[str, str] = {}
    # All are imported before one is read: scipy.signal adds to the docstring of numpy.sinc.
    owners = {place: pkgutil.resolve_name(place) for place in PLACES[collection]}
    for place, owner in owners.items():
        texts.update(_iterate_docstrings(place, owner))
    documents = pd.Series(texts, name="text").rename_axis("doc_id")
    return documents.drop_duplicates()


def _iterate_docstrings(place: str, owner: Any) -> Iterator[tuple[str, str]]:
    """Yield names and docstrings of a module's or class's public members."""
    for name in sorted(getattr(owner, "__all__", dir(owner))):
        member = getattr(owner, name, None)
        is_error = inspect.isclass(member) and issubclass(member, BaseException)
        if name.startswith("_") or inspect.ismodule(member) or is_error:
            continue
        text = VARYING.sub("", inspect.getdoc(member) or "")
        if (callable(member) or isinstance(member, property)) and len(text) > SHORTEST:
            yield f"{place}.{name}", text


def get_summary(text: str) -> str:
    """Return the first paragraph of a docstring that is not a signature."""
    paragraphs = text.strip().split("\n\n")
    prose = [paragraph for paragraph in paragraphs if not SIGNATURE.match(paragraph)]
    return " ".join((prose or paragraphs)[0].split())


def join_fields(name: str, text: str, field: str) -> str:
    """Return the parts of a document that an engine reads, joined."""
    fields = {
        "text": text,
        "summary": get_summary(text),
        "name": re.sub(r"[._]", " ", name.partition(".")[2]),
        "parameters": " ".join(PARAMETERS.findall(text)),
    }
    return " ".join(fields[part] for part in field.split("+"))
