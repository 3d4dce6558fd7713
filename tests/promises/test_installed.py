"""What works with numpy, pandas and scipy alone: everything on score matrices."""

import subprocess
import sys
import textwrap

ALONE = """
import importlib.metadata as metadata
import sys

NEEDED = {"numpy", "pandas", "scipy", "dateutil", "pytz", "tzdata", "six", "irstd"}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in NEEDED and top not in sys.stdlib_module_names and top in INSTALLED:
            raise ModuleNotFoundError(f"no {top} here", name=top)

INSTALLED = set(metadata.packages_distributions())
sys.meta_path.insert(0, Refuse())
import irstd
import pandas as pd
import tempfile, warnings
from pathlib import Path

warnings.simplefilter("ignore")
scores = irstd.load_dataset("sim-trec8").iloc[:, :12]
later = irstd.simulate_campaign()["sim-trec7"].scores("AP").iloc[:, :12]
later.columns = scores.columns
a, b = scores.iloc[:, 0], scores.iloc[:, 1]
irstd.standardize(scores, irstd.standardization_factors(scores))
irstd.gmap(scores), irstd.leaderboard(scores), irstd.leaderboard(scores, aggregate="additive")
irstd.paired_test(a, b), irstd.pairwise_tests(scores), irstd.paired_levene_test(a, b)
irstd.spread(scores), irstd.logit(scores, 0.01), irstd.share_above(scores, 0.3)
irstd.semicircle_bound(scores.mean()), irstd.break_ties(scores), irstd.discriminative_power(scores)
irstd.detectable_difference(scores), irstd.variance_components(scores), irstd.risk(scores, alpha=1)
irstd.drmse(scores, later), irstd.false_positives(scores, later)
irstd.compare_collections({"8": scores, "7": later}, trials=20, method="z")
irstd.rank_correlation(scores.mean(), later.mean()), irstd.rank_intervals(scores, trials=20)
irstd.borda(scores), irstd.topic_difficulty(scores), irstd.topic_influence(scores)
splits = irstd.split_topics(scores.index, trials=5)
irstd.split_experiment(scores, splits), irstd.gmap_curve(scores, [0.01], trials=5)
irstd.swap_rate(scores, sizes=[5], trials=2)
irstd.factor_sampling(scores, scores, sizes=[5], trials=2)
irstd.compare_judges(pd.concat({"a": scores, "b": scores**2}, axis=1), reference="a")
irstd.rectify(scores.iloc[::3], scores**2)
with tempfile.TemporaryDirectory() as folder:
    irstd.write_scores(scores, Path(folder) / "scores.csv")
    assert irstd.read_scores(Path(folder) / "scores.csv").equals(scores)
assert not {"pyarrow", "joblib", "tqdm", "pooch", "matplotlib"} & set(sys.modules)
print("done")
"""


def test_score_matrices_need_numpy_pandas_and_scipy_alone():
    command = [sys.executable, "-c", textwrap.dedent(ALONE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr[-1000:]) == ("done\n", "")
