"""A serial port that needs no hardware: the far end of a pseudo terminal, which drivers open by its path."""

import asyncio
import os
import termios
import tty
from collections.abc import Callable
from typing import Any

from feltrig.protocols.tty import TtyLine

SETTLE = 0.02
"""Seconds after a client's bytes until the port is made ready for the next client."""

_OFLAG = 1


class PtyPort:
    """A pseudo terminal, raw from the start; clients may come and go while it is open."""

    __slots__ = ("_line", "_master", "_on_data", "_path", "_settling", "_slave")

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self._on_data = on_data
        self._master = -1
        self._slave = -1
        self._path = ""
        self._line: TtyLine | None = None
        self._settling: asyncio.TimerHandle | None = None

    def open(self) -> str:
        """The path by which a driver opens the port."""
        if self._line is None:
            self._master, self._slave = os.openpty()
            # a new terminal is cooked and echoes: it would change some bytes and answer by itself
            tty.setraw(self._master)
            os.set_blocking(self._master, False)
            self._path = os.ttyname(self._slave)
            self._line = TtyLine(self._master, self._received, self._hung_up, self._release)
        return self._path

    def close(self) -> None:
        """Hang up. May be called twice."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def send(self, data: bytes) -> None:
        """Send; on a closed port the bytes go nowhere."""
        if self._line is not None:
            self._line.write(data)

    @property
    def unsent(self) -> int:
        """Bytes that wait for a client to read."""
        return 0 if self._line is None else self._line.unsent

    def _received(self, data: bytes) -> None:
        if self._settling is None and self._settings() is not None:
            self._settling = asyncio.get_running_loop().call_later(SETTLE, self._settle)
        self._on_data(data)

    def _settle(self) -> None:
        self._settling = None
        settings = self._settings()
        if settings is not None:
            settings[_OFLAG] |= termios.ONLCR
            termios.tcsetattr(self._master, termios.TCSANOW, settings)

    def _settings(self) -> list[Any] | None:
        """As a client has left them; None when they are ready for the next one. Linux refuses to set up a pseudo
        terminal for parity or seven bits when nothing else changes: only the first client could open it so. Something
        is to be left to change that does nothing on a raw terminal."""
        settings = termios.tcgetattr(self._master)
        return None if settings[_OFLAG] & termios.ONLCR else settings

    def _release(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        os.close(self._master)
        # held open until now: without any client the terminal would report a hang-up
        os.close(self._slave)

    def _hung_up(self, _reason: str) -> None:
        self._line = None
