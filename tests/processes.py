"""Python in a process of its own."""

import subprocess
import sys


def run_python(*words, **options):
    """The process, once it has ended, with what it said as text."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
