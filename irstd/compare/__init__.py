"""The same systems on other topics, or by other judges: what changes, and what compares."""
