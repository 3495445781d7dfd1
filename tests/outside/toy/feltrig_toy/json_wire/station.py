"""The device's end."""

import asyncio
import json
from collections.abc import Callable

from feltrig.emulators.machine import Machine
from feltrig_toy.json_wire import codec

MOST_EVENTS = 16


class JsonStation:
    """Serves one machine to whoever connects."""

    def __init__(self, machine: Machine, host: str, port: int, clock: Callable[[], float]) -> None:
        self._machine, self._host, self._port, self._clock = machine, host, port, clock
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._serve, self._host, self._port)
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            for writer in self._writers:
                writer.close()
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while asked := await reader.readline():
                writer.write(self._answer(json.loads(asked)))
        finally:
            self._writers.discard(writer)
            writer.close()

    def _answer(self, asked: dict[str, object]) -> bytes:
        request, now = codec.read_request(asked), self._clock()
        self._machine.advance(now)
        if request.command == "events":
            after = request.values["after"]
            assert isinstance(after, int)
            return codec.write_events(int(str(asked["n"])), self._machine.events(after, now, MOST_EVENTS))
        return codec.write_reply(int(str(asked["n"])), self._machine.handle(request, now))
