"""Comparison tables, and comparisons across test collections.

`comparison_table` has systems by metric or collection. `compare_collections`, `drmse`, `rmse` and
`false_positives` compare the same systems on two collections, `compare_across` two systems on two
collections, and `combine_collections` two systems over several.
"""

from irstd.compare.across import compare_across as compare_across
from irstd.compare.collections import combine_collections as combine_collections
from irstd.compare.collections import compare_collections as compare_collections
from irstd.compare.collections import drmse as drmse
from irstd.compare.collections import false_positives as false_positives
from irstd.compare.table import comparison_table as comparison_table
