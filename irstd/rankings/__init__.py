"""Rankings of systems and topics: aggregates, correlations and rank intervals.

Of systems: `leaderboard`, `gmap`, `borda`, `rank_correlation`, `rank_intervals`. Of topics:
`topic_difficulty`, `topic_influence`, `item_total_correlation`.
"""

from irstd.rankings.aggregate import gmap as gmap
from irstd.rankings.aggregate import leaderboard as leaderboard
from irstd.rankings.correlation import item_total_correlation as item_total_correlation
from irstd.rankings.correlation import rank_correlation as rank_correlation
from irstd.rankings.correlation import topic_difficulty as topic_difficulty
from irstd.rankings.ranks import borda as borda
from irstd.rankings.ranks import rank_intervals as rank_intervals
from irstd.rankings.ranks import topic_influence as topic_influence
