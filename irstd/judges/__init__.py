"""Agreement between judges, and means rectified by a judge's labels."""

from irstd.judges.conclusions import compare_judges as compare_judges
from irstd.judges.labels import compare_labels as compare_labels
from irstd.judges.rectified import rectify as rectify
