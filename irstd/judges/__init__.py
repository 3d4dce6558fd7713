"""Agreement between relevance judges, and means rectified by a judge."""

from irstd.judges.conclusions import compare_judges as compare_judges
from irstd.judges.labels import compare_labels as compare_labels
from irstd.judges.rectified import rectify as rectify
