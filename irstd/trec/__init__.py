"""Files of retrieval experiments, read and written.

What is read, what is written, and with what. The page of other tools has recipes for other forms.

=========================================== ========================== ==========================
form                                        read by                    written by
=========================================== ========================== ==========================
TREC run                                    `read_run`, `read_runs`    `write_run`
TREC qrels                                  `read_qrels`               `write_qrels`
run of MS MARCO ``qid pid rank``            `read_run`, `read_runs`
qrels of BEIR ``query-id corpus-id score``  `read_qrels`
frame ``query_id, doc_id, score`` or        as it is                   as it is
  ``relevance`` (ir_measures)
tables of scores in CSV, Parquet            `read_scores`              `write_scores`
the same in TSV, in lines of JSON           `read_scores`
``trec_eval -q``, ``ir_measures -q``        `read_scores`
factors as CSV                              `Factors.from_csv`         `Factors.to_csv`
factors of ``trec_eval -Z``                 `Factors.from_trec_eval`   `Factors.to_trec_eval`
=========================================== ========================== ==========================
"""

from irstd.trec.disk import find_files as find_files
