"""Bytes in and out of a terminal or a socket, on the running event loop: nothing blocks, is lost, or spins.

asyncio's own transports do the same for sockets, with several objects for each: where many devices are asked in turn,
that is more memory to go through (`benchmarks/scale.py`).
"""

import asyncio
import errno
import os
from collections.abc import Callable

CHUNK = 4096
HUNG_UP = "hung up"
HIGH_WATER = 65536
"""Unsent bytes beyond which reading rests: a peer that does not read must not fill our memory."""


class FdLine:
    """An open descriptor that does not block. `on_data` gets what arrives; `on_lost` the reason, once, when the line
    dies: HUNG_UP when the other side has closed it."""

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
        """Send, now or when the line has room again. On a closed line the bytes go nowhere."""
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
        return len(self._unsent)

    def close(self) -> None:
        """Release the descriptor; unsent bytes are dropped. May be called twice."""
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
        self._on_lost(HUNG_UP if error.errno == errno.EIO else error.strerror or str(error))
