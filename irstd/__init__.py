"""Analysis of information-retrieval experiments: interpret and compare scores.

Data flows one way: run and qrels files (`trec`) become frames, and with `evaluation` and
`metrics` a score matrix, one row per topic and one column per system. `factors` (the mean and
standard deviation of each topic) and `standardize` put it on a scale; `rankings`, `significance`,
`variability`, `resample`, `compare`, `seeds` and `judges` answer questions about it. `datasets` has
score matrices by name, `documentation` two test collections, and `simulate` a campaign whose true
scores are known. `plots` and `widgets` draw, `own_runs` writes the sentences of a report,
`exercises` checks answers, and `course` has hand-outs and the report. `_base` holds what all of
them share: checks of arguments and matrices, and messages.
"""

import types
import typing

from irstd import judges as judges
from irstd import seeds as seeds
from irstd._base.messages import import_optional as _needed
from irstd.compare import combine_collections as combine_collections
from irstd.compare import compare_across as compare_across
from irstd.compare import compare_collections as compare_collections
from irstd.compare import comparison_table as comparison_table
from irstd.compare import drmse as drmse
from irstd.compare import false_positives as false_positives
from irstd.datasets import list_datasets as list_datasets
from irstd.datasets import load_dataset as load_dataset
from irstd.datasets import load_factors as load_factors
from irstd.documentation import documentation_campaign as documentation_campaign
from irstd.evaluation import evaluate as evaluate
from irstd.exercises import check as check
from irstd.exercises import solution as solution
from irstd.factors import Factors as Factors
from irstd.factors import standardization_factors as standardization_factors
from irstd.metrics import METRICS as METRICS
from irstd.rankings.aggregate import gmap as gmap
from irstd.rankings.aggregate import leaderboard as leaderboard
from irstd.rankings.correlation import rank_correlation as rank_correlation
from irstd.rankings.correlation import topic_difficulty as topic_difficulty
from irstd.rankings.ranks import rank_intervals as rank_intervals
from irstd.rankings.ranks import topic_influence as topic_influence
from irstd.resample.experiments import factor_sampling as factor_sampling
from irstd.resample.experiments import gmap_curve as gmap_curve
from irstd.resample.experiments import split_experiment as split_experiment
from irstd.resample.splits import split_topics as split_topics
from irstd.resample.swaps import swap_rate as swap_rate
from irstd.significance.pairwise import paired_test as paired_test
from irstd.significance.pairwise import pairwise_tests as pairwise_tests
from irstd.significance.spread import f_test as f_test
from irstd.significance.spread import levene_test as levene_test
from irstd.significance.spread import paired_levene_test as paired_levene_test
from irstd.significance.ties import break_ties as break_ties
from irstd.simulate import simulate_campaign as simulate_campaign
from irstd.standardize import standardize as standardize
from irstd.trec.runs import read_qrels as read_qrels
from irstd.trec.runs import read_run as read_run
from irstd.trec.runs import read_runs as read_runs
from irstd.trec.runs import write_qrels as write_qrels
from irstd.trec.runs import write_run as write_run
from irstd.trec.score_files import read_scores as read_scores
from irstd.trec.written_scores import write_scores as write_scores
from irstd.variability import semicircle_bound as semicircle_bound
from irstd.variability import share_above as share_above
from irstd.variability import spread as spread

if typing.TYPE_CHECKING:
    from irstd import plots as plots
    from irstd import widgets as widgets
    from irstd.widgets import explore as explore
else:  # for a type checker, any other name is an error

    def __getattr__(name):
        if name in ("plots", "widgets"):
            return _needed(f"irstd.{name}")
        if name == "explore":
            return _needed("irstd.widgets").explore
        raise AttributeError(
            f"module 'irstd' has no attribute {name!r}: see dir(irstd), and its modules, such as"
            " irstd.rankings and irstd.own_runs"
        )


__version__ = "0.5.0"

# Modules that need matplotlib or ipywidgets are imported on first use.
_HERE = [name for name, value in globals().items() if not isinstance(value, types.ModuleType)]
__all__ = sorted(name for name in ["explore", *_HERE] if name[0] != "_")


def __dir__() -> list[str]:
    """List the public names, including those imported on first use."""
    return [
        *__all__,
        "compare",
        "datasets",
        "judges",
        "metrics",
        "plots",
        "simulate",
        "trec",
        "widgets",
    ]
