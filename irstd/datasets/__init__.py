"""Data sets: simulated score matrices, and public TREC scores fetched once."""

from irstd.datasets.load import fetch_dataset as fetch_dataset
from irstd.datasets.load import list_datasets as list_datasets
from irstd.datasets.load import load_dataset as load_dataset
from irstd.datasets.load import load_factors as load_factors
