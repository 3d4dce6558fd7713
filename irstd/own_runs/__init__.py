"""One's own runs: read, looked through, compared, and what can be said of them in sentences."""

from irstd.own_runs.reading import OwnRuns as OwnRuns
from irstd.own_runs.reading import beside as beside
from irstd.own_runs.reading import board as board
from irstd.own_runs.reading import hard_topics as hard_topics
from irstd.own_runs.reading import read as read
from irstd.own_runs.standing import Standing as Standing
from irstd.own_runs.standing import standing as standing
from irstd.own_runs.summary import compared as compared
from irstd.own_runs.summary import summary as summary
from irstd.own_runs.summary import texts as texts
