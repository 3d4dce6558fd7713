"""Letters of significance: systems that share one are not significantly different."""

from __future__ import annotations

from string import ascii_lowercase

import pandas as pd

from irstd._base.arguments import check_alpha


def letters(tests: pd.DataFrame, order: pd.Index, *, alpha: float = 0.05) -> pd.Series:
    """The compact letter display of tests of all pairs.

    Parameters
    ----------
    tests : DataFrame
        Of `pairwise_tests`, all pairs; by ``adjusted_pvalue`` where it is there.
    order : list of str
        The systems, best first: the best have the letter a.
    alpha : float, default 0.05
        Two systems are different if their p is at most this.

    Returns
    -------
    Series
        The letters of each system. Two that share a letter are not significantly different, two
        that share none are, for each pair.

    Raises
    ------
    ValueError
        If `tests` are not of all pairs of these systems.

    Notes
    -----
    Piepho's algorithm: each significant pair splits the columns of letters that hold both, and a
    column that is within another one is dropped. To share a letter is no sign of being equal.

    References
    ----------
    Piepho (2004), doi:10.1198/1061860043515.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, ::18]
    >>> tests = irstd.pairwise_tests(scores, correction="holm")
    >>> irstd.significance.letters(tests, scores.mean().sort_values(ascending=False).index).tolist()
    ['a', 'ab', 'ab', 'b', 'b', 'b', 'c', 'd']
    """
    check_alpha(alpha)
    systems = pd.Index(order)
    found = {frozenset(pair) for pair in zip(tests["system_a"], tests["system_b"], strict=True)}
    wanted = {frozenset((a, b)) for i, a in enumerate(systems) for b in systems[:i]}
    if found != wanted or len(tests) != len(wanted) or not systems.is_unique:
        raise ValueError("letters need the tests of all pairs of these systems, each once")
    column = "adjusted_pvalue" if "adjusted_pvalue" in tests else "pvalue"
    different = tests[tests[column] <= alpha]
    groups = [frozenset(systems)]
    for a, b in zip(different["system_a"], different["system_b"], strict=True):
        groups = _split(groups, a, b)
    rank = {system: place for place, system in enumerate(systems)}
    groups.sort(key=lambda group: sorted(rank[system] for system in group))
    texts = dict.fromkeys(systems, "")
    for number, group in enumerate(groups):
        for system in group:
            texts[system] += _letter(number)
    return pd.Series(texts, systems, name="letters").rename_axis("system")


def _split(groups: list[frozenset], a: str, b: str) -> list[frozenset]:
    """The groups in none of which both a and b are."""
    halves = []
    for group in groups:
        if a in group and b in group:
            halves += [group - {a}, group - {b}]
        else:
            halves.append(group)
    kept: list[frozenset] = []
    for group in sorted(set(halves), key=len, reverse=True):
        if not any(group < other for other in kept):
            kept.append(group)
    return kept


def _letter(number: int) -> str:
    """a to z, then a1 to z1, and so on."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
