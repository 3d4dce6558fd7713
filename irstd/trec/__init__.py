"""Readers and writers for the files of retrieval experiments.

The page on other tools has recipes for other formats.

=========================================== ========================== ==========================
format                                      read by                    written by
=========================================== ========================== ==========================
TREC run                                    `read_run`, `read_runs`    `write_run`
TREC qrels                                  `read_qrels`               `write_qrels`
MS MARCO run ``qid pid rank``               `read_run`, `read_runs`
BEIR qrels ``query-id corpus-id score``     `read_qrels`
frame ``query_id, doc_id, score`` or        as it is                   as it is
  ``relevance`` (ir_measures)
score tables in CSV                         `read_scores`              `write_scores`
score tables in TSV, JSON lines             `read_scores`
``trec_eval -q``, ``ir_measures -q``        `read_scores`
factors in CSV                              `Factors.from_csv`         `Factors.to_csv`
factors for ``trec_eval -Z``                `Factors.from_trec_eval`   `Factors.to_trec_eval`
=========================================== ========================== ==========================
"""

from irstd.trec.disk import find_files as find_files
