"""The tables of the wire documents, made from the vocabulary and the codecs, so that they cannot say anything else.

A page has generated parts between `<!-- generated: NAME -->` and `<!-- end -->`; `rendered` fills them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from feltrig.protocols import mqtt_topics
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status, Value
from feltrig.protocols.modbus_map import RING, SLOT_SIZE, SLOTS, ModbusMap
from feltrig.protocols.serial_frame import encode
from feltrig.protocols.serial_messages import ANSWER, SerialMessages
from feltrig.protocols.vocabulary import (
    COMMON,
    COMMON_EVENTS,
    KINDS,
    RNG,
    Command,
    Error,
    EventType,
    Fault,
    Field,
    Kind,
    State,
    Type,
)

TOKEN = 0x00010002
ADDRESS, SEQ = 1, 0x2A
LATEST = 7
STATUS = Status(State.READY, Fault.NONE, 1, LATEST)

SAMPLES: Mapping[str, Value] = {
    "after": 6,
    "cards": (51, 52, 0x8C),
    "commanded": True,
    "correct": True,
    "count": 54,
    "deck": 1,
    "dice": (2, 6, 3),
    "digest": "ab" * 32,
    "fault": int(Fault.JAM),
    "firmware": "1.0",
    "flat": (1, 1, 1),
    "kind": 1,
    "latest": LATEST,
    "limit": 60,
    "model": "S1",
    "nonce": tuple(range(16)),
    "number": 5,
    "offset": 0,
    "oldest": 1,
    "proof": tuple(range(32)),
    "serial": "0001",
    "size": 4,
    "stack": 1,
    "state": int(State.READY),
    "times": 3,
    "vendor": "Acme",
}
"""A value for every field, as the worked examples have it."""

PART = re.compile(r"(<!-- generated: (?P<name>[a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def rendered(page: str) -> str:
    """The page with its generated parts as they should be. An unknown part is a KeyError."""
    return PART.sub(lambda found: found[1] + "\n" + PARTS[found["name"]]() + "\n" + found[3], page)


def sample(fields: tuple[Field, ...]) -> dict[str, Value]:
    """The values of the worked examples."""
    return {field.name: SAMPLES[field.name] for field in fields}


def owners() -> Iterator[tuple[str, Kind, tuple[Command, ...], tuple[EventType, ...]]]:
    """What all devices have in common, then what is each kind's own."""
    yield "every device", RNG, COMMON, COMMON_EVENTS
    for kind in KINDS.values():
        commands = tuple(c for c in kind.commands.values() if c not in COMMON)
        events = tuple(e for e in kind.events.values() if e not in COMMON_EVENTS)
        yield kind.name, kind, commands, events


def _numbers() -> str:
    rows = []
    for title, numbers in (("state", State), ("fault", Fault), ("error", Error)):
        rows.append((title, ", ".join(f"{n.value} {n.name.lower().replace('_', ' ')}" for n in numbers)))
    rows.append(("kind", ", ".join(f"{kind.code} {kind.name}" for kind in KINDS.values())))
    return _table(("number", "values"), rows)


def _vocabulary() -> str:
    parts = []
    for title, _, commands, events in owners():
        rows = [
            (
                f"`{c.name}`",
                f"{c.code:#04x}",
                "yes" if c.acts else "",
                _fields(c.args),
                "a batch of events" if c.name == "events" else _fields(c.reply),
                c.doc,
            )
            for c in commands
        ]
        parts.append(f"Commands of {title}:\n\n" + _table(("command", "code", "acts", "arguments", "reply", ""), rows))
        rows_ = [(f"`{e.name}`", f"{e.code:#04x}", _fields(e.fields), e.doc) for e in events]
        parts.append(f"Events of {title}:\n\n" + _table(("event", "code", "fields", ""), rows_))
    return "\n".join(parts)


def _serial_examples() -> str:
    rows = []
    for title, kind, commands, events in owners():
        messages = SerialMessages(kind)
        for command in commands:
            code, data = messages.write_request(Request(command.name, sample(command.args), TOKEN))
            rows.append((title, f"`{command.name}`", _hex(encode(ADDRESS, SEQ, code, data))))
            if command.name == "events":
                answer = messages.write_events(EventBatch(STATUS, (Event(LATEST, "cleared"),)))
            else:
                answer = messages.write_reply(command.name, Reply(Error.OK, sample(command.reply)))
            rows.append((title, f"answer to `{command.name}`", _hex(encode(ADDRESS, SEQ, code | ANSWER, answer))))
        code = kind.commands["events"].code | ANSWER
        for event in events:
            batch = EventBatch(STATUS, (Event(LATEST, event.name, sample(event.fields)),))
            frame = encode(ADDRESS, SEQ, code, messages.write_events(batch))
            rows.append((title, f"event `{event.name}`, in an answer to `events`", _hex(frame)))
    code = RNG.commands["identify"].code | ANSWER
    for error in list(Error)[1:]:
        frame = encode(ADDRESS, SEQ, code, bytes((error,)))
        rows.append(("every device", f"error `{error.name.lower()}`", _hex(frame)))
    return _table(("device", "message", "frame"), rows)


def _modbus_examples() -> str:
    rows = []
    for title, kind, commands, events in owners():
        registers = ModbusMap(kind)
        for command in commands:
            if command.name == "events":
                continue
            block = registers.write_command(Request(command.name, sample(command.args)), TOKEN)
            rows.append((title, f"`{command.name}`", "256", _words(block)))
            result = registers.write_result(TOKEN, command.name, Reply(Error.OK, sample(command.reply)))
            rows.append((title, f"result of `{command.name}`", "288", _words(result)))
        at = RING + (LATEST - 1) % SLOTS * SLOT_SIZE
        for event in events:
            slot = registers.write_slot(Event(LATEST, event.name, sample(event.fields)))
            rows.append((title, f"event `{event.name}`, number {LATEST}", str(at), _words(slot.rstrip(b"\0"))))
    return _table(("device", "block", "at", "registers, in hex; what follows is zero"), rows)


def _mqtt_examples() -> str:
    rows = []
    for title, _, commands, events in owners():
        for command in commands:
            request = mqtt_topics.encode_request(Request(command.name, sample(command.args), TOKEN))
            rows.append((title, f"`{command.name}`", "`cmd`", _json(request)))
            if command.name == "events":
                answer = mqtt_topics.encode_batch(EventBatch(STATUS, (Event(LATEST, "cleared"),)))
            else:
                answer = mqtt_topics.encode_reply(Reply(Error.OK, sample(command.reply)))
            rows.append((title, f"answer to `{command.name}`", "response topic", _json(answer)))
        for event in events:
            payload = mqtt_topics.encode_event(Event(LATEST, event.name, sample(event.fields)), STATUS)
            rows.append((title, f"event `{event.name}`", "`event`", _json(payload)))
    return _table(("device", "message", "topic", "payload"), rows)


PARTS: Mapping[str, Callable[[], str]] = {
    "numbers": _numbers,
    "vocabulary": _vocabulary,
    "serial examples": _serial_examples,
    "modbus examples": _modbus_examples,
    "mqtt examples": _mqtt_examples,
}


def _fields(fields: tuple[Field, ...]) -> str:
    return "<br>".join(f"`{f.name}` {_type(f.type)}: {f.doc}" for f in fields)


def _type(of: Type) -> str:
    return "list" if of is Type.BYTES else of.value


def _hex(data: bytes) -> str:
    return f"`{data.hex(' ')}`"


def _words(data: bytes) -> str:
    return f"`{(data + bytes(len(data) % 2)).hex(' ', 2)}`"


def _json(payload: bytes) -> str:
    return f"`{json.dumps(json.loads(payload))}`"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return "None.\n"
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
