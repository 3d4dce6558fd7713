"""Widgets for JupyterLab, and the figures of the lessons.

`explore` shows a score matrix, `judge` asks for relevance judgments, `predict` for a guess.
`explore_metrics`, `explore_standardization`, `explore_gmap`, `explore_threshold`, `explore_pools`
and `explore_human_topics` vary one parameter in a lesson; each returns an `Explorer`.
"""

from irstd.widgets._explore import explore as explore
from irstd.widgets._explore import judge as judge
from irstd.widgets.controls import Explorer as Explorer
from irstd.widgets.lessons import explore_gmap as explore_gmap
from irstd.widgets.lessons import explore_human_topics as explore_human_topics
from irstd.widgets.lessons import explore_metrics as explore_metrics
from irstd.widgets.lessons import explore_pools as explore_pools
from irstd.widgets.lessons import explore_standardization as explore_standardization
from irstd.widgets.lessons import explore_threshold as explore_threshold
from irstd.widgets.prediction import Prediction as Prediction
from irstd.widgets.prediction import predict as predict
