"""What the lessons read."""
