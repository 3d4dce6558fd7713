"""Effectiveness metrics, computed from relevance grades by rank.

A run becomes an array of grades by rank (topics x depth): 0 or less for a nonrelevant document, NaN
for an unjudged one, -inf below the end of the run. The ideal ranking of all relevant documents is
another such array; a normalized metric is that of the run divided by that of the ideal ranking.
"""

from irstd.metrics.formulas import METRICS as METRICS
from irstd.metrics.names import MetricName as MetricName
from irstd.metrics.names import check_range as check_range
from irstd.metrics.names import parse_metric as parse_metric
from irstd.metrics.registry import REGISTRY as REGISTRY
from irstd.metrics.registry import Metric as Metric
from irstd.metrics.registry import Ranking as Ranking
