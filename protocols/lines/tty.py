"""Serial ports of this computer."""

import errno
import os
import termios
from collections.abc import Callable
from pathlib import Path

import serial

from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines.fd_line import FdLine


def comes_back(port: str) -> bool:
    """Whether a lost port may be opened again by its name. That of a pseudo terminal goes to the next one that is made,
    in any program."""
    return not Path(port).is_relative_to("/dev/pts")


def open_tty(
    port: str,
    baud: int,
    on_data: Callable[[bytes], None],
    on_lost: Callable[[str], None],
    *,
    bytesize: int = 8,
    parity: str = "N",
    stopbits: float = 1,
) -> FdLine:
    """Open a serial port for this program alone. A port that is missing, busy or forbidden is LineLost."""
    try:
        opened = serial.Serial(port, baud, bytesize, parity, stopbits, timeout=0, exclusive=True)
    except serial.SerialException as exc:
        raise LineLost(f"{port}: {_reason(exc)}") from exc
    except termios.error as exc:
        raise LineLost(f"{port}: cannot be set to {baud} baud {bytesize}{parity}{stopbits:g}: {exc.args[-1]}") from exc
    return FdLine(opened.fileno(), on_data, on_lost, opened.close)


def _reason(error: serial.SerialException) -> str:
    if error.errno in (errno.EAGAIN, errno.EBUSY):
        return "in use by another program"
    if error.errno is None:
        return "not a serial port"
    return os.strerror(error.errno).lower()
