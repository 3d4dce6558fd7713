"""Each metric of the registry is documented, known by its names, and has an oracle."""

import re

import ir_measures
import numpy as np
import pytest
from _sources import list_metrics
from test_metrics import by_trec_eval, frames, names_in_trec_eval, obvious, with_cut_off

import irstd
from irstd.metrics import REGISTRY, parse_metric
from irstd.metrics.names import is_metric_name, to_trec_eval, translate_name
from irstd.metrics.registry import FORMS

CUT_OFFS = (1, 5, 20)


def with_numbers(form):
    """A form of a name with numbers in place of p and k."""
    return with_cut_off(form, 20).replace(".p", ".5")


def test_each_metric_has_a_row_with_its_formula_in_the_docstring_of_evaluate():
    rows = irstd.evaluate.__doc__.split("=\n")[1].splitlines()  # between the rules
    found = [row.split() for row in rows[:-2]]  # one is of n...
    expected = [f"{', '.join(of.forms)} {of.formula}".split() for of in REGISTRY.values()]
    assert sorted(found) == sorted(expected)
    assert all(of.formula for of in REGISTRY.values())
    page = "".join(list_metrics())
    assert all(f"| `{of.forms[0]}`" in page and of.formula in page for of in REGISTRY.values())


@pytest.mark.parametrize("name", REGISTRY)
def test_a_metric_is_known_by_its_names(name):
    entry = REGISTRY[name]
    for form in entry.forms:
        example = with_numbers(form)
        assert parse_metric(example).metric is entry
        assert is_metric_name(example), "a table of scores may have it as a column"
    for theirs, ours in entry.trec_eval.items():
        assert translate_name(with_cut_off(theirs, 7)) == with_cut_off(ours, 7)
        assert to_trec_eval(with_cut_off(ours, 7)) == with_cut_off(theirs, 7)
        assert is_metric_name(with_cut_off(theirs, 7))
    for theirs, ours in entry.ir_measures.items():
        assert translate_name(with_cut_off(theirs, 7)) == with_cut_off(ours, 7)


@pytest.fixture(scope="module")
def collection():
    """Qrels of grades from -1 to 4, and a run without ties that has documents of none, too."""
    random = np.random.default_rng(5)
    documents = [f"d{i}" for i in range(60)]
    qrels, run = {}, {}
    for length in range(30, 40):
        grades = random.choice([-1, 0, 0, 0, 0, 1, 2, 3, 4], size=40).tolist()
        qrels[str(length)] = dict(zip(documents, grades, strict=False))
        order = random.permutation(documents)[:length].tolist()
        run[str(length)] = dict(zip(order, range(length), strict=True))
    return qrels, run


def expected_of_trec_eval(entry, qrels, run):
    """What trec_eval computes, by irstd's names and by topic."""
    names = {}
    for k in CUT_OFFS:
        names |= names_in_trec_eval([entry], k)
    if not names:
        return {}
    return by_trec_eval(qrels, run, names, list(qrels))


def expected_of_ir_measures(entry, qrels, run):
    """What ir_measures computes, by irstd's names and by topic."""
    runs, judged = frames(qrels, {"x": run})
    expected = {}
    for theirs, ours in entry.ir_measures.items():
        for k in CUT_OFFS:
            measure = ir_measures.parse_measure(with_cut_off(theirs, k))
            found = {item.query_id: item.value for item in measure.iter_calc(judged, runs["x"])}
            expected[with_cut_off(ours, k)] = [found[topic] for topic in qrels]
    return expected


def expected_of_obvious_loops(entry, qrels, run):
    """What the obvious loops of test_metrics.py compute, by name and by topic."""
    expected = {}
    for topic, grades in qrels.items():
        ranking = sorted(run[topic], key=run[topic].get, reverse=True)
        for name, score in obvious(ranking, grades, None).items():
            if parse_metric(name).metric is entry:
                expected.setdefault(name, []).append(score)
    return expected


@pytest.mark.parametrize("name", REGISTRY)
def test_a_metric_has_an_oracle(name, collection):
    qrels, run = collection
    entry = REGISTRY[name]
    oracles = [
        expected_of_trec_eval(entry, qrels, run),
        expected_of_ir_measures(entry, qrels, run),
        expected_of_obvious_loops(entry, qrels, run),
    ]
    assert any(oracles), (
        f"{name} has no oracle: say in its decorator what trec_eval and ir_measures call it, or"
        " compute it in `obvious` of tests/test_metrics.py"
    )
    for expected in oracles:
        if expected:
            scores = irstd.evaluate({"x": run}, qrels, list(expected)).xs("x", axis=1, level=1)
            for metric_name, values in expected.items():
                # gdeval, of ir_measures, prints five decimals
                assert scores[metric_name].tolist() == pytest.approx(values, abs=6e-6), metric_name
            assert any(len(set(values)) > 1 for values in expected.values())


@pytest.mark.parametrize("level", [1, 2, 4])
def test_levels_are_those_of_ir_measures(collection, level):
    qrels, run = collection
    runs, judged = frames(qrels, {"x": run})
    measures = {
        f"NumRet(rel={level})": ir_measures.NumRet(rel=level),
        f"AP(rel={level})@20": ir_measures.AP(rel=level) @ 20,
        f"P(rel={level})@5": ir_measures.P(rel=level) @ 5,
        f"RBP.95(rel={level})": ir_measures.RBP(p=0.95, rel=level),
    }
    scores = irstd.evaluate(runs, judged, list(measures)).xs("x", axis=1, level="system")
    for name, measure in measures.items():
        expected = {item.query_id: item.value for item in measure.iter_calc(judged, runs["x"])}
        assert scores[name].to_dict() == pytest.approx(expected, abs=1e-9), name
    by_argument = irstd.evaluate(runs, judged, "AP@20", min_relevance=level)["x"]
    assert by_argument.equals(scores[f"AP(rel={level})@20"])


def hint_of(name):
    """The name that the refusal of another suggests, None if there is none."""
    with pytest.raises(ValueError, match="metric") as error:
        parse_metric(name)
    suggested = re.search("did you mean '(.+?)'", str(error.value))
    return suggested and suggested[1]


@pytest.mark.parametrize("name", sorted(set(REGISTRY) - {"RBP"}))
def test_a_name_in_another_case_is_suggested(name):
    assert parse_metric(hint_of(name.swapcase())).metric is REGISTRY[name]


@pytest.mark.parametrize(
    ("typed", "meant"),
    {
        "P10": "P@10",
        "nVDCG@10": "nDCG@10",
        "nDCG10": "nDCG@10",
        "ndgc@20": "nDCG@20",
        "sucess@5": "Success@5",
        "recip_rank_cut_10": "RR@10",
        "precision": "P@10",
        "dcg_5": "DCG@5",
        **dict.fromkeys("RBP@10 RBP.8@10 rbp RBP95 RBP(p=0.8) nRBP@5 SP@5 RP10".split()),
        **dict.fromkeys("f1@10 F@10 ndcg_burges jndg@5 recal RPP gm_map".split()),
    }.items(),
)
def test_a_hint_means_what_was_typed(typed, meant):
    assert hint_of(typed) == meant


@pytest.mark.parametrize("form", FORMS)
def test_no_misspelling_leads_to_another_metric(form):
    name = with_numbers(form)
    letters = re.match("[A-Za-z]+", name)[0]
    for place in range(len(letters)):
        for letter in "abcdefghijklmnoprsuwxyzADHJPRS":
            for typed in (
                name[:place] + name[place + 1 :],
                name[:place] + letter + name[place:],
                name[:place] + letter + name[place + 1 :],
            ):
                if parses(typed):
                    continue
                hint = hint_of(typed)
                family = FORMS[form], form.startswith("n")
                if hint:
                    found = parse_metric(hint)
                    is_same = letters_of(typed) == letters_of(hint)
                    assert is_same or (found.metric, found.normalized) == family, (typed, hint)


def letters_of(name):
    return sorted(re.sub("[^a-z]", "", name.lower()))


def parses(name):
    try:
        parse_metric(translate_name(name))
    except ValueError:
        return False
    return True


def test_a_name_of_two_metrics_is_refused_with_both():
    run, qrels = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 1, "b": 1, "z": 1}}
    with pytest.raises(ValueError, match="'Success@10' .* depth=10, 'NumRet"):
        irstd.evaluate({"s": run}, qrels, ["hits@10"])
    # of ranx 0.3.21: hit_rate@10 is 1, hits@10 is 2
    assert irstd.evaluate({"s": run}, qrels, "hit_rate@10").loc["1", "s"] == 1
    assert irstd.evaluate({"s": run}, qrels, "NumRet(rel=1)", depth=10).loc["1", "s"] == 2
    with pytest.raises(ValueError, match="'MAP@2' is ambiguous: give 'AP@2'"):
        irstd.evaluate({"s": run}, qrels, "MAP@2")
