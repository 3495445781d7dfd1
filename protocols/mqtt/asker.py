"""Puts requests to a device in every form that docs/mqtt.md allows, valid or not, and collects whatever is answered.

It is a second driver on a connection of its own. Each request has a topic of its own for its answers, so none can be
taken for another's.
"""

import asyncio
import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiomqtt

from feltrig.protocols.errors import LineLost
from feltrig.protocols.mqtt.codec import VERSION, Topics
from feltrig.protocols.mqtt.link import CallProperties, MqttLink, Server


@dataclass(frozen=True, slots=True)
class WayBack:
    """How a request says where its answer goes."""

    properties: bool = True
    """By the properties of MQTT 5, or by keys of the payload."""
    key: int | str | None = None
    """The `id`; None for one that is made up."""
    correlation: bytes | None = None
    """The correlation data; None for some that are made up."""
    topic: str = ""
    """The end of the topic."""
    named: bool = True
    """Whether it says so at all."""


@dataclass(slots=True, eq=False)
class Letter:
    """A request that was sent, and what came back."""

    back: str
    key: int | str | None = None
    correlation: bytes | None = None
    answers: list[aiomqtt.Message] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def fault(self, *errors: str) -> str | None:
        """What is wrong with the answer, if it must be one with one of these errors; without any, none may come."""
        if not errors:
            return f"answered {_shown(self.answers[0])}, expected silence" if self.answers else None
        if not self.answers:
            return f"no answer, expected {' or '.join(errors)}"
        if len(self.answers) > 1:
            return f"answered {len(self.answers)} times"
        return self._wrong(self.answers[0], errors)

    def _wrong(self, answer: aiomqtt.Message, errors: tuple[str, ...]) -> str | None:
        document = _object(answer.payload)
        if document is None:
            return f"answered {_shown(answer)}, expected a JSON object"
        if document.get("error") not in errors:
            return f"answered {document.get('error')!r}, expected {' or '.join(errors)}"
        said = getattr(answer.properties, "CorrelationData", None)
        if self.correlation is not None and said != self.correlation:
            return f"correlation data {_hex(said)}, expected {_hex(self.correlation)}"
        key = document.get("id")
        if self.key is not None and (type(key) is not type(self.key) or key != self.key):
            return f"id {key!r}, expected {self.key!r}"
        return None

    @property
    def document(self) -> Mapping[str, Any]:
        """The first answer; empty if there is none that can be read."""
        return (_object(self.answers[0].payload) if self.answers else None) or {}


class Asker:
    """Connected between `open` and `close`."""

    def __init__(self, topic: str, server: Server, deadline: float) -> None:
        self.modern = server.version == "5"
        """Whether it asks a device of MQTT 5, so that there are properties."""
        self._topics = Topics(topic)
        self._server = server
        self._deadline = deadline
        self._base = self._topics.reply(uuid.uuid4().hex[:12])
        self._letters: dict[str, Letter] = {}
        self._count = 0
        self._token = random.SystemRandom().getrandbits(15) << 16
        self._link: MqttLink | None = None

    async def open(self) -> None:
        """Connect, and listen for answers. Fails with LineLost."""
        self._link = MqttLink(self._server, self._deadline, self._receive, lambda: None)
        await self._link.open()
        await self._link.subscribe(f"{self._base}/#")

    async def close(self) -> None:
        """Leave. May be called twice."""
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    def new_token(self) -> int:
        """A token that was never used before."""
        self._token += 1
        return self._token

    def post(
        self,
        request: Mapping[str, Any] | bytes,
        way: WayBack | None = None,
        *,
        qos: int = 1,
        retain: bool = False,
        size: int = 0,
    ) -> Letter:
        """Send a request: the keys beside `v`, filled up to a size, or a payload as it is. Fails with LineLost."""
        if self._link is None:
            raise LineLost(f"{self._topics.base}: not connected")
        way = way or WayBack(self.modern)
        self._count += 1
        letter = Letter(f"{self._base}/{self._count}{way.topic}")
        self._letters[letter.back] = letter
        properties, keys = None, {}
        if way.named and way.properties and self.modern:
            letter.correlation = way.correlation or self._count.to_bytes(4, "big")
            properties = CallProperties(letter.correlation, letter.back)
        elif way.named:
            letter.key = self._count if way.key is None else way.key
            keys = {"id": letter.key, "reply_to": letter.back}
        if isinstance(request, bytes):
            payload, letter.key = request, None
        else:
            payload = _written({"v": VERSION, **request, **keys}, size)
        self._link.send(self._topics.cmd, payload, retain, properties, qos=qos)
        return letter

    async def answered(self, letter: Letter, seconds: float) -> bool:
        """Wait for an answer; whether one came."""
        try:
            async with asyncio.timeout(seconds):
                await letter.came.wait()
        except TimeoutError:
            return False
        return True

    async def ask(self, request: Mapping[str, Any], seconds: float) -> Letter:
        """Send a request and wait for its answer."""
        letter = self.post(request)
        await self.answered(letter, seconds)
        return letter

    def clear_retained(self) -> None:
        """Let the broker forget a retained request. Whoever is subscribed hears an empty message."""
        if self._link is not None:
            self._link.send(self._topics.cmd, b"", retain=True)

    def _receive(self, message: aiomqtt.Message) -> None:
        letter = self._letters.get(message.topic.value)
        if letter is not None:
            letter.answers.append(message)
            letter.came.set()


def _written(document: Mapping[str, Any], size: int) -> bytes:
    there = {key: value for key, value in document.items() if value is not ABSENT}
    payload = json.dumps(there).encode()
    missing = size - len(payload) - len(b', "pad": ""')
    return payload if missing < 0 else json.dumps({**there, "pad": "x" * missing}).encode()


ABSENT = object()
"""The value of a key that a request lacks."""


def _object(payload: bytes) -> Mapping[str, Any] | None:
    try:
        document = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _hex(data: bytes | None) -> str:
    return "none" if data is None else data.hex(" ")


def _shown(message: aiomqtt.Message) -> str:
    return bytes(message.payload[:80]).decode(errors="replace") or "an empty message"
