"""Simulated evaluation campaigns with known truth.

`simulate_campaign` returns a `Campaign` of `Collection`; `Judge` and `judge_collection` are judges
that make errors.
"""

from irstd.simulate.pools import Collection as Collection
from irstd.simulate.verdicts import Judge as Judge
from irstd.simulate.verdicts import judge_collection as judge_collection
from irstd.simulate.wmz08 import Campaign as Campaign
from irstd.simulate.wmz08 import simulate_campaign as simulate_campaign
