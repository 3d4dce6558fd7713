"""Files that are broken, odd or malicious: a clear error with a place, and nothing lost."""

import ast
import gzip
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irstd

LINE = b"301 Q0 d7 1 2.5 me\n"


@pytest.fixture
def file(tmp_path):
    def write(data, name="a.run"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


def test_a_gzip_file_cut_at_any_byte_is_refused(file):
    whole = gzip.compress(LINE * 1 + b"302 Q0 d7 1 2.5 me\n")
    for size in range(2, len(whole)):
        with pytest.raises(ValueError, match=r"a\.run: the gzip file is cut off or damaged"):
            irstd.read_run(file(whole[:size]))


def test_numbers_at_the_ends_of_the_doubles_keep_their_bits(file):
    texts = ["5e-324", "-0.0", "1.7976931348623157e308", "0.1", "1e-400", "123456789012345678901"]
    lines = "".join(f"1 Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts))
    found = irstd.read_run(file(lines.encode()))["score"].tolist()
    assert list(map(repr, found)) == [repr(float(text)) for text in texts]


@pytest.mark.parametrize("read", [irstd.read_run, irstd.read_qrels, irstd.read_scores])
def test_what_is_no_file_is_said(read, tmp_path):
    with pytest.raises((IsADirectoryError, ValueError)):
        read(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "absent")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError):
        read(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it: to open it would hang
    for name in ("/dev/zero", tmp_path / "pipe"):
        with pytest.raises(ValueError, match="is a device, a pipe or a socket; expected a file"):
            read(name)


def test_factors_that_do_not_fit_are_said_with_their_files(file):
    """Found by the fuzzer: the message did not name the files."""
    means = file(b"topic,AP\n1,.51234\n", "means.csv")
    with pytest.raises(ValueError, match=r"means\.csv, .*sds\.csv: mean and sd must have the same"):
        irstd.Factors.from_csv(means, file(b"topic,RR\n1,.1\n", "sds.csv"))
    with pytest.raises(ValueError, match=r"z\.txt: sd must not be negative; .* 301"):
        irstd.Factors.from_trec_eval(file(b"301 map .12345 -0.08\n", "z.txt"))


def test_names_with_commas_quotes_and_line_ends_survive_csv(tmp_path):
    names = ["a,b", 'say "so"', "two\nlines", "=1+1", "@x", "semi;colon", "tab\tbed"]
    values = np.random.default_rng(0).random((3, len(names)))
    scores = pd.DataFrame(values, pd.Index(["1", "2", "3"], name="topic"), names)
    factors = irstd.Factors(scores, scores / 2)
    factors.to_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    again = irstd.Factors.from_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    pd.testing.assert_frame_equal(again.mean, scores, check_names=False, rtol=0, atol=0)


def test_nothing_in_the_package_evaluates_or_unpickles():
    """No pickle, no eval, no archive: what comes from a file is data."""
    banned = {"pickle", "marshal", "shelve", "dill", "tarfile", "zipfile", "shutil"}
    calls = {"eval", "exec", "compile", "__import__", "np.load"}
    for path in (Path(__file__).parents[2] / "irstd").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name not in calls, path
                assert not name.endswith((".read_pickle", ".to_pickle", ".extractall")), path
            if isinstance(node, ast.Import):
                assert not banned & {alias.name.split(".")[0] for alias in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in banned, path
