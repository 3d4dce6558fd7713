"""Tests of pairs of systems, of means and of spread."""

from irstd.significance.groups import group_differences as group_differences
