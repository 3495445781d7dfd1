"""Requests and answers as a bystander hears them: which answer belongs to which request, and what is wrong with it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from feltrig.protocols.messages import EventBatch, Reply
from feltrig.protocols.mqtt.codec import Answer, BadPayload, Breach, decode_answer, read_batch, read_reply
from feltrig.protocols.vocabulary import Command, Error, Kind

OVERTAKEN = 1.0
"""Seconds by which an answer can overtake its request on the way to a bystander, as a request at QoS 2 is slow."""

REMEMBERED = 256
"""Requests that are kept, so that a second answer shows."""

LOST = 10.0
"""Seconds for which all of them are kept, so that an answer that comes late is known."""

Complain = Callable[[str, str], None]
"""Told the id of a requirement, and how it was broken."""

BREACHES = {
    Breach.SIZE: "MQT-14",
    Breach.JSON: "MQT-14",
    Breach.VERSION: "MQT-15",
    Breach.TYPE: "MQT-17",
    Breach.BOOL: "MQT-18",
    Breach.TEXT: "MQT-19",
    Breach.LIST: "MQT-20",
    Breach.FIELDS: "MQT-21",
    Breach.NAME: "MQT-10",
    Breach.LISTS: "MQT-8",
}
"""The requirement that a payload breaks in each way."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message below the topic of a device, as the broker delivers it to a bystander."""

    topic: str
    """Without the device's own."""
    payload: bytes
    qos: int = 1
    retain: bool | None = False
    """As its sender published it; None where the broker does not tell."""
    correlation: bytes | None = None
    back: str | None = None
    """The response topic."""
    at: float = 0.0


@dataclass(slots=True, eq=False)
class Asked:
    """A request that was heard."""

    command: Command | None
    """None for one that the device does not know, or that cannot be read."""
    token: int | None
    at: float
    latest: int | None
    """The number of the last event that was published before it."""
    times: int = 1
    answers: int = 0
    fresh: bool = False
    """Whether its token came for the first time."""
    obeyed_at: float | None = None
    """When it was answered with ok."""
    seen_busy: bool = False
    """Whether the device said since that it is busy."""

    @property
    def name(self) -> str:
        """What was asked, in words."""
        return "a request" if self.command is None else self.command.name


Key = tuple[str, bytes | int | str | None]


class Correspondence:
    """Pairs answers with requests. A request that our driver sends again counts as one that may be answered again."""

    def __init__(self, kind: Kind, base: str, complain: Complain) -> None:
        self._kind = kind
        self._base = base
        self._complain = complain
        self._asked: dict[Key, Asked] = {}
        self._tokens: set[int] = set()
        self._topics: set[str] = set()
        self._orphans: list[tuple[str, Heard, str]] = []
        """Answers on topics that no request has named yet: the requirement that they break, and in which way."""
        self.lenient = False
        """Whether answers may come twice: QoS 1 allows it after a lost connection."""

    def forget(self) -> None:
        """The bystander was away, and has missed requests and answers; or the device was, and has lost them."""
        self._asked.clear()
        self._topics.clear()
        self._orphans.clear()

    def settle(self, now: float) -> None:
        """Complain of answers whose requests have not come, although there was time."""
        while self._orphans and now - self._orphans[0][1].at > OVERTAKEN:
            requirement, _, fault = self._orphans.pop(0)
            self._complain(requirement, fault)

    def ask(self, heard: Heard, latest: int | None) -> Asked | None:
        """Take note of a request; None if its answer does not come where we hear it."""
        document = _object(heard.payload)
        back: object = heard.back
        key: object = heard.correlation
        if back is None:
            back, key = document.get("reply_to"), document.get("id")
        if not isinstance(back, str) or not back.startswith(f"{self._base}/"):
            return None
        if not isinstance(key, bytes | int | str | None):
            return None
        self._topics.add(back)
        self._orphans = [each for each in self._orphans if f"{self._base}/{each[1].topic}" != back]
        token, name = document.get("token"), document.get("cmd")
        command = self._kind.commands.get(name) if isinstance(name, str) else None
        asked = Asked(command, token if type(token) is int else None, heard.at, latest)
        if asked.token is not None and command is not None and command.acts:
            asked.fresh = asked.token not in self._tokens
            self._tokens.add(asked.token)
        known = self._asked.get((back, key))
        if known is not None:
            known.times += 1
            return known
        self._asked[back, key] = asked
        while len(self._asked) > REMEMBERED and heard.at - next(iter(self._asked.values())).at > LOST:
            del self._asked[next(iter(self._asked))]
        return asked

    def answered(self, heard: Heard) -> tuple[Asked, Reply | EventBatch | None] | None:
        """The request that a message answers, and what it says; None if it cannot be read."""
        if heard.retain:
            self._complain("MQT-37", "an answer is retained")
        try:
            answer = decode_answer(heard.payload)
        except BadPayload as bad:
            self._complain(BREACHES[bad.breach], str(bad))
            return None
        topic = f"{self._base}/{heard.topic}"
        asked = self._asked.get((topic, heard.correlation)) if heard.correlation is not None else None
        asked = asked or self._asked.get((topic, answer.id))
        if asked is None:
            self._nobodys(heard, answer)
            return None
        asked.answers += 1
        if asked.answers > asked.times and not self.lenient:
            self._complain("MQT-38", f"{asked.name} is answered {asked.answers} times, asked {asked.times} times")
        return asked, self._read(asked, answer)

    def _nobodys(self, heard: Heard, answer: Answer) -> None:
        topic = f"{self._base}/{heard.topic}"
        if not self._topics:
            return  # asked before we listened
        if topic not in self._topics:
            self._orphans.append(("MQT-31", heard, f"an answer on {heard.topic}, which no request named"))
            return
        known = [key for back, key in self._asked if back == topic]
        said = f"id {answer.id!r}" if heard.correlation is None else f"correlation data {heard.correlation.hex(' ')}"
        wrong = "MQT-32" if any(isinstance(key, bytes) for key in known) else "MQT-33"
        self._complain(wrong, f"an answer with {said}, which no request had")

    def _read(self, asked: Asked, answer: Answer) -> Reply | EventBatch | None:
        document, command = answer.document, asked.command
        if document.get("values") == {}:
            self._complain("MQT-21", f"the answer to {asked.name} has empty values, which must be left out")
        try:
            if command is None:
                return read_reply(_UNKNOWN, answer)
            if command.name == "events":
                said = read_batch(self._kind, answer)
                return Reply(said) if isinstance(said, Error) else said
            return read_reply(command, answer)
        except BadPayload as bad:
            self._complain(_broken(command, document, bad), str(bad))
        return None


_UNKNOWN = Command("a request that is none", 0, "")


def _broken(command: Command | None, document: Any, bad: BadPayload) -> str:
    if bad.breach is Breach.NAME and "error" in str(bad):
        return "MQT-34"
    if command is not None and command.name == "events" and not {"status", "events"} <= document.keys():
        return "MQT-36"
    if bad.breach is Breach.FIELDS and "values" not in document:
        return "MQT-35"
    return BREACHES[bad.breach]


def _object(payload: bytes) -> dict[str, Any]:
    try:
        document = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
