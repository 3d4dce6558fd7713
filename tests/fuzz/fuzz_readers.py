"""Coverage-guided fuzzing of the readers, against slow and obvious ones.

    pip install atheris
    python tests/fuzz/fuzz_readers.py run -max_total_time=600

The first argument is one of run, qrels, factors, zscores. For any bytes in a file, a reader
either returns what the obvious reader returns, number for number, or raises a ValueError that
begins with the file's name, when the obvious one refuses the file too. Other arguments are options
of libFuzzer.
"""

import gzip
import math
import os
import sys
import tempfile
import warnings
from pathlib import Path

import atheris
from obvious import NAME, REFUSED, measured, obvious_lines

with atheris.instrument_imports(include=["irstd"]):
    from irstd import Factors
    from irstd.trec._parsed import table_of

SHM = "/dev/shm" if os.path.isdir("/dev/shm") else None
FOLDER = Path(tempfile.mkdtemp(prefix="irstd-fuzz-", dir=SHM))
FILE = FOLDER / NAME
LARGEST = 1e100  # what factors may be


def attempt(read):
    """What `read` returns, or REFUSED if it says what is wrong with the file."""
    try:
        return read()
    except ValueError as error:
        if not str(error).startswith(str(FOLDER)):
            raise AssertionError(f"no place in {error!r}") from error
        return REFUSED


def same(ours, theirs, data: bytes) -> None:
    if repr(ours) != repr(theirs):  # repr, since -0.0 is not 0.0
        raise AssertionError(f"{data!r}\nirstd: {ours!r}\nobvious: {theirs!r}")


def fuzz_run(data: bytes) -> None:
    FILE.write_bytes(data)
    same_table(
        attempt(lambda: table_of(FILE, "score", "")), obvious_lines(data, 6, {4: float})[0], 4, data
    )


def fuzz_qrels(data: bytes) -> None:
    FILE.write_bytes(data)
    same_table(
        attempt(lambda: table_of(FILE, "relevance", "")),
        obvious_lines(data, 4, {3: int})[0],
        3,
        data,
    )


def same_table(table, expected, column: int, data: bytes) -> None:
    if table is not REFUSED:
        topics = [table.topics[code] for code in table.codes]
        rows = zip(topics, table.documents.to_pylist(), table.values.tolist(), strict=True)
        table = list(rows)
    if expected is not REFUSED:
        expected = [(words[0].decode(), words[2].decode(), words[column]) for words in expected]
    same(table, expected, data)


def fuzz_zscores(data: bytes) -> None:
    FILE.write_bytes(data)
    rows, _ = obvious_lines(data, 4, {2: float, 3: float}, measured)
    same_zscores(attempt(lambda: Factors.from_trec_eval(FILE)), rows, data)


def same_zscores(factors, rows, data: bytes) -> None:
    if rows is not REFUSED:
        same_file = len(rows) > 1 and all(mean == sd for *_, mean, sd in rows)
        large = any(max(abs(mean), sd) > LARGEST for *_, mean, sd in rows)
        if (
            large
            or any(sd < 0 for *_, sd in rows)
            or (same_file and any(sd > 0 for *_, sd in rows))
        ):
            rows = REFUSED  # without a line: it is the topics that are named
    if rows is not REFUSED:
        rows = sorted((*measured(words), repr(words[2]), repr(words[3])) for words in rows)
    if factors is not REFUSED:
        factors = sorted(
            (topic, metric, repr(mean), repr(sd))
            for metric in factors.mean
            for topic, mean, sd in zip(
                factors.mean.index,
                factors.mean[metric].tolist(),
                factors.sd[metric].tolist(),
                strict=True,
            )
            if not (math.isnan(mean) and math.isnan(sd))
        )
    same(factors, rows, data)


def same_scores(scores, expected, data: bytes) -> None:
    if expected is not REFUSED:
        metrics = {metric for metric, _, _ in expected}
        columns = {key[:2] for key in expected}
        topics = {key[2] for key in expected}
        expected = {
            (metric if len(metrics) > 1 else "", system, topic): repr(
                expected.get((metric, system, topic), math.nan)
            )
            for metric, system in columns
            for topic in topics
        }
        expected = sorted(expected.items())
    if scores is not REFUSED:
        scores = sorted(
            ((*(name if isinstance(name, tuple) else ("", name)), topic), repr(value))
            for name in scores.columns
            for topic, value in zip(scores.index, scores[name].tolist(), strict=True)
        )
    same(scores, expected, data)


def fuzz_factors(data: bytes) -> None:
    middle = data.find(b"\f")
    if middle < 0:
        return
    (FOLDER / "means.csv").write_bytes(data[:middle])
    (FOLDER / "sds.csv").write_bytes(data[middle + 1 :])
    factors = attempt(lambda: Factors.from_csv(FOLDER / "means.csv", FOLDER / "sds.csv"))
    if factors is REFUSED:
        return
    if (factors.sd < 0).any(axis=None):
        raise AssertionError(f"a negative sd: {data!r}")
    factors.to_csv(FOLDER / "m2.csv", FOLDER / "s2.csv")
    again = Factors.from_csv(FOLDER / "m2.csv", FOLDER / "s2.csv")
    if not (again.mean.equals(factors.mean) and again.sd.equals(factors.sd)):
        raise AssertionError(f"written and read: {data!r}\n{factors.mean}\n{again.mean}")


SEEDS = {
    "run": [
        b"301 Q0 d7 1 2.5 me\n301 Q0 d9 2 1.5 me\n302 Q0 d7 1 -0.0 me\n",
        b"\xef\xbb\xbf# c\r\n301\tQ0\td\xc3\xa9 1 1e-3 me\r\n\r\n301 Q0 " + b"x" * 70 + b" 2 1 me",
        gzip.compress(b"1 Q0 a 1 1 t\n", mtime=0),
    ],
    "qrels": [b"301 0 d7 1\n301 0 d9 0\n302 0 d7 -1\n", b"1 0 a 2147483647\n1\t0 b +1\n"],
    "zscores": [b"301 map 0.25 0.1\n302 map 0.5 0.2\n301 P_10 .3 .1\n"],
    "factors": [b"topic,AP,RR\n1,.5,.25\n2,.1,.3\n\ftopic,AP,RR\n1,.1,.2\n2,0,.3\n"],
}
WORDS = (
    "nan inf -inf 1e400 1e-400 0x1p3 1_000 -0.0 2147483648 # topic system score metric runid all"
    " map P_10 Q0 NA infinity 1e308 \u0661 \u00a0 \u2028 \u0085 \ufeff"
).split(" ")


def main() -> None:
    target = sys.argv.pop(1)
    corpus = FOLDER / "corpus"
    corpus.mkdir()
    for place, seed in enumerate(SEEDS[target]):
        (corpus / str(place)).write_bytes(seed)
    dictionary = FOLDER / "words.dict"
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in WORDS)
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped))
    warnings.simplefilter("ignore")
    options = [f"-dict={dictionary}", "-max_len=400", "-timeout=100", str(corpus)]
    atheris.Setup([*sys.argv, *options], globals()[f"fuzz_{target}"])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
