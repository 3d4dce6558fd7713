"""Topic resampling: splits, swap rates and stability experiments.

`split_topics`, `split_experiment`, `swap_rate` and `gmap_curve` draw topics; `factor_sampling`
draws standardizing systems.
"""

from irstd.resample.experiments import factor_sampling as factor_sampling
from irstd.resample.experiments import gmap_curve as gmap_curve
from irstd.resample.experiments import split_experiment as split_experiment
from irstd.resample.splits import split_topics as split_topics
from irstd.resample.swaps import swap_rate as swap_rate
