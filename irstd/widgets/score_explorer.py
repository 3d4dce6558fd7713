"""Widget of `explore`: computes the numbers that explore.js draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import pandas as pd
from traitlets import Dict, List, Unicode, observe, validate

from irstd._base.arguments import check_choice
from irstd._base.matrix import check_scores
from irstd.rankings.aggregate import leaderboard
from irstd.significance.pairwise import paired_test
from irstd.significance.spread import paired_levene_test
from irstd.standardize import METHODS, Factors, Reference, standardize
from irstd.widgets.controls import ignore_warnings

HERE = Path(__file__).parent
CLICK = "Click, or arrow keys and Enter: a system, a topic; with Shift, a second system."


class ScoreExplorer(anywidget.AnyWidget):
    """Interactive score matrix, created by `explore`.

    Attributes
    ----------
    form : str
        Form of the scores shown: ``"raw"`` or a method of `standardize`.
    system, other : str or None
        The selected system, and the one to compare it with.
    topic : str or None
        The selected topic.
    find : str
        Topic search: ids or parts of ids, separated by blanks or commas.
    topics : list of str
        The selected topics, as found by the search or assigned.
    by_system, by_topic : DataFrame
        The two tables shown, over the selected topics.
    summary : str
        Text about the selection, with tests if it is a pair.
    """

    _esm = HERE / "explore.js"
    _css = HERE / "explore.css"
    form = Unicode("raw").tag(sync=True)
    system = Unicode(None, allow_none=True).tag(sync=True)
    other = Unicode(None, allow_none=True).tag(sync=True)
    topic = Unicode(None, allow_none=True).tag(sync=True)
    find = Unicode("").tag(sync=True)
    topics = List(Unicode())
    summary = Unicode("").tag(sync=True)
    _choices = Dict().tag(sync=True)
    _systems = Dict().tag(sync=True)
    _topics = Dict().tag(sync=True)

    def __init__(self, scores: pd.DataFrame, reference: Reference = None):
        self._scores = check_scores(scores, complete=False)
        self._reference = reference
        self._scores_by_form = {"raw": self._scores}  # computed when first shown
        methods = METHODS
        if isinstance(reference, Factors):
            methods = ("normal", "z")
        systems, topics = list(self._scores.columns), list(self._scores.index)
        choices = {"system": systems, "other": systems, "topic": topics}
        super().__init__(_choices=choices | {"form": ["raw", *methods]}, topics=topics)

    def __repr__(self) -> str:
        return "explore({1} systems, {0} topics)".format(*self._scores.shape)

    def _repr_html_(self) -> str:
        """Return a static table for pages without a kernel."""
        return self.by_system.round(3).head(10).to_html()

    @property
    def scores(self) -> pd.DataFrame:
        """Scores on the selected topics, in the selected form."""
        return self._get_scores(self.form).loc[self.topics]

    def _get_scores(self, form: str) -> pd.DataFrame:
        """Return the scores of all topics, raw or standardized."""
        if form not in self._scores_by_form:
            with ignore_warnings():
                self._scores_by_form[form] = standardize(self._scores, self._reference, form)
        return self._scores_by_form[form]

    @property
    def _is_pair(self) -> bool:
        return self.system is not None and self.other is not None

    def _get_topic_scores(self) -> pd.Series:
        """Return the scores of all systems on the selected topic."""
        return self._get_scores(self.form).T[self.topic]

    @validate("form", "system", "other", "topic")
    def _check_choice(self, proposal: dict) -> str | None:
        trait = proposal["trait"].name
        if proposal["value"] is not None:
            check_choice(proposal["value"], self._choices[trait], trait)
        return proposal["value"]

    @validate("topics")
    def _check_topics(self, proposal: dict) -> list[str]:
        for topic in proposal["value"]:
            check_choice(topic, self._choices["topic"], "topics")
        return list(dict.fromkeys(proposal["value"]))  # each once

    @observe("find")
    def _filter_topics(self, _: dict) -> None:
        topics = self._scores.index
        words = self.find.replace(",", " ").split() or [""]
        parts = [word for word in words if word not in topics]  # of ids
        self.topics = [
            topic for topic in topics if topic in words or any(part in topic for part in parts)
        ]

    @observe("form", "topics", "system", "other", "topic")
    def _update_tables(self, _: dict | None = None) -> None:
        scores = self.scores
        self.by_system = self._make_leaderboard(scores)
        self.by_topic = self._make_topic_table(scores)
        summary = self._describe_selection(scores)
        if 0 < len(scores) < len(self._scores):
            summary += (
                " Topics were chosen: if after a look at scores, intervals and tests do not hold."
            )
        show_systems = ["mean", "low", "high"]
        if self.topic is not None:
            show_systems = ["score"]
        show_topics, sort_topics = "mean", "mean"
        if self.system is not None:
            show_topics = "score"
        if self._is_pair:
            show_topics = sort_topics = "difference"
        names = {"score": self.system, "other": self.other}
        with self.hold_sync():
            self.summary = summary
            self._systems = _make_panel(
                self.by_system, {"score": self.topic}, show_systems, show_systems[0]
            )
            self._topics = _make_panel(self.by_topic, names, [show_topics], sort_topics)

    def _make_leaderboard(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return a leaderboard of the selected scores."""
        columns = ["rank", "mean", "low", "high", "sd", "gmap"]
        if scores.empty:
            return pd.DataFrame([], scores.columns[:0], columns)
        if scores.isna().to_numpy().any():
            columns.append("topics")
        with ignore_warnings():
            board = leaderboard(scores)[columns]
        board["standardized"] = self._get_scores("normal").loc[self.topics].mean()
        board["zeros"] = (self._scores.loc[self.topics] == 0).sum()
        if self.topic is not None:
            board.insert(0, "score", self._get_topic_scores())
        return board

    def _make_topic_table(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return means by topic, with the scores of the selected systems."""
        table = pd.DataFrame({"mean": scores.mean(axis=1), "sd": scores.std(axis=1)})
        if self.system is not None:
            table["score"] = scores[self.system]
        if self._is_pair:
            table["other"] = scores[self.other]
            table["difference"] = table["score"] - table["other"]
        return table.sort_values("mean", ascending=False, kind="stable")

    def _describe_selection(self, scores: pd.DataFrame) -> str:
        if scores.empty:
            return "No topic is kept: empty the search for topics."
        if self._is_pair:
            return _describe_pair(scores[[self.system, self.other]].dropna())
        if self.system is not None:
            return self._describe_system()
        if self.topic is not None:
            row = self._get_topic_scores()
            return f"{row.count()} systems, mean {row.mean():.3f}, sd {row.std():.3f}."
        return f"{scores.shape[1]} systems on {len(scores)} topics. {CLICK}"

    def _describe_system(self) -> str:
        row = self.by_system.loc[self.system]
        if pd.isna(row["mean"]):
            return "it has no score on these topics."
        of_topics = ""
        if "topics" in row:
            of_topics = f" of its {row['topics']:.0f} topics"
        return (
            f"rank {row['rank']:.0f} of {len(self.by_system)} by the mean{of_topics},"
            f" {row['mean']:.3f} [{row['low']:.3f}, {row['high']:.3f}]; sd {row['sd']:.3f}."
        )


def _describe_pair(pair: pd.DataFrame) -> str:
    """Describe the difference of two systems on common topics, with tests."""
    if pair.empty:
        return "no topic has a score of both."
    a, b = pair.to_numpy().T
    text = (
        f"mean difference {np.mean(a - b):+.3f} on {len(a)} topics; better on"
        f" {np.sum(a > b)}, worse on {np.sum(a < b)}"
    )
    if len(pair) < 3:  # too few to test
        return f"{text}."
    test = paired_test(a, b)
    sd_a, sd_b = pair.std()
    return (
        f"{text}; 95% interval [{test.low:+.3f}, {test.high:+.3f}], paired t-test"
        f" p = {test.pvalue:.2g}, effect size {test.effect_size:.2f}. Spread {sd_a:.3f} and"
        f" {sd_b:.3f}: paired Levene test (median) p = {paired_levene_test(a, b).pvalue:.2g}."
    )


def _make_panel(table: pd.DataFrame, names: dict, show: list[str], sort: str) -> dict[str, Any]:
    """Return a table in the form that explore.js reads, with None for NaN."""
    values = table.astype(object).where(table.notna(), None)
    rows = values.reset_index().to_numpy().tolist()
    return {"columns": list(table), "names": names, "rows": rows, "show": show, "sort": sort}
