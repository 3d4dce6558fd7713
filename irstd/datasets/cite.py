"""How a text that uses irstd, or its data sets, cites them."""

from __future__ import annotations

import re

import irstd
from irstd._base.arguments import check_choice
from irstd.datasets.load import list_datasets

SOFTWARE = """@software{{irstd,
  author = {{{{The irstd developers}}}},
  title = {{irstd: what a retrieval score means, and whether two can be compared}},
  version = {{{version}}},
  year = {{2026}}
}}"""
DATA = """@misc{{{name},
  author = {{{authors}}},
  year = {{{year}}},
  {where},
  note = {{{note}}}
}}"""
# Urbano, Nagler (2018), doi:10.1145/3209978.3210043; and perhaps more
CITATION = re.compile(r"(?P<names>.+?) \((?P<year>\d{4})\), (?P<kind>doi|arXiv):(?P<id>[^\s:;]+)")


def cite(*datasets: str) -> str:
    """What a text that uses irstd cites, as BibTeX, and the works behind data sets.

    Parameters
    ----------
    *datasets : str
        Data sets of `list_datasets` that were used.

    Returns
    -------
    str
        An entry for irstd, in this version, and one for the work behind each data set; its title is
        to be had by its DOI. The works whose methods are used are on the page *Cite*.

    Raises
    ------
    ValueError
        If there is no such data set, or no work to cite.

    Examples
    --------
    >>> import irstd
    >>> print(irstd.cite("robust2004").partition("@misc")[2])
    {robust2004,
      author = {Urbano and Nagler},
      year = {2018},
      doi = {10.1145/3209978.3210043},
      note = {TREC 2004 Robust Track; data set robust2004 of irstd}
    }
    """
    entries = [SOFTWARE.format(version=irstd.__version__)]
    return "\n\n".join([*entries, *map(_entry, datasets)])


def _entry(name: str) -> str:
    """The entry of a data set."""
    known = list_datasets()
    check_choice(name, list(known.index), "datasets")
    found = CITATION.match(known["citation"][name])
    if found is None:
        what = "a part of irstd" if known["citation"][name] else "not public"
        raise ValueError(f"{name} is {what}: there is no work to cite")
    where = f"doi = {{{found['id']}}}"
    if found["kind"] == "arXiv":
        where = f"eprint = {{{found['id']}}}, archiveprefix = {{arXiv}}"
    more = known["citation"][name][found.end() :].strip(";: ")
    return DATA.format(
        name=name,
        authors=found["names"].replace(" et al.", ", others").replace(", ", " and "),
        year=found["year"],
        where=where,
        note="; ".join(filter(None, [known["track"][name], f"data set {name} of irstd", more])),
    )
