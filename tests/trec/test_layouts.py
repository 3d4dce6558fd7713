"""Random files, read as slow and obvious readers do; many more in the release test."""

import gzip
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import irstd

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))

from layouts import count
from obvious import REFUSED, obvious_lines


def test_tables_have_the_right_numbers_or_are_refused_with_what_to_give():
    results, wrong = count(150)
    assert not wrong, wrong[0]
    assert results["one", "refused, then read"] > 4
    assert results["trec_eval", "read"] > 5


@pytest.mark.release
def test_many_tables_have_the_right_numbers_or_are_refused():
    _, wrong = count(10_000, seed=1)
    assert not wrong, wrong[0]


ID = st.sampled_from([*"1 2 d d1 D NA 007".split(), "#c", "d\u00e9", "\u2028", "d" * 1025])
NUMBER = st.sampled_from(
    "0 1 -1 007 0.5 7. .5 1e-9 5e-324 -0.0 nan inf 1e400 1_0 0x1 \u0661 one 2147483648".split()
)
ENDS = st.sampled_from(["\n"] * 5 + ["\r\n", "\n\n", "\n \n", "\r"])
FORMS = {  # columns, and those that are read
    "read_run": ([ID, ID, ID, ID, NUMBER, ID], {4: float}, [0, 2, 4]),
    "read_qrels": ([ID, ID, ID, NUMBER], {3: int}, [0, 2, 3]),
}


@pytest.mark.parametrize("name", FORMS)
@given(data=st.data())
def test_lines_are_taken_or_refused_as_an_obvious_reader_does(tmp_path_factory, name, data):
    columns, numbers, kept = FORMS[name]
    words = st.one_of(st.tuples(*columns), st.tuples(*columns), st.lists(ID, max_size=7))
    gap = data.draw(st.sampled_from([" "] * 4 + ["\t", "\t", "  ", "\v", " \t"]))
    lines = st.lists(st.tuples(words, ENDS), max_size=6)
    text = "".join(gap.join(line) + end for line, end in data.draw(lines)).encode()
    drawn = [line.split() for line in text.split(b"\n") if line.strip() and line[:1] != b"#"]
    assume(name != "read_run" or not drawn or len(drawn[0]) != 3)  # MS MARCO's have three
    path = tmp_path_factory.mktemp("lines") / "x"
    path.write_bytes(gzip.compress(text) if data.draw(st.booleans()) else text)
    expected, line = obvious_lines(text, len(columns), numbers)
    if expected is REFUSED:
        with pytest.raises(ValueError, match=f"/x:{line}: " if line else "/x: is empty"):
            getattr(irstd, name)(path)
    else:
        rows = [[row[i] for i in kept] for row in expected]
        rows = [(topic.decode(), document.decode(), value) for topic, document, value in rows]
        found = getattr(irstd, name)(path).itertuples(index=False, name=None)
        assert repr(list(found)) == repr(rows)  # repr, since -0.0 is not 0.0
