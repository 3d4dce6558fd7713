"""A simulated evaluation campaign, whose truth is known."""

from irstd.simulate.campaign import Campaign as Campaign
from irstd.simulate.campaign import simulate_campaign as simulate_campaign
from irstd.simulate.collection import Collection as Collection
from irstd.simulate.judges import Judge as Judge
from irstd.simulate.judges import judge_collection as judge_collection
