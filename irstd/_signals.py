"""Ctrl-C while the command is still being imported: an end without a traceback."""

import os
import signal
import sys
from pathlib import Path


def leave(*_: object) -> None:
    """End at once, with the exit code of a command that was interrupted."""
    os._exit(130)


# sys.argv[0] is "-m" while Python looks for irstd.__main__, and else the name of the script
if Path((sys.argv or [""])[0]).stem in ("-m", "irstd"):  # noqa: SIM102
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
