"""How a text that uses irstd, or its data sets, cites them."""

from __future__ import annotations

import irstd
from irstd._base.arguments import check_choice
from irstd.datasets.load import list_datasets

SOFTWARE = """@software{{irstd,
  author = {{{{The irstd developers}}}},
  title = {{irstd: what a retrieval score means, and whether two can be compared}},
  version = {{{version}}},
  year = {{2026}}
}}"""


def cite(*datasets: str) -> str:
    """What a text that uses irstd cites, as BibTeX, and the works behind data sets.

    Parameters
    ----------
    *datasets : str
        Data sets of `list_datasets` that were used.

    Returns
    -------
    str
        An entry for irstd, in this version; below it a line of comment for each data set. The works
        whose methods are used are on the page *Cite*, with their entries.

    Examples
    --------
    >>> import irstd
    >>> print(irstd.cite("robust2003").splitlines()[-1])
    % robust2003: Urbano (2016), doi:10.1007/s10791-015-9274-y
    """
    known = list_datasets()["citation"]
    lines = [SOFTWARE.format(version=irstd.__version__)]
    for name in datasets:
        check_choice(name, list(known.index), "datasets")
        lines.append(f"% {name}: {known[name] or 'no work to cite'}")
    return "\n".join(lines)
