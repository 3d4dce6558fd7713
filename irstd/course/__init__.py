"""The course: exercises, copies of the notebooks, hand-outs, and the report."""
