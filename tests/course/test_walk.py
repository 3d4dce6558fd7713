"""Lessons 01 to 05 name the figures and tables of the texts that they show."""

import re

import pytest
from lessons import sources_of

# What of the texts a lesson has to show; its references say in which section.
SHOWN = {
    "01_metrics": ["WMZ08, table 1", "WMZ08, figure 2"],
    "02_standardization": ["WMZ08, figure 3", "WMZ08, figure 4", "WMZ08, table 2", "factor page"],
    "03_gmap": ["RM08, worked example", "RM08, figure 1", "RM08, figure 2", "RM08, share of zeros"],
    "04_variability": [*(f"HCMV10, figure {k}" for k in range(1, 8)), "HCMV10, table 2"],
    "05_cross_collection": [
        *[f"WMZ08, table {n}" for n in (3, 4, 5, 6)],
        *[f"WMZ08, figure {n}" for n in (5, 6, 7)],
        "WMZ07, erratum",
    ],
}


@pytest.mark.parametrize("lesson", SHOWN)
def test_the_figures_of_the_texts_are_named_where_they_are_shown(lesson):
    texts = sources_of(lesson, "markdown")
    (listed,) = [text for text in texts if text.startswith("## References")]
    rows = re.findall(r"(?m)^\| (.+?) \| \[(.+?)\]\(#.+?\) \|$", listed)
    whole = "\n".join(texts)
    for figure in SHOWN[lesson]:
        text, _, what = figure.partition(", ")
        (section,) = [
            of for row, of in rows if text in row and what in row.replace("figures", "figure")
        ]
        body = whole.partition(f"## {section}\n")[2].partition("\n## ")[0]
        assert body, f"no section {section}"
        if re.search(r"\d$", what):
            assert what in body.lower(), f"{figure} is not named in {section}"
