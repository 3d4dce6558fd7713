"""Catalogue of data sets, and one call that loads any of them as a score matrix."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pandas as pd

from irstd._checks import check_choice
from irstd.simulate import Campaign, simulate_campaign

WMZ08 = "Webber, Moffat, Zobel, SIGIR 2008 (the setting simulated), doi:10.1145/1390334.1390346"

# name: the collections of the simulated campaign, which systems, and a description
SIMULATED = {
    "sim-trec7": (["sim-trec7"], "original", "like TREC-7 ad hoc, topics 351-400"),
    "sim-trec8": (["sim-trec8"], "original", "like TREC-8 ad hoc, topics 401-450"),
    "sim-robust2003": (["sim-robust2003"], "original", "like Robust 2003, topics 601-650"),
    "sim-robust2004": (["sim-robust2004"], "later", "like Robust 2004, topics 651-700"),
    "sim-robust2004-all": (
        ["sim-trec7", "sim-trec8", "sim-robust2003", "sim-robust2004"],
        "later",
        "the systems of sim-robust2004 on the topics of all four collections",
    ),
}


def list_datasets() -> pd.DataFrame:
    """What `load_dataset` can load.

    Returns
    -------
    DataFrame
        A row a data set (index ``name``): ``description``; how many ``systems`` and ``topics``;
        the ``metrics`` it can be had in; its ``kind``, simulated; ``licence``; and what a text
        that uses it should cite (``citation``).

    Examples
    --------
    >>> list_datasets().index.tolist()
    ['sim-trec7', 'sim-trec8', 'sim-robust2003', 'sim-robust2004', 'sim-robust2004-all']
    """
    campaign, rows = _campaign(), []
    for name, (collections, systems, description) in SIMULATED.items():
        chosen = [campaign[collection] for collection in collections]
        rows.append(
            {
                "name": name,
                "description": description,
                "systems": int(chosen[0].systems[systems].sum()),
                "topics": sum(collection.n_topics for collection in chosen),
                "metrics": "all",
                "kind": "simulated",
                "licence": "that of irstd",
                "citation": WMZ08,
            }
        )
    return pd.DataFrame(rows).set_index("name")


def load_dataset(name: str, metric: str | Sequence[str] = "AP") -> pd.DataFrame:
    """Load a data set as a score matrix.

    Parameters
    ----------
    name : str
        One of those that `list_datasets` lists.
    metric : str or sequence of str, default "AP"
        Any metric that `evaluate` knows by name.

    Returns
    -------
    DataFrame
        A score matrix: a row a topic, a column a system. For a sequence of metrics, columns
        ``(metric, system)``. It is the caller's own: changing it changes nothing else.

    Raises
    ------
    ValueError
        If there is no such data set or metric.

    See Also
    --------
    simulate_campaign : the campaign of the simulated data sets, with truth, runs and judgments.

    Examples
    --------
    >>> scores = load_dataset("sim-trec8")
    >>> scores.shape
    (50, 129)
    >>> load_dataset("sim-trec8", "P@10").index.equals(scores.index)
    True
    """
    check_choice(name, SIMULATED, "name")
    collections, systems, _ = SIMULATED[name]
    return pd.concat(
        [_campaign()[collection].scores(metric, systems) for collection in collections]
    )


@functools.lru_cache(maxsize=1)
def _campaign() -> Campaign:
    return simulate_campaign()
