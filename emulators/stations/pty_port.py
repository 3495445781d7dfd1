"""A serial port that needs no hardware: the far end of a pseudo terminal, which drivers open by its path."""

import os
import termios
import tty
from collections.abc import Callable

from feltrig.protocols.lines.fd_line import FdLine

_OFLAG = 1


class PtyPort:
    """A pseudo terminal, raw from the start; clients may come and go while it is open."""

    __slots__ = ("_line", "_master", "_on_data", "_path", "_slave")

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self._on_data = on_data
        self._master = -1
        self._slave = -1
        self._path = ""
        self._line: FdLine | None = None

    def open(self) -> str:
        if self._line is None:
            self._master, self._slave = os.openpty()
            # a new terminal is cooked and echoes: it would change some bytes and answer by itself
            tty.setraw(self._master)
            os.set_blocking(self._master, False)
            self._path = os.ttyname(self._slave)
            self._line = FdLine(self._master, self._received, self._hung_up, self._release)
        return self._path

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def send(self, data: bytes) -> None:
        if self._line is not None:
            self._line.write(data)

    @property
    def unsent(self) -> int:
        """Bytes that wait for a client to read."""
        return 0 if self._line is None else self._line.unsent

    @property
    def was_set_up(self) -> bool:
        """Whether a client has set the terminal up, as drivers do on opening one, since a byte last came."""
        return self._line is not None and not termios.tcgetattr(self._master)[_OFLAG] & termios.ONLCR

    def _received(self, data: bytes) -> None:
        self._make_ready()
        self._on_data(data)

    def _make_ready(self) -> None:
        """For the next client. Linux refuses to set up a pseudo terminal for parity or seven bits when nothing else
        changes: only the first client could open it so. Leave something to change that does nothing on a raw terminal,
        when a client has set it up and speaks; by no timer, since many ports would have as many."""
        settings = termios.tcgetattr(self._master)
        if not settings[_OFLAG] & termios.ONLCR:
            settings[_OFLAG] |= termios.ONLCR
            termios.tcsetattr(self._master, termios.TCSANOW, settings)

    def _release(self) -> None:
        os.close(self._master)
        # held open until now: without any client the terminal would report a hang-up
        os.close(self._slave)

    def _hung_up(self, _reason: str) -> None:
        self._line = None
