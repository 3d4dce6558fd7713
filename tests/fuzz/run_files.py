"""Random run files, read as a reader of thirty lines does, which nobody has made fast.

By hand: ``python tests/fuzz/run_files.py 5000``.
"""

import gzip
import random
import sys
import tempfile
from pathlib import Path

import irstd

WORDS = ["301", "q1", "d1", "d2", "dé", "FT-1", "1e3", "0", "-1", "x"]
NUMBERS = ["1", "2.5", "-3e-2", "1e400", "nan", "inf", "0x1", "1_0", "7.", ".5", "one", ""]
BLANKS = [" ", "\t", "  ", " \t"]


def thirty_lines(text):
    """The lines of a run as (topic, document, score); "refused" if it is none."""
    rows, seen = [], set()
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        if len(words) != 6:
            return "refused"
        topic, _, document, _, number, _ = words
        if "_" in number:
            return "refused"
        try:
            score = float(number)
        except ValueError:
            return "refused"
        if score != score or abs(score) == float("inf"):
            return "refused"
        if (topic, document) in seen:
            return "refused"
        seen.add((topic, document))
        rows.append((topic, document, score))
    return rows or "refused"


def draw(seed):
    """A run file, most of whose lines are right."""
    rng = random.Random(seed)
    blank = rng.choice(BLANKS)
    lines = []
    for k in range(rng.randint(1, 30)):
        number = str(rng.uniform(-5, 5)) if rng.random() < 0.97 else rng.choice(NUMBERS)
        document = f"d{k}" if rng.random() < 0.97 else rng.choice(WORDS)
        words = [rng.choice(["301", "302", "q1"]), "Q0", document, str(k), number, "tag"]
        if rng.random() < 0.01:
            words.pop()
        lines.append(blank.join(words))
        if rng.random() < 0.05:
            lines.append(rng.choice(["", "# a comment", "  "]))
    end = rng.choice(["\n", "\r\n"])
    return end.join(lines) + rng.choice(["", end])


def count(seeds):
    """How many files were read and refused, and which of them otherwise than by the slow reader."""
    outcomes = {"read": 0, "refused": 0}
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            text = draw(seed)
            data = text.encode()
            path = Path(folder, "a.run")
            path.write_bytes(gzip.compress(data) if seed % 3 == 0 else data)
            expected = thirty_lines(text)
            try:
                frame = irstd.read_run(path)
                found = list(frame.itertuples(index=False, name=None))
            except ValueError as error:
                found = "refused"
                if "a.run" not in str(error):
                    wrong.append((seed, str(error)))
            outcomes["refused" if found == "refused" else "read"] += 1
            if found != expected:
                wrong.append((seed, found if found == "refused" else "read", expected))
    return outcomes, wrong


if __name__ == "__main__":
    outcomes, wrong = count(range(int(sys.argv[1])))
    print(outcomes, len(wrong), "wrong", *wrong[:5], sep="\n")
