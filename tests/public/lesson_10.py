"""What notebook 10 says of public data: the law of the two gaps.

Found on sets of fifty topics of Robust 2004, and on thirds of TREC 8: the break-even of d is g, up
to .3, for g up to 1.4, and no smaller than g beyond that. The four collections below were named,
and these limits written down, before the law was computed on any of them.
"""

import irstd
from two_gaps import at_random, hard_and_easy, law, partly_hard

NAMED_BEFORE = {
    "genomics2004": None,
    "enterprise2006": None,
    "web2010": None,
    "judges-dl2021": "original",
}
NEAR = 0.3
UP_TO = 1.4


def thirds_of(name, column=None):
    """Five designs of a collection: by difficulty, by difficulty and luck, at random."""
    scores = irstd.load_dataset(name)
    if column:
        scores = scores[column].dropna()
    designs = {"hard and easy": hard_and_easy(scores)}
    for seed in (0, 1):
        designs[f"partly hard {seed}"] = partly_hard(scores, seed)
        designs[f"random {seed}"] = at_random(scores, seed)
    return {f"{name}, {design}": parts for design, parts in designs.items()}


def law_on_collections_named_before():
    found = {}
    for name, column in NAMED_BEFORE.items():
        table = law(thirds_of(name, column))
        for design, row in table.iterrows():
            found |= {f"{design}, {column}": value for column, value in row.items()}
    return found


NUMBERS = {law_on_collections_named_before: ", ".join(NAMED_BEFORE)}
