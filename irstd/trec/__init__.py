"""Files of retrieval experiments, read and written: runs, qrels, per-topic scores, factors."""

from irstd.trec.runs import read_qrels as read_qrels
from irstd.trec.runs import read_run as read_run
from irstd.trec.runs import read_runs as read_runs
from irstd.trec.runs import write_qrels as write_qrels
from irstd.trec.runs import write_run as write_run
from irstd.trec.scores import read_scores as read_scores
