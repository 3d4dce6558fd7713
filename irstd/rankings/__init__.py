"""Orders of systems, and of topics: their agreement, their intervals, and what makes them."""

from irstd.rankings.correlation import item_total_correlation as item_total_correlation
from irstd.rankings.correlation import rank_correlation as rank_correlation
from irstd.rankings.correlation import topic_difficulty as topic_difficulty
from irstd.rankings.ranks import additive_means as additive_means
from irstd.rankings.ranks import borda as borda
from irstd.rankings.ranks import rank_intervals as rank_intervals
from irstd.rankings.ranks import topic_influence as topic_influence
