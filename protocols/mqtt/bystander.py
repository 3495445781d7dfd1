"""A connection of its own to the broker, which hears everything below the topic of a device during a whole run."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import replace

import aiomqtt

from feltrig.protocols.errors import LineLost
from feltrig.protocols.mqtt.correspondence import Complain, Heard
from feltrig.protocols.mqtt.link import MqttLink, Server
from feltrig.protocols.mqtt.listener import Listener
from feltrig.protocols.vocabulary import Kind

RETRY_AFTER = 0.2
"""Seconds between attempts to reach a broker that was lost."""

MARK = "reply/mark"
"""Below the device's topic: what the bystander sends to itself, to know that it has heard all that came before."""


class Bystander:
    """Listens between `open` and `close`, and comes back by itself when the broker was lost. It prefers MQTT 5, which
    tells it the retain flag of each message, whatever the device speaks."""

    def __init__(
        self, kind: Kind, topic: str, server: Server, deadline: float, ends: Mapping[str, str], complain: Complain
    ) -> None:
        self.faults: dict[str, list[str]] = {}
        """What was wrong, by the id of the requirement."""
        self.listener = Listener(kind, topic, ends, self._complain)
        self._tell = complain
        self._topic = topic
        self._server = server
        self._deadline = deadline
        self._link: MqttLink | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._marks: dict[bytes, asyncio.Future[None]] = {}
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Connect and listen. Fails with LineLost."""
        self._loop = asyncio.get_running_loop()
        self._broken = asyncio.Event()
        if self._server.version != "5":
            modern = replace(self._server, version="5")
            with contextlib.suppress(LineLost):
                await self._connect(modern)
                self._server = modern
        if self._link is None:
            await self._connect(self._server)
        self._keeper = asyncio.create_task(self._keep_connected())

    async def close(self) -> None:
        """Listen no more. May be called twice."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.wait((keeper,))
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    async def caught_up(self) -> None:
        """Wait until everything was heard that the broker got before now. Fails with LineLost."""
        if self._link is None:
            raise LineLost(f"{self._topic}: nobody listens: the connection to the broker was lost")
        mark = f"{id(self)} {self._loop.time()}".encode()
        heard = self._marks[mark] = self._loop.create_future()
        try:
            self._link.send(f"{self._topic}/{MARK}", mark)
            async with asyncio.timeout(self._deadline):
                await heard
        except TimeoutError:
            raise LineLost(f"{self._topic}: the broker does not deliver what the rig publishes below it") from None
        finally:
            del self._marks[mark]

    async def next_message(self, seconds: float) -> bool:
        """Wait for one more message of anybody; whether one came."""
        self._news.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    def _complain(self, requirement: str, fault: str) -> None:
        self.faults.setdefault(requirement, []).append(fault)
        self._tell(requirement, fault)

    async def _connect(self, server: Server) -> None:
        link = MqttLink(server, self._deadline, self._receive, self._lost)
        try:
            await link.open()
            await link.eavesdrop(f"{self._topic}/#")
        except BaseException:
            await link.close()
            raise
        self._link = link

    async def _keep_connected(self) -> None:
        while True:
            await self._broken.wait()
            self._broken.clear()
            while self._link is None:
                await asyncio.sleep(RETRY_AFTER)
                with contextlib.suppress(LineLost):
                    await self._connect(self._server)

    def _lost(self) -> None:
        self._link = None
        self.listener.interrupt()
        self._broken.set()

    def _receive(self, message: aiomqtt.Message) -> None:
        topic = message.topic.value.removeprefix(f"{self._topic}/")
        if topic == MARK:
            if (mark := self._marks.get(message.payload)) is not None and not mark.done():
                mark.set_result(None)
            return
        retain: bool | None = bool(message.retain)
        if self._server.version != "5":
            if message.retain:
                return  # what the broker had kept
            retain = None
        correlation = getattr(message.properties, "CorrelationData", None)
        back = getattr(message.properties, "ResponseTopic", None)
        payload = bytes(message.payload)
        self.listener.hear(Heard(topic, payload, message.qos, retain, correlation, back, self._loop.time()))
        self._news.set()
