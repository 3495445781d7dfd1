"""The tables of the wire documents, made from the vocabulary and the codecs, so that they cannot say anything else.

A page has generated parts between `<!-- generated: NAME -->` and `<!-- end -->`; `rendered` fills them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from feltrig.emulators.saboteur.catalogue import MUTANTS
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value
from feltrig.protocols.modbus import pdu as modbus_pdu
from feltrig.protocols.modbus.frame import encode_rtu, encode_tcp
from feltrig.protocols.modbus.register_map import (
    COMMAND,
    COMMAND_SIZE,
    DEVICE_SIZE,
    IDENTITY,
    IDENTITY_END,
    IDENTITY_SIZES,
    RESULT,
    RESULT_SIZE,
    RING,
    SLOT_SIZE,
    SLOTS,
    STATUS_SIZE,
    ModbusMap,
)
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.requirements import EVERY, REQUIREMENTS
from feltrig.protocols.serial.codec import ANSWER, SerialMessages
from feltrig.protocols.serial.frame import encode
from feltrig.protocols.vocabulary import (
    COMMON,
    COMMON_EVENTS,
    Command,
    Error,
    EventType,
    FaultCode,
    Field,
    Kind,
    State,
    Type,
)

TOKEN = 0x00010002
ADDRESS, SEQ = 1, 0x2A
LATEST = 7
STATUS = Status(State.READY, FaultCode.NONE, 1, LATEST)

SAMPLES: Mapping[str, Value] = {
    "after": 6,
    "cards": (51, 52, 0x8C),
    "commanded": True,
    "correct": True,
    "count": 54,
    "deck": 1,
    "dice": (2, 6, 3),
    "digest": "ab" * 32,
    "fault": int(FaultCode.JAM),
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
    for title, numbers in (("state", State), ("fault", FaultCode), ("error", Error)):
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


def _modbus_registers() -> str:
    rows = [
        ("0", "u16", "read", "version of this map, 1"),
        ("1", "u16", "read", "code of the kind of device"),
        ("2", "u16", "read", "state"),
        ("3", "u16", "read", "fault"),
        (_span(4, 2), "u32", "read", "number of the oldest event that is still in the ring"),
        (_span(6, 2), "u32", "read", "number of the latest event"),
        (
            _span(8, 2),
            "u32",
            "read",
            "token of the last command that acts, also when it was refused or came again, 0 before there was one; "
            "unchanged by a command that only reads, is unknown or is malformed",
        ),
        (_span(STATUS_SIZE, IDENTITY - STATUS_SIZE), "", "read", "zeros"),
    ]
    at, written = IDENTITY, "reads as last written"
    for name, size in IDENTITY_SIZES.items():
        doc = next(f.doc for f in RNG.commands["identify"].reply if f.name == name)
        rows.append((_span(at, size), f"text of {2 * size} bytes at most", "read", doc))
        at += size
    rows += [
        (_span(IDENTITY_END, DEVICE_SIZE - IDENTITY_END), "", "read", "zeros"),
        (_span(COMMAND, 2), "u32", "write", f"token of the command; {written}"),
        (str(COMMAND + 2), "u16", "write", f"code of the command; {written}"),
        (
            _span(COMMAND + 3, COMMAND_SIZE - 3),
            "by its fields",
            "write",
            f"arguments of the command; {written}; those after its end read as zero or as before",
        ),
        (_span(RESULT, 2), "u32", "read", "token of the command whose result this is"),
        (str(RESULT + 2), "u16", "read", "error"),
        (str(RESULT + 3), "u16", "read", "count of the registers of the reply"),
        (_span(RESULT + 4, RESULT_SIZE - 4), "by its fields", "read", "the reply"),
    ]
    ring = f"ring of {SLOTS} events of {SLOT_SIZE} registers: number u32, code u16, fields"
    slot = f"event n is in slot (n - 1) mod {SLOTS}"
    rows.append((_span(RING, SLOTS * SLOT_SIZE), "slots", "read", f"{ring}; {slot}"))
    ids = [*(f"MOD-{n}" for n in range(9, 30)), "MOD-43"]  # the ring has the number of the events
    return _table(
        ("id", "registers", "type", "access", "level", "holds"),
        [
            (f"**{number}**", *row[:3], REQUIREMENTS[number].level, row[3])
            for number, row in zip(ids, rows, strict=True)
        ],
    )


def _requirements(prefix: str) -> str:
    """All ids of a prefix with their level, and for whom they hold."""
    rows = [
        (each.id, each.level, _listed(each.kinds), _listed(each.wires), each.area, each.untested or "yes")
        for each in REQUIREMENTS.values()
        if each.id.startswith(prefix)
    ]
    return _table(("id", "level", "devices", "wires", "area", "tested"), rows)


def _untested() -> str:
    """What no probe can test, and why."""
    rows = [(each.id, each.says, each.untested) for each in REQUIREMENTS.values() if each.untested]
    return _table(("id", "requirement", "why"), rows)


def _survivors() -> str:
    """The mutants that no plan can refuse, and why."""
    rows = [
        (f"`{mutant.name}`", ", ".join(mutant.breaks), mutant.does, mutant.survives)
        for mutant in MUTANTS.values()
        if mutant.survives
    ]
    return _table(("mutant", "breaks", "what it does", "why it is not refused"), rows)


def _listed(names: tuple[str, ...]) -> str:
    return "all" if names == (EVERY,) else ", ".join(names)


def _span(start: int, size: int) -> str:
    return f"{start} to {start + size - 1}"


def _modbus_frames() -> str:
    registers = ModbusMap(RNG)
    status = modbus_pdu.registers(modbus_pdu.READ_HOLDING, registers.write_status(STATUS, TOKEN))
    select = registers.write_command(Request("select", {}, TOKEN), TOKEN)
    done = modbus_pdu.registers(modbus_pdu.READ_WRITE, registers.write_result(TOKEN, "select", Reply()))
    who = [(0, b"Acme"), (1, b"S1"), (2, b"1.0")]
    exchanges = [
        ("read 0 to 9", modbus_pdu.read(0, STATUS_SIZE), status),
        ("`select` by function 23", modbus_pdu.read_write(RESULT, 4, COMMAND, select), done),
        ("`select` by function 16", modbus_pdu.write(COMMAND, select), modbus_pdu.write(COMMAND, select)[:5]),
        ("read 128: exception 2", modbus_pdu.read(128, 1), modbus_pdu.refusal(3, modbus_pdu.Refusal.ILLEGAL_ADDRESS)),
        ("basic identification", bytes((43, 14, 1, 0)), modbus_pdu.identification(1, who)),
    ]
    rows = []
    for what, request, response in exchanges:
        for title, body in ((what, request), ("its answer", response)):
            rows.append((title, _hex(encode_rtu(1, body)), _hex(encode_tcp(SEQ, 1, body))))
    return _table(("message", "on RTU", "on TCP"), rows)


def _mqtt_topics() -> str:
    who = Identity("rng", *(str(SAMPLES[name]) for name in IDENTITY_SIZES))
    asked = Request("select", {}, TOKEN)
    answered = Reply()
    rows = [
        ("`meta`, of an rng", _json(mqtt_topics.encode_meta(RNG, who))),
        ("`state`", _json(mqtt_topics.encode_state(STATUS))),
        ("`online`", _json(mqtt_topics.ONLINE)),
        ("`online`, as the last will", _json(mqtt_topics.OFFLINE)),
        ("`cmd`, by 3.1.1", _json(mqtt_topics.encode_request(asked, SEQ, "feltrig/table1/rng/reply/me"))),
        ("`reply/me`, its answer", _json(mqtt_topics.encode_reply(answered, SEQ))),
        ("`reply/me`, or its refusal", _json(mqtt_topics.encode_reply(Reply(Error.WRONG_STATE), SEQ))),
    ]
    return _table(("topic", "payload"), rows)


PARTS: Mapping[str, Callable[[], str]] = {
    "numbers": _numbers,
    "vocabulary": _vocabulary,
    "serial examples": _serial_examples,
    "modbus examples": _modbus_examples,
    "mqtt examples": _mqtt_examples,
    "modbus registers": _modbus_registers,
    "modbus frames": _modbus_frames,
    "mqtt topics": _mqtt_topics,
    "untested requirements": _untested,
    "surviving mutants": _survivors,
    "requirements of every device": lambda: _requirements("DEV"),
    "requirements of serial": lambda: _requirements("SER"),
    "requirements of modbus": lambda: _requirements("MOD"),
    "requirements of mqtt": lambda: _requirements("MQT"),
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
