"""The columns of a paper's table: means and tests by metric or by collection, with seeds or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import check_alpha, check_choice, check_flag, check_real
from irstd._base.clusters import Clusters
from irstd._base.matrix import check_alike, scores_by_metric
from irstd._base.messages import listed
from irstd._base.several import MEAN, check_collections
from irstd.compare.captions import family
from irstd.compare.over_collections import means_over_collections, pairs_over_collections
from irstd.compare.study import random_effects
from irstd.rankings.ranks import rank_intervals
from irstd.seeds import NO_SEED, Seeds, compare_seeds, seeds_by_system, seeds_of
from irstd.significance import pair_tests
from irstd.significance.corrections import adjusted
from irstd.significance.means import pairwise_tests

PAIR = ["system_a", "system_b"]
LIKE_THESE = "collections like these"
LEVEL = 0.95  # of its intervals
FAMILIES = ("all", "collection")


@dataclass(frozen=True)
class Rules:
    """By what the systems of a table are compared; see `comparison_table`."""

    baseline: str | Sequence[str] | None
    correction: str | None
    method: str
    alpha: float
    family: str
    clusters: Clusters | None = None
    margin: float | None = None
    letters: bool = False

    def checked(self) -> Rules:
        """The same, if a table can be made by it; a baseline that is named twice counts once."""
        check_alpha(self.alpha)
        check_choice(self.family, FAMILIES, "family")
        check_choice(self.method, pair_tests.METHODS, "method")
        if pair_tests.METHODS[self.method].spread is not None:
            raise ValueError(f"method must be a test of means, ranks or signs, got {self.method!r}")
        baseline = self.baseline
        if not (baseline is None or isinstance(baseline, str)):
            baseline = list(dict.fromkeys(baseline))
        if check_flag(self.letters, "letters") and baseline is not None:
            raise ValueError("letters are of all pairs: baseline must be None")
        margin = self.margin
        if margin is not None:
            margin = check_real(margin, "margin", 0, open_="low")
        return replace(self, baseline=baseline, margin=margin)


@dataclass(frozen=True)
class Columns:
    """What a table shows of each system and column, and how that is said in the caption."""

    means: pd.DataFrame
    spread: pd.DataFrame  # over seeds; NaN without
    counts: pd.DataFrame  # topics that a system has
    topics: pd.Series  # of each column
    tests: dict[str, pd.DataFrame]  # with the baseline, by pair; or ranks, by system
    what: str  # the means are of
    how: str  # they were tested
    interval: pd.DataFrame = field(default_factory=pd.DataFrame)  # of the mean over collections
    heads: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def unfinished(self) -> pd.DataFrame:
        """Whether a system has some topics of a column, and lacks others."""
        return (self.counts > 0) & (self.counts < self.topics)


def of_metrics(
    scores: pd.DataFrame, rules: Rules, seeds: Seeds | None, better: Mapping[str, str] | None
) -> Columns:
    """A column for each metric."""
    if seeds is not None:
        return _with_seeds({"score": scores}, rules, seeds)
    tables = {}
    for metric, part in scores_by_metric(scores, topics=2, systems=2).items():
        tables[metric or "score"] = part.table
    means = pd.DataFrame({metric: table.mean() for metric, table in tables.items()})
    tests = {}
    for metric, table in tables.items():
        if rules.baseline is None and not rules.letters:
            sign = -1 if (better or {}).get(metric) == "smaller" else 1
            tests[metric] = _ranked(table, sign, 1 - rules.alpha)
        else:
            tests[metric] = _test_against(table, rules)
    return Columns(
        means=means,
        spread=means.mask(means.notna()),
        counts=pd.concat({name: table.notna().sum() for name, table in tables.items()}, axis=1),
        topics=pd.Series(len(scores), means.columns),
        tests=tests,
        what=f"Means over {len(scores)} topics",
        how=f"{rules.method}{family(tests, rules.correction)}",
    )


def of_collections(
    collections: Mapping[str, pd.DataFrame], rules: Rules, seeds: Seeds | None
) -> Columns:
    """A column for each collection, and one for their mean."""
    if seeds is not None:
        return _with_seeds(collections, rules, seeds)
    tables = check_collections(collections)
    means, counts, topics = _means_over(tables)
    notes = []
    if rules.baseline is None and not rules.letters:
        tests = {name: _ranked(table, 1, 1 - rules.alpha) for name, table in tables.items()}
        on_all = means.index[means[MEAN].notna()]
        with_a_mean = {name: table[on_all] for name, table in tables.items()}
        tests[MEAN] = rank_intervals(with_a_mean, level=1 - rules.alpha)
    else:
        if rules.method != "t":
            raise ValueError(f'several collections are compared by method="t", got {rules.method}')
        correction = rules.correction if rules.family == "all" else None
        found = pairs_over_collections(
            tables,
            baseline=rules.baseline,
            correction=correction,
            clusters=rules.clusters,
            margin=rules.margin,
        )
        tests = {}
        for name, part in found.groupby("collection", sort=False):
            tests[str(name)] = part.drop(columns="collection").set_index(PAIR)
        if rules.family != "all":
            tests = _corrected(tests, rules)
        if len(tables) > 2 and not rules.letters:
            tests[LIKE_THESE] = _like_these(tests, tests[MEAN].index, tables)
            notes.append(on_collections_like_these(tests))
    return Columns(
        means=means,
        spread=means.mask(means.notna()),
        counts=counts,
        topics=topics,
        tests=tests,
        interval=means_over_collections(tables, 1 - rules.alpha)[["low", "high"]],
        what=_what(topics) + f" with their {1 - rules.alpha:.0%} interval for other topics",
        how=f"{rules.method}{_family_of_collections(tests, rules)}",
        heads=_heads(topics),
        notes=notes,
    )


def _with_seeds(scores: Mapping[str, pd.DataFrame], rules: Rules, seeds: Seeds) -> Columns:
    """Means over topics and seeds, tested on both."""
    if not isinstance(rules.baseline, str) or rules.method != "t":
        raise ValueError("with seeds, systems are tested by t against one baseline: give its name")
    if rules.clusters is not None or rules.margin is not None:
        raise ValueError("with seeds there is no test of clusters or margins: leave them out")
    check_alike(scores, "metric")
    tables = {name: seeds_of(table, seeds) for name, table in scores.items()}
    over_seeds = {name: table.T.groupby("system").mean().T for name, table in tables.items()}
    spread = {name: table.mean().groupby("system").std() for name, table in tables.items()}
    tests = {}
    for name, table in tables.items():
        tests[name] = _seed_tests(over_seeds[name].columns, rules.baseline, table)
    if len(tables) == 1:
        means, counts, topics = _means_of(over_seeds)
        what = f"Means over {topics.iloc[0]} topics and over {_numbers_of_seeds(tables)}"
        heads = {}
    else:
        means, counts, topics = _means_over(check_collections(over_seeds))
        what = f"{_what(topics)}; means over {_numbers_of_seeds(tables)}"
        heads = _heads(topics)
        of_seeds = pd.DataFrame({name: table.mean() for name, table in tables.items()})
        spread[MEAN] = of_seeds.mean(axis=1, skipna=False).groupby("system").std()
        on_all = means.index[means[MEAN].notna()]
        tests[MEAN] = _seed_tests(on_all, rules.baseline, tables)
    tests = _corrected(tests, rules)
    notes = []
    without = [name for name in means.index if _has_no_seed(tables.values(), name)]
    if without:
        notes.append(f"Without seeds: {listed(without, 20)}.")
    return Columns(
        means=means,
        spread=pd.DataFrame(spread).reindex(index=means.index, columns=means.columns),
        counts=counts,
        topics=topics,
        tests=tests,
        what=what + " (± standard deviation over seeds)",
        how=f"t on topics and seeds{_family_of_collections(tests, rules)}",
        heads=heads,
        notes=notes,
    )


def _means_of(
    tables: Mapping[str, pd.DataFrame],
) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """Means and numbers of topics by system and column, and the topics of each column."""
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    counts = pd.DataFrame({name: table.count() for name, table in tables.items()})
    topics = pd.Series({name: len(table) for name, table in tables.items()})
    return means, counts.fillna(0).astype(int), topics


def _means_over(
    tables: Mapping[str, pd.DataFrame],
) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """As `_means_of`, with the mean over collections, of systems that are on all."""
    means, counts, topics = _means_of(tables)
    means[MEAN] = means.mean(axis=1, skipna=False)
    counts[MEAN] = counts.sum(axis=1).where(means[MEAN].notna(), 0)
    topics[MEAN] = topics.sum()
    return means, counts, topics


def _ranked(table: pd.DataFrame, sign: int, level: float) -> pd.DataFrame:
    """The ranks of the systems that have all topics, and the group that holds the best."""
    finished = table.dropna(axis="columns")
    if finished.shape[1] < 2:
        raise ValueError("a table without a baseline needs two systems with all topics")
    ranked = rank_intervals(sign * finished, level=level)
    return ranked.assign(value=sign * ranked["value"])


def _test_against(table: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Tests of each system with each baseline, indexed by both, on the topics of both."""
    # A system without any score is in no test, and in no family that is corrected for.
    table = table.dropna(axis="columns", how="all")
    missing = "pairwise" if table.isna().any(axis=None) else "raise"
    pairs = pairwise_tests(
        table,
        rules.method,
        baseline=rules.baseline,
        correction=rules.correction,
        missing=missing,
        clusters=rules.clusters,
        margin=rules.margin,
    )
    return pairs.set_index(PAIR)


def _seed_tests(
    systems: pd.Index, baseline: str, scores: pd.DataFrame | dict[str, pd.DataFrame]
) -> pd.DataFrame:
    """Tests of each system with the baseline on topics and seeds, indexed by both."""
    rows = []
    for system in systems.drop(baseline):
        tables = list(scores.values()) if isinstance(scores, dict) else [scores]
        test = compare_seeds(tables, system, baseline)
        rows.append(test.rename((system, baseline)))
    table = pd.DataFrame(rows)
    table.index = pd.MultiIndex.from_tuples(table.index, names=PAIR)
    return table.assign(direction=np.sign(table["difference"]).astype(int))


def _corrected(tests: dict[str, pd.DataFrame], rules: Rules) -> dict[str, pd.DataFrame]:
    """The tests with p-values corrected, all together or column by column."""
    if rules.correction is None:
        return tests
    families = [[name] for name in tests]
    if rules.family == "all":
        families = [list(tests)]
    corrected = dict(tests)
    for names in families:
        together = pd.concat({name: tests[name]["pvalue"] for name in names})
        adjusted_pvalues = pd.Series(
            adjusted(together.to_numpy(), rules.correction), together.index
        )
        for name in names:
            corrected[name] = tests[name].assign(adjusted_pvalue=adjusted_pvalues[name])
    return corrected


def _numbers_of_seeds(tables: Mapping[str, pd.DataFrame]) -> str:
    """How many seeds the systems have that have any: a number, or the least and the most."""
    numbers = pd.concat([seeds_by_system(table) for table in tables.values()])
    numbers = numbers[numbers > 1]
    if numbers.min() == numbers.max():
        return f"{numbers.max()} seeds"
    return f"{numbers.min()} to {numbers.max()} seeds"


def _has_no_seed(tables: Iterable[pd.DataFrame], system: str) -> bool:
    """Whether a system, wherever it is, has no seeds."""
    seeds = set()
    for table in tables:
        of_system = table.columns[table.columns.get_level_values("system") == system]
        seeds |= set(of_system.get_level_values("seed"))
    return seeds == {NO_SEED}


def _like_these(
    tests: Mapping[str, pd.DataFrame], pairs: pd.Index, names: Iterable[str]
) -> pd.DataFrame:
    """The random-effects mean difference of each pair, for other collections like these.

    From the tests on each; NaN where two systems differ by a constant on one.
    """
    rows = []
    for pair in pairs:
        of_pair = pd.DataFrame([tests[name].loc[pair] for name in names]).astype(float)
        df = of_pair["clusters" if "clusters" in of_pair else "topics"] - 1
        half = (of_pair["high"] - of_pair["low"]) / 2
        errors = (half / stats.t.ppf((1 + LEVEL) / 2, df)).to_numpy()
        row = dict.fromkeys(["difference", "low", "high", "between"], np.nan)
        if errors.min() > 0:
            effects = random_effects(of_pair["difference"].to_numpy(), errors, LEVEL)
            row = effects.combined | {"between": effects.between}
        rows.append(row)
    columns = ["difference", "low", "high", "between"]
    return pd.DataFrame(rows, pairs, columns)


def _what(topics: pd.Series) -> str:
    """What the numbers of several collections are."""
    k = len(topics) - 1
    return f"Means over topics (their number above), and the mean over these {k} collections"


def _heads(topics: pd.Series) -> dict[str, str]:
    """The names of collections with their number of topics."""
    return {str(name): f"{name} ({n})" for name, n in topics.drop(MEAN).items()}


def _family_of_collections(tests: Mapping[str, pd.DataFrame], rules: Rules) -> str:
    """Which correction, and over how many tests."""
    tested = {name: pairs for name, pairs in tests.items() if name != LIKE_THESE}
    if rules.correction is None:
        return ""
    if rules.family == "all":
        number = sum(len(pairs) for pairs in tested.values())
        return f", {rules.correction} over {'all ' * (len(tested) > 1)}{number} tests"
    return family(dict(tested), rules.correction).replace("metric", "column")


def on_collections_like_these(tests: Mapping[str, pd.DataFrame]) -> str:
    """Whose mean difference is also to be expected of other collections."""
    found = tests[LIKE_THESE]
    clear = found[(found["low"] > 0) | (found["high"] < 0)]
    systems = listed(clear.index.get_level_values("system_a").unique(), 20)
    return (
        "The mean is of these collections; of collections like these (random effects, 95% interval"
        f" of each, uncorrected) different from the baseline: {systems or 'none'}."
    )
