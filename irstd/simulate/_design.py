"""Parameters of a simulated campaign, read from `wmz08.toml`."""

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
# `noise` of single runs, beside that of other sets of systems; of the log of volatility,
# `volatility_sd` between groups and `run_volatility_sd` between runs of a group; `failures`, the
# mean chance that a run of middling quality fails on a topic, `failures_sd` of its log, and
# `slope_sd` of the slope; `move_sd` of the quality of one system between collections.
#
# Documents: u (mean of w, `sd`; a of S, `skew`; spread of w over topics, `sd_spread`), `hidden`
# share and its `hidden_loss`, `manual_correlation`; `group_sd` of v, `group_topic_sd` of g,
# `factor_sd` of f, `tail` (a of S), `run_topic_sd` of h, `run_sd` of e; `failure_loss` of a group
# that fails, on average; `non_relevant`, M.


def read_design() -> Parameters:
    """Read the campaign's parameters from `wmz08.toml`."""
    values = tomllib.loads(Path(__file__).with_name("wmz08.toml").read_text(encoding="utf-8"))
    traits = values["traits"]
    documents = Parameters(**values["documents"])
    collections = {}
    for collection, tables in values["collections"].items():
        systems = None
        if "systems" in tables:
            systems = Parameters(**traits | tables["systems"])
        topics = Parameters(**tables["topics"])
        collections[collection] = Parameters(topics=topics, systems=systems, documents=documents)
    later = Parameters(**traits | values["later"])
    return Parameters(later=later, collections=collections)
