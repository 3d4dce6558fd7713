"""What notebook 03 says of public data, and of ten other campaigns."""

import ast
import functools
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
    find = functools.partial(irstd.split_experiment, table, splits, statistics=["tau"])
    by = [float(find(epsilon=e)["tau"].mean()) for e in (None, epsilon)]
    return by[0], by[1] - by[0]


def luck(table, parts, trials):
    """Return the standard error of the difference by the jackknife over parts of the topics."""
    deal = np.array_split(np.random.default_rng(0).permutation(table.index), parts)
    left = [halves(table.drop(index=part), trials=trials)[1] for part in deal]
    return float(np.sqrt((parts - 1) * np.var(left)))


def votes(table, by):
    fifths = np.array_split(irstd.topic_influence(table)[by.sort_values().index], 5)
    return [float(fifth.sum()) for fifth in fifths]


def less_moved(scores, trials=60):
    """Whether fewer places than at random move without the hardest fifth, or the easiest."""
    fifths = np.array_split(scores.mean(axis=1).sort_values().index, 5)
    rng = np.random.default_rng(0)
    drawn = [rng.permutation(scores.index)[: len(scores) // 5] for _ in range(trials)]
    found = []
    for way, fifth in ((np.inf, 0), (0.01, 4), (1e-5, 4)):
        full = irstd.gmap(scores, way).rank()
        places = [
            (irstd.gmap(scores.drop(index=topics), way).rank() - full).abs().mean()
            for topics in [fifths[fifth], *drawn]
        ]
        found.append(places[0] < np.quantile(places[1:], 0.025))
    return found


def picked(old, new):
    """Return the mean gaps of the ten most unlike neighbours: failures and GMAP, found and new."""
    order = old.mean().sort_values(ascending=False, kind="stable").index
    failures = (old < 0.01).sum(), 50 * (new < 0.01).mean()
    scored = *failures, *(-irstd.gmap(table, 0.01) for table in (old, new))
    seen, *gaps = (x[order].diff(-1)[: len(order) // 2].to_numpy() for x in scored)
    ten = np.argsort(-np.abs(seen), kind="stable")[:10]
    return [float((np.sign(seen) * gap)[ten].mean()) for gap in (seen, *gaps)]


def test_eight_broken_runs_decide_about_the_votes():
    """Eight others, drawn at random, do not."""
    scores = irstd.load_dataset("sim-trec8")
    by, broken = scores.mean(axis=1), scores.columns[scores.mean() < 0.05]
    assert len(broken) == 8
    without = votes(np.log(scores.drop(columns=broken) + 0.01), by)
    assert without[::4] == pytest.approx([0.20, 0.13], abs=0.0051)
    rng = np.random.default_rng(0)
    for _ in range(9):
        drawn = scores.drop(columns=rng.choice(scores.columns, 8, replace=False))
        assert votes(np.log(drawn + 0.01), by)[::4] == pytest.approx([0.17, 0.17], abs=0.015)


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("trec8")
    assert (scores == 0).stack().mean() == pytest.approx(0.026, abs=0.0005)
    by = scores.mean(axis=1)
    forms = [scores, np.log(scores + 0.01), np.log(scores + 1e-5)]
    for table, expected in zip(forms, [[0.09, 0.31], [0.17, 0.21], [0.22, 0.19]], strict=True):
        assert votes(table, by)[::4] == pytest.approx(expected, abs=0.0051)
    assert np.ptp(votes(forms[-1], by)) < 0.04  # "nearly even"
    assert all(less_moved(scores))
    tau = irstd.rank_correlation(scores.mean(), irstd.gmap(scores, 1e-5))
    assert tau == pytest.approx(0.814, abs=0.0005)
    assert halves(scores, trials=10_000) == pytest.approx((0.773, -0.019), abs=0.0006)


@pytest.mark.night
@pytest.mark.usefixtures("trec_data")
def test_where_gmap_is_the_more_consistent_one():
    """Small scores tell the four collections that gain from the others; so do zeros."""
    source = ["".join(cell["source"]) for cell in json.loads(LESSON.read_text("utf-8"))["cells"]]
    (cell,) = [text for text in source if text.startswith("public = ")]
    said, others = (ast.literal_eval(line.value) for line in ast.parse(cell).body[:2])

    def load(name):
        return irstd.load_dataset(name.lower().replace(" ", "").replace("-", "")).dropna(axis=1)

    tables = {name: load(name) for name in said}
    tables |= {"again " + x: tables["Robust 2004"].loc[tables[x].index] for x in others}
    said |= {"again " + x: row for x, row in others.items()}
    for name, scores in tables.items():
        found = (scores < 0.01).stack().mean(), halves(scores)[1], luck(scores, 25, 1000)
        assert said[name] == pytest.approx(found, abs=0.0006)
    public = [*tables][:8]
    gain = {name for name in public if said[name][1] > 0.01}
    assert gain == {"TREC-5", "TREC-6", "Genomics 2004", "Web 2004"}
    zeros = {name: [(tables[name] == 0).stack().mean()] for name in public}
    for trait in (said, zeros):
        assert set(sorted(public, key=lambda name: trait[name][0])[4:]) == gain


@pytest.mark.night
def test_the_jackknife_gives_about_what_new_topics_give():
    """In the simulation both can be had: thirty draws of fifty topics, and some left out."""
    sds, errors = [], []
    for name, part in campaign(0).collections.items():
        new = part.more_topics(1500, seed=3).scores("AP", irstd.load_dataset(name).columns)
        draws = [new.iloc[k : k + 50] for k in range(0, 1500, 50)]
        sds.append(np.std([halves(table, trials=200)[1] for table in draws], ddof=1))
        errors.append(np.sqrt(np.mean([luck(table, 10, 300) ** 2 for table in draws[:5]])))
    found = np.quantile([sds, errors], [0, 1], axis=1).T
    assert found == pytest.approx(np.array([[0.012, 0.029], [0.014, 0.032]]), abs=0.0006)


@pytest.mark.night
def test_ten_campaigns():
    rows, duels, foreseen, small, moved, gaps = [], [], [], [], [], []
    for seed in TEN:
        for name, part in campaign(seed).collections.items():
            ap = part.scores("AP", "original")
            truth = part.systems["quality"][ap.columns]
            tau, difference = halves(ap)
            gmaps = [irstd.gmap(ap, e) for e in (np.inf, 0.01, 1e-5)]
            near = [irstd.rank_correlation(x, truth) for x in gmaps[:2]]
            duels.append([difference, near[1] - near[0]])
            new = part.more_topics(150, seed=1).scores("AP", ap.columns)
            count = -(ap < 0.01).sum()
            scored = *gmaps, count, count + ap.mean() / 1000
            by = [irstd.rank_correlation(x, -(new < 0.01).mean()) for x in scored]
            foreseen.append([*(x > by[0] for x in by[1:]), by[2] > by[1]])
            small.append([(ap < 0.01).stack().mean() >= 0.18, difference > 0])
            if name == "sim-trec8":
                order = irstd.rank_correlation(ap.mean(), irstd.gmap(ap, 1e-5))
                shares = [(ap == 0).stack().mean(), (ap < 0.01).stack().mean()]
                forms = ap, np.log(ap + 0.01), np.log(ap + 1e-5)
                asked = np.ravel([votes(x, ap.mean(axis=1))[::4] for x in forms])
                rows.append([*shares, order, tau, difference, *asked])
                moved.append(less_moved(ap))
                gaps.append(picked(ap, new))
    expected = [
        [0.022, 0.135, 0.82, 0.77, -0.043, 0.05, 0.26, 0.15, 0.17, 0.23, 0.12],
        [0.057, 0.192, 0.88, 0.81, -0.015, 0.09, 0.28, 0.18, 0.18, 0.26, 0.16],
    ]
    assert np.sum(moved, axis=0).tolist() == [10, 8, 9]
    failures, gmaps = np.split(np.mean(gaps, axis=0), 2)
    assert failures == pytest.approx([3.8, 0.8], abs=0.051)
    assert gmaps == pytest.approx([0.023, 0.003], abs=0.00051)
    assert [sum(x for x, _ in small), sum(x and won for x, won in small)] == [2, 0]
    assert np.quantile(rows, [0, 1], axis=0) == pytest.approx(np.array(expected), abs=0.0051)
    wins = np.array(duels) > 0
    assert wins.sum(axis=0).tolist() == [4, 7]
    p, q = wins.mean(axis=0)
    assert (wins[:, 0] == wins[:, 1]).sum() == 29 < 40 * (p * q + (1 - p) * (1 - q)) < 30.5
    r = np.corrcoef(np.transpose(duels))[0, 1]
    ends = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(len(duels) - 3))
    assert [r, *ends] == pytest.approx([0.17, -0.15, 0.45], abs=0.0051)
    assert np.sum(foreseen, axis=0).tolist() == [37, 33, 12, 13, 26]
