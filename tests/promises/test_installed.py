"""What works with numpy, pandas, scipy and pyarrow alone: everything on score matrices."""

from pathlib import Path

import pytest
from processes import run_python

ALONE = """if True:
    import importlib.metadata as metadata
    import sys
    import pytest  # as the table of functions does

    NEEDED = {"numpy", "pandas", "scipy", "pyarrow", "dateutil", "pytz", "tzdata", "six", "irstd"}

    class Refuse:
        def find_spec(self, name, path=None, target=None):
            top = name.partition(".")[0]
            if top not in NEEDED and top not in sys.stdlib_module_names and top in INSTALLED:
                raise ModuleNotFoundError(f"no {top} here", name=top)

    INSTALLED = set(metadata.packages_distributions())
    sys.meta_path.insert(0, Refuse())
    import warnings
    import irstd
    sys.path.append(sys.argv[2])
    from test_metamorphic import CASES, EXAMPLE

    warnings.simplefilter("ignore")
    for name, call in CASES.items():
        try:
            call(EXAMPLE, 1.0)
        except ModuleNotFoundError as error:  # what statsmodels' numbers are
            print(name, error)
    irstd.simulate_campaign()
    irstd.write_scores(EXAMPLE, sys.argv[1])
    assert irstd.read_scores(sys.argv[1]).equals(EXAMPLE)
    assert not {"joblib", "tqdm", "pooch", "matplotlib"} & set(sys.modules)
"""
BY_STATSMODELS = ["combine_collections", "comparison_table", "pairwise_tests"]


@pytest.mark.slow
def test_score_matrices_need_numpy_pandas_scipy_and_pyarrow_alone(tmp_path):
    done = run_python("-c", ALONE, tmp_path / "scores.csv", Path(__file__).parent)
    assert done.stderr == ""
    missing = [line.split()[0] for line in done.stdout.splitlines() if "statsmodels" in line]
    assert sorted(missing) == BY_STATSMODELS and done.stdout.count("\n") == len(BY_STATSMODELS)


def test_import_leaves_scipys_subpackages_for_later():
    """They take as long as pandas: each is imported where it is used."""
    done = run_python("-c", "import sys, irstd; print('scipy.stats' in sys.modules)")
    assert done.stdout.strip() == "False"
