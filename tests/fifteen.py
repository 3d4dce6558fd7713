"""The fifteen public collections whose AP, topic by topic, is in the registry."""

import irstd

FIFTEEN = ["trec5", "trec6", "trec7", "trec8", "robust2003", "robust2004"]
FIFTEEN += ["genomics2004", "web2004", "enterprise2006", "terabyte2006"]
FIFTEEN += ["web2010", "web2011", "web2012", "web2013", "web2014"]
DATA = "AP of fifteen collections"


def ap_of(name):
    """Topics by systems."""
    return irstd.load_dataset(name, "AP").dropna(axis=1)
