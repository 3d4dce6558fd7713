"""Files of retrieval experiments, read and written, and the forms of other tools.

What is read, what is written, and with what. `read_scores` and, for runs and judgments, `evaluate`
take a path or another tool's object; ``write_*`` writes a file, ``to_*`` returns an object.

=========================================== ========================== ==========================
form                                        read by                    written by
=========================================== ========================== ==========================
TREC run                                    `read_run`, `read_runs`    `write_run`
TREC qrels                                  `read_qrels`               `write_qrels`
dict ``{topic: {document: score}}``         `as_run`, `as_qrels`       `to_dict`
  (pytrec_eval, BEIR, Hugging Face)
ranx ``Run``, ``Qrels``                     `as_run`, `as_qrels`       `to_ranx`
frame ``qid, docno, score`` or ``label``    `as_run`, `as_qrels`       `to_pyterrier`
  (PyTerrier)
frame ``query_id, doc_id, score``           as it is                   `to_ir_measures`
  or ``relevance`` (ir_measures)
scores as CSV: wide, long, a column per     `read_scores`              `write_scores`
  metric; ``scores.to_csv()``
``trec_eval -q``, also ``-m all_trec``      `read_scores`
``ir_measures -q``, tsv or jsonl            `read_scores`
lines ``run measure topic value``           `read_scores`
frame ``query_id, measure, value``          `read_scores`              `to_ir_measures`
  (ir_measures' ``iter_calc``)
``name,qid,measure,value`` as frame or      `read_scores`              `to_pyterrier`
  CSV (PyTerrier, ``perquery=True``)
dict ``{system: {topic: {metric: x}}}``     `read_scores`              `to_dict`
  (pytrec_eval)
MTEB's leaderboard, JSON lines              `read_scores`
MTEB's results, ``MODEL/REVISION/TASK``     ``read_scores(split=)``
factors as CSV                              `Factors.from_csv`         `Factors.to_csv`
factors of ``trec_eval -Z``                 `Factors.from_trec_eval`   `Factors.to_trec_eval`
=========================================== ========================== ==========================
"""

from irstd.trec._files import find_files as find_files
from irstd.trec.convert import as_qrels as as_qrels
from irstd.trec.convert import as_run as as_run
from irstd.trec.convert import to_dict as to_dict
from irstd.trec.convert import to_ir_measures as to_ir_measures
from irstd.trec.convert import to_pyterrier as to_pyterrier
from irstd.trec.convert import to_ranx as to_ranx
from irstd.trec.runs import read_qrels as read_qrels
from irstd.trec.runs import read_run as read_run
from irstd.trec.runs import read_runs as read_runs
from irstd.trec.runs import write_qrels as write_qrels
from irstd.trec.runs import write_run as write_run
from irstd.trec.scores import read_scores as read_scores
from irstd.trec.scores import write_scores as write_scores
