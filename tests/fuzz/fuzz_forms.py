"""Fuzzing of the readers and of `evaluate` with files that nearly have the right form.

    pip install atheris
    python tests/fuzz/fuzz_forms.py run -max_total_time=600

The first argument is one of run, qrels, zscores, factors, evaluate; others are options of
libFuzzer. `fuzz_readers` tries bytes; here the bytes choose words, separators and line ends, so
that most files get past the first checks: ids of thousands of bytes, documents that stand twice,
scores that tie, names in quotes. What irstd makes of a file must be what a slow and obvious reader
makes of it, value by value, and the line that an error names must be the line at fault. Memory
grows by what atheris keeps, up to 30 kB an input: without it, `evaluate` keeps nothing.
"""

import gzip
import math
import re
import sys
import warnings

import atheris
from fuzz_readers import FILE, FOLDER, same, same_scores, same_table, same_zscores
from obvious import REFUSED, measured, obvious_lines, obvious_scores

with atheris.instrument_imports(include=["irstd"]):
    import irstd
    from irstd.trec._parsed import table_of

SPECIAL = (
    "nan inf -inf 1e400 1e-400 5e-324 -0.0 0x1p3 1_000 +1 .5 5. 1e3 2147483647 2147483648 007 #c"
    " \u0661 d\u00e9 \u00a0x \u2028 x\x1cy x\x85y \ufeffz NA null all runid map P_10 ndcg_cut_5 \0 "
).split(" ")
IDS = ["1", "2", "3", "d", "dd", "d1", "d10", "D"]
NUMBERS = ["0", "1", "2", "-1", "0.5", "0.25", "0.1", "0.3", "1e-9", "3"]
NAMES = ["topic", "system", "metric", "score", "a", "b", "c", "Query ID", '"a"', '"x,y"', '"', "AP"]
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

    def table(self, names: list[str], cells: list[str], separator: str | None = None) -> str:
        separator = separator or ",;\t"[self.below(3)]
        width = 1 + self.below(4)
        rows = [[self.word(names) for _ in range(width)]]
        for _ in range(self.below(6)):
            length = width + self.below(3) - 1 if self.one_in(40) else width
            rows.append([self.word(cells) for _ in range(length)])
        end = ["\r\n", "\r", "\n\n"][self.below(3)] if self.one_in(10) else "\n"
        return end.join(separator.join(row) for row in rows) + ("" if self.one_in(4) else end)

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


def fuzz_factors(data: bytes) -> None:
    maker = Maker(data)
    files = FOLDER / "means.csv", FOLDER / "sds.csv"
    names = ["topic", *["AP", "RR", "a b"][: 1 + maker.below(3)]]
    topics = ["1", "2", "3"][: 1 + maker.below(3)]
    contents = []
    for file in files:
        rows = [",".join(names)]
        rows += [",".join([topic, *(maker.word(NUMBERS) for _ in names[1:])]) for topic in topics]
        if maker.one_in(8):
            rows = [maker.table(NAMES, NUMBERS, ",")]
        contents.append(maker.file("\n".join(rows) + "\n"))
        file.write_bytes(contents[-1])
    factors = attempt(lambda: irstd.Factors.from_csv(*files), b"\f".join(contents))
    expected = [obvious_scores(content, guess=False) for content in contents]
    fine = REFUSED not in expected and list(expected[0]) == list(expected[1])
    # the same numbers twice, not all 0, are one file that is given for both
    sds = list(expected[1].values()) if fine else []
    once = fine and len(sds) > 1 and expected[0] == expected[1] and any(sd > 0 for sd in sds)
    if not fine or once or any(sd < 0 for sd in sds):
        expected = REFUSED
    if expected is REFUSED or factors is REFUSED:
        same(factors, expected, b"\f".join(contents))
        return
    for table, part in zip((factors.mean, factors.sd), expected, strict=True):
        same_scores(table, part, b"\f".join(contents))


def fuzz_evaluate(data: bytes) -> None:
    """AP, P@5 and RR, by a loop over the ranks."""
    maker = Maker(data)
    documents = IDS + [name * 9 for name in IDS] + ["x" * 1030]
    lines = [["1", "2", "3"], ["Q0"], documents, ["1"], NUMBERS, ["a"]]
    run = maker.file(maker.lines(lines) + maker.lines(lines))
    judged = maker.file(maker.lines([["1", "2"], ["0"], documents, ["0", "1", "1", "2"]]))
    (FOLDER / "qrels").write_bytes(judged)
    FILE.write_bytes(run)
    ranked, _ = obvious_lines(run, 6, {4: float})
    judged, _ = obvious_lines(judged, 4, {3: int})
    both = FILE.read_bytes() + b"\f" + (FOLDER / "qrels").read_bytes()
    metrics = ["AP", "P@5", "RR"]
    try:
        found = irstd.evaluate(FILE, FOLDER / "qrels", metrics)
    except ValueError as error:
        if not re.match(re.escape(str(FOLDER)) + "|no topic of the qrels", str(error)):
            raise AssertionError(f"no place in {error!r}") from error
        found = REFUSED
    relevant = {}
    for topic, _, document, grade in judged or []:
        if grade >= 1:
            relevant.setdefault(topic, set()).add(document)
    topics = {words[0] for words in ranked or []}
    if ranked is REFUSED or judged is REFUSED or not topics & set(relevant):
        same(found, REFUSED, both)
        return
    expected = {}
    for topic, good in relevant.items():
        order = sorted(
            ((score, document) for name, _, document, _, score, _ in ranked if name == topic),
            reverse=True,
        )
        hits = [document in good for _, document in order]
        precisions = [sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit]
        first = hits.index(True) + 1 if True in hits else math.inf
        expected[topic.decode()] = sum(precisions) / len(good), sum(hits[:5]) / 5, 1 / first
    tags = {words[5].decode() for words in ranked}
    system = tags.pop() if len(tags) == 1 else FILE.name
    if found is REFUSED or sorted(found.index) != sorted(expected):
        raise AssertionError(f"{both!r}\nirstd: {found!r}\nobvious: {expected!r}")
    same(found.columns.tolist(), [(metric, system) for metric in metrics], both)
    for topic, scores in expected.items():
        for ours, theirs in zip(found.loc[topic].tolist(), scores, strict=True):
            if not math.isclose(ours, theirs, rel_tol=0, abs_tol=1e-14):
                raise AssertionError(f"{both!r}\nirstd: {found!r}\nobvious: {expected!r}")


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
