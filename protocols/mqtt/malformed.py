"""Malformed messages of the MQTT wire, and what mqtt.md says of each."""

import json
from collections.abc import Collection, Iterator

from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage
from feltrig.protocols.messages import Reply
from feltrig.protocols.mqtt.codec import VERSION, encode_reply
from feltrig.protocols.vocabulary import Error, Kind


def malformed(_kind: Kind, _taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """The messages, which are the same for every kind of device."""
    yield _unreadable("nothing", b"")
    yield _unreadable("no UTF-8", b"\xff\xfe")
    yield _unreadable("no JSON", b'{"v":1,"cmd":"reset","token":1')
    yield _unreadable("no object", b'["reset"]')
    yield _refused("an unknown command", Error.UNKNOWN_COMMAND, cmd="fly")
    yield _refused("without a command", Error.MALFORMED, cmd=None)
    yield _refused("a code for a command", Error.MALFORMED, cmd=CODES["reset"])
    yield _refused("without a version", Error.MALFORMED, v=None)
    yield _refused("another version", Error.MALFORMED, v=VERSION + 1)
    yield _refused("without a token", Error.MALFORMED, token=None)
    yield _refused("a token that is text", Error.MALFORMED, token="1")
    yield _refused("a token below zero", Error.MALFORMED, token=-1)
    yield _refused("a token that is too large", Error.MALFORMED, token=1 << 32)
    yield _refused("an argument too many", Error.BAD_ARGUMENT, args={"times": 1})
    yield _refused("arguments in a list", Error.BAD_ARGUMENT, args=[1])
    yield _refused("an argument too few", Error.BAD_ARGUMENT, cmd="events", args={})
    yield _refused("an argument of another type", Error.BAD_ARGUMENT, cmd="events", args={"after": "0"})


def _refused(name: str, error: Error, **changes: object) -> MalformedMessage:
    return MalformedMessage(name, lambda e: _request(e, changes), lambda e: _refusal(e, error))


def _request(envelope: Envelope, changes: dict[str, object]) -> bytes:
    """A request with other values, and without those that are None."""
    document: dict[str, object] = {"v": VERSION, "cmd": "reset", "token": envelope.token}
    if envelope.back:
        document |= {"id": envelope.number, "reply_to": envelope.back}
    return json.dumps({key: value for key, value in (document | changes).items() if value is not None}).encode()


def _refusal(envelope: Envelope, error: Error) -> bytes:
    return encode_reply(Reply(error), envelope.number if envelope.back else None)


def _unreadable(name: str, payload: bytes) -> MalformedMessage:
    """Where only the payload could have said where the answer goes, there is none."""
    return MalformedMessage(name, lambda _: payload, lambda e: b"" if e.back else _refusal(e, Error.MALFORMED))
