"""Effectiveness metrics, computed from relevance grades by rank.

A run becomes one array of relevance by rank (topics x depth): the grade of the document at each
rank, 0 or less where it is not relevant, NaN where it is not judged, -inf where there is none. The
ideal ranking of the judged relevant documents is another such array, so a normalized metric is the
metric of the run divided by that of the ideal.
"""

from irstd.metrics.formulas import METRICS as METRICS
from irstd.metrics.names import MetricName as MetricName
from irstd.metrics.names import check_range as check_range
from irstd.metrics.names import parse_metric as parse_metric
from irstd.metrics.registry import REGISTRY as REGISTRY
from irstd.metrics.registry import Metric as Metric
from irstd.metrics.registry import Ranking as Ranking
