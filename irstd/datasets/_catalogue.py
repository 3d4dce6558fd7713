"""What data sets there are: simulated, public, and those that only NIST can give."""

from __future__ import annotations

from typing import NamedTuple

WMZ08 = "Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346: the setting that is simulated"
CC = "CC BY-SA 4.0"
MTEB = "Muennighoff et al. (2023), doi:10.18653/v1/2023.eacl-main.148"
# What to cite, and the licence, by the source of a file.
SOURCES = {
    "irj2015-reliability": ("Urbano (2016), doi:10.1007/s10791-015-9274-y", CC),
    "sigir2018-simulation": ("Urbano, Nagler (2018), doi:10.1145/3209978.3210043", CC),
    "sigir2019-standardization": (
        "Urbano, Lima, Hanjalic (2019), doi:10.1145/3331184.3331315",
        CC,
    ),
    "sigir2019-statistical": ("Urbano, Lima, Hanjalic (2019), doi:10.1145/3331184.3331259", CC),
    "llm-judges": (
        "Arabzadeh, Clarke (2025), arXiv:2504.12558; the metric: Clarke, Vtyurina, Smucker (2021),"
        " doi:10.1145/3451161",
        "none stated",
    ),
    "mteb": (MTEB, "the scores: CC0; the file: none stated"),
}

# Data sets whose topic ids are of one list: topic 601 of one is topic 601 of the other.
DISKS_4_AND_5 = ("trec6", "trec7", "trec8", "robust2003", "robust2003-runs", "robust2004")
# The judgments of three tracks: how many documents are relevant makes SP of AP.
QRELS = {
    "trec7": "anserini-tools/qrels.adhoc.351-400.txt",
    "trec8": "anserini-tools/qrels.adhoc.401-450.txt",
    "robust2003": "trectools/qrels/robust03_qrels.txt",
}
ALL_FOUR = ["sim-trec7", "sim-trec8", "sim-robust2003", "sim-robust2004"]

# name: collections of the simulated campaign, which systems, numbers of systems and topics, like
SIMULATED = {
    "sim-trec7": (["sim-trec7"], "original", 103, 50, "like TREC-7 ad hoc, topics 351-400"),
    "sim-trec8": (["sim-trec8"], "original", 129, 50, "like TREC-8 ad hoc, topics 401-450"),
    "sim-robust2003": (["sim-robust2003"], "original", 78, 50, "like Robust 2003, 601-650"),
    "sim-robust2004": (["sim-robust2004"], "later", 110, 50, "like Robust 2004, 651-700"),
    "sim-robust2004-all": (ALL_FOUR, "later", 110, 200, "sim-robust2004 on all four topic sets"),
    "sim-judges": (["sim-robust2003"], "original", 78, 50, "sim-robust2003 by people and judges"),
}


class Scores(NamedTuple):
    """A public data set: its files of scores, by metric or by judge."""

    track: str
    systems: int
    topics: int
    files: dict[str, str]  # metric (or judge): key in the registry
    judged_in: str = ""  # the metric, if the files are of several judges

    @property
    def metrics(self) -> list[str]:
        """The first is the one to be had if none is named."""
        return [self.judged_in] if self.judged_in else list(self.files)

    @property
    def source(self) -> str:
        return next(iter(self.files.values())).split("/")[0]


def _adhoc(number: int, systems: int) -> Scores:
    files = {
        metric: f"sigir2019-statistical/adhoc{number}_{name}.csv"
        for metric, name in {"AP": "ap", "P@10": "p10", "RR": "rr"}.items()
    }
    return Scores(f"TREC-{number} AdHoc Track", systems, 50, files)


def _web(year: int, systems: int, topics: int) -> Scores:
    metrics = {"AP": "ap", "P@10": "p10", "P@20": "p20", "RR": "rr"}
    # As the track's own tools define them, with gains of 2^grade - 1.
    metrics |= {"ERR@20": "err20", "nVDCG@20": "ndcg20"}
    files = {metric: f"sigir2018-simulation/web{year}_{n}.csv" for metric, n in metrics.items()}
    return Scores(f"TREC {year} Web Track", systems, topics, files)


# The human judges come first.
JUDGES = """original umbrela_zeroshot binary preferences exam_binary exam_graded_max
exam_graded_mean nuggets_all nuggets_all_strict nuggets_vital nuggets_vital_strict nuggets_weighted
nuggets_weighted_strict""".split()


def _judged(year: int, systems: int, topics: int) -> Scores:
    files = {judge: f"llm-judges/dl{year - 2000}.{judge}.compatibility" for judge in JUDGES}
    track = f"TREC {year} Deep Learning Track, by human and twelve LLM judges"
    return Scores(track, systems, topics, files, judged_in="compatibility")


PUBLIC = {
    "trec5": _adhoc(5, 61),
    "trec6": _adhoc(6, 74),
    "trec7": _adhoc(7, 103),
    "trec8": _adhoc(8, 129),
    "robust2003": Scores(
        "TREC 2003 Robust Track", 78, 100, {"AP": "irj2015-reliability/robust2003.csv"}
    ),
    "robust2004": Scores(
        "TREC 2004 Robust Track",
        110,
        249,
        {
            "AP": "sigir2018-simulation/robust2004_ap.csv",
            "P@10": "sigir2018-simulation/robust2004_p10.csv",
            "nVDCG": "sigir2019-standardization/robust2004_ndcg.csv",
        },
    ),
    "web2004": Scores("TREC 2004 Web Track", 73, 150, {"AP": "irj2015-reliability/web2004.csv"}),
    "genomics2004": Scores(
        "TREC 2004 Genomics Track", 47, 50, {"AP": "irj2015-reliability/genomics2004.csv"}
    ),
    "enterprise2006": Scores(
        "TREC 2006 Enterprise Track", 91, 49, {"AP": "irj2015-reliability/enterprise2006.csv"}
    ),
    "terabyte2006": Scores(
        "TREC 2006 Terabyte Track AdHoc Task",
        61,
        149,
        {
            "AP": "sigir2019-standardization/terabyte2006_ap.csv",
            "nVDCG": "sigir2019-standardization/terabyte2006_ndcg.csv",
        },
    ),
    "web2010": _web(2010, 88, 48),
    "web2011": _web(2011, 62, 50),
    "web2012": _web(2012, 48, 50),
    "web2013": _web(2013, 34, 50),
    "web2014": _web(2014, 30, 50),
    "judges-dl2019": _judged(2019, 37, 43),
    "judges-dl2020": _judged(2020, 59, 54),
    "judges-dl2021": _judged(2021, 63, 53),
    # MTEB's nDCG is trec_eval's, nVDCG here; the tasks of the other are in six kinds of metrics.
    "mteb-retrieval": Scores(
        "MTEB leaderboard, English retrieval: data sets as topics",
        374,
        15,
        {"nVDCG@10": "mteb/en-retrieval.jsonl"},
    ),
    "mteb-overall": Scores(
        "MTEB leaderboard, all English tasks: data sets as topics",
        386,
        56,
        {"main score": "mteb/en-overall.jsonl"},
    ),
}


class Runs(NamedTuple):
    track: str
    licence: str
    citation: str


ROBUST2003_RUNS = Runs(
    "TREC 2003 Robust Track",
    "TREC submissions, distributed with trectools; judgments by NIST",
    "Palotti, Scells, Zuccon (2019), doi:10.1145/3331184.3331399",
)

# Tracks of the page of standardization factors whose per-topic scores are not public: track,
# and the numbers of systems and topics where the texts give them.
UNPUBLISHED = {
    "trec3": ("TREC-3 AdHoc Track", None, 50),
    "trec4": ("TREC-4 AdHoc Track", None, 50),
    "trec9": ("TREC-9 Web Track", 105, 50),
    "web2001": ("TREC 2001 Web Track", None, 50),
    "web2002": ("TREC 2002 Web Track", None, None),
    "web2003": ("TREC 2003 Web Track", None, None),
    "terabyte2004": ("TREC 2004 Terabyte Track", 70, 49),
    "terabyte2005": ("TREC 2005 Terabyte Track", None, 50),
    "robust2005": ("TREC 2005 Robust Track", None, 50),
}

# Topics of earlier years that the Robust track of 2003 ran again, since they had proved hard.
HARD_2003 = """
303 307 310 314 320 322 325 330 336 341 344 345 346 347 350 353 354 355 356 362 363 367 372 374 375
378 379 383 389 393 394 397 399 401 404 408 409 414 416 419 426 427 433 435 436 439 442 443 445 448
""".split()


def topic_ids(name: str, metric: str) -> list[str] | None:
    """The topics of the rows of a file of scores; None if the file has them, or if no one does."""
    if name in ("trec6", "trec7", "trec8"):
        first = {"trec6": 301, "trec7": 351, "trec8": 401}[name]
        return [str(topic) for topic in range(first, first + 50)]
    if name == "robust2003":
        return HARD_2003 + [str(topic) for topic in range(601, 651)]
    if (name, metric) == ("robust2004", "nVDCG"):
        return [str(topic) for topic in range(601, 701) if topic != 672]
    return None
