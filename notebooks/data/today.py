"""What lesson 10 asks of new and old collections: the claims, their limits, and the verdicts.

The values and their errors, over topics and over groups of runs, are in ``today.csv``.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from data import ledger as book

CLAIMS = {
    "wmz08-central": "other systems on other topics: as good as on common ones",
    "wmz08-halves": "standardizing makes halves more alike",
    "wmz08-bound": "it halves the upper end of false positives",
    "wmz08-power": "it costs no discriminative power",
    "wmz08-effect": "topics differ much more than systems",
    "wmz08-skewed": "raw scores are heavily skewed",
    "wmz08-even": "standardized scores are spread evenly",
    "wmz08-reliable": "topics that spread systems are no more reliable",
    "rm08-lead": "GMAP orders halves more alike than MAP",
    "rm08-stable": "GMAP is less affected by outliers",
    "hcmv10-f2": "spread grows with the mean",
    "hcmv10-f5-z": "no trend is left after z",
    "hcmv10-f5-logit": "no trend is left after logits",
    "hcmv10-common": "ties often differ in spread",
    "hcmv10-fewer": "there are fewer ties after z",
    "hcmv10-f": "more ties are broken after z, by F",
    "hcmv10-levene": "more ties are broken after z, by Levene",
}
SIMILAR = book.WORDS["similar"]
ALIKE = (SIMILAR - 1) / (SIMILAR + 1)  # of a tau: the pairs that go either way are similar
KINDS = {"new": "new", "by models": "new", "old AP": "old", "old nDCG": "old"}


def rules():
    """The limit of each claim: that of the ledger, or for a trend what is similar to none."""
    stored = book.claims()["rule"]
    found = {name: stored.get(f"{name}-trec8", stored.get(name)) for name in CLAIMS}
    found["wmz08-reliable"] = f"below {ALIKE:.4f}"
    found["hcmv10-f5-z"] = found["hcmv10-f5-logit"] = f"between -{ALIKE:.4f} {ALIKE:.4f}"
    return found | {"judges": stored["wmz08-t5-lower"]}  # "much lower"


def off(rule, value):
    """How far a value keeps to its limit; below 0, how far it breaks it."""
    kind, *words = rule.replace("at least", "above").split()
    limit = float(book.WORDS.get(words[-1], words[-1]))
    return {"above": value - limit, "below": limit - value, "between": limit - abs(value)}[kind]


def holm(p):
    """P-values corrected for their number, the smallest by all of it."""
    places = np.argsort(p)
    steps = np.maximum.accumulate(p[places] * np.arange(len(p), 0, -1))
    return steps[np.argsort(places)]


def values():
    """All rows of ``today.csv``, with the error over topics and groups together."""
    table = pd.read_csv(Path(__file__).with_name("today.csv"))
    return table.assign(se=np.hypot(table["se_topics"], table["se_groups"]))


def judged(rows, error="se"):
    """The verdict of each row: a t-test of its distance from the limit, corrected by Holm."""
    limits = rules()
    t = [off(limits[c], v) / max(e, 1e-9) for c, v, e in rows[["claim", "value", error]].to_numpy()]
    p = holm(2 * stats.t.sf(np.abs(t), rows["df"]))
    told = np.where(p > 0.05, "open", np.where(np.array(t) > 0, "holds", "fails"))
    return rows.assign(t=t, verdict=told)


def verdicts(error="se"):
    """A row for each claim and collection; p-values are corrected over each collection."""
    table = values()
    table = table[table["claim"].isin(rules()) & table["kind"].isin(KINDS)]
    each = [judged(rows, error) for _, rows in table.groupby("data", sort=False)]
    found = pd.concat(each)
    says = found["claim"].map(CLAIMS | {"judges": "another judge: dRMSE much lower"})
    return found.assign(says=says, age=found["kind"].map(KINDS))
