"""The documentation of numpy, scipy and pandas as two test collections with engines in common."""

from __future__ import annotations

from irstd.documentation.collection import DocumentationCollection
from irstd.documentation.sources import PLACES
from irstd.simulate import Campaign


def documentation_campaign(*, live: bool = False) -> Campaign:
    """Two test collections that are on every machine: the documentation of numpy, scipy, pandas.

    Each docstring is a document. The topics are questions of people who do not know the name of the
    function that they need, fifty for each collection; the judgments grade documents by how well
    they answer: 2, 1 or 0. Thirty search engines, and two that are broken on purpose, answered all.

    Parameters
    ----------
    live : bool, default False
        By default the runs are those of one set of versions, the first 100 documents of each: the
        same on every machine, and no engine is needed. With True the engines index what is
        installed, in some 20 seconds, by ``bm25s`` and ``snowballstemmer`` (extra ``course``).

    Returns
    -------
    Campaign
        ``campaign["docs-numpy"]`` (numpy and scipy) and ``campaign["docs-pandas"]``, each a
        `DocumentationCollection`.

    Raises
    ------
    ImportError
        If engines are asked for, by `live` or by ``search``, and are not installed.

    Notes
    -----
    Texts are read from the packages that are installed, and are no part of irstd. The site's page
    on the documentation collection tells how topics and judgments were made.

    Examples
    --------
    >>> import irstd
    >>> irstd.documentation_campaign()["docs-pandas"].scores("AP").shape
    (50, 32)
    """
    collections = {name: DocumentationCollection(name, live=live) for name in PLACES}
    return Campaign("documentation", 0, collections)  # type: ignore[arg-type]
