"""What public judges say of lesson 08: three years of TREC Deep Learning, by its own functions.

A judge counts who judged forty topics or more that people judged, too, and who is no copy of
another: 29, many of them variants of one method.
"""

import functools
import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_judges.ipynb"
YEARS = (2019, 2020, 2021)
LEAST = 40  # topics
PLACES = 20  # by which a planted friend is lifted
DATA = "judges-dl2019 judges-dl2020 judges-dl2021"


@functools.cache
def functions():
    """The functions of the lesson, by name."""
    names = {"np": np, "pd": pd, "stats": stats, "irstd": irstd}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and source.startswith("def "):
            definitions, *_ = source.split("\n\n\n")
            exec(definitions, names)
    return names


@functools.cache
def by_year():
    """The scores of each year, by people and by each judge, on the topics that both judged."""
    found = {}
    for year in YEARS:
        scores = irstd.load_dataset(f"judges-dl{year}")
        people = scores["original"].dropna()
        judges = {}
        for name in scores.columns.unique("judge").drop("original"):
            part = scores[name].dropna()
            part = part.loc[part.index.intersection(people.index)]
            is_copy = any(part.equals(other) for other in judges.values())
            if len(part) >= LEAST and not is_copy:
                judges[name] = part
        found[year] = people, judges
    return found


def pairs():
    """Of each judge: the year, its name, its scores, and people's on the same topics."""
    for year, (people, judges) in by_year().items():
        for name, part in judges.items():
            yield year, name, part, people.loc[part.index]


def taus_on_halves(people, judges, rng):
    """On half of the topics: tau of people with people on the other half, and with each judge."""
    topics = rng.permutation(people.index)
    size = len(topics) // 2
    half = topics[:size]
    other_half = topics[size : 2 * size]
    taus = {"other": irstd.rank_correlation(people.loc[half].mean(), people.loc[other_half].mean())}
    for name, part in judges.items():
        part = part.loc[part.index.intersection(half)]
        means = people.loc[part.index].mean()
        taus[name] = irstd.rank_correlation(means, part.mean())
    return taus


def order():
    """Level, spread and tau of the judges; tau on halves beside that of other topics."""
    rng = np.random.default_rng(0)
    numbers = {}
    for year, (people, judges) in by_year().items():
        drawn = pd.DataFrame([taus_on_halves(people, judges, rng) for _ in range(200)]).mean()
        of_judges = drawn.drop("other")
        numbers[f"judges {year}"] = len(judges)
        numbers[f"above other topics {year}"] = int((of_judges > drawn["other"]).sum())
        numbers[f"tau by judges {year}"] = of_judges.median()
        numbers[f"tau by other topics {year}"] = drawn["other"]
    for name in ("judges", "above other topics"):
        numbers[name] = sum(numbers[f"{name} {year}"] for year in YEARS)
    taus = []
    ratios = []
    for _, _, part, people in pairs():
        taus.append(irstd.rank_correlation(people.mean(), part.mean()))
        ratios.append(part.mean().std() / people.mean().std())
    numbers["tau"] = np.median(taus)
    numbers["judges of smaller spread"] = int((np.array(ratios) < 1).sum())
    return numbers


def treatments():
    """Medians over the judges, by treatment; what is right is the order of the means by people."""
    names = functions()
    equal = "equal false alarms"
    tables = []
    wrong = []
    near = []
    for _, _, part, people in pairs():
        truth = people.mean().to_numpy()
        tables.append(names["ladder"](part, people, truth))
        wrong.append(names["of_these_wrong"](part, people, truth))
        near.append(names["by_near_pairs"](part, people, truth))
    table = pd.concat(tables).groupby(level=0, sort=False).median()
    numbers = {}
    found_more = [
        each.loc["two numbers", equal] > each.loc["standardized", equal] for each in tables
    ]
    numbers["judges by whom two numbers find more"] = sum(found_more)
    for column, treatment in itertools.product(table.columns, table.index):
        numbers[f"{column}: {treatment}"] = table.loc[treatment, column]
    for treatment, share in pd.DataFrame(near).median().items():
        numbers[f"nearly equal: {treatment}"] = share
    shares = pd.concat(wrong).groupby(level=0, sort=False).median()
    for column, treatment in itertools.product(shares.columns, shares.index):
        numbers[f"wrong, {column}: {treatment}"] = shares.loc[treatment, column]
    return numbers


def correlations_on_halves(part, people, rng):
    """Of the gain on half of the topics with the mean by people on this and on the other half."""
    topics = rng.permutation(people.index)
    size = len(topics) // 2
    before = irstd.standardize(people)
    gain = (irstd.standardize(part) - before).loc[topics[:size]].mean()
    halves = (before.loc[topics[:size]].mean(), before.loc[topics[size : 2 * size]].mean())
    return [np.corrcoef(gain, mean)[0, 1] for mean in halves]


def gains():
    """Significant gains as they are and above the curve, and what they go with."""
    names = functions()
    rng = np.random.default_rng(0)
    rows = []
    halves = []
    for _, _, part, people in pairs():
        critical = stats.t.isf(0.025, len(people) - 1)
        row = [names["correlation"](part, people)]
        for degree in (None, 2):
            t = names["gains"](part, people, degree)
            row += [(t > critical).mean(), t.max()]
        rows.append(row)
        drawn = [correlations_on_halves(part, people, rng) for _ in range(20)]
        halves.append(np.mean(drawn, axis=0))
    r, plain, _, above, largest = np.transpose(rows)
    same, other = np.median(halves, axis=0)
    return {
        "correlation": np.median(r),
        "significant gains": plain.mean(),
        "above the curve": above.mean(),
        "judges whose weak systems gain": int((r < 0).sum()),
        "judges with t above 3.1": int((largest > 3.1).sum()),
        "correlation on the same half": same,
        "correlation on the other half": other,
    }


def lifted(part):
    """The judge's scores, for each system that can be a friend, as if it were 20 places higher."""
    ranking = part.mean().sort_values(ascending=False, kind="stable").index
    for friend, model in zip(ranking[PLACES:], ranking[:-PLACES], strict=True):
        yield friend, part.assign(**{friend: part[model]})


def planted():
    """How often a planted friend gains more than anybody does by the other judges of its year."""
    measure = functions()["gains"]
    numbers = {}
    for degree, way in ((None, "by gain"), (2, "above the curve")):
        largest = {}
        for year, name, part, people in pairs():
            largest[year, name] = measure(part, people, degree).max()
        shares = []
        for year, name, part, people in pairs():
            others = [t for key, t in largest.items() if key[0] == year and key[1] != name]
            found = []
            for friend, with_friend in lifted(part):
                found.append(measure(with_friend, people, degree)[friend] > max(others))
            shares.append(np.mean(found))
        numbers[f"found {way}"] = np.mean(shares)
    return numbers


def rectified(few, part):
    """What people would find; one of a thousand random samples of topics differs from the rest."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the judge's mean|the judge gives all systems")
        return irstd.rectify(few, part)["mean"]


def squared_errors(part, people, rng):
    """Without bias, of 12 human topics alone and with a judge of 30: the rest is only a sample."""
    topics = rng.permutation(people.index)
    few = people.loc[topics[:12]]
    rest = people.loc[topics[30:]]
    of_rest = rest.var() / len(rest)
    means = (few.mean(), rectified(few, part.loc[topics[:30]]))
    return [((mean - rest.mean()) ** 2 - of_rest).mean() for mean in means]


def human_topics():
    """For topics in general: rho, and the error, rectified, as a share of that of people alone."""
    rng = np.random.default_rng(0)
    numbers = {}
    ratios = []
    alone_is_better = []
    for year, name, part, people in pairs():
        alone, with_judge = np.mean([squared_errors(part, people, rng) for _ in range(200)], axis=0)
        ratios.append(np.sqrt(with_judge / alone))
        numbers[f"rho {year} {name}"] = part.corrwith(people).mean()
        numbers[f"ratio {year} {name}"] = ratios[-1]
        of_judge = np.sqrt(((part.mean() - people.mean()) ** 2).mean())
        of_20 = np.sqrt((people.var() * (1 / 20 - 1 / len(people))).mean())
        alone_is_better.append(of_judge < of_20)
    numbers["smallest ratio"] = min(ratios)
    numbers["median ratio"] = np.median(ratios)
    numbers["judges alone better than 20 topics"] = sum(alone_is_better)
    return numbers


def unjudged():
    """Judges of 2021 with topics that nobody judged: the error, rectified, with and without."""
    people, judges = by_year()[2021]
    scores = irstd.load_dataset("judges-dl2021")
    errors = functions()["errors"]
    rows = []
    for name, part in judges.items():
        of_all = scores[name].dropna()
        if len(of_all) > len(part):
            human = people.loc[part.index]
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "the judge's mean")
                alone, without, _ = errors(human, part, human.mean(), size=len(part))
            rows.append([without / alone, with_topics(human, of_all) / alone])
    without, with_them = np.median(rows, axis=0)
    return {
        "judges with topics that nobody judged": len(rows),
        "ratio without these topics": without,
        "ratio with these topics": with_them,
    }


def with_topics(people, of_all, draws=150):
    """The error as by the lesson's `errors`, but that the judge brings all of its topics."""
    rng = np.random.default_rng(0)
    squares = []
    for _ in range(draws):
        few = people.loc[rng.permutation(people.index)[:20]]
        error = rectified(few, of_all) - people.mean()
        squares.append((error**2).mean())
    return np.sqrt(np.mean(squares))


NUMBERS = {
    order: DATA,
    treatments: DATA,
    gains: DATA,
    planted: DATA,
    human_topics: DATA,
    unjudged: "judges-dl2021",
}
