"""Analysis of information-retrieval experiments: what a score means, and whether two compare."""

from irstd.aggregate import gmap as gmap
from irstd.aggregate import leaderboard as leaderboard
from irstd.compare import compare_collections as compare_collections
from irstd.compare import drmse as drmse
from irstd.compare import false_positives as false_positives
from irstd.compare import rmse as rmse
from irstd.datasets import fetch_dataset as fetch_dataset
from irstd.datasets import list_datasets as list_datasets
from irstd.datasets import load_dataset as load_dataset
from irstd.evaluation import evaluate as evaluate
from irstd.factors import Factors as Factors
from irstd.factors import standardization_factors as standardization_factors
from irstd.metrics import METRICS as METRICS
from irstd.rankings import item_total_correlation as item_total_correlation
from irstd.rankings import rank_correlation as rank_correlation
from irstd.rankings import topic_difficulty as topic_difficulty
from irstd.resample import factor_sampling as factor_sampling
from irstd.resample import gmap_curve as gmap_curve
from irstd.resample import split_experiment as split_experiment
from irstd.resample import split_topics as split_topics
from irstd.simulate import simulate_campaign as simulate_campaign
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
    "compare_collections",
    "drmse",
    "evaluate",
    "factor_sampling",
    "false_positives",
    "fetch_dataset",
    "gmap",
    "gmap_curve",
    "item_total_correlation",
    "leaderboard",
    "list_datasets",
    "load_dataset",
    "rank_correlation",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "rmse",
    "simulate_campaign",
    "split_experiment",
    "split_topics",
    "standardization_factors",
    "standardize",
    "topic_difficulty",
    "write_qrels",
    "write_run",
]
