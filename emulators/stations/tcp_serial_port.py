"""A serial port as a raw TCP socket: the same bytes as on the line, and nothing else."""

import socket
from collections.abc import Callable

from feltrig.emulators.stations.tcp_listener import LOOPBACK, TcpListener
from feltrig.protocols.lines.fd_line import FdLine


class TcpSerialPort:
    """One client at a time has the line: a new one takes it over, so that a client that died does not keep it.
    `on_client` is told of each before any of its bytes."""

    def __init__(
        self,
        on_data: Callable[[bytes], None],
        host: str = LOOPBACK,
        port: int = 0,
        on_client: Callable[[FdLine], None] = lambda _: None,
    ) -> None:
        self._on_data = on_data
        self._on_client = on_client
        self._listener = TcpListener(self._take_over, host, port)
        self._line: FdLine | None = None

    def open(self) -> str:
        """Begin to listen; returns `socket://host:port`. A port in use is an OSError."""
        return f"socket://{self._listener.open()}"

    def close(self) -> None:
        self._listener.close()
        self.disconnect()

    def send(self, data: bytes) -> None:
        if self._line is not None:
            self._line.write(data)

    def _take_over(self, client: socket.socket) -> None:
        self.disconnect()
        self._line = FdLine(client.fileno(), self._on_data, self._lost, client.close)
        self._on_client(self._line)

    def disconnect(self) -> None:
        """Hang up on the client; another may come."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _lost(self, _reason: str) -> None:
        self._line = None
