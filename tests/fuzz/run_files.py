"""Random run files, read as the obvious reader does, which nobody has made fast.

By hand: ``python tests/fuzz/run_files.py 5000``.
"""

import gzip
import random
import sys
import tempfile
from pathlib import Path

from obvious import REFUSED, obvious_lines

import irstd

WORDS = ["301", "q1", "d1", "d2", "dé", "FT-1", "1e3", "0", "-1", "x"]
NUMBERS = ["1", "2.5", "-3e-2", "1e400", "nan", "inf", "0x1", "1_0", "7.", ".5", "one", ""]
BLANKS = [" ", "\t", "  ", " \t"]


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
            rows, _ = obvious_lines(data, 6, {4: float})
            expected = rows and [(row[0].decode(), row[2].decode(), row[4]) for row in rows]
            try:
                found = list(irstd.read_run(path).itertuples(index=False, name=None))
            except ValueError as error:
                found = REFUSED
                if "a.run" not in str(error):
                    wrong.append((seed, str(error)))
            outcomes["refused" if found is REFUSED else "read"] += 1
            if found != expected:
                wrong.append((seed, found, expected))
    return outcomes, wrong


if __name__ == "__main__":
    outcomes, wrong = count(range(int(sys.argv[1])))
    print(outcomes, len(wrong), "wrong", *wrong[:5], sep="\n")
