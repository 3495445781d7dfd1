"""MQTT topics and JSON payloads of a device. Pure: values in, bytes out, and back.

Below its base topic `<root>/<table>/<device>` a device has `meta` (who it is), `state`, `event`, `cmd` (requests) and
`online` (also its last will). Every payload is a JSON object with `v`, the version of this page; keys that this
version does not know are ignored, but `args` and `values` hold exactly the fields of the vocabulary, as it types them.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn

from feltrig.protocols.errors import Garbage
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import NOTHING, Event, EventBatch, Identity, Reply, Request, Status, Value, Values
from feltrig.protocols.vocabulary import COMMON, Command, Error, FaultCode, Field, Kind, State, Type

VERSION = 1
MAX_PAYLOAD = 16384
MAX_TOPIC = 0xFFFF

ONLINE = b'{"v":1,"online":true}'
OFFLINE = b'{"v":1,"online":false}'

_STATUS = next(command.reply for command in COMMON if command.name == "status")
_RANGES = {Type.U8: 0xFF, Type.U16: 0xFFFF, Type.U32: 0xFFFF_FFFF}
_ERRORS = {error.name.lower(): error for error in Error}
_ERROR_NAMES = {error: name for name, error in _ERRORS.items()}

_encode = json.JSONEncoder(separators=(",", ":")).encode


class Topics:
    """The topics of one device. Raises ValueError for a base that one cannot publish under."""

    def __init__(self, base: str) -> None:
        if not is_topic(base):
            raise ValueError(f"topic {base!r}: expected levels between slashes, without + and #")
        self.base = base
        self.meta = f"{base}/meta"
        self.state = f"{base}/state"
        self.event = f"{base}/event"
        self.cmd = f"{base}/cmd"
        self.online = f"{base}/online"

    def reply(self, asker: str) -> str:
        """Where one asker awaits its answers."""
        return f"{self.base}/reply/{asker}"


def is_topic(text: str) -> bool:
    """Whether one can publish to it: not empty, no wildcards, no null, encodable, not too long."""
    if not text or "+" in text or "#" in text or "\0" in text:
        return False
    try:
        return len(text.encode()) <= MAX_TOPIC
    except UnicodeEncodeError:
        return False


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it arrived, and, in 3.1.1, where its answer goes and under which id."""

    request: Request
    id: int | str | None = None
    reply_to: str | None = None


class BadCall(Exception):
    """A request that the device must refuse; it still says where the refusal goes, as far as that could be read."""

    def __init__(self, error: Error, why: str, key: int | str | None = None, reply_to: str | None = None) -> None:
        super().__init__(why)
        self.error = error
        self.id = key
        self.reply_to = reply_to


class Breach(Enum):
    """In which way a payload is not as this page says."""

    SIZE = "it is too long"
    JSON = "it is not a JSON object"
    VERSION = "it has not this version"
    TYPE = "a number is missing or is none"
    BOOL = "a truth value is missing or is none"
    TEXT = "a text is missing or is none"
    LIST = "a list is missing or is none of numbers"
    FIELDS = "`args` or `values` are not exactly the fields of the vocabulary"
    NAME = "a name or number that the vocabulary does not have"
    LISTS = "the commands and events of `meta` are not those of the kind"


class BadPayload(Garbage):
    """A payload of a device that is not as this page says."""

    def __init__(self, what: str, breach: Breach) -> None:
        super().__init__(what)
        self.breach = breach


class _Wrong(Exception):
    """A document that is not as this page says."""

    def __init__(self, what: str, breach: Breach = Breach.TYPE) -> None:
        super().__init__(what)
        self.breach = breach


@contextmanager
def _reading(what: str) -> Iterator[None]:
    """What is wrong in a message from a device is garbage."""
    try:
        yield
    except _Wrong as wrong:
        raise BadPayload(f"{what}: {wrong}", wrong.breach) from None


def encode_request(request: Request, key: int | None = None, reply_to: str | None = None) -> bytes:
    """The payload for `cmd`; `key` and `reply_to` stand in for the properties that 3.1.1 lacks."""
    document: dict[str, object] = {"v": VERSION, "cmd": request.command, "token": request.token}
    if request.values:
        document["args"] = dict(request.values)
    if reply_to is not None:
        document["id"] = key
        document["reply_to"] = reply_to
    return _encode(document).encode()


def decode_request(kind: Kind, payload: bytes) -> Call:
    """What a device is asked. Raises BadCall."""
    try:
        document = _document(payload)
    except _Wrong as wrong:
        raise BadCall(Error.MALFORMED, str(wrong)) from None
    key, reply_to = document.get("id"), document.get("reply_to")
    key = key if type(key) in (int, str) else None
    reply_to = reply_to if isinstance(reply_to, str) and is_topic(reply_to) else None
    try:
        _check_version(document)
        name, token = document.get("cmd"), document.get("token")
        if not isinstance(name, str):
            raise _Wrong(f"cmd {name!r}: expected a name")
        command = kind.commands.get(name)
        if command is None:
            raise BadCall(Error.UNKNOWN_COMMAND, f"cmd {name!r}: not known to a {kind.name}", key, reply_to)
        if token is None and not command.acts:
            token = 0
        token = _number(token, "token", Type.U32)
    except _Wrong as wrong:
        raise BadCall(Error.MALFORMED, str(wrong), key, reply_to) from None
    try:
        values = _values(command.args, document.get("args", {}))
    except _Wrong as wrong:
        raise BadCall(Error.BAD_ARGUMENT, str(wrong), key, reply_to) from None
    return Call(Request(name, values, token), key, reply_to)


def encode_reply(reply: Reply, key: int | str | None = None) -> bytes:
    """The answer to a request other than `events`, or the refusal of any."""
    document: dict[str, object] = {"v": VERSION, "error": _ERROR_NAMES[reply.error]}
    if reply.values:
        document["values"] = dict(reply.values)
    if key is not None:
        document["id"] = key
    return _encode(document).encode()


def encode_batch(batch: EventBatch, key: int | str | None = None) -> bytes:
    """The answer to `events`."""
    document: dict[str, object] = {
        "v": VERSION,
        "error": "ok",
        "status": _status_document(batch.status),
        "events": [_event_document(event) for event in batch.events],
    }
    if key is not None:
        document["id"] = key
    return _encode(document).encode()


@dataclass(frozen=True, slots=True)
class Answer:
    """A device's answer before it is known which request it answers."""

    document: Mapping[str, Any]
    id: int | str | None
    """None when the answer names none, as in MQTT 5."""


def decode_answer(payload: bytes) -> Answer:
    """The answer on a reply topic. Raises Garbage."""
    with _reading("answer"):
        document = _versioned(payload)
        key = document.get("id")
        if key is not None and type(key) not in (int, str):
            raise _Wrong(f"id {key!r}: expected a number or a text")
        return Answer(document, key)


def read_reply(command: Command, answer: Answer) -> Reply:
    """The reply that an answer to this command holds. Raises Garbage."""
    with _reading(f"answer to {command.name}"):
        error = _error(answer.document)
        fields = () if error else command.reply
        return Reply(error, _values(fields, answer.document.get("values", {})))


def read_batch(kind: Kind, answer: Answer) -> EventBatch | Error:
    """The events that an answer to `events` holds, or why the device refused. Raises Garbage."""
    with _reading("answer to events"):
        error = _error(answer.document)
        if error:
            return error
        events = answer.document.get("events")
        if not isinstance(events, list):
            raise _Wrong("events: expected a list", Breach.LIST)
        return EventBatch(_status(answer.document.get("status")), tuple(_event(kind, event) for event in events))


def encode_event(event: Event, status: Status) -> bytes:
    """An event as it is pushed, with the status so that nobody need ask for it."""
    return _encode({"v": VERSION, **_event_document(event), **_status_document(status)}).encode()


def decode_event(kind: Kind, payload: bytes) -> tuple[Event, Status]:
    """A pushed event. Raises Garbage."""
    with _reading("event"):
        document = _versioned(payload)
        return _event(kind, document), _status(document)


def encode_state(status: Status) -> bytes:
    """The retained status."""
    return _encode({"v": VERSION, **_status_document(status)}).encode()


def decode_state(payload: bytes) -> Status:
    """The retained status. Raises Garbage."""
    with _reading("state"):
        return _status(_versioned(payload))


def encode_meta(kind: Kind, identity: Identity) -> bytes:
    """The retained self-description: who the device is, and the names of what it understands and says."""
    about = {name: getattr(identity, name) for name in _IDENTITY}
    described = {"commands": list(kind.commands), "events": list(kind.events)}
    return _encode({"v": VERSION, **about, **described}).encode()


_IDENTITY = ("kind", "vendor", "model", "serial", "firmware", "digest")


def decode_meta(payload: bytes) -> tuple[Kind, Identity]:
    """Who a device says it is; its commands and events must be those of its kind. Raises Garbage."""
    with _reading("meta"):
        document = _versioned(payload)
        texts = {name: _text(document.get(name), name) for name in _IDENTITY}
        kind = KINDS.get(texts["kind"])
        if kind is None:
            raise _Wrong(f"kind {texts['kind']!r}: expected one of {', '.join(KINDS)}", Breach.NAME)
        for name, known in (("commands", kind.commands), ("events", kind.events)):
            if document.get(name) != list(known):
                raise _Wrong(f"{name}: expected those of a {kind.name}: {', '.join(known)}", Breach.LISTS)
        return kind, Identity(**texts)


def decode_online(payload: bytes) -> bool:
    """Whether the device is connected to the broker. Raises Garbage."""
    with _reading("online"):
        online = _versioned(payload).get("online")
        if not isinstance(online, bool):
            raise _Wrong(f"online {online!r}: expected true or false", Breach.BOOL)
        return online


def _document(payload: bytes) -> Mapping[str, Any]:
    if len(payload) > MAX_PAYLOAD:
        raise _Wrong(f"{len(payload)} bytes: at most {MAX_PAYLOAD} are allowed", Breach.SIZE)
    try:
        document = json.loads(payload.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):  # a payload of brackets only exhausts the parser's stack
        raise _Wrong(f"{payload[:40]!r}: expected JSON", Breach.JSON) from None
    if not isinstance(document, dict):
        raise _Wrong(f"{payload[:40]!r}: expected an object", Breach.JSON)
    return document


def _no_number(name: str) -> NoReturn:
    """NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(name)


def _versioned(payload: bytes) -> Mapping[str, Any]:
    document = _document(payload)
    _check_version(document)
    return document


def _check_version(document: Mapping[str, Any]) -> None:
    version = document.get("v")
    if type(version) is not int or version != VERSION:
        raise _Wrong(f"v {version!r}: expected {VERSION}", Breach.VERSION)


def _error(document: Mapping[str, Any]) -> Error:
    name = document.get("error")
    error = _ERRORS.get(name) if isinstance(name, str) else None
    if error is None:
        raise _Wrong(f"error {name!r}: expected one of {', '.join(_ERRORS)}", Breach.NAME)
    return error


def _status_document(status: Status) -> dict[str, int]:
    return {"state": status.state, "fault": status.fault, "oldest": status.oldest, "latest": status.latest}


def _status(document: object) -> Status:
    if not isinstance(document, dict):
        raise _Wrong("status: expected an object")
    state, fault, oldest, latest = (_number(document.get(f.name), f.name, f.type) for f in _STATUS)
    try:
        return Status(State(state), FaultCode(fault), oldest, latest)
    except ValueError as error:
        raise _Wrong(str(error), Breach.NAME) from None


def _event_document(event: Event) -> dict[str, object]:
    document: dict[str, object] = {"n": event.number, "event": event.name}
    if event.values:
        document["values"] = dict(event.values)
    return document


def _event(kind: Kind, document: object) -> Event:
    if not isinstance(document, dict):
        raise _Wrong("event: expected an object")
    name = document.get("event")
    known = kind.events.get(name) if isinstance(name, str) else None
    if known is None:
        raise _Wrong(f"event {name!r}: not known of a {kind.name}", Breach.NAME)
    number = _number(document.get("n"), "n", Type.U32)
    return Event(number, known.name, _values(known.fields, document.get("values", {})))


def _values(fields: tuple[Field, ...], document: object) -> Values:
    if not fields and document == {}:
        return NOTHING
    if not isinstance(document, dict) or len(document) != len(fields):
        expected = ", ".join(field.name for field in fields) or "no fields"
        raise _Wrong(f"{document!r}: expected {expected}", Breach.FIELDS)
    if missing := [field.name for field in fields if field.name not in document]:
        raise _Wrong(f"{document!r}: {', '.join(missing)} is missing", Breach.FIELDS)
    return {field.name: _value(field, document.get(field.name)) for field in fields}


def _value(field: Field, value: object) -> Value:
    match field.type:
        case Type.BOOL if isinstance(value, bool):
            return value
        case Type.TEXT:
            return _text(value, field.name)
        case Type.BYTES if isinstance(value, list):
            return tuple(_number(item, field.name, Type.U8, Breach.LIST) for item in value)
        case Type.U8 | Type.U16 | Type.U32:
            return _number(value, field.name, field.type)
    breach = Breach.BOOL if field.type is Type.BOOL else Breach.LIST
    raise _Wrong(f"{field.name} {value!r}: expected {field.type.value}", breach)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _Wrong(f"{name} {value!r}: expected text", Breach.TEXT)
    return value


def _number(value: object, name: str, width: Type, breach: Breach = Breach.TYPE) -> int:
    if type(value) is not int or not 0 <= value <= _RANGES[width]:
        raise _Wrong(f"{name} {value!r}: expected {width.value}", breach)
    return value
