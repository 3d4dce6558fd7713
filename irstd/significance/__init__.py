"""Tests of pairs of systems, of means and of spread, and how many topics they need."""
