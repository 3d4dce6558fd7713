"""What public judges say of lesson 08: three years of TREC Deep Learning, by of_judges.py.

A judge counts who judged forty topics or more that people judged, too, and who is no copy of
another: 29 of two kinds. Nine are asked about documents, as the lesson's judges are; twenty go by
exam questions or by nuggets, and are called "exams" here. All is said of each kind by itself.
"""

import functools
import warnings

import numpy as np
import of_judges
import pandas as pd
from ladder import signs, wrong
from scipy import stats

import irstd

YEARS = (2019, 2020, 2021)
LEAST = 40  # topics
PLACES = 20  # by which a planted friend is lifted
OF_DOCUMENTS = ("umbrela", "binary", "preferences")
DATA = "judges-dl2019 judges-dl2020 judges-dl2021"


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


def table_of(rows):
    """A row per judge, in the order of `pairs`: of its year, its kind, and its method."""
    index = []
    for year, name, *_ in pairs():
        method = next(filter(name.startswith, OF_DOCUMENTS), "exams")
        index.append((year, "exams" if method == "exams" else "documents", method))
    return pd.DataFrame(rows, pd.MultiIndex.from_tuples(index, names=["year", "kind", "method"]))


def by_kind(table, how="median", by=("kind",)):
    """The median or sum of each column over each kind, or year and kind, or method."""
    numbers = {}
    for key, rows in table.groupby(list(by)):
        ending = " ".join(map(str, reversed(key)))
        for name, value in rows.agg(how).items():
            numbers[f"{name}, {ending}"] = value
    return numbers


def by_kind_and_year(table, how="median"):
    return by_kind(table, how, ["year", "kind"])


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
    """Tau of the judges; on halves beside that of other topics."""
    rng = np.random.default_rng(0)
    numbers = {}
    rows = []
    for year, (people, parts) in by_year().items():
        drawn = pd.DataFrame([taus_on_halves(people, parts, rng) for _ in range(200)]).mean()
        of_other_topics = drawn["other"]
        of_as_many = of_judges.on_twice_as_many(of_other_topics)
        numbers[f"tau by other topics {year}"] = of_other_topics
        numbers[f"tau by as many other topics {year}"] = of_as_many
        for name, part in parts.items():
            means = people.loc[part.index].mean()
            tau = irstd.rank_correlation(means, part.mean())
            rows.append(
                {
                    "tau by judges": drawn[name],
                    "tau by judges, all topics": tau,
                    "judges": 1,
                    "above other topics": drawn[name] > of_other_topics,
                    "above as many other topics": tau > of_as_many,
                }
            )
    table = table_of(rows)
    medians = table[["tau by judges", "tau by judges, all topics"]]
    counts = table[["judges", "above other topics", "above as many other topics"]]
    shares = table[["above other topics"]].add_prefix("share ")
    numbers |= by_kind(medians) | by_kind_and_year(medians) | by_kind(shares, "mean")
    return numbers | by_kind(counts, "sum") | by_kind_and_year(counts, "sum")


def treatments():
    """Medians over the judges, by treatment; what is right is the order of the means by people."""
    rows = []
    less = []
    for _, _, part, people in pairs():
        found = of_judges.ladder(part, people, people.mean().to_numpy())
        lead = found.loc["two numbers"] - found.loc["standardized"]
        row = {"by nearly equal, two numbers less standardized": lead["by nearly equal"]}
        row["two numbers less standardized"] = lead["equal false alarms"]
        less.append(row)
        numbers = found[["right order", "equal false alarms"]].unstack()
        rows.append(numbers.set_axis(numbers.index.map(": ".join)))
    of_two = table_of(less)
    return by_kind(of_two) | by_kind_and_year(of_two) | by_kind(table_of(rows))


def right_order(draws=10):
    """Medians over the judges, where the truth is people's mean on the other half of the topics."""
    rng = np.random.default_rng(0)
    treated = of_judges.treatments
    rows = []
    for _, _, part, people in pairs():
        drawn = []
        for _ in range(draws):
            topics = rng.permutation(people.index)
            half, other_half = np.array_split(topics, 2)
            truth = people.loc[other_half].mean()
            better = signs(truth, truth)
            same = people.loc[half]
            ours, theirs = treated(part.loc[half]), treated(same)
            sides = {name: (ours[name].mean(), theirs[name].mean()) for name in ours}
            sides["people"] = same.mean(), same.mean()
            drawn.append({name: 1 - wrong(*both, better) for name, both in sides.items()})
        rows.append(pd.DataFrame(drawn).mean())
    return by_kind(table_of(rows).add_prefix("right order, other topics: "))


def gains():
    """What gains go with, and how many are significant above the curve, and below it."""
    rng = np.random.default_rng(1)
    rows = []
    for _, _, part, people in pairs():
        critical = stats.t.isf(0.025, len(people) - 1)
        t = of_judges.gains(part, people, 2)
        before = irstd.standardize(people)
        gain = irstd.standardize(part) - before
        alike = [of_judges.heights_on_halves(gain, before, rng) for _ in range(60)]
        rows.append(
            {
                "correlation": of_judges.correlation(part, people),
                "above the curve": (t > critical).mean(),
                "below the curve": (t < -critical).mean(),
                "by random signs": of_judges.by_random_signs(gain, before.mean()),
                "correlation of heights on two halves": np.mean(alike),
            }
        )
    table = table_of(rows)
    of_curve = table.drop(columns="correlation")
    found = {}
    for by in ("kind", "method"):
        found |= by_kind(table[["correlation"]], by=[by]) | by_kind(of_curve, "mean", [by])
    return found


def lifted(part, places=PLACES):
    """The judge's scores, for each system that can be a friend, as if it were so much higher."""
    ranking = part.mean().sort_values(ascending=False, kind="stable").index
    for friend, model in zip(ranking[places:], ranking[:-places], strict=True):
        yield friend, part.assign(**{friend: part[model]})


DEGREES = {"by gain": None, "degree 1": 1, "above the curve": 2, "degree 3": 3, "degree 4": 4}


def suspicions(part, people):
    """How suspect each system is: by the gains of the lesson, of each degree, and two more ways."""
    found = {way: of_judges.gains(part, people, degree) for way, degree in DEGREES.items()}
    before = irstd.standardize(people)
    found["by height"] = of_judges.heights(irstd.standardize(part) - before, before.mean())
    found["by places"] = part.mean().rank() - people.mean().rank()
    return pd.DataFrame(found)


def shares_found(places=PLACES):
    """A row per judge: how often a planted friend is more suspect than all by the other judges."""
    largest = {}
    for year, name, part, people in pairs():
        largest[year, name] = suspicions(part, people).max()
    rows = []
    for year, name, part, people in pairs():
        others = [most for key, most in largest.items() if key[0] == year and key[1] != name]
        most = pd.DataFrame(others).max()
        found = []
        for friend, with_friend in lifted(part, places):
            found.append(suspicions(with_friend, people).loc[friend] > most)
        rows.append(pd.DataFrame(found).mean())
    return table_of(rows)


def planted():
    """How often a friend is found who was lifted by twenty places, by year; and by ten."""
    shares = shares_found().add_prefix("found ")
    by_ten = shares_found(10)[["above the curve"]].add_prefix("lifted by 10, found ")
    return by_kind(shares, "mean") | by_kind_and_year(shares, "mean") | by_kind(by_ten, "mean")


def rectified(few, part):
    """What people would find; one of a thousand random samples of topics differs from the rest."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the judge's mean|the judge gives all systems")
        return irstd.judges.rectify(few, part)["mean"]


def off(means, rest):
    """The squared error of means, without what the rest of the topics, a sample, has itself."""
    return ((means - rest.mean()) ** 2 - rest.var() / len(rest)).mean()


def samples(part, people, n, rng, draws=200):
    """Of random topics: people's scores on n, the judge's on thirty, and people's on the rest."""
    for _ in range(draws):
        topics = rng.permutation(people.index)
        yield people.loc[topics[:n]], part.loc[topics[:30]], people.loc[topics[30:]]


def squared_errors(few, part, rest):
    """Of human topics alone, and with the judge."""
    return [off(few.mean(), rest), off(rectified(few, part), rest)]


def human_topics():
    """For topics in general: rho, and the error, rectified, as a share of that of people alone."""
    rng = np.random.default_rng(0)
    numbers = {}
    rows = []
    for year, name, part, people in pairs():
        squares = [squared_errors(*each) for each in samples(part, people, 12, rng)]
        alone, with_judge = np.mean(squares, axis=0)
        ratio = np.sqrt(with_judge / alone)
        rho = part.corrwith(people).mean()
        kind = "documents" if name.startswith(OF_DOCUMENTS) else "exams"
        numbers[f"rho, {kind} {year} {name}"] = rho
        numbers[f"ratio, {kind} {year} {name}"] = ratio
        rows.append({"median ratio": ratio, "median rho": rho})
    return numbers | by_kind(table_of(rows))


def errors_and_taus(few, part, rest):
    """Squared error and tau with the rest: of human topics alone, and of the judge alone."""
    means = few.mean(), part.mean()
    errors = [off(mean, rest) for mean in means]
    return errors + [irstd.rank_correlation(mean, rest.mean()) for mean in means]


def judge_alone():
    """How many judges of thirty topics are better than twenty human topics, by error and order."""
    rng = np.random.default_rng(0)
    rows = []
    for _, _, part, people in pairs():
        numbers = [errors_and_taus(*each) for each in samples(part, people, 20, rng)]
        error, error_of_judge, tau, tau_of_judge = np.mean(numbers, axis=0)
        rows.append(
            {
                "judge alone, smaller error": error_of_judge < error,
                "judge alone, lead by order": tau_of_judge - tau,
            }
        )
    table = table_of(rows)
    lead = table[["judge alone, lead by order"]]
    return by_kind(table.drop(columns=lead.columns), "mean") | by_kind(lead)


NUMBERS = {
    order: DATA,
    treatments: DATA,
    right_order: DATA,
    gains: DATA,
    planted: DATA,
    human_topics: DATA,
    judge_alone: DATA,
}
