"""Coverage-guided fuzzing of the readers, against slow and obvious ones.

    pip install atheris
    python tests/fuzz/fuzz_readers.py run -max_total_time=600

The first argument is one of run, qrels, scores, factors, zscores. For any bytes in a file, a reader
either returns what the obvious reader returns, number for number, or raises a ValueError that
begins with the file's name, when the obvious one refuses the file too. Other arguments are options
of libFuzzer.
"""

import csv
import gzip
import io
import math
import os
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["irstd"]):
    from irstd import Factors, read_scores
    from irstd._files import GZIP_MAGIC
    from irstd._tables import decode, parse_qrels, parse_run

SHM = "/dev/shm" if os.path.isdir("/dev/shm") else None
FOLDER = Path(tempfile.mkdtemp(prefix="irstd-fuzz-", dir=SHM))
FILE = FOLDER / "input"
REFUSED = None


def text_of(data: bytes) -> bytes | None:
    if data.startswith(GZIP_MAGIC):
        try:
            data = gzip.decompress(data)
        except Exception:
            return REFUSED
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError:
        return REFUSED
    return REFUSED if b"\0" in data else data


def rows_of(data: bytes, width: int) -> list[list[bytes]] | None:
    """The fields of each line that is neither blank nor a comment."""
    text = text_of(data)
    if text is REFUSED:
        return REFUSED
    lines = [line.split() for line in text.split(b"\n") if not line.startswith(b"#")]
    lines = [line for line in lines if line]
    return lines if lines and all(len(line) == width for line in lines) else REFUSED


def number(word: bytes, kind: type) -> float | int | None:
    try:
        value = kind(word)
    except ValueError:
        return REFUSED
    if b"_" in word or not math.isfinite(value):
        return REFUSED
    return value if kind is float or -(2**31) <= value < 2**31 else REFUSED


def obvious_table(data: bytes, width: int, column: int, kind: type):
    rows = rows_of(data, width)
    if rows is REFUSED:
        return REFUSED
    found = [(row[0].decode(), row[2].decode(), number(row[column], kind)) for row in rows]
    if any(value is REFUSED for _, _, value in found):
        return REFUSED
    return found if len({pair[:2] for pair in found}) == len(found) else REFUSED


def table(parse) -> list[tuple]:
    read = parse(FILE)
    topics = [read.topics[code] for code in read.codes]
    return list(zip(topics, decode(read.documents), read.values.tolist(), strict=True))


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
    same(attempt(lambda: table(parse_run)), obvious_table(data, 6, 4, float), data)


def fuzz_qrels(data: bytes) -> None:
    FILE.write_bytes(data)
    same(attempt(lambda: table(parse_qrels)), obvious_table(data, 4, 3, int), data)


def fuzz_zscores(data: bytes) -> None:
    FILE.write_bytes(data)
    factors = attempt(lambda: Factors.from_trec_eval(FILE))
    if factors is REFUSED:
        return
    rows = rows_of(data, 4)
    means = [number(row[2], float) for row in rows]
    found = factors.mean.to_numpy().ravel()
    same(sorted(found[~_nan(found)].tolist()), sorted(means), data)


def fuzz_scores(data: bytes) -> None:
    """No obvious reader tells the forms apart: each number must be one of the file's cells."""
    FILE.write_bytes(data)
    scores = attempt(lambda: read_scores(FILE))
    if scores is REFUSED:
        return
    text = text_of(data).decode()
    cells = set()
    for mark in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
            cells |= {cell.strip() for cell in row}
    cells |= set(text.split())
    numbers = {float(cell) for cell in cells if _is_float(cell)}
    values = scores.to_numpy().ravel()
    if not set(values[~_nan(values)].tolist()) <= numbers:
        raise AssertionError(f"{data!r}\n{scores!r}")
    if not scores.index.is_unique or not scores.columns.is_unique:
        raise AssertionError(f"not unique: {data!r}\n{scores!r}")


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


def _nan(values):
    return values != values


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


SEEDS = {
    "run": [
        b"301 Q0 d7 1 2.5 me\n301 Q0 d9 2 1.5 me\n302 Q0 d7 1 -0.0 me\n",
        b"\xef\xbb\xbf# c\r\n301\tQ0\td\xc3\xa9 1 1e-3 me\r\n\r\n301 Q0 " + b"x" * 70 + b" 2 1 me",
        gzip.compress(b"1 Q0 a 1 1 t\n", mtime=0),
    ],
    "qrels": [b"301 0 d7 1\n301 0 d9 0\n302 0 d7 -1\n", b"1 0 a 2147483647\n1\t0 b +1\n"],
    "zscores": [b"301 map 0.25 0.1\n302 map 0.5 0.2\n301 P_10 .3 .1\n"],
    "scores": [
        b"topic,a,b\n301,0.25,0.5\n302,0,1\n",
        b"topic;metric;system;score\n1;AP;a;.5\n1;AP;b;NA\n",
        b"runid \tall\tme\nmap \t301\t0.25\nP_10 \t301\t0.1\nmap all 0.25\n",
        b'"a","b"\n"301",.5,.6\n"302",.1,.2\n',
        b"a\tb\n.1\t.2\n.3\tnan\n",
    ],
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
    options = [f"-dict={dictionary}", "-max_len=400", "-timeout=10", str(corpus)]
    atheris.Setup([*sys.argv, *options], globals()[f"fuzz_{target}"])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
