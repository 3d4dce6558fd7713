"""Paired significance tests of means and of spread."""
