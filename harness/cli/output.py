"""Where a command prints to."""

import os
import sys


def let_go() -> None:
    """Give up what waits to be printed, to a reader that has gone or a disk that is full; Python would try it again on
    its way out, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
