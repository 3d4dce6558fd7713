"""Simulated evaluation campaign in the setting of WMZ08.

The topics' difficulty, the systems' quality and all relevant documents are known, so a lesson can
show what no TREC data can: whether a method recovers them. `irstd.simulate._model` is the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from irstd._base.arguments import Seed, check_choice
from irstd.simulate._design import read_design
from irstd.simulate._model import SALT, draw_campaign, seed_number
from irstd.simulate.pools import Collection


@dataclass(frozen=True, eq=False, repr=False)
class Campaign:
    """Simulated collections with common systems, by name: ``campaign["sim-trec7"]``."""

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
        The setting of WMZ08, section 5: collections like TREC-7, TREC-8, Robust 2003 and Robust
        2004 (here with 50 topics, not 49), 103, 129, 78 and 110 original systems, the last of which
        are run on all four. In the first two some 40 groups are pooled, nine of them manual; in the
        others 16 and 15, none manual.
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

    Notes
    -----
    Systems differ in more than their quality. Each trait, its parameter, and the public estimate
    behind it, from the scores of TREC-5 to 8, Robust 2003 and 2004, Genomics 2004 and Web 2004:

    - A propensity to fail, half of it the run's own and half its group's (``failures_sd``): the
      number of scores below .01 on 25 topics and on 25 others correlates by .55 (median; from .31
      to .76), here by .56.
    - Who is prone to failures loses more on hard topics (``slope_sd``): the slope of the probit of
      AP by the topic's ease has a standard deviation of .10, here of .11.
    - Half of the volatility is the run's own (``run_volatility_sd``): .46 of what lasts of the log
      sd of z goes with the group, here .43.
    - Later systems are better or worse in one collection than in general (``move_sd``): by .22
      standard deviations of their means between sets of fifty topics of Robust 2004, .13 without
      topics 301-350, here by .13.

    What it cannot copy: TREC-8 and the Robust tracks have correlations of failures of .31 to .35,
    where ``sim-trec8`` has .58 and the Robust collections .34 to .39; two halves of ``sim-trec8``
    agree more than TREC-8's, in GMAP by a tau of .79 for .68; over all topics the spread of z goes
    with its mean (r = .33 for -.08); systems differ from themselves in up to .22 of the tests at
    .05, and by the topics 301-350 in up to .27. Original systems are run on one collection only.
    The page "How like TREC the simulated campaign is" has all figures.

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
    >>> campaign["sim-robust2003"].scores("P@10", systems="later").shape
    (50, 110)
    """
    check_choice(design, ("wmz08",), "design")
    seed = seed_number(seed)
    collections = {}
    for truth in draw_campaign(read_design(design), (SALT, seed)):
        unjudged = Collection(truth, 100, ())
        collections[truth.name] = unjudged.judge()
    return Campaign(design, seed, collections)
