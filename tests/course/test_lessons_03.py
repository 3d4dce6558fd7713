"""What notebook 03 says of public data, and of ten other campaigns."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest
from campaigns import TEN, campaign

import irstd

LESSON = Path(__file__).parents[2] / "notebooks" / "03_gmap.ipynb"


def halves(table, epsilon=0.01, trials=300):
    """Return the mean tau between halves by the arithmetic mean, and by how much GMAP differs."""
    splits = irstd.split_topics(table.index, trials=trials)
    by_mean = irstd.split_experiment(table, splits, statistics=["tau"], epsilon=None)
    by_gmap = irstd.split_experiment(table, splits, statistics=["tau"], epsilon=epsilon)
    tau = float(by_mean["tau"].mean())
    return tau, float(by_gmap["tau"].mean()) - tau


def luck(table, parts, trials):
    """Return the standard error of the difference by the jackknife over parts of the topics."""
    topics = np.random.default_rng(0).permutation(table.index)
    differences = []
    for part in np.array_split(topics, parts):
        _, difference = halves(table.drop(index=part), trials=trials)
        differences.append(difference)
    return float(np.sqrt((parts - 1) * np.var(differences)))


def votes(table, by):
    """The influence of each fifth of the topics, from the hardest on."""
    influence = irstd.topic_influence(table)[by.sort_values().index]
    fifths = np.array_split(influence, 5)
    return [float(fifth.sum()) for fifth in fifths]


def outer_votes(table, by):
    """The influence of the hardest fifth of the topics, and of the easiest."""
    return votes(table, by)[::4]


def three_forms(scores):
    """The scores, and their logarithms by two epsilons."""
    return [scores, np.log(scores + 0.01), np.log(scores + 1e-5)]


def share(condition):
    """The share of the cells of a matrix for which a condition holds."""
    return condition.stack().mean()


def less_moved(scores, trials=60):
    """Whether fewer places than at random move without the hardest fifth, or the easiest."""
    fifths = np.array_split(scores.mean(axis=1).sort_values().index, 5)
    hardest = fifths[0]
    easiest = fifths[4]
    rng = np.random.default_rng(0)
    drawn = [rng.permutation(scores.index)[: len(scores) // 5] for _ in range(trials)]
    found = []
    for epsilon, fifth in ((np.inf, hardest), (0.01, easiest), (1e-5, easiest)):
        places = irstd.gmap(scores, epsilon).rank()
        moved = []
        for topics in (fifth, *drawn):
            without = irstd.gmap(scores.drop(index=topics), epsilon).rank()
            moved.append((without - places).abs().mean())
        of_fifth, *at_random = moved
        found.append(of_fifth < np.quantile(at_random, 0.025))
    return found


def picked(old, new):
    """Return the mean gaps of the ten most unlike neighbours: failures and GMAP, found and new."""
    order = old.mean().sort_values(ascending=False, kind="stable").index

    def gaps(values):
        """What each system of the upper half has above the next one."""
        return values[order].diff(-1)[: len(order) // 2].to_numpy()

    failures = gaps((old < 0.01).sum())
    new_failures = gaps(50 * (new < 0.01).mean())
    gmaps = gaps(-irstd.gmap(old, 0.01))
    new_gmaps = gaps(-irstd.gmap(new, 0.01))
    ten = np.argsort(-np.abs(failures), kind="stable")[:10]
    direction = np.sign(failures)
    of_all = (failures, new_failures, gmaps, new_gmaps)
    return [float((direction * gap)[ten].mean()) for gap in of_all]


def test_eight_broken_runs_decide_about_the_votes():
    """Eight others, drawn at random, do not."""
    scores = irstd.load_dataset("sim-trec8")
    by = scores.mean(axis=1)
    broken = scores.columns[scores.mean() < 0.05]
    assert len(broken) == 8
    without = outer_votes(np.log(scores.drop(columns=broken) + 0.01), by)
    assert without == pytest.approx([0.20, 0.13], abs=0.0051)
    rng = np.random.default_rng(0)
    for _ in range(9):
        drawn = rng.choice(scores.columns, 8, replace=False)
        rest = scores.drop(columns=drawn)
        found = outer_votes(np.log(rest + 0.01), by)
        assert found == pytest.approx([0.17, 0.17], abs=0.015)


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("trec8")
    assert share(scores == 0) == pytest.approx(0.026, abs=0.0005)
    by = scores.mean(axis=1)
    forms = three_forms(scores)
    for form, expected in zip(forms, [[0.09, 0.31], [0.17, 0.21], [0.22, 0.19]], strict=True):
        assert outer_votes(form, by) == pytest.approx(expected, abs=0.0051)
    assert np.ptp(votes(forms[-1], by)) < 0.04  # "nearly even"
    assert all(less_moved(scores))
    tau = irstd.rank_correlation(scores.mean(), irstd.gmap(scores, 1e-5))
    assert tau == pytest.approx(0.814, abs=0.0005)
    assert halves(scores, trials=10_000) == pytest.approx((0.773, -0.019), abs=0.0006)


def printed_rows():
    """The two dicts at the start of the cell of public collections: their rows, and others'."""
    cells = json.loads(LESSON.read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    (source,) = [text for text in sources if text.startswith("public = ")]
    public, others = ast.parse(source).body[:2]
    return ast.literal_eval(public.value), ast.literal_eval(others.value)


def load(name):
    dataset = name.lower().replace(" ", "").replace("-", "")
    return irstd.load_dataset(dataset).dropna(axis=1)


def upper_half(values):
    """The names of the larger half of a dict's values."""
    names = sorted(values, key=values.get)
    return set(names[len(names) // 2 :])


@pytest.mark.night
@pytest.mark.usefixtures("trec_data")
def test_where_gmap_is_the_more_consistent_one():
    """The four collections that gain are those with the most small scores, and the most zeros."""
    printed, of_later_systems = printed_rows()
    tables = {name: load(name) for name in printed}
    public = list(tables)[:8]
    for name, row in of_later_systems.items():
        topics = tables[name].index
        tables["again " + name] = tables["Robust 2004"].loc[topics]
        printed["again " + name] = row
    for name, scores in tables.items():
        _, difference = halves(scores)
        found = share(scores < 0.01), difference, luck(scores, 25, 1000)
        assert printed[name] == pytest.approx(found, abs=0.0006)

    gain = {name for name in public if printed[name][1] > 0.01}
    assert gain == {"TREC-5", "TREC-6", "Genomics 2004", "Web 2004"}
    small_scores = {name: printed[name][0] for name in public}
    zeros = {name: share(tables[name] == 0) for name in public}
    assert upper_half(small_scores) == gain
    assert upper_half(zeros) == gain


@pytest.mark.release
def test_the_jackknife_gives_about_what_new_topics_give():
    """In the simulation both can be had: thirty draws of fifty topics, and some left out."""
    sds = []
    errors = []
    for name, part in campaign(0).collections.items():
        systems = irstd.load_dataset(name).columns
        new = part.more_topics(1500, seed=3).scores("AP", systems)
        draws = [new.iloc[start : start + 50] for start in range(0, 1500, 50)]
        differences = [halves(table, trials=200)[1] for table in draws]
        sds.append(np.std(differences, ddof=1))
        jackknifed = np.array([luck(table, 10, 300) for table in draws[:5]])
        errors.append(np.sqrt(np.mean(jackknifed**2)))
    ends = [min(sds), max(sds), min(errors), max(errors)]
    assert ends == pytest.approx([0.012, 0.029, 0.014, 0.032], abs=0.0006)


def nearer_to_the_truth(ap, truth):
    """By how much GMAP orders the systems more as they are in truth than the mean does."""
    by_mean = irstd.rank_correlation(irstd.gmap(ap, np.inf), truth)
    by_gmap = irstd.rank_correlation(irstd.gmap(ap, 0.01), truth)
    return by_gmap - by_mean


def failures_foreseen(ap, new):
    """What foresees the failures on new topics better than the mean does; and GMAP's two epsilons.

    In turn GMAP by .01 and by 1e-5, the count of failures, and the count with ties broken by the
    mean; at last whether 1e-5 is better than .01.
    """
    failures_to_come = -(new < 0.01).mean()
    count = -(ap < 0.01).sum()

    def tau(values):
        return irstd.rank_correlation(values, failures_to_come)

    by_mean = tau(irstd.gmap(ap, np.inf))
    by_gmap = tau(irstd.gmap(ap, 0.01))
    by_small_epsilon = tau(irstd.gmap(ap, 1e-5))
    others = [by_gmap, by_small_epsilon, tau(count), tau(count + ap.mean() / 1000)]
    return [*(other > by_mean for other in others), by_small_epsilon > by_gmap]


def table_row(ap, tau, difference):
    """The line of the table at the end."""
    order = irstd.rank_correlation(ap.mean(), irstd.gmap(ap, 1e-5))
    by = ap.mean(axis=1)
    of_fifths = np.ravel([outer_votes(form, by) for form in three_forms(ap)])
    return [share(ap == 0), share(ap < 0.01), order, tau, difference, *of_fifths]


def fisher_interval(r, n):
    """The 95% interval of a correlation of n pairs, by Fisher's transformation."""
    half = 1.96 / np.sqrt(n - 3)
    middle = np.arctanh(r)
    return [np.tanh(middle - half), np.tanh(middle + half)]


@pytest.mark.release
def test_ten_campaigns():
    rows = []
    moved = []
    gaps = []
    duels = []
    foreseen = []
    small = []
    for seed in TEN:
        for name, part in campaign(seed).collections.items():
            ap = part.scores("AP", "original")
            truth = part.systems["quality"][ap.columns]
            new = part.more_topics(150, seed=1).scores("AP", ap.columns)
            tau, difference = halves(ap)
            duels.append([difference, nearer_to_the_truth(ap, truth)])
            foreseen.append(failures_foreseen(ap, new))
            small.append(share(ap < 0.01) >= 0.18)
            if name == "sim-trec8":
                rows.append(table_row(ap, tau, difference))
                moved.append(less_moved(ap))
                gaps.append(picked(ap, new))

    assert np.sum(moved, axis=0).tolist() == [10, 8, 9]
    failures, gmaps = np.split(np.mean(gaps, axis=0), 2)
    assert failures == pytest.approx([3.8, 0.8], abs=0.051)
    assert gmaps == pytest.approx([0.023, 0.003], abs=0.00051)
    expected = [
        [0.022, 0.135, 0.82, 0.77, -0.043, 0.05, 0.26, 0.15, 0.17, 0.23, 0.12],
        [0.057, 0.192, 0.88, 0.81, -0.015, 0.09, 0.28, 0.18, 0.18, 0.26, 0.16],
    ]
    assert np.quantile(rows, [0, 1], axis=0) == pytest.approx(np.array(expected), abs=0.0051)
    assert np.sum(foreseen, axis=0).tolist() == [37, 33, 12, 13, 26]

    wins = np.array(duels) > 0
    consistent, right = wins.T
    small = np.array(small)
    assert [small.sum(), (small & consistent).sum()] == [2, 0]
    assert [consistent.sum(), right.sum()] == [4, 7]
    p = consistent.mean()
    q = right.mean()
    by_chance = 40 * (p * q + (1 - p) * (1 - q))
    assert (consistent == right).sum() == 29 < by_chance < 30.5
    r = np.corrcoef(np.transpose(duels))[0, 1]
    ends = fisher_interval(r, len(duels))
    assert [r, *ends] == pytest.approx([0.17, -0.15, 0.45], abs=0.0051)
