"""Sampling again: splits of topics, and what stays the same over them."""
