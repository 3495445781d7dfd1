"""Listens on a TCP port of this computer, with or without TLS.

The server's end of TLS is done here on ssl's memory buffers. asyncio's own drops the alert that tells a client why its
handshake failed, and its server forgets the connections whose handshake is under way.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any

from feltrig.protocols.lines.stream_line import Receiver

HANDSHAKE = 5.0
"""Seconds in which whoever connects must complete the TLS handshake."""
CHUNK = 65536


class Listener:
    """Makes a protocol for each connection: at once, or with `tls` when the connection is secure."""

    def __init__(self, make: Callable[[], Receiver], host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        self._make = make
        self._host = host
        self._port = port
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._handshakes: set[_Handshake] = set()

    async def open(self) -> tuple[str, int]:
        """Begin to listen; returns the host and the port. A port in use is an OSError."""
        if self._server is None:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(self._connection, self._host, self._port)
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Stop listening. Connections that were handed over are their protocols' own. May be called twice."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        handshakes = tuple(self._handshakes)
        for handshake in handshakes:
            handshake.abort()
        for handshake in handshakes:
            await handshake.ended

    def _connection(self) -> Receiver:
        return self._make() if self._tls is None else _Handshake(self._tls, self._make, self._handshakes)


class _Handshake(Receiver):
    """A connection until it is secure; it is then carried on by a protocol of the listener's."""

    def __init__(self, context: ssl.SSLContext, make: Callable[[], Receiver], under_way: set["_Handshake"]) -> None:
        super().__init__()
        self._context = context
        self._make = make
        self._under_way = under_way
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._secure = _SecureTransport(transport, self._context)
        self._timer = asyncio.get_running_loop().call_later(HANDSHAKE, transport.abort)
        self._under_way.add(self)

    def abort(self) -> None:
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()

    def data_received(self, data: bytes) -> None:
        try:
            agreed = self._secure.shake_hands(data)
        except ssl.SSLError:
            self._transport.close()  # when the alert is sent
            return
        if agreed:
            self._end()
            protocol = self._make()
            carried_on = _Secured(self._secure, protocol)
            self._transport.set_protocol(carried_on)
            protocol.connection_made(self._secure)
            carried_on.data_received(b"")  # what came in one piece with the end of the handshake

    def _end(self) -> None:
        self._timer.cancel()
        self._under_way.discard(self)
        if not self.ended.done():
            self.ended.set_result(None)


class _Secured(Receiver):
    """Passes on to a protocol what arrives on a secure connection."""

    def __init__(self, transport: "_SecureTransport", protocol: Receiver) -> None:
        super().__init__()
        self._transport = transport
        self._protocol = protocol

    def data_received(self, data: bytes) -> None:
        for plain in self._transport.decrypt(data):
            self._protocol.data_received(plain)

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()


class _SecureTransport(asyncio.Transport):
    """The server's end of TLS on a plain transport."""

    def __init__(self, plain: asyncio.Transport, context: ssl.SSLContext) -> None:
        super().__init__()
        self._plain = plain
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)

    def shake_hands(self, data: bytes) -> bool:
        """Go on with the handshake; whether it is complete. Raises SSLError when it failed and the client was told."""
        self._incoming.write(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        finally:
            self._flush()
        return True

    def decrypt(self, data: bytes) -> list[bytes]:
        """What the records hold that these bytes complete. The connection is closed when the client ends it."""
        self._incoming.write(data)
        received = []
        try:
            while plain := self._tls.read(CHUNK):
                received.append(plain)
            self.close()  # nothing comes after the client's farewell
        except ssl.SSLWantReadError:
            self._flush()
        except ssl.SSLError:
            self._flush()
            self._plain.close()
        return received

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if data and not self._plain.is_closing():
            self._tls.write(data)
            self._flush()

    def close(self) -> None:
        """Say farewell, and close when everything is sent."""
        if not self._plain.is_closing():
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()  # wants to read the client's farewell, which we do not wait for
            self._flush()
            self._plain.close()

    def abort(self) -> None:
        self._plain.abort()

    def is_closing(self) -> bool:
        return self._plain.is_closing()

    def pause_reading(self) -> None:
        self._plain.pause_reading()

    def resume_reading(self) -> None:
        self._plain.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._tls if name == "ssl_object" else self._plain.get_extra_info(name, default)

    def _flush(self) -> None:
        if data := self._outgoing.read():
            self._plain.write(data)
