"""Malformed messages of the MQTT wire, and what mqtt.md says of each."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage
from feltrig.protocols.messages import Reply
from feltrig.protocols.mqtt.codec import VERSION, encode_reply
from feltrig.protocols.vocabulary import Error, Kind

NOT_OBEYED = ("MQT-43", "MQT-44")
"""What every invalid request tests: it is not acted on, and the next one is answered."""

UNREADABLE = {
    "nothing": b"",
    "no UTF-8": b"\xff\xfe",
    "no JSON": b'{"v":1,"cmd":"reset","token":1',
    "no object": b'["reset"]',
    "a text": b'"reset"',
    "a number": b"4",
    "null": b"null",
    "a list of requests": b'[{"v":1,"cmd":"reset","token":1}]',
    "two objects": b'{"v":1,"cmd":"reset","token":1}{"v":1,"cmd":"reset","token":2}',
    "brackets without end": b"[" * 2000,
}
"""Payloads that are no JSON object."""

ABSENT: Any = None
"""The value of a key that a request lacks."""

REFUSED: Mapping[str, tuple[Error, str, Mapping[str, Any]]] = {
    "an unknown command": (Error.UNKNOWN_COMMAND, "MQT-48", {"cmd": "fly"}),
    "a command without a name": (Error.UNKNOWN_COMMAND, "MQT-48", {"cmd": ""}),
    "a command in capitals": (Error.UNKNOWN_COMMAND, "MQT-48", {"cmd": "RESET"}),
    "without a command": (Error.MALFORMED, "MQT-47", {"cmd": ABSENT}),
    "a code for a command": (Error.MALFORMED, "MQT-47", {"cmd": CODES["reset"]}),
    "a command in a list": (Error.MALFORMED, "MQT-47", {"cmd": ["reset"]}),
    "a command that is true": (Error.MALFORMED, "MQT-47", {"cmd": True}),
    "without a version": (Error.MALFORMED, "MQT-46", {"v": ABSENT}),
    "another version": (Error.MALFORMED, "MQT-46", {"v": VERSION + 1}),
    "version 0": (Error.MALFORMED, "MQT-46", {"v": 0}),
    "a version that is text": (Error.MALFORMED, "MQT-46", {"v": str(VERSION)}),
    "a version that is true": (Error.MALFORMED, "MQT-46", {"v": True}),
    "without a token": (Error.MALFORMED, "MQT-49", {"token": ABSENT}),
    "a token that is text": (Error.MALFORMED, "MQT-49", {"token": "1"}),
    "a token below zero": (Error.MALFORMED, "MQT-49", {"token": -1}),
    "a token that is too large": (Error.MALFORMED, "MQT-49", {"token": 1 << 32}),
    "a token with a fraction": (Error.MALFORMED, "MQT-49", {"token": 1.5}),
    "a token that is true": (Error.MALFORMED, "MQT-49", {"token": True}),
    "a token in a list": (Error.MALFORMED, "MQT-49", {"token": [1]}),
    "an argument too many": (Error.BAD_ARGUMENT, "MQT-50", {"args": {"times": 1}}),
    "arguments in a list": (Error.BAD_ARGUMENT, "MQT-50", {"args": [1]}),
    "an argument too few": (Error.BAD_ARGUMENT, "MQT-50", {"cmd": "events", "args": {}}),
    "an argument of another type": (Error.BAD_ARGUMENT, "MQT-50", {"cmd": "events", "args": {"after": "0"}}),
}
"""Requests to `reset` with other values: the answer, the requirement that says so, and the values."""


def malformed(kind: Kind, _taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """The messages, which are the same for every kind of device but for the commands of others."""
    for name, payload in UNREADABLE.items():
        yield _unreadable(name, payload)
    for name, (error, requirement, changes) in REFUSED.items():
        yield _refused(name, error, requirement, changes)
    for other in KINDS.values():
        foreign = next((name for name in other.commands if name not in kind.commands), None)
        if foreign is not None:
            yield _refused(f"{foreign}, of a {other.name}", Error.UNKNOWN_COMMAND, "MQT-48", {"cmd": foreign})


def _refused(name: str, error: Error, requirement: str, changes: Mapping[str, Any]) -> MalformedMessage:
    ids = (requirement, *NOT_OBEYED)
    remembered = error is Error.BAD_ARGUMENT
    return MalformedMessage(name, lambda e: _request(e, changes), lambda e: _refusal(e, error), ids, remembered)


def _request(envelope: Envelope, changes: Mapping[str, Any]) -> bytes:
    """A request with other values, and without those that are None."""
    document: dict[str, object] = {"v": VERSION, "cmd": "reset", "token": envelope.token}
    if envelope.back:
        document |= {"id": envelope.number, "reply_to": envelope.back}
    return json.dumps({key: value for key, value in {**document, **changes}.items() if value is not ABSENT}).encode()


def _refusal(envelope: Envelope, error: Error) -> bytes:
    return encode_reply(Reply(error), envelope.number if envelope.back else None)


def _unreadable(name: str, payload: bytes) -> MalformedMessage:
    """Where only the payload could have said where the answer goes, there is none."""
    ids = ("MQT-45", *NOT_OBEYED)
    return MalformedMessage(name, lambda _: payload, lambda e: b"" if e.back else _refusal(e, Error.MALFORMED), ids)
