"""The same systems on other topics, by other judges, or in the table of a paper."""
