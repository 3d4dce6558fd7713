"""Write the bundled standardization factors anew, from the scores; run by hand.

    IRSTD_DATA=FOLDER python .github/build_factors.py [NAME ...]

By default, factors of all public matrices whose license allows it, and of the documentation
collections, in every metric available. Scores are downloaded if they are not in IRSTD_DATA. Files
and header are those of `irstd.Factors.to_csv`.
"""

import json
import sys

import pandas as pd

import irstd
from irstd.datasets import _fetch
from irstd.datasets.load import _read_catalogue

FOLDER = _fetch.BUNDLED
SHARE_ALIKE = {
    "name": "CC-BY-SA-4.0",
    "title": "Creative Commons Attribution-ShareAlike 4.0 International",
    "path": "https://creativecommons.org/licenses/by-sa/4.0/",
}
MIT = {"name": "MIT", "title": "MIT License", "path": "https://opensource.org/license/mit"}
FIRST_YEARS = {"trec5": 1996, "trec6": 1997, "trec7": 1998, "trec8": 1999}
EXPONENTIAL = "The gains of nDCG@20 are exponential: evaluate(..., gain='exponential')."
BY_ROW = "Topics are the rows of the score files, from 1: their TREC ids are not in them."
SCORES = [("trec7", "AP"), ("trec8", "AP"), ("robust2003", "AP"), ("robust2004", "AP")]


def source(key):
    """Return a score file as a frictionless source, with its SHA-256."""
    cache = _fetch.store()
    return {"title": key, "path": cache.urls[key], "hash": f"sha256:{cache.registry[key]}"}


def header_of_public(name, about):
    """Return the header of factors from public scores."""
    notes = ["Means and standard deviations (ddof=1) by topic, computed from the scores."]
    if "topic_ids" not in about and name != "robust2004":
        notes.append(BY_ROW)
    if "nDCG@20" in about["files"]:
        notes.append(EXPONENTIAL)
    return {
        "title": about["track"],
        "description": " ".join(notes),
        "year": FIRST_YEARS.get(name) or int(name[-4:]),
        "standardizingSystems": "all runs of the track whose scores are public, anonymous",
        "licenses": [SHARE_ALIKE],
        "sources": [source(key) for key in about["files"].values()],
        "citation": about["citation"],
        "version": f"irstd {irstd.__version__}",
    }


def header_of_documentation(about):
    """Return the header of factors from the documentation engines."""
    return {
        "title": about["track"],
        "description": "Means and standard deviations (ddof=1) by topic, of irstd's engines.",
        "year": 2026,
        "standardizingSystems": "all engines of irstd.documentation_campaign()",
        "licenses": [MIT],
        "sources": [{"title": "irstd"}],
        "citation": about["citation"],
        "version": f"irstd {irstd.__version__}",
    }


def write_factors(name):
    """Write the files and header of one collection."""
    about = _read_catalogue()[name]
    if about["kind"] == "public":
        metrics = list(about["files"])
        header = header_of_public(name, about)
    else:
        metrics = irstd.METRICS
        header = header_of_documentation(about)
    tables = {metric: irstd.load_dataset(name, metric) for metric in metrics}
    parts = [irstd.standardization_factors(table) for table in tables.values()]
    mean = pd.concat([part.mean for part in parts], axis=1)
    sd = pd.concat([part.sd for part in parts], axis=1)
    factors = irstd.Factors(mean, sd, parts[0].n_systems, parts[0].collection)
    factors.to_csv(FOLDER / f"{name}.mean.csv", FOLDER / f"{name}.sd.csv", about=header)
    print(name, factors)


def write_package():
    """Write datapackage.json, with the scores in the folder."""
    path = FOLDER / "datapackage.json"
    package = json.loads(path.read_text("utf-8"))
    resources = {resource["path"]: resource for resource in package["resources"]}
    for name, metric in SCORES:
        about = _read_catalogue()[name]
        key = about["files"][metric]
        origin = source(key)
        resources[key] = {
            "name": f"{name}-scores",
            "path": key,
            "format": "csv",
            "mediatype": "text/csv",
            "hash": origin["hash"],
            "title": f"{about['track']}, {metric}: a row per topic, a column per anonymous system",
            "licenses": [SHARE_ALIKE],
            "sources": [origin],
            "citation": about["citation"],
        }
    about_all = {
        "name": "irstd-standardization-factors",
        "title": "Standardization factors for test collections",
        "description": "See LICENSE, and the page Standardization factors of irstd.",
        "profile": "data-package",
        "licenses": [SHARE_ALIKE],
        "contributors": [{"title": "The irstd developers"}, {"title": "Julián Urbano et al."}],
    }
    ordered = [resources[path] for path in sorted(resources)]
    text = json.dumps(about_all | {"resources": ordered}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")


def may_be_bundled(about):
    """Return True if a data set is irstd's own or has a free license."""
    return about["kind"] == "documentation" or about["license"] == "CC BY-SA 4.0"


names = sys.argv[1:] or [name for name, about in _read_catalogue().items() if may_be_bundled(about)]
for name in names:
    write_factors(name)
write_package()
print(sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()), "bytes")
