"""The course: its exercises, its notebooks in a folder of the user's, hand-outs and the report."""
