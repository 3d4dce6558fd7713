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
RELEVANCE = (
    "umbrela",
    "binary",
    "preferences",
)  # asked about documents, not about exams or nuggets
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
    on_twice_as_many = functions()["on_twice_as_many"]
    numbers = {}
    asked_about_documents = []
    for year, (people, judges) in by_year().items():
        drawn = pd.DataFrame([taus_on_halves(people, judges, rng) for _ in range(200)]).mean()
        of_judges = drawn.drop("other")
        numbers[f"judges {year}"] = len(judges)
        numbers[f"above other topics {year}"] = int((of_judges > drawn["other"]).sum())
        numbers[f"tau by judges {year}"] = of_judges.median()
        numbers[f"tau by other topics {year}"] = drawn["other"]
        on_all = {
            name: irstd.rank_correlation(people.loc[part.index].mean(), part.mean())
            for name, part in judges.items()
        }
        numbers[f"tau by judges, all topics {year}"] = np.median(list(on_all.values()))
        tau_of_as_many = on_twice_as_many(drawn["other"])
        numbers[f"tau by as many other topics {year}"] = tau_of_as_many
        above = sum(tau > tau_of_as_many for tau in on_all.values())
        numbers[f"above as many other topics {year}"] = above
        named = of_judges[[name.startswith(RELEVANCE) for name in of_judges.index]]
        asked_about_documents += list(named > drawn["other"])
    numbers["judges asked about documents"] = len(asked_about_documents)
    numbers["judges asked about documents, above"] = sum(asked_about_documents)
    for name in ("judges", "above other topics", "above as many other topics"):
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
    found = pd.DataFrame([each[equal] for each in tables])
    of_year = [year for year, *_ in pairs()]
    for rival, name in (("standardized", "find more"), ("both", "find more than both")):
        found_more = found["two numbers"] > found[rival]
        numbers[f"judges by whom two numbers {name}"] = int(found_more.sum())
    for year, median in found.groupby(of_year).median().iterrows():
        numbers[f"two numbers less both {year}"] = median["two numbers"] - median["both"]
    for column, treatment in itertools.product(table.columns, table.index):
        numbers[f"{column}: {treatment}"] = table.loc[treatment, column]
    for treatment, share in pd.DataFrame(near).median().items():
        numbers[f"nearly equal: {treatment}"] = share
    shares = pd.concat(wrong).groupby(level=0, sort=False).median()
    for column, treatment in itertools.product(shares.columns, shares.index):
        numbers[f"wrong, {column}: {treatment}"] = shares.loc[treatment, column]
    return numbers


def in_order(by_judge, by_people, truth):
    """The share of pairs, A by the judge and B by people, in the order of the truth."""
    ours = np.sign(np.subtract.outer(by_judge.to_numpy(), by_people.to_numpy()))
    true = np.sign(np.subtract.outer(truth.to_numpy(), truth.to_numpy()))
    pairs_of_two = ~np.eye(len(truth), dtype=bool)
    return (ours == true)[pairs_of_two].mean()


def right_order(draws=10):
    """Medians over the judges, where the truth is people's mean on the other half of the topics."""
    rng = np.random.default_rng(0)
    treated = functions()["treatments"]
    rows = []
    for _, _, part, people in pairs():
        drawn = []
        for _ in range(draws):
            topics = rng.permutation(people.index)
            half, other_half = np.array_split(topics, 2)
            truth = people.loc[other_half].mean()
            same = people.loc[half]
            ours, theirs = treated(part.loc[half]), treated(same)
            row = {name: in_order(ours[name].mean(), theirs[name].mean(), truth) for name in ours}
            drawn.append(row | {"people": in_order(same.mean(), same.mean(), truth)})
        rows.append(pd.DataFrame(drawn).mean())
    medians = pd.DataFrame(rows).median()
    return {f"right order, other topics: {name}": share for name, share in medians.items()}


def correlations_on_halves(part, people, rng):
    """Of the gain on half of the topics with the mean by people on this and on the other half."""
    topics = rng.permutation(people.index)
    size = len(topics) // 2
    before = irstd.standardize(people)
    gain = (irstd.standardize(part) - before).loc[topics[:size]].mean()
    halves = (before.loc[topics[:size]].mean(), before.loc[topics[size : 2 * size]].mean())
    return [np.corrcoef(gain, mean)[0, 1] for mean in halves]


def heights_on_halves(part, people, rng):
    """How alike the heights of systems above the curve are on two halves of the topics."""
    topics = rng.permutation(people.index)
    before = irstd.standardize(people)
    gain = irstd.standardize(part) - before
    heights = []
    for half in np.array_split(topics, 2):
        mean = before.loc[half].mean()
        size = gain.loc[half].mean()
        heights.append(size - np.polyval(np.polyfit(mean, size, 2), mean))
    return np.corrcoef(*heights)[0, 1]


def gains():
    """Significant gains as they are and above the curve, and what they go with."""
    names = functions()
    rng = np.random.default_rng(0)
    other_rng = np.random.default_rng(1)
    rows = []
    halves = []
    alike = []
    for _, _, part, people in pairs():
        critical = stats.t.isf(0.025, len(people) - 1)
        row = [names["correlation"](part, people)]
        for degree in (None, 2):
            t = names["gains"](part, people, degree)
            row += [(t > critical).mean(), t.max()]
        rows.append(row)
        alike.append(np.mean([heights_on_halves(part, people, other_rng) for _ in range(20)]))
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
        "correlation of heights on two halves": np.mean(alike),
        "correlation on the same half": same,
        "correlation on the other half": other,
    }


def lifted(part):
    """The judge's scores, for each system that can be a friend, as if it were 20 places higher."""
    ranking = part.mean().sort_values(ascending=False, kind="stable").index
    for friend, model in zip(ranking[PLACES:], ranking[:-PLACES], strict=True):
        yield friend, part.assign(**{friend: part[model]})


WAYS = ("by gain", "degree 1", "above the curve", "degree 3", "degree 4", "by height", "by places")


def suspicions(part, people, before):
    """How suspect each system is, by each of WAYS; `before` is people's matrix, standardized."""
    gain = irstd.standardize(part) - before
    error = gain.std() / np.sqrt(len(gain))
    size = gain.mean()
    mean = before.mean()
    heights = {}
    for degree in (1, 2, 3, 4):
        heights[degree] = size - np.polyval(np.polyfit(mean, size, degree), mean)
    places = part.mean().rank() - people.mean().rank()
    by_degree = [height / error for height in heights.values()]
    found = [size / error, *by_degree, heights[2], places]
    return pd.DataFrame(dict(zip(WAYS, found, strict=True)))


def planted():
    """How often a planted friend is more suspect than anybody by the other judges of its year."""
    largest = {}
    for year, name, part, people in pairs():
        largest[year, name] = suspicions(part, people, irstd.standardize(people)).max()
    rows = []
    for year, name, part, people in pairs():
        before = irstd.standardize(people)
        others = [most for key, most in largest.items() if key[0] == year and key[1] != name]
        most = pd.DataFrame(others).max()
        found = []
        for friend, with_friend in lifted(part):
            found.append(suspicions(with_friend, people, before).loc[friend] > most)
        rows.append(pd.DataFrame(found).mean().rename(year))
    shares = pd.DataFrame(rows)
    numbers = {f"found {way}": share for way, share in shares.mean().items()}
    for year, means in shares.groupby(level=0).mean().iterrows():
        for way, share in means.items():
            numbers[f"found {way} {year}"] = share
    plain, curve = shares["by gain"], shares["above the curve"]
    numbers["judges by whom the curve finds more"] = int((curve > plain).sum())
    numbers["judges by whom it finds fewer"] = int((curve < plain).sum())
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
    worth = []
    for year, name, part, people in pairs():
        alone, with_judge = np.mean([squared_errors(part, people, rng) for _ in range(200)], axis=0)
        ratios.append(np.sqrt(with_judge / alone))
        numbers[f"rho {year} {name}"] = part.corrwith(people).mean()
        numbers[f"ratio {year} {name}"] = ratios[-1]
        of_judge = np.sqrt(((part.mean() - people.mean()) ** 2).mean())
        of_20 = np.sqrt((people.var() * (1 / 20 - 1 / len(people))).mean())
        alone_is_better.append(of_judge < of_20)
        of_one = people.var().mean()
        worth.append(1 / (of_judge**2 / of_one + 1 / len(people)))
    numbers["smallest ratio"] = min(ratios)
    numbers["median ratio"] = np.median(ratios)
    numbers["judges alone better than 20 topics"] = sum(alone_is_better)
    numbers["topics that a judge alone is worth"] = np.median(worth)
    return numbers


def taus_with_the_rest(part, people, rng):
    """Of twenty human topics, and of the judge on thirty, with people on the other topics."""
    topics = rng.permutation(people.index)
    rest = people.loc[topics[30:]].mean()
    sides = (people.loc[topics[:20]], part.loc[topics[:30]])
    return [irstd.rank_correlation(side.mean(), rest) for side in sides]


def judge_alone_by_order():
    """How many judges order systems better than twenty human topics do, for topics in general."""
    rng = np.random.default_rng(0)
    rows = []
    for year, _, part, people in pairs():
        by_people, by_judge = np.mean(
            [taus_with_the_rest(part, people, rng) for _ in range(200)], axis=0
        )
        rows.append({"year": year, "ahead": by_judge > by_people})
    table = pd.DataFrame(rows)
    found = {"judges alone better than 20 topics by order": table["ahead"].sum()}
    for year, ahead in table.groupby("year")["ahead"]:
        found[f"judges alone better than 20 topics by order, {year}"] = ahead.sum()
    return found


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
    right_order: DATA,
    gains: DATA,
    planted: DATA,
    human_topics: DATA,
    judge_alone_by_order: DATA,
    unjudged: "judges-dl2021",
}
