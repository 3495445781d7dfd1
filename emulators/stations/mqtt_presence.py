"""A device's presence on an MQTT broker: a connection that comes back by itself when the broker was lost."""

import asyncio
import contextlib
import itertools
from collections.abc import Callable

import aiomqtt

from feltrig.protocols.errors import LineLost
from feltrig.protocols.mqtt.link import CallProperties, MqttLink, Server

DEADLINE = 5.0
RETRY_AFTER = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between attempts to reach a lost broker; the last is repeated."""


class Presence:
    """Keeps a connection. `receive` gets each message on the topics; `joined` is called after each new connection, and
    `lost` when one broke."""

    def __init__(
        self,
        server: Server,
        identifier: str,
        topics: tuple[str, ...],
        receive: Callable[[aiomqtt.Message], None],
        joined: Callable[[], None],
        *,
        lost: Callable[[], None] = lambda: None,
        will: aiomqtt.Will | None = None,
    ) -> None:
        self._server = server
        self._identifier = identifier
        self._topics = topics
        self._receive = receive
        self._joined = joined
        self._lost = lost
        self._will = will
        self._link: MqttLink | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._powered = asyncio.Event()
        self._powered.set()

    async def start(self) -> None:
        """Connect; LineLost if the broker is not there."""
        self._broken = asyncio.Event()
        await self._connect()
        self._keeper = asyncio.create_task(self._keep_connected())

    async def stop(self, farewell: tuple[str, bytes] | None = None) -> None:
        """Leave, with a last word to be retained on a topic. May be called twice."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        keeper.cancel()
        await asyncio.wait((keeper,))
        if farewell is not None:
            self.send(*farewell, retain=True)
        link, self._link = self._link, None
        if link is not None:
            await link.close()
        if not keeper.cancelled():
            keeper.result()

    def send(self, topic: str, payload: bytes, retain: bool = False, properties: CallProperties | None = None) -> bool:
        """Publish; whether the broker is there."""
        if self._link is None:
            return False
        try:
            self._link.send(topic, payload, retain, properties)
        except LineLost:
            return False
        return True

    def vanish(self) -> None:
        """Drop the line, and do not come back."""
        if self._keeper is not None:
            self._keeper.cancel()
        link, self._link = self._link, None
        if link is not None:
            link.abort()

    def power_off(self) -> None:
        """Drop the line, and do not come back before the power does."""
        self._powered.clear()
        link, self._link = self._link, None
        if link is not None:
            link.abort()

    def power_on(self) -> None:
        """Come back."""
        self._powered.set()

    async def _keep_connected(self) -> None:
        while True:
            await self._broken.wait()
            await self._powered.wait()
            for delay in itertools.chain(RETRY_AFTER, itertools.repeat(RETRY_AFTER[-1])):
                await asyncio.sleep(delay)
                with contextlib.suppress(LineLost):
                    await self._connect()
                    break

    async def _connect(self) -> None:
        self._broken.clear()
        link = MqttLink(
            self._server, DEADLINE, self._receive, self._unlink, identifier=self._identifier, will=self._will
        )
        try:
            await link.open()
            self._link = link
            if self._topics:
                await link.subscribe(*self._topics)
        except BaseException:
            self._link = None
            await link.close()
            raise
        self._joined()

    def _unlink(self) -> None:
        self._link = None
        self._broken.set()
        self._lost()
