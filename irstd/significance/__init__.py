"""Tests of pairs of systems, of means and of spread, and how many topics they need."""

from irstd.significance.means import paired_test as paired_test
from irstd.significance.means import pairwise_tests as pairwise_tests
from irstd.significance.power import detectable_difference as detectable_difference
from irstd.significance.power import discriminative_power as discriminative_power
from irstd.significance.power import discriminative_power_curve as discriminative_power_curve
from irstd.significance.power import topics_needed as topics_needed
from irstd.significance.power import variance_components as variance_components
from irstd.significance.spread import break_ties as break_ties
from irstd.significance.spread import f_test as f_test
from irstd.significance.spread import levene_test as levene_test
from irstd.significance.spread import paired_levene_test as paired_levene_test
from irstd.significance.spread import pitman_morgan_test as pitman_morgan_test
