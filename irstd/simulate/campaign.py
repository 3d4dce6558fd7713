"""A simulated evaluation campaign with known truth: the setting of WMZ08, without TREC data.

The topics' difficulty, the systems' quality and all relevant documents are known, so a lesson can
show what no TREC data can: whether a method recovers them. `irstd.simulate._model` is the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irstd._base.checks import check_choice
from irstd.simulate._design import DESIGNS, read_design
from irstd.simulate._model import SALT, draw_campaign, seed_number
from irstd.simulate.collection import Collection


@dataclass(frozen=True, eq=False, repr=False)
class Campaign:
    """Collections with systems in common; ``campaign["sim-trec7"]`` is one of them."""

    design: str
    seed: int
    collections: dict[str, Collection]

    def __getitem__(self, name: str) -> Collection:
        check_choice(name, self.collections, "collection")
        return self.collections[name]

    def __repr__(self) -> str:
        names = ", ".join(self.collections)
        return f"<Campaign {self.design!r}, seed {self.seed}: {names}>"


def simulate_campaign(design: str = "wmz08", *, seed: int | np.random.Generator = 0) -> Campaign:
    """Simulate an evaluation campaign: topics, systems, runs and judgments, with the truth.

    Parameters
    ----------
    design : {"wmz08", "wmz08-strong-reference"}
        The setting of WMZ08, section 5: collections like TREC-7, TREC-8, Robust 2003 and Robust
        2004 (here with 50 topics, not 49), 103, 129, 78 and 110 original systems, the last of which
        are run on all four. In the first two some 40 groups are pooled, nine of them manual; in the
        others 16 and 15, none manual. ``"wmz08-strong-reference"`` is the same campaign, seed by
        seed, but that the original systems of ``sim-trec8`` are better: what standardizes by them
        finds the later systems worse there than by the others' originals.
    seed : int or numpy.random.Generator, default 0
        Equal seeds give equal campaigns. Seed 0 was chosen for its likeness to TREC.

    Returns
    -------
    Campaign
        ``campaign["sim-trec7"]`` is a `Collection`, and ``campaign.collections`` holds all.

    Raises
    ------
    ValueError, TypeError
        If there is no such design, or the seed is not a whole number from 0.

    References
    ----------
    Webber, Moffat, Zobel (2008), Score standardization for inter-collection comparison of retrieval
    systems, SIGIR, doi:10.1145/1390334.1390346.

    Examples
    --------
    >>> campaign = simulate_campaign()
    >>> campaign
    <Campaign 'wmz08', seed 0: sim-trec7, sim-trec8, sim-robust2003, sim-robust2004>
    >>> campaign["sim-robust2003"].scores("P@10", systems="later").shape
    (50, 110)
    """
    check_choice(design, DESIGNS, "design")
    seed = seed_number(seed)
    collections = {
        truth.name: Collection(truth, 100, ()).judge()
        for truth in draw_campaign(read_design(design), (SALT, seed))
    }
    return Campaign(design, seed, collections)
