"""Significance tests of pairs of systems: means and spread."""
