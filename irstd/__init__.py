"""Analysis of information-retrieval experiments: what a score means, and whether two compare."""

from irstd.datasets import fetch_dataset as fetch_dataset
from irstd.datasets import list_datasets as list_datasets
from irstd.datasets import load_dataset as load_dataset
from irstd.evaluation import evaluate as evaluate
from irstd.metrics import METRICS as METRICS
from irstd.simulate import simulate_campaign as simulate_campaign
from irstd.standardize import Factors as Factors
from irstd.standardize import standardization_factors as standardization_factors
from irstd.standardize import standardize as standardize
from irstd.trec import read_qrels as read_qrels
from irstd.trec import read_run as read_run
from irstd.trec import read_runs as read_runs
from irstd.trec import read_scores as read_scores
from irstd.trec import write_qrels as write_qrels
from irstd.trec import write_run as write_run

__version__ = "0.1.0"

__all__ = [
    "METRICS",
    "Factors",
    "evaluate",
    "fetch_dataset",
    "list_datasets",
    "load_dataset",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "simulate_campaign",
    "standardization_factors",
    "standardize",
    "write_qrels",
    "write_run",
]
