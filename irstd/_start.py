"""Ctrl-C while a command is still importing ends it at once, without a traceback."""

import signal
import sys
import threading
from pathlib import Path


def _is_of_python() -> bool:
    """Whether Ctrl-C is Python's, as it is where nobody has changed it."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    return in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def end_at_once() -> None:
    """Let Ctrl-C end the process, if it is the command `irstd` or ``python -m irstd``."""
    program = (getattr(sys, "argv", None) or [""])[0]
    if _is_of_python() and (program == "-m" or Path(program).stem == "irstd"):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_by_exception() -> None:
    """Give Ctrl-C back to Python, once there is somebody who catches it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


end_at_once()  # when this module is imported, which is the first that the package does
