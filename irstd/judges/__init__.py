"""Agreement between relevance judges, and means rectified by a judge.

`compare_judges` compares scores, `compare_labels` grades; `rectify` estimates system means from few
human judgments and many of a model.
"""

from irstd.judges.conclusions import compare_judges as compare_judges
from irstd.judges.labels import compare_labels as compare_labels
from irstd.judges.rectified import rectify as rectify
