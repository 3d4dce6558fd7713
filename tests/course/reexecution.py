"""Urbano, Lima and Hanjalic (2019), executed again: their topics, by R's generator, trial by trial.

``python tests/course/reexecution.py`` writes ``reexecuted.csv``, a row for each folder of Robust
2004, statistic and form of scores. Of tau, tau_AP and r: ``trials``; ``tied``, those in which
systems tie on paper; ``equal``, to the sixth digit, with ties as ties; ``ties``, those that differ,
but do not where such systems are told apart by the last bit of their means, as R has it; ``other``,
the rest; ``largest``, the largest difference. Of rates (``type1``, ``power``) at the level
``alpha``: over all 10,000 trials, the ``published`` and the ``found`` one.
"""

import os
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

import irstd

FORMS = {"raw": None, "N-std": "normal", "U-std": "uniform", "z-std": "z", "E-std": "ecdf"}
METHODS = {"tau": "tau", "tauAP": "tau_ap_b", "r": "pearson"}
LEVELS = (0.05, 0.01, 0.001)
FOLDERS = [
    "01-within/robust2004_ap",
    "01-within/robust2004_ndcg",
    "02-between/robust2004_ap",
    "02-between/robust2004_ndcg",
]
SIXTH_DIGIT = 1.0001e-6  # the published ones have six


def r_sample(seed, n, size):
    """What R (3.6 or later) draws by ``set.seed(seed); sample(1:n, size)``, less 1.

    R scrambles the seed 50 times, fills the state of a Mersenne Twister with the next numbers, and
    takes as many of the 16 upper bits of a draw as n needs, until they are below n.
    """
    words = [seed]
    for _ in range(50 + 625):
        following = (69069 * words[-1] + 1) % 2**32
        words.append(following)
    key = np.array(words[-624:], np.uint32)
    twister = np.random.MT19937()
    twister.state |= {"state": {"key": key, "pos": 624}}

    pool = list(range(n))
    drawn = []
    for left in range(n, n - size, -1):
        power_of_2 = 2 ** (left - 1).bit_length()
        place = left
        while place >= left:
            upper_bits = int(twister.random_raw()) >> 16
            place = upper_bits % power_of_2
        drawn.append(pool[place])
        pool[place] = pool[left - 1]  # the last one takes the place of the drawn one
    return drawn


def halves(folder, trial):
    """The topics of a trial: twice the same 50, or two halves of 49."""
    seed = 501 + trial
    if folder.startswith("01"):
        drawn = r_sample(seed, 99, 50)
        return drawn, drawn
    drawn = r_sample(seed, 99, 98)
    return drawn[:49], drawn[49:]


def matrices(folder):
    """The scores in each form, as arrays, of the file beside the trials.

    One of its 10,890 AP scores is .0001 off `irstd.load_dataset`, which turns 18 of 50,000 taus.
    """
    _, name = folder.split("/")
    raw = pd.read_csv(data() / f"{name}.csv")
    forms = {}
    for form, method in FORMS.items():
        scores = raw
        if method is not None:
            scores = irstd.standardize(raw, method=method)
        forms[form] = scores.to_numpy()
    return forms


def data():
    """The folder of ULH19."""
    return Path(os.environ["IRSTD_DATA"]) / "sigir2019-standardization"


def tied(mean):
    """Whether two systems tie on paper, but for the pair of identical runs."""
    return len(np.unique(mean.round(12))) < len(mean) - 1


def last_bits(x):
    """Ranks of the systems by their means as R has them: sums of 64 bits, not 53, then rounded."""
    sums = x.astype(np.longdouble).sum(axis=0)
    means = sums / len(x)
    return stats.rankdata(means.astype(float))


def trial_by_trial(folder, trials):
    """Each statistic of each trial beside the published one."""
    forms = matrices(folder)
    of_trials = {(name, form): [] for name in METHODS for form in forms}
    files = {}
    for name in METHODS:
        files[name] = pd.read_csv(data() / "out" / folder / f"{name}.csv")
    for trial in range(trials):
        first, second = halves(folder, trial)
        for form, scores in forms.items():
            y = scores[second]
            if first is second:  # of the same topics, the raw scores are compared with a form
                x = forms["raw"][first]
            else:
                x = scores[first]
            tie = tied(x.mean(axis=0)) or tied(y.mean(axis=0))
            for name, (found, as_r) in each_statistic(x, y).items():
                published = files[name].at[trial, form]
                off = abs(found - published)
                of_trials[name, form].append((tie, off, abs(as_r - published)))
    for (name, form), rows in of_trials.items():
        row = {"folder": folder, "statistic": name, "form": form, "trials": trials}
        yield row | counts(rows)


def each_statistic(x, y):
    """Each statistic of two sets of scores: by the means, and by the means as R has them."""
    means = (x.mean(axis=0), y.mean(axis=0))
    as_r_has_them = (last_bits(x), last_bits(y))
    found = {}
    for name, method in METHODS.items():
        by_means = irstd.rank_correlation(*means, method)
        if name == "r":  # which does not turn by a last bit
            found[name] = (by_means, by_means)
        else:
            found[name] = (by_means, irstd.rank_correlation(*as_r_has_them, method))
    return found


def counts(rows):
    """The columns from `tied` on: each row says whether systems tie, and two differences."""
    tie, off, off_as_r = np.array(rows).T
    equal = off <= SIXTH_DIGIT
    explained = off_as_r <= SIXTH_DIGIT
    return {
        "tied": int(tie.sum()),
        "equal": equal.sum(),
        "ties": (~equal & explained).sum(),
        "other": (~equal & ~explained).sum(),
        "largest": f"{off.max():.1g}",
    }


def p_values(x, y):
    """Of t-tests of all pairs of systems, paired or Welch's; NaN of equal scores, as in R."""
    each, other = x[:, :, None], y[:, None, :]
    with np.errstate(invalid="ignore"):  # of a system beside itself, or a copy
        if x is y:
            return stats.ttest_rel(each, other).pvalue
        return stats.ttest_ind(each, other, equal_var=False).pvalue


def rejections(folder, x, trials):
    """The mean share of rejections over the trials, by ("power" or "type1", level).

    Each share is rounded to six digits, as R exported it.
    """
    itself = np.eye(x.shape[1], dtype=bool)
    shares = []
    for trial in range(trials):
        first, second = halves(folder, trial)
        x_first = x[first]
        x_second = x_first if first is second else x[second]
        pvalue = p_values(x_first, x_second)
        others = pvalue[~itself & np.isfinite(pvalue)]
        row = {}
        for alpha in LEVELS:
            row["power", alpha] = (others <= alpha).mean()
            row["type1", alpha] = (pvalue[itself] <= alpha).mean()
        shares.append(row)
    return pd.DataFrame(shares).round(6).mean().to_dict()


def rates(folder, trials=10_000):
    """Type I errors and power at each of `LEVELS`, beside the published rates."""
    published = data() / "out" / folder
    for form, x in matrices(folder).items():
        for (name, alpha), found in rejections(folder, x, trials).items():
            file = published / f"{name}.csv"
            if file.exists():
                yield {
                    "folder": folder,
                    "statistic": name,
                    "form": form,
                    "trials": trials,
                    "alpha": alpha,
                    "published": pd.read_csv(file, index_col="alpha").at[alpha, form],
                    "found": found,
                }


if __name__ == "__main__":
    rows = []
    for folder in FOLDERS:
        rows += trial_by_trial(folder, 1000)
    for folder in FOLDERS:
        rows += rates(folder)
    pd.DataFrame(rows).to_csv(Path(__file__).with_name("reexecuted.csv"), index=False)
