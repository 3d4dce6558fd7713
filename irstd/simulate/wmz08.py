"""Simulated evaluation campaign modelled on Webber et al. (2008).

The topics' difficulty, the systems' quality and all relevant documents are known, so lessons can
show whether a method recovers them. `irstd.simulate._model` has the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from irstd._base.arguments import Seed, check_choice
from irstd.simulate._design import read_design
from irstd.simulate._model import SALT, draw_campaign, seed_number
from irstd.simulate.pools import Collection


@dataclass(frozen=True, eq=False)
class Campaign:
    """Simulated collections by name, such as ``campaign["sim-trec7"]``.

    Attributes
    ----------
    design : str
        Name of the design.
    seed : int
        The seed as a number.
    collections : dict of str to Collection
        The collections by name.
    """

    design: str
    seed: int
    collections: dict[str, Collection]

    def __getitem__(self, name: str) -> Collection:
        check_choice(name, self.collections, "collection")
        return self.collections[name]

    def __repr__(self) -> str:
        names = ", ".join(self.collections)
        return f"<Campaign {self.design!r}, seed {self.seed}: {names}>"


def simulate_campaign(design: str = "wmz08", *, seed: Seed = 0) -> Campaign:
    """Simulate an evaluation campaign with known truth.

    Parameters
    ----------
    design : {"wmz08"}
        The setting of Webber et al. (2008), section 5: collections like TREC-7, TREC-8, Robust 2003
        and Robust 2004 (here with 50 topics, not 49), with 103, 129, 78 and 110 original systems;
        the last 110, called later systems, are run on all four. In the first two some 40 groups are
        pooled, nine of them manual; in the others 16 and 15, none manual.
    seed : int or numpy.random.Generator, default 0
        Equal seeds give equal campaigns. Seed 0 was chosen for its likeness to TREC.

    Returns
    -------
    Campaign
        ``campaign["sim-trec7"]`` is a collection, and ``campaign.collections`` holds all four by
        name. A collection has the tables ``topics`` and ``systems``, and the methods ``scores()``,
        ``run()``, ``qrels()``, ``write()``, ``judge()`` (another pool) and ``more_topics()``: see
        `irstd.simulate.Collection`.

    Raises
    ------
    ValueError, TypeError
        If there is no such design, or the seed is not a whole number from 0.

    Notes
    -----
    Systems differ in quality, in the chance to fail on a topic, in the loss on hard topics, in
    volatility over topics, and between collections: these are columns of a collection's
    ``systems``. The page "How similar the simulated campaign is to TREC" compares each trait with
    public scores. It also has the differences that remain: TREC's ad hoc tracks differ more from
    each other, halves of their topics agree less, and original systems, too, change in quality from
    collection to collection.

    References
    ----------
    Webber, Moffat, Zobel (2008), Score standardization for inter-collection comparison of retrieval
    systems, SIGIR, doi:10.1145/1390334.1390346.

    Urbano, Lima, Hanjalic (2019), A new perspective on score standardization, SIGIR,
    doi:10.1145/3331184.3331315; and the other works with which the public scores come
    (`list_datasets`).

    Examples
    --------
    >>> campaign = simulate_campaign()
    >>> campaign
    <Campaign 'wmz08', seed 0: sim-trec7, sim-trec8, sim-robust2003, sim-robust2004>
    >>> campaign["sim-robust2003"].scores("P@10", systems="later").mean().nlargest(3).round(3)
    system
    late10f    0.652
    late10d    0.640
    late10a    0.626
    dtype: float64
    """
    check_choice(design, ("wmz08",), "design")
    seed = seed_number(seed)
    collections = {}
    for truth in draw_campaign(read_design(), (SALT, seed)):
        unjudged = Collection(truth, 100, ())
        collections[truth.name] = unjudged.judge()
    return Campaign(design, seed, collections)
