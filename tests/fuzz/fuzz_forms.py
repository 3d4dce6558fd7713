"""Fuzzing of the readers with files that nearly have the right form, against obvious readers.

    pip install atheris
    python tests/fuzz/fuzz_forms.py run -max_total_time=600

The first argument is one of run, qrels, zscores; others are options of libFuzzer. The bytes choose
words, separators and line ends, so that most files get past the first checks: ids of thousands of
bytes, documents that stand twice, scores that tie. What irstd makes of a file must be what a slow
and obvious reader makes of it, value by value, and the line that an error names the line at fault.
"""

import gzip
import math
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

import atheris
from obvious import NAME, REFUSED, measured, obvious_lines

with atheris.instrument_imports(include=["irstd"]):
    import irstd
    from irstd.trec._parsed import table_of

SHM = "/dev/shm" if os.path.isdir("/dev/shm") else None
FOLDER = Path(tempfile.mkdtemp(prefix="irstd-fuzz-", dir=SHM))
FILE = FOLDER / NAME
LARGEST = 1e100  # what factors may be
SPECIAL = (
    "nan inf -inf 1e400 1e-400 5e-324 -0.0 0x1p3 1_000 +1 .5 5. 1e3 2147483647 2147483648 007 #c"
    " \u0661 d\u00e9 \u00a0x \u2028 x\x1cy x\x85y \ufeffz NA null all runid map P_10 ndcg_cut_5 \0 "
).split(" ")
IDS = ["1", "2", "3", "d", "dd", "d1", "d10", "D"]
NUMBERS = ["0", "1", "2", "-1", "0.5", "0.25", "0.1", "0.3", "1e-9", "3"]
WIDTHS = [1, 1, 1, 8, 9, 64, 65, 1023, 1024, 1025, 3000]


class Maker:
    """Words, lines and files as the fuzzer's bytes say."""

    def __init__(self, data: bytes):
        self.bytes = atheris.FuzzedDataProvider(data)

    def below(self, limit: int) -> int:
        return self.bytes.ConsumeIntInRange(0, limit - 1)

    def one_in(self, times: int) -> bool:
        return self.below(times) == times - 1  # when there are no more bytes: no

    def word(self, usual: list[str]) -> str:
        if self.one_in(30):
            return SPECIAL[self.below(len(SPECIAL))]
        if self.one_in(40):
            return usual[self.below(len(usual))] * WIDTHS[self.below(len(WIDTHS))]
        return usual[self.below(len(usual))]

    def lines(self, columns: list[list[str]]) -> str:
        text = []
        for _ in range(self.below(12)):
            width = len(columns) + self.below(3) - 1 if self.one_in(40) else len(columns)
            words = [self.word(columns[min(i, len(columns) - 1)]) for i in range(width)]
            gap = ["\t", "  ", "\v", "\x1c", " \f"][self.below(5)] if self.one_in(20) else " "
            end = ["\r\n", "\n\n", "\r", "", "\n \n"][self.below(5)] if self.one_in(20) else "\n"
            text.append(gap.join(words) + end)
        return "".join(text)

    def file(self, text: str) -> bytes:
        data = text.encode()
        if self.one_in(40):
            place = self.below(len(data) + 1)
            data = data[:place] + self.bytes.ConsumeBytes(2) + data[place:]
        if self.one_in(40):
            data = b"\xef\xbb\xbf" + data
        if self.one_in(30):
            place = self.below(len(data) + 1)
            data = gzip.compress(data[:place], mtime=0) + gzip.compress(data[place:], mtime=0)
            if self.one_in(4):
                data = data[: self.below(len(data) + 1)]
        return data


def same(ours, theirs, data: bytes) -> None:
    if repr(ours) != repr(theirs):  # repr, since -0.0 is not 0.0
        raise AssertionError(f"{data!r}\nirstd: {ours!r}\nobvious: {theirs!r}")


def same_table(table, expected, column: int, data: bytes) -> None:
    if table is not REFUSED:
        topics = [table.topics[code] for code in table.codes]
        rows = zip(topics, table.documents.to_pylist(), table.values.tolist(), strict=True)
        table = list(rows)
    if expected is not REFUSED:
        expected = [(words[0].decode(), words[2].decode(), words[column]) for words in expected]
    same(table, expected, data)


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


def attempt(read, data: bytes, line: int | None = None):
    """What `read` returns, or REFUSED; the message must name the file and the line at fault."""
    try:
        return read()
    except ValueError as error:
        place = re.match(re.escape(str(FOLDER)) + r"/[\w.]+(?::(\d+))?[:,] ", str(error))
        if not place or (line is not None and int(place[1] or 0) != line):
            raise AssertionError(f"{data!r}: wrong place, line {line} expected: {error}") from error
        return REFUSED


def fuzz_run(data: bytes) -> None:
    maker = Maker(data)
    data = maker.file(maker.lines([["1", "2"], ["Q0"], IDS, ["1"], NUMBERS, ["a"]]))
    FILE.write_bytes(data)
    expected, line = obvious_lines(data, 6, {4: float})
    run = attempt(lambda: table_of(FILE, "score", ""), data, line)
    same_table(run, expected, 4, data)
    if expected is not REFUSED:
        tags = dict.fromkeys(words[5].decode() for words in expected)
        same(run.tags, list(tags), data)


def fuzz_qrels(data: bytes) -> None:
    maker = Maker(data)
    data = maker.file(maker.lines([["1", "2"], ["0"], IDS, ["0", "1", "2", "-1"]]))
    FILE.write_bytes(data)
    expected, line = obvious_lines(data, 4, {3: int})
    same_table(attempt(lambda: table_of(FILE, "relevance", ""), data, line), expected, 3, data)


def fuzz_zscores(data: bytes) -> None:
    maker = Maker(data)
    data = maker.file(maker.lines([["1", "2", "3"], ["map", "P_10", "AP"], NUMBERS, NUMBERS]))
    FILE.write_bytes(data)
    rows, line = obvious_lines(data, 4, {2: float, 3: float}, measured)
    same_zscores(attempt(lambda: irstd.Factors.from_trec_eval(FILE), data, line), rows, data)


def main() -> None:
    target = sys.argv.pop(1)
    warnings.simplefilter("ignore")
    corpus = FOLDER / "forms"
    corpus.mkdir()
    for seed in range(20):  # long enough for whole files
        (corpus / str(seed)).write_bytes(
            bytes((i * (2 * seed + 3) + seed) % 251 for i in range(300))
        )
    options = ["-max_len=800", "-timeout=100", "-rss_limit_mb=8000", str(corpus)]
    atheris.Setup([*sys.argv, *options], globals()[f"fuzz_{target}"])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
