"""Analysis of the user's own runs: reading, checks, comparison and summary.

`read` scores and checks runs, `compare_runs` tests them, `summary` says it in sentences;
`comparison_rows`, `leaderboard` and `incomplete_runs` are tables. ``irstd report`` and the notebook
07_your_own_runs do all of this.
"""

from irstd.own_runs.comparison import RunComparison as RunComparison
from irstd.own_runs.comparison import compare_runs as compare_runs
from irstd.own_runs.reading import OwnRuns as OwnRuns
from irstd.own_runs.reading import describe_warnings as describe_warnings
from irstd.own_runs.reading import incomplete_runs as incomplete_runs
from irstd.own_runs.reading import leaderboard as leaderboard
from irstd.own_runs.reading import read as read
from irstd.own_runs.summary import comparison_rows as comparison_rows
from irstd.own_runs.summary import number as number
from irstd.own_runs.summary import summary as summary
