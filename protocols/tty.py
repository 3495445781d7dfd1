"""Bytes in and out of a terminal, on the running event loop: nothing blocks, nothing is lost, nothing spins."""

import asyncio
import errno
import os
import termios
from collections.abc import Callable
from pathlib import Path

import serial

from feltrig.protocols.errors import LineLost

CHUNK = 4096
HIGH_WATER = 65536
"""Unsent bytes beyond which reading rests: a peer that does not read must not fill our memory."""


class TtyLine:
    """An open, non-blocking terminal. `on_data` gets what arrives; `on_lost` the reason, once, when the line dies."""

    __slots__ = ("_closed", "_fd", "_loop", "_on_data", "_on_lost", "_release", "_unsent")

    def __init__(
        self, fd: int, on_data: Callable[[bytes], None], on_lost: Callable[[str], None], release: Callable[[], None]
    ) -> None:
        self._fd = fd
        self._on_data = on_data
        self._on_lost = on_lost
        self._release = release
        self._unsent = b""
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(fd, self._read)

    def write(self, data: bytes) -> None:
        """Send, now or when the terminal has room again. On a closed line the bytes go nowhere."""
        if self._closed:
            return
        if not self._unsent:
            try:
                sent = os.write(self._fd, data)
            except BlockingIOError:
                sent = 0
            except OSError as exc:
                self._lose(exc)
                return
            if sent == len(data):
                return
            data = data[sent:]
            self._loop.add_writer(self._fd, self._flush)
        self._unsent += data
        if len(self._unsent) > HIGH_WATER:
            self._loop.remove_reader(self._fd)

    @property
    def unsent(self) -> int:
        """Bytes that wait for room in the terminal."""
        return len(self._unsent)

    def close(self) -> None:
        """Release the terminal; unsent bytes are dropped. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self._release()

    def _read(self) -> None:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError as exc:
            self._lose(exc)
            return
        if data:
            self._on_data(data)
        else:
            self._lose(OSError(errno.EIO, "end of file"))

    def _flush(self) -> None:
        try:
            sent = os.write(self._fd, self._unsent)
        except BlockingIOError:
            return
        except OSError as exc:
            self._lose(exc)
            return
        self._unsent = self._unsent[sent:]
        if not self._unsent:
            self._loop.remove_writer(self._fd)
            self._loop.add_reader(self._fd, self._read)

    def _lose(self, error: OSError) -> None:
        self.close()
        self._on_lost("hung up" if error.errno == errno.EIO else error.strerror or str(error))


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
) -> TtyLine:
    """Open a serial port for this program alone. A port that is missing, busy or forbidden is LineLost."""
    try:
        opened = serial.Serial(port, baud, bytesize, parity, stopbits, timeout=0, exclusive=True)
    except serial.SerialException as exc:
        raise LineLost(f"{port}: {_reason(exc)}") from exc
    except termios.error as exc:
        raise LineLost(f"{port}: cannot be set to {baud} baud {bytesize}{parity}{stopbits:g}: {exc.args[-1]}") from exc
    return TtyLine(opened.fileno(), on_data, on_lost, opened.close)


def _reason(error: serial.SerialException) -> str:
    if error.errno in (errno.EAGAIN, errno.EBUSY):
        return "in use by another program"
    if error.errno is None:
        return "not a serial port"
    return os.strerror(error.errno).lower()
