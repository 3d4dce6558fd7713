"""Values that other programs publish with their tests; these lie in $IRSTD_DATA/oracles.

Of trec_eval (usnistgov, at f425365), ir_measures (terrierteam, at dc04a88), ircor
(julian-urbano, at b765358) and trectools (joaopalotti, at 8a896de). What is not reproduced has its
reason in NOT_OURS.
"""

import os
import re
from pathlib import Path

import pandas as pd
import pytest

import irstd
from irstd.metrics import parse_metric
from irstd.metrics.names import translate_name

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NOT_OURS = {  # source and measure: how many values, and why
    ("out.test.aql", "nDCG"): (18, "trec_eval's -l leaves nDCG alone; min_relevance binds it"),
    ("tau.R", "tau_a"): (3, "leaves ties in the divisor; tau is tau-b"),
    ("trectools", "AP, R@100 to R@1000"): (5, "other qrels: 10 more relevant ones of topic 303"),
    ("tauAP.R", "tauAP_a"): (3, "irstd has tau_AP and tau_AP,b"),
}
TREC_EVAL = {  # output: qrels, run, options, how many values
    "out.test": ("qrels.test", "results.test", {}, 14),
    "out.test.a": ("qrels.test", "results.test", {}, 45),
    "out.test.aq": ("qrels.test", "results.test", {}, 177),
    "out.test.aqc": ("qrels.test", "results.trunc", {}, 177),
    "out.test.aqcM": ("qrels.test", "results.trunc", {"depth": 100}, 177),
    "out.test.aql": ("qrels.rel_level", "results.test", {"min_relevance": 2}, 177),
    "out.test.aqZ": ("qrels.test", "results.test", {}, 176),
    "out.test.meas_params": ("qrels.test", "results.test", {}, 44),
}


@pytest.fixture(scope="module")
def oracles(trec_data):
    folder = trec_data / "oracles"
    if not os.environ.get("CI") and not folder.is_dir():
        pytest.skip(f"needs {folder}")
    return folder  # of which .ci/run needs all


def is_ours(name):
    try:
        return bool(parse_metric(name))
    except ValueError:
        return False


@pytest.mark.parametrize("output", TREC_EVAL)
def test_trec_eval(oracles, tmp_path, output):
    qrels, name, options, expected = TREC_EVAL[output]
    folder, z = oracles / "trec_eval", output == "out.test.aqZ"
    lines = [line.split() for line in (folder / output).read_text().splitlines()]
    cells = [(name.removeprefix("Z") if z else name, *rest) for name, *rest in lines]
    ours = {n: "AP" if n == "gm_map" and not z else translate_name(n) for n, *_ in cells}
    cells = [(ours[n], n, *rest) for n, *rest in cells if is_ours(ours[n])]
    metrics = sorted({cell[0] for cell in cells})
    (tmp_path / "run").write_text(
        "".join(" ".join(x.split()[:6]) + "\n" for x in (folder / name).read_text().splitlines())
    )
    run = irstd.read_run(tmp_path / "run")
    if "depth" in options:  # cut-offs below it are refused: the run is cut instead
        order = run.sort_values(["score", "doc_id"], ascending=False).groupby("query_id")
        deep = [m for m in metrics if int((m + "@0").split("@")[1]) <= 100]
        with pytest.warns(UserWarning, match=r"ranks beyond depth=100 are ignored in: x$"):
            cut = irstd.evaluate({"x": run}, folder / qrels, deep, **options)
        run, options = order.head(100), {}
        assert cut.equals(irstd.evaluate({"x": run}, folder / qrels, deep))
    scores = irstd.evaluate({"x": run}, folder / qrels, metrics, **options)
    if z:
        factors = irstd.Factors.from_trec_eval(folder / "zscores_file")
        scores = irstd.standardize(scores, factors, "z")
    wrong = []
    for metric, theirs, topic, value in cells:
        column = scores[metric, "x"]
        whole = {
            "num_ret": column.sum,
            "gm_map": lambda c=column: irstd.gmap(c.to_frame("x"), 1e-5, adjust="floor").iloc[0],
        }
        found = whole.get(theirs, column.mean)() if topic == "all" else column[topic]
        wrong += [(metric, found)] if abs(found - float(value)) > 5.1e-5 else []
    assert len(cells) == expected
    assert all(metric.startswith("nDCG") for metric, _ in wrong), wrong
    assert len(wrong) == NOT_OURS.get((output, "nDCG"), (0,))[0]


PARTS = re.compile(
    r"read_trec_(qrels|run)\('''(.*?)'''|measure = ir_measures\.(\S+)|\[([01])\]\.value, ([\d.]+)"
    r"|(?:run\)|res)\[(\S+)\], ([\d.]+)", re.DOTALL)  # fmt: skip


@pytest.mark.parametrize(
    ("file", "gain", "within", "n"),
    [("gdeval", "exponential", 6e-6, 17), ("pytrec_eval", "linear", 6e-5, 27)],
)
def test_ir_measures(oracles, tmp_path, file, gain, within, n):
    text, measure, seen = (oracles / "ir_measures" / f"test_{file}.py").read_text(), "", 0
    for kind, lines, named, row, value, of, mean in PARTS.findall(text):
        if kind:
            (tmp_path / kind).write_text(lines)
        measure = named or measure
        metric = translate_name(
            (of if of.startswith("ir_") else measure).removeprefix("ir_measures.")
        )
        if (value or mean) and is_ours(metric):
            scores = irstd.evaluate(tmp_path / "run", tmp_path / "qrels", metric, gain=gain)["run"]
            whole = scores.sum() if metric.startswith("NumRet") else scores.mean()
            found = scores.iloc[int(row)] if row else whole
            assert found == pytest.approx(float(value or mean), abs=within), metric
            seen += 1
    assert seen == n


@pytest.mark.parametrize(("file", "n"), [("judged", 10), ("cwl_eval", 21)])
def test_tables_of_ir_measures(oracles, tmp_path, file, n):
    text, seen = (oracles / "ir_measures" / f"test_{file}.py").read_text(), 0
    for kind in ("qrels", "run"):
        lines = re.search(rf"read_trec_{kind}\('''\n(.*?)'''", text, re.DOTALL)
        (tmp_path / kind).write_text(
            lines[1] if lines else (oracles / "ir_measures" / f"cwl.{kind}").read_text()
        )
    for measure, values in re.findall(r"\[(\w[^\[]*), \[(\(.*?)\]\]", text):
        metric = re.sub(r"^Judged(\(cutoff=(\d+)\))?$", lambda m: f"Judged@{m[2] or 1000}", measure)
        metric = translate_name(metric.replace(" ", ""))
        if is_ours(metric):
            scores = irstd.evaluate(tmp_path / "run", tmp_path / "qrels", metric).iloc[:, 0]
            for topic, value in re.findall(r"\('(\w+)', ([\d./ ]+)\)", values):
                over, under = (value + "/1").split("/")[:2]
                expected = float(over) / float(under)
                assert scores[topic] == pytest.approx(expected, abs=1e-4), metric
                seen += 1
    assert seen == n


def test_ircor(oracles):
    """Both directions; tau and tau_b are one, as are tau_AP and tau_AP,a without ties."""
    folder, names = oracles / "ircor", {"tauAP": "tau_ap", "tauAP_b": "tau_ap_b"}
    numbers = re.findall(r"(x|y)(\.ties)? = c\((.*?)\)", (folder / "helper_data.R").read_text())
    values = [[float(x) for x in row.split(",")] for *_, row in numbers]
    of = {f"set{i // 4 + 1}${'x y x.ties y.ties'.split()[i % 4]}": v for i, v in enumerate(values)}
    counts = dict.fromkeys(["same", "tau_a", "tauAP_a"], 0)
    for file in ("tau.R", "tauAP.R"):
        for method, x, y, value in re.findall(
            r"expect_equal\((\w+)\((\S+), (\S+)\), (-?[.\d]+)",
            (folder / f"test_{file}").read_text(),
        ):
            if (file, method) in NOT_OURS and "ties" in y:
                counts[method] += 1
                continue
            method = names.get(method.removesuffix("_a"), "tau")
            found = irstd.rank_correlation(of[x], of[y], method)
            assert found == pytest.approx(float(value), abs=5e-5), (method, x, y)
            counts["same"] += 1
    assert counts == {"same": 39, "tau_a": 3, "tauAP_a": 3}


def test_trectools(oracles, trec_data):
    """The means of r4.run and of input.uic0301, and topics of the latter."""
    table = pd.read_csv(Path(__file__).with_name("trectools.csv"), dtype={"topic": str})
    folder, metrics = trec_data / "trectools", list(table["metric"].unique())
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    more = pd.DataFrame({"query_id": "303", "doc_id": list("abcdefghij"), "relevance": 1})
    qrels = pd.concat([qrels, more])  # 4 of these are found, below rank 30
    small = oracles / "trectools"
    scores = {
        "r4": irstd.evaluate(small / "r4.run", small / "qrel1.txt", metrics),
        "uic0301": irstd.evaluate(folder / "runs" / "input.uic0301.gz", qrels, metrics),
    }
    for metric, run, topic, value in table.itertuples(index=False):
        column = scores[run][metric].iloc[:, 0]
        found = column.mean() if pd.isna(topic) else column[topic]
        assert found == pytest.approx(value, abs=5.1e-5), (metric, run, topic)
