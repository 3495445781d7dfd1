"""A TCP port of this computer that hands over each connection as a plain socket, on the running event loop."""

import asyncio
import socket
from collections.abc import Callable

LOOPBACK = "127.0.0.1"
REST = 0.5
"""Seconds to wait after the system had no descriptor left for a connection: it would refuse again at once."""


class TcpListener:
    """Listens while it is open. The sockets it hands over do not block, and belong to the receiver."""

    def __init__(self, on_client: Callable[[socket.socket], None], host: str = LOOPBACK, port: int = 0) -> None:
        self._on_client = on_client
        self._host = host
        self._port = port
        self._socket: socket.socket | None = None
        self._resting: asyncio.TimerHandle | None = None

    def open(self) -> str:
        """Begin to listen; returns `host:port`. A port in use is an OSError."""
        if self._socket is None:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            self._socket = socket.create_server((self._host, self._port), family=family)
            self._socket.setblocking(False)
            self._listen(self._socket)
        host, port = self._socket.getsockname()[:2]
        return f"{host}:{port}"

    def close(self) -> None:
        if self._socket is None:
            return
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._socket = None

    def _listen(self, listening: socket.socket) -> None:
        self._resting = None
        asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        try:
            client, _ = listening.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:
            loop = asyncio.get_running_loop()
            loop.remove_reader(listening)
            self._resting = loop.call_later(REST, self._listen, listening)
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._on_client(client)
