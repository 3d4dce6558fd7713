"""`explore`: a score matrix to click in. All numbers are computed here; explore.js draws them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import pandas as pd
from traitlets import Dict, List, Unicode, observe, validate

from irstd._base.arguments import check_choice
from irstd._base.matrix import by_metric, check_scores
from irstd.aggregate import leaderboard
from irstd.significance.means import paired_test
from irstd.significance.spread import paired_levene_test
from irstd.standardize import METHODS, Factors, Reference, standardize
from irstd.widgets._explorer import quietly

HERE = Path(__file__).parent
# The topics by the mean of all systems, the hardest first: the share from, the share to.
DIFFICULTIES = {
    "all": (0.0, 1.0),
    "hardest quarter": (0.0, 0.25),
    "hardest half": (0.0, 0.5),
    "easiest half": (0.5, 1.0),
    "easiest quarter": (0.75, 1.0),
}
CHOSEN = " Topics were chosen: if after a look at scores, intervals and tests do not hold."


class ScoreExplorer(anywidget.AnyWidget):
    """A score matrix to click in; made by `explore`.

    Attributes
    ----------
    metric, form : str
        What is shown: the metric, and ``"raw"`` or a method of `standardize`.
    system, other : str or None
        The chosen system, and the one that it is compared with.
    topic : str or None
        The chosen topic.
    find, difficulty : str
        The filters of the topics: parts of their ids, separated by blanks or commas; and a share of
        them by the mean of all systems, such as ``"hardest quarter"``.
    topics : list of str
        The topics that are kept. Filters set it; it can be set to any topics.
    by_system, by_topic : DataFrame
        The two tables as they are shown, over these topics.
    summary : str
        What the selection says, with tests of a pair.
    """

    _esm = HERE / "explore.js"
    _css = HERE / "explore.css"
    metric = Unicode().tag(sync=True)
    form = Unicode("raw").tag(sync=True)
    system = Unicode(None, allow_none=True).tag(sync=True)
    other = Unicode(None, allow_none=True).tag(sync=True)
    topic = Unicode(None, allow_none=True).tag(sync=True)
    find = Unicode("").tag(sync=True)
    difficulty = Unicode("all").tag(sync=True)
    topics = List(Unicode())
    summary = Unicode("").tag(sync=True)
    _choices = Dict().tag(sync=True)
    _systems = Dict().tag(sync=True)
    _topics = Dict().tag(sync=True)

    def __init__(self, scores: pd.DataFrame, reference: Reference = None):
        scores = check_scores(scores, several=True, complete=False)
        methods = ("normal", "z") if isinstance(reference, Factors) else METHODS
        self._raw = by_metric(scores, scores.attrs.get("metric", "score"))
        self._tables: dict[str, dict[str, pd.DataFrame]] = {"raw": self._raw}
        self._scores, self._reference = scores, reference
        metrics, forms = list(self._raw), ["raw", *methods]
        choices = {"metric": metrics, "form": forms, "difficulty": list(DIFFICULTIES)}
        super().__init__(_choices=choices, metric=metrics[0], topics=list(scores.index))

    def __repr__(self) -> str:
        n, m = self._raw[self.metric].shape
        chosen = {"system": self.system, "other": self.other, "topic": self.topic}
        words = [f", {name}={value!r}" for name, value in chosen.items() if value is not None]
        return f"explore({m} systems, {n} topics{''.join(words)})"

    @property
    def scores(self) -> pd.DataFrame:
        """The scores that are shown: the metric, its form, the topics that are kept."""
        return self._table(self.form).loc[self.topics]

    def _table(self, form: str) -> pd.DataFrame:
        """All scores of the metric in one form."""
        if form not in self._tables:
            with quietly():
                found = standardize(self._scores, self._reference, form)
            self._tables[form] = by_metric(found, self.metric)
        return self._tables[form][self.metric]

    @validate("metric", "form", "difficulty", "system", "other", "topic", "topics")
    def _check(self, proposal: dict) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        known = self._choices.get(name, self._scores.index)
        if name in ("system", "other"):
            known = self._raw[self.metric].columns
        for each in value if name == "topics" else [] if value is None else [value]:
            check_choice(each, known, name)
        return list(dict.fromkeys(value)) if name == "topics" else value

    @observe("find", "difficulty", "metric")
    def _filter(self, change: dict) -> None:
        if change["name"] == "metric" and self.difficulty == "all":
            return  # topics that were chosen stay
        means = self._raw[self.metric].mean(axis=1)
        low, high = DIFFICULTIES[self.difficulty]
        kept = ((means.rank(method="first") - 0.5) / len(means)).between(low, high)
        # A word is a topic's id; or a part of ids, if it is nobody's.
        words = set(self.find.replace(",", " ").split())
        parts = words.difference(means.index) if words else {""}
        self.topics = [t for t in means.index[kept] if t in words or any(p in t for p in parts)]

    @observe("metric", "form", "topics", "system", "other", "topic")
    def _refresh(self, _: dict | None = None) -> None:
        for name in ("system", "other"):  # another metric may have other systems
            if getattr(self, name) not in (None, *self._raw[self.metric]):
                return setattr(self, name, None)
        scores, names = self.scores, {"score": self.system, "other": self.other}
        self.by_system, self.by_topic = self._board(scores), self._difficulties(scores)
        with self.hold_sync():
            some = 0 < len(scores) < len(self._scores)
            self.summary = self._say(scores) + CHOSEN * some
            shown = ["mean", "low", "high"] if self.topic is None else ["score"]
            self._systems = _panel(self.by_system, {"score": self.topic}, shown, shown[0])
            best = next(name for name in ("difference", "score", "mean") if name in self.by_topic)
            sort = best if best == "difference" else "mean"
            self._topics = _panel(self.by_topic, names, [best], sort)

    def _board(self, scores: pd.DataFrame) -> pd.DataFrame:
        """The leaderboard of what is shown."""
        if scores.empty:
            return pd.DataFrame(index=scores.columns)
        columns = ["rank", "mean", "low", "high", "sd", "gmap"]
        columns += ["topics"] * bool(scores.isna().any(axis=None))
        with quietly():
            board = leaderboard(scores)[columns]
        board["standardized"] = self._table("normal").loc[self.topics].mean()
        board["zeros"] = (self._table("raw").loc[self.topics] == 0).sum()
        if self.topic is not None:
            board.insert(0, "score", self._table(self.form).T[self.topic])
        return board

    def _difficulties(self, scores: pd.DataFrame) -> pd.DataFrame:
        table = pd.DataFrame({"mean": scores.mean(axis=1), "sd": scores.std(axis=1)})
        for name, system in (("score", self.system), ("other", self.other)):
            if system is not None:
                table[name] = scores[system]
        if self.system is not None and self.other is not None:
            table["difference"] = table["score"] - table["other"]
        return table.sort_values("mean", ascending=False, kind="stable")

    def _say(self, scores: pd.DataFrame) -> str:
        if scores.empty:
            return "No topic is kept."
        if self.system is not None and self.other is not None:
            return self._say_pair(scores[[self.system, self.other]].dropna())
        if self.system is not None:
            row = self.by_system.loc[self.system]
            over = f" of its {row['topics']:.0f} topics" if "topics" in row else ""
            return (
                f"rank {row['rank']:.0f} of {len(self.by_system)} by the mean{over},"
                f" {row['mean']:.3f} [{row['low']:.3f}, {row['high']:.3f}]; sd {row['sd']:.3f};"
                f" standardized mean {row['standardized']:.3f}; topics scored 0: {row['zeros']:g}."
            )
        if self.topic is not None:
            row = self._table(self.form).T[self.topic]
            return f"{row.count()} systems, mean {row.mean():.3f}, sd {row.std():.3f}."
        click = "Click, or arrow keys and Enter: a system, a topic; with Shift, a second system."
        return f"{scores.shape[1]} systems on {len(scores)} topics. {click}"

    def _say_pair(self, pair: pd.DataFrame) -> str:
        a, b = pair.to_numpy().T
        text = f"mean difference {np.mean(a - b):+.3f} on {len(a)} topics; better on"
        text += f" {np.sum(a > b)}, worse on {np.sum(a < b)}"
        if len(pair) < 3:  # too few to test
            return f"{text}."
        mean, spread = paired_test(a, b), paired_levene_test(a, b)
        return (
            f"{text}; 95% interval [{mean.low:+.3f}, {mean.high:+.3f}], paired t-test"
            f" {_p(mean.pvalue)}, effect size {mean.effect_size:.2f}. Spread {a.std(ddof=1):.3f}"
            f" and {b.std(ddof=1):.3f}: paired Levene test (median) {_p(spread.pvalue)}."
        )


def _panel(table: pd.DataFrame, names: dict, show: list[str], sort: str) -> dict[str, Any]:
    """A table for explore.js: what it draws, by which column it sorts, None for NaN."""
    values = table.astype(object).where(table.notna(), None).reset_index().to_numpy().tolist()
    return {"columns": [*table], "names": names, "rows": values, "show": show, "sort": sort}


def _p(pvalue: float) -> str:
    return "p < .0001" if pvalue < 0.0001 else f"p = {pvalue:.4f}"
