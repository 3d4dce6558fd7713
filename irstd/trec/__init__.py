"""Files of retrieval experiments, read and written, and the forms of other tools.

What is read, what is written, and with what. `read_scores` and, for runs and judgments, `evaluate`
take a path or another tool's object. The page of other tools has recipes for what has no function.

=========================================== ========================== ==========================
form                                        read by                    written by
=========================================== ========================== ==========================
TREC run                                    `read_run`, `read_runs`    `write_run`
TREC qrels                                  `read_qrels`               `write_qrels`
run of MS MARCO ``qid pid rank``            `read_run`, `read_runs`
qrels of BEIR ``query-id corpus-id score``  `read_qrels`
JSON of such dicts, or an object a line     `read_run`, `read_qrels`
dict ``{topic: {document: score}}``         `as_run`, `as_qrels`       `to_dict`
ranx ``Run``, ``Qrels``                     `as_run`, `as_qrels`
frame ``qid, docno, score`` or ``label``    `as_run`, `as_qrels`
frame ``query_id, doc_id, score``           as it is                   as it is
  or ``relevance`` (ir_measures)
frames of polars, tables of Arrow           where a frame is taken
lists of ``ScoredDoc``, ``Qrel``            `as_run`, `as_qrels`
lists of ``Metric`` (ir_measures)           `read_scores`
tables of scores (page of layouts) in CSV   `read_scores`              `write_scores`
the same in Parquet                         `read_scores`              `write_scores`
the same in TSV, in lines of JSON           `read_scores`
dict ``{system: {topic: {metric: x}}}``     `read_scores`              `to_dict`
factors as CSV                              `Factors.from_csv`         `Factors.to_csv`
factors of ``trec_eval -Z``                 `Factors.from_trec_eval`   `Factors.to_trec_eval`
=========================================== ========================== ==========================
"""

from irstd.trec.files import find_files as find_files
