"""The same runs by several judges: how far labels and conclusions agree, and a judge as a help."""

from irstd.judges.conclusions import compare_judges as compare_judges
from irstd.judges.labels import compare_labels as compare_labels
from irstd.judges.rectified import rectify as rectify
