"""Tests of pairs of systems, of means and of spread."""
