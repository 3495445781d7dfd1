"""The driver's end."""

import asyncio
import json
from typing import Any

from feltrig.protocols.errors import Garbage, LineLost, NoAnswer
from feltrig.protocols.messages import EventBatch, Reply, Request, Tap
from feltrig_toy.json_wire import codec


class JsonChannel:
    """Asks one device, one question at a time."""

    def __init__(self, host: str, port: int, deadline: float, tap: Tap) -> None:
        self._host, self._port, self._deadline, self._tap = host, port, deadline, tap
        self._number = 0
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        if self._ends is None:
            try:
                async with asyncio.timeout(self._deadline):
                    self._ends = await asyncio.open_connection(self._host, self._port)
            except OSError as error:
                raise LineLost(f"{self._host}:{self._port}: {error}") from error

    async def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None

    async def request(self, request: Request) -> Reply:
        return codec.read_reply(await self._ask(request))

    async def events(self, after: int) -> EventBatch:
        return codec.read_events(await self._ask(Request("events", {"after": after})))

    async def idle(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _ask(self, request: Request) -> dict[str, Any]:
        async with self._turn:
            if self._ends is None:
                raise LineLost(f"{self._host}:{self._port}: not open")
            reader, writer = self._ends
            self._number += 1
            sent = codec.write_request(self._number, request)
            self._tap(True, sent)
            writer.write(sent)
            try:
                async with asyncio.timeout(self._deadline):
                    heard = await reader.readline()
            except TimeoutError as error:
                raise NoAnswer(f"{self._host}:{self._port}: no answer to {request.command}") from error
            self._tap(False, heard)
            if not heard:
                await self.close()
                raise LineLost(f"{self._host}:{self._port}: hung up")
            answer: dict[str, Any] = json.loads(heard)
            if answer["n"] != self._number:
                raise Garbage(f"{self._host}:{self._port}: an answer to question {answer['n']}")
            return answer
