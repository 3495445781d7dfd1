"""The least code that answers on each wire, for `scale.py`: what a machine can do with so many lines and no device."""

import asyncio
import os
import tty
from collections.abc import Callable

import aiomqtt

from feltrig.protocols.messages import Request

QUESTION = bytes(range(1, 13))
ANSWER = bytes(range(1, 30))
"""As long as a status request and its answer on Modbus TCP."""

NODELAY = ((6, 1, 1),)
"""IPPROTO_TCP, TCP_NODELAY: as ours has it."""


class RawTty:
    """Answers whatever is read from a pseudo terminal."""

    async def start(self) -> str:
        """Open one; returns the name of its other end."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        asyncio.get_running_loop().add_reader(self._master, self._answer)
        return os.ttyname(self._slave)

    async def stop(self) -> None:
        """Close both ends."""
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)

    def _answer(self) -> None:
        os.read(self._master, 4096)
        os.write(self._master, ANSWER)


class RawTcp:
    """Answers whatever is received on a connection."""

    async def start(self) -> str:
        """Listen; returns where."""
        self._server = await asyncio.get_running_loop().create_server(lambda: _Line(_answer), "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        """Listen no more."""
        self._server.close()


class _Line(asyncio.BufferedProtocol):
    """Takes each segment for a message."""

    transport: asyncio.Transport

    def __init__(self, on_message: "Callable[[_Line], None]") -> None:
        self._on_message = on_message
        self._room = bytearray(4096)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        """Called by asyncio."""
        return self._room

    def buffer_updated(self, count: int) -> None:
        """Called by asyncio."""
        self._on_message(self)


def _answer(line: _Line) -> None:
    line.transport.write(ANSWER)


class RawMqtt:
    """Answers each message on a topic of a broker with one on another, by aiomqtt as it is."""

    def __init__(self, topic: str, port: int) -> None:
        self._topic = topic
        self._client = aiomqtt.Client("127.0.0.1", port, socket_options=NODELAY)

    async def start(self) -> str:
        """Connect; returns the topic."""
        await self._client.__aenter__()
        await self._client.subscribe(f"{self._topic}/ask", qos=1)
        self._serving = asyncio.create_task(self._serve())
        return self._topic

    async def stop(self) -> None:
        """Leave. aiomqtt may swallow a cancellation, but not that the connection has ended."""
        await self._client.__aexit__(None, None, None)
        self._serving.cancel()
        done, _ = await asyncio.wait((self._serving,), timeout=10)
        for serving in done:
            if not serving.cancelled():
                serving.exception()

    async def _serve(self) -> None:
        async for _ in self._client.messages:
            await self._client.publish(f"{self._topic}/answer", ANSWER, qos=1)


class TtyAsker:
    """Asks on a pseudo terminal."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._waiting: asyncio.Future[None]

    async def open(self) -> None:
        """Open it."""
        self._loop = asyncio.get_running_loop()
        self._file = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._loop.add_reader(self._file, self._heard)

    async def close(self) -> None:
        """Close it."""
        self._loop.remove_reader(self._file)
        os.close(self._file)

    async def request(self, _: Request) -> None:
        """One question, one answer."""
        self._waiting = self._loop.create_future()
        os.write(self._file, QUESTION)
        await self._waiting

    def _heard(self) -> None:
        os.read(self._file, 4096)
        self._waiting.set_result(None)


class TcpAsker:
    """Asks on a connection."""

    def __init__(self, where: str) -> None:
        self._host, _, self._port = where.rpartition(":")
        self._waiting: asyncio.Future[None]

    async def open(self) -> None:
        """Connect."""
        self._loop = asyncio.get_running_loop()
        _, self._line = await self._loop.create_connection(lambda: _Line(self._heard), self._host, int(self._port))

    async def close(self) -> None:
        """Disconnect."""
        self._line.transport.abort()

    async def request(self, _: Request) -> None:
        """One question, one answer."""
        self._waiting = self._loop.create_future()
        self._line.transport.write(QUESTION)
        await self._waiting

    def _heard(self, _: _Line) -> None:
        self._waiting.set_result(None)


class MqttAsker:
    """Asks on a topic, by aiomqtt as it is."""

    def __init__(self, topic: str, port: int) -> None:
        self._topic = topic
        self._client = aiomqtt.Client("127.0.0.1", port, socket_options=NODELAY)

    async def open(self) -> None:
        """Connect."""
        await self._client.__aenter__()
        await self._client.subscribe(f"{self._topic}/answer", qos=1)
        self._messages = aiter(self._client.messages)

    async def close(self) -> None:
        """Leave."""
        await self._client.__aexit__(None, None, None)

    async def request(self, _: Request) -> None:
        """One question, one answer."""
        await self._client.publish(f"{self._topic}/ask", QUESTION, qos=1)
        await anext(self._messages)
