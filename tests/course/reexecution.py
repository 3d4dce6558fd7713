"""Urbano, Lima and Hanjalic (2019), executed again: their topics, by R's generator, trial by trial.

``python tests/course/reexecution.py`` writes ``reexecuted.csv``, a row for each folder of Robust
2004, statistic and form of scores. Of tau, tau_AP and r: ``trials``; ``tied``, those in which
systems tie on paper; ``equal``, to the sixth digit, with ties as ties; ``ties``, those that differ,
but do not where such systems are told apart by the last bit of their means, as R has it; ``other``,
the rest; ``largest``, the largest difference. Of rates (``type1``, ``power``) at the level
``alpha``: over all 10,000 trials, the ``published`` and the ``found`` one.
"""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

import irstd

FORMS = {"raw": None, "N-std": "normal", "U-std": "uniform", "z-std": "z", "E-std": "ecdf"}
METHODS = {"tau": "tau", "tauAP": "tau_ap_b", "r": "pearson"}
LEVELS = (0.05, 0.01, 0.001)
FOLDERS = [f"{kind}/robust2004_{m}" for kind in ("01-within", "02-between") for m in ("ap", "ndcg")]


def r_sample(seed, n, size):
    """What R (3.6 or later) draws by ``set.seed(seed); sample(1:n, size)``, less 1.

    R scrambles the seed 50 times, fills the state of a Mersenne Twister with the next numbers, and
    takes as many of the 16 upper bits of a draw as n needs, until they are below n.
    """
    words = [seed]
    for _ in range(50 + 625):
        words.append((69069 * words[-1] + 1) % 2**32)
    twister, pool, drawn = np.random.MT19937(), list(range(n)), []
    twister.state |= {"state": {"key": np.array(words[-624:], np.uint32), "pos": 624}}
    for left in range(n, n - size, -1):
        place = left
        while place >= left:
            place = (int(twister.random_raw()) >> 16) % 2 ** (left - 1).bit_length()
        drawn.append(pool[place])
        pool[place] = pool[left - 1]
    return drawn


def halves(folder, trial):
    """The topics of a trial: twice the same 50, or two halves of 49."""
    within = folder.startswith("01")
    drawn = r_sample(501 + trial, 99, 50 if within else 98)
    return (drawn, drawn) if within else (drawn[:49], drawn[49:])


def matrices(folder):
    """The scores in each form, as arrays, of the file beside the trials.

    One of its 10,890 AP scores is .0001 off `irstd.load_dataset`, which turns 18 of 50,000 taus.
    """
    raw = pd.read_csv(data() / f"{folder.partition('/')[2]}.csv")
    return {
        k: (irstd.standardize(raw, method=m) if m else raw).to_numpy() for k, m in FORMS.items()
    }


def data():
    """The folder of ULH19."""
    return Path(os.environ["IRSTD_DATA"]) / "sigir2019-standardization"


def tied(mean):
    """Whether two systems tie on paper, but for the pair of identical runs."""
    return len(np.unique(mean.round(12))) < len(mean) - 1


def last_bits(x):
    """Ranks of the systems by their means as R has them: sums of 64 bits, not 53, then rounded."""
    return stats.rankdata((x.astype(np.longdouble).sum(axis=0) / len(x)).astype(float))


def trial_by_trial(folder, trials):
    """Each statistic of each trial beside the published one."""
    forms, published = matrices(folder), data() / "out" / folder
    files = {name: pd.read_csv(published / f"{name}.csv").head(trials) for name in METHODS}
    rows = {(name, form): [] for name in METHODS for form in forms}
    for trial in range(trials):
        a, b = halves(folder, trial)
        for form, y in forms.items():
            x, y = (forms["raw"] if a is b else y)[a], y[b]
            means = x.mean(axis=0), y.mean(axis=0)
            tie = tied(means[0]) or tied(means[1])
            for name, method in METHODS.items():
                ways = means if name == "r" else (last_bits(x), last_bits(y))
                found = [irstd.rank_correlation(*z, method) for z in (means, ways)]
                rows[name, form].append([tie, *np.abs(found - files[name].at[trial, form])])
    for (name, form), found in rows.items():
        tie, off, as_r = np.array(found).T
        equal, explained = off <= 1.0001e-6, as_r <= 1.0001e-6
        counts = {"tied": int(tie.sum()), "equal": equal.sum()}
        counts |= {"ties": (~equal & explained).sum(), "other": (~equal & ~explained).sum()}
        row = {"folder": folder, "statistic": name, "form": form, "trials": trials}
        yield row | counts | {"largest": f"{off.max():.1g}"}


def squares(x, y):
    """Squared t statistics of all pairs of systems, paired or Welch's, and degrees of freedom."""
    n, mean = len(x), (x.mean(axis=0)[:, None] - y.mean(axis=0)) ** 2
    if x is y:
        cov = np.cov(x.T)
        var = np.maximum(cov.diagonal()[:, None] + cov.diagonal() - 2 * cov, 1e-12)
        return n * mean / var, n - 1
    v, w = x.var(axis=0, ddof=1)[:, None], y.var(axis=0, ddof=1)
    return n * mean / (v + w), (n - 1) * (v + w) ** 2 / (v**2 + w**2)


def rates(folder, trials=10_000):
    """Type I errors and power at each of `LEVELS`, beside the published rates."""
    published = data() / "out" / folder
    degrees = np.linspace(40, 110, 1000)
    tables = {alpha: stats.f.isf(alpha, 1, degrees) for alpha in LEVELS}
    for form, x in matrices(folder).items():
        rate = {(name, alpha): [] for name in ("power", "type1") for alpha in LEVELS}
        for trial in range(trials):
            a, b = halves(folder, trial)
            y = x[a]
            squared, free = squares(y, y if a is b else x[b])
            for alpha, limits in tables.items():
                found = squared >= np.interp(free, degrees, limits)
                off = found.size - len(found) - 2 * (a is b)
                rate["power", alpha].append((found.sum() - found.trace()) / off)
                rate["type1", alpha].append(found.trace() / len(found))
        for (name, alpha), values in rate.items():
            if (published / f"{name}.csv").exists():
                file = pd.read_csv(published / f"{name}.csv", index_col="alpha")
                row = {"folder": folder, "statistic": name, "form": form, "trials": trials}
                row |= {"alpha": alpha, "published": file.at[alpha, form]}
                yield row | {"found": np.mean(values)}


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rows = [row for folder in FOLDERS for row in trial_by_trial(folder, wanted)]
    rows += [row for folder in FOLDERS for row in rates(folder, 10 * wanted)]
    pd.DataFrame(rows).to_csv(Path(__file__).with_name("reexecuted.csv"), index=False)
