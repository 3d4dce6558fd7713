"""Mistakes that would pass in silence, or get a misleading answer: refused, with what to do."""

import re

import pytest

import irstd
from irstd import plots
from irstd.__main__ import main
from irstd.variability import semicircle_bound

SCORES = irstd.load_dataset("sim-trec8").iloc[:, ::12]
FIRST, SECOND = SCORES.columns[:2]
FACTORS = irstd.standardization_factors(SCORES)
LATER = SCORES.iloc[25:]
EARLIER = SCORES.iloc[:25].rename(index=lambda topic: f"e{topic}")

SILENT = {  # what is asked: a few words of the answer
    "standardize percent": (lambda: irstd.standardize(100 * SCORES, FACTORS), "percent"),
    "drmse of percent": (lambda: irstd.drmse(EARLIER, 100 * LATER), "percent"),
    "false_positives": (lambda: irstd.false_positives(EARLIER, 100 * LATER), "percent"),
    "leaderboard percent": (lambda: irstd.leaderboard(100 * SCORES), "percent"),
    "share_above 30": (lambda: irstd.share_above(SCORES, 30), "threshold is 30"),
    "factors as scores": (lambda: irstd.leaderboard(FACTORS.mean), "found metrics"),
    "means as reference": (lambda: irstd.standardize(SCORES, FACTORS.mean), "found metrics"),
    "f_test": (lambda: irstd.f_test(SCORES.mean(), SCORES[FIRST]), "found systems"),
    "levene_test": (lambda: irstd.levene_test(SCORES.mean(), SCORES[FIRST]), "found systems"),
    "drmse": (lambda: irstd.drmse(SCORES[FIRST], SCORES[SECOND]), "found topics"),
    "semicircle_bound of topics": (lambda: semicircle_bound(SCORES[FIRST]), "scores.mean()"),
    "another table": (lambda: plots.plot_swap_rates(SCORES), "one column 'size'"),
    "semicircle_bound": (lambda: semicircle_bound(SCORES), "scores.mean()"),
    "plot_against": (
        lambda: plots.plot_against(irstd.pairwise_tests(SCORES.iloc[:, :3]), FIRST),
        f"baseline='{FIRST}'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SILENT)
def test_a_result_that_would_be_wrong_is_refused(case):
    call, words = SILENT[case]
    with pytest.raises((ValueError, TypeError), match=re.escape(words)):
        call()


FILES = {  # by name: the text of a file, a few words of the advice
    "a.run": ("301 Q0 d7 1 2.5 me\n", "irstd evaluate"),
    "factors.csv": ("topic,AP,RR\n301,.2,.3\n302,.4,.5\n", "Factors.from_csv reads"),
    "s.xlsx": ("PK\x03\x04", "is a spreadsheet or another zip file"),
    "two.csv": ("topic,AP,AP\n,a,b\n301,.2,.3\n", "two header lines"),
}


@pytest.mark.parametrize("name", FILES)
def test_read_scores_names_another_kind_of_file(name, tmp_path):
    text, words = FILES[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words):
        irstd.read_scores(tmp_path / name)


def test_read_scores_refuses_a_table_without_header(tmp_path):
    (tmp_path / "a.csv").write_text("301,.2,.3\n302,.4,.5\n303,.1,.6\n")
    with pytest.raises(ValueError, match="no header: the first line is '301, .2, .3'"):
        irstd.read_scores(tmp_path / "a.csv", topic="301")


COMMANDS = {
    "standardize s.csv -m z": "give --method z",
    "report -o report.pdf": "must end in .html",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_to_type_instead(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    irstd.write_scores(SCORES, "s.csv")
    assert main(command.split()) > 0
    assert COMMANDS[command] in capsys.readouterr().err
