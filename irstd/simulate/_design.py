"""The parameters of a simulated campaign, in `wmz08.toml`; `irstd.simulate._model` uses them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace as Parameters

# Topics of a collection: `first` number; natural log of the number of relevant documents,
# `log_relevant` (mean) and `log_relevant_sd`, at least `least_relevant`; `separation` (mean), its
# `_sd` and its `_skew` (a of S); `slope`, the loss of separation with one sd of the log number.
#
# Systems: `prefix` of their names; `systems`, `groups` and `manual_groups`, how many; quality,
# `mean`, `sd` between groups, `skew` (a of S), `run_sd` between runs of a group, `manual_bonus`;
# `noise` of single runs, beside that of other sets of systems; `volatility_sd` of its log, between
# groups; `failures`, the chance that a group of middling quality fails on a topic.
#
# Documents: u (mean of w, `sd`; a of S, `skew`; spread of w over topics, `sd_spread`), `hidden`
# share and its `hidden_loss`, `manual_correlation`; `group_sd` of v, `group_topic_sd` of g,
# `factor_sd` of f, `tail` (a of S), `run_topic_sd` of h, `run_sd` of e; `failure_loss` of a group
# that fails, on average, and `failing_runs`, the share of its runs that fail with it;
# `non_relevant`, M.


DESIGNS = ("wmz08", "wmz08-strong-reference")


def read_design(name: str) -> Parameters:
    """Read a design; a collection without `systems` of its own has the `later` ones (None)."""
    values = tomllib.loads(Path(__file__).with_name("wmz08.toml").read_text(encoding="utf-8"))
    changes, collections = values["variants"].get(name, {}), {}
    for collection, part in values["collections"].items():
        own = None
        if "systems" in part:
            own = _systems(part["systems"] | changes.get(collection, {}))
        collections[collection] = Parameters(**part["topics"]), own
    later, documents = _systems(values["later"]), Parameters(**values["documents"])
    return Parameters(later=later, collections=collections, documents=documents)


def _systems(values: dict) -> Parameters:
    return Parameters(**{"manual_groups": 0, "manual_bonus": 0.0} | values)
