"""Shared helpers: argument checks, messages and numerical routines."""
