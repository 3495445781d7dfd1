"""The keys of a profile file, as data: the reference in docs/profiles.md is made of them."""

from dataclasses import dataclass
from typing import Any

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.profiles import framing
from feltrig.protocols.profiles.checksums import CHECKS, WRITINGS
from feltrig.protocols.profiles.fields import LABEL
from feltrig.protocols.schema import (
    Choice,
    Flag,
    Key,
    Mismatch,
    Named,
    Number,
    Rows,
    Scope,
    Table,
    Text,
    Whole,
    path,
    shown,
)

NAME = Text(r"[A-Za-z0-9_.-]{1,64}", "a name of letters, digits, ., - and _")
LINE = Text(r"[^\x00-\x1f\x7f]{1,200}", "text on one line")
PROSE = Text(r"(?s).{1,4000}", "text")
CHARACTERS = Text(r"(?s).{1,4}", "one to four characters")
TOPIC = Text(r"[^/$+#\x00-\x1f\x7f][^+#\x00-\x1f\x7f]{0,255}(?<!/)|", "a topic without wildcards or outer slashes")
OCTET = Whole(0, 255)
ADDRESS = Whole(0, 65535)

IN_MESSAGES = {"wire": ("serial", "mqtt")}
ON_MQTT = {"wire": ("mqtt",)}
ON_MODBUS = {"wire": ("modbus",)}


@dataclass(frozen=True, slots=True)
class Wording:
    """A message: text in which slots stand, or a table that becomes JSON."""

    expected: str = "text, or a table that becomes JSON"

    def read(self, value: object, key: str, scope: Scope) -> object:
        if isinstance(value, str | dict):
            return value
        raise Mismatch(key, f"{shown(value)} is not {self.expected}")


@dataclass(frozen=True, slots=True)
class Loose:
    """A table of values under names that are checked later, when it is known whose they are."""

    expected: str = "a table of values"

    def read(self, value: object, key: str, scope: Scope) -> dict[str, object]:
        if not isinstance(value, dict):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        for name, item in value.items():
            if not isinstance(item, str | int | list):
                raise Mismatch(path(key, name), f"{shown(item)} is not text, a number, true or false, or an array")
        return value


@dataclass(frozen=True, slots=True)
class Constant:
    """What is written: a number, true or false, or `{argument}`."""

    expected: str = 'a number, true or false, or "{argument}"'

    def read(self, value: object, key: str, scope: Scope) -> object:
        if isinstance(value, int | str):
            return value
        raise Mismatch(key, f"{shown(value)} is not {self.expected}")


BARE = Table(framing.Bare, (Key("head", OCTET, "its first byte"), Key("size", Whole(1, 64), "its bytes", 1)))


@dataclass(frozen=True, slots=True)
class Octets:
    """One byte as a number, or a few in an array."""

    expected: str = "a number from 0 to 255, or an array of one to four"

    def read(self, value: object, key: str, scope: Scope) -> bytes:
        octets: list[Any] = value if isinstance(value, list) else [value]
        if not 1 <= len(octets) <= 4 or not all(type(octet) is int and 0 <= octet <= 0xFF for octet in octets):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        return bytes(octets)


LINES = {"framing": ("lines",)}
ENCLOSED = {"framing": ("enclosed",)}
COUNTED = {"framing": ("counted",)}
NOT_COBS = {"framing": ("lines", "enclosed", "counted")}
CHECK_KEYS = (
    Key("check", Choice(tuple(CHECKS)), "the check of each message", "none"),
    Key("check_as", Choice(WRITINGS), "how the check is written", "raw"),
    Key("check_order", Choice(("big", "little")), "which byte of the check comes first", "big"),
    Key("check_skips", Whole(0, 16), "bytes at the front that the check leaves out", 0),
)
FRAMING = Table(
    dict,
    (
        Key("framing", Choice(("lines", "enclosed", "counted", "cobs")), "how messages are marked off", "lines"),
        Key("end", CHARACTERS, "what closes a line", "\r\n", LINES),
        Key("start", CHARACTERS, "what opens a line, such as $", None, LINES),
        Key("start", OCTET, "the byte that begins a frame", 0x02, ENCLOSED),
        Key("start", Octets(), "the bytes that begin a frame", None, COUNTED),
        Key("stop", OCTET, "the byte that ends it", 0x03, ENCLOSED),
        Key("stop", OCTET, "the byte that ends it, behind the check", None, COUNTED),
        Key("escape", OCTET, "the byte that says that the next one was XORed with 0x20", None, ENCLOSED),
        Key("bare", Rows(BARE), "messages between frames that have no frame of their own", [], NOT_COBS),
        Key("length_size", Choice((1, 2)), "bytes of the length", 1, COUNTED),
        Key("length_order", Choice(("big", "little")), "which byte of the length comes first", "big", COUNTED),
        Key("length_at", Whole(0, 16), "bytes of the message that stand before the length", 0, COUNTED),
        Key("length_adds", Whole(-16, 16), "what the length says beyond what it counts", 0, COUNTED),
        Key(
            "counts",
            Choice(("payload", "rest", "frame")),
            "what the length counts: the message behind it, all that follows it, or the whole frame",
            "payload",
            COUNTED,
        ),
        *CHECK_KEYS,
        Key("check_mark", CHARACTERS, "what stands before the check, such as *", None, LINES),
        Key("check_before_stop", Flag(), "the check stands before the stop byte, not behind it", False, ENCLOSED),
        Key("covers_start", Flag(), "the check covers the start", False, NOT_COBS),
        Key("covers_stop", Flag(), "the check covers the stop byte", True, ENCLOSED),
        Key("covers_mark", Flag(), "the check covers the mark before it", False, LINES),
        Key("covers_length", Flag(), "the check covers the length", True, COUNTED),
    ),
)

SERIAL = Table(
    dict,
    (
        Key("baud", Whole(50, 4_000_000), "bits per second", 9600),
        Key("bits", Choice((7, 8)), "data bits", 8),
        Key("parity", Choice(("N", "E", "O")), "none, even or odd", "N"),
        Key("stop", Choice((1, 2)), "stop bits", 1),
        Key("hears", FRAMING, "the framing of what the device hears", {}),
        Key("says", FRAMING, "the framing of what it says", {}),
    ),
)

TOPICS = Table(
    dict,
    (
        Key("hears", TOPIC, "below the device's topic, where it listens", "listens"),
        Key("says", TOPIC, "below the device's topic, where it speaks", "says"),
    ),
)

AREAS = ("coil", "discrete", "holding", "input")
PLACE_KEYS = (
    *(
        Key(area, ADDRESS, f"address of the {what}", None)
        for area, what in zip(AREAS, ("coil", "discrete input", "holding register", "input register"), strict=True)
    ),
    Key("type", Choice(("bit", "u16", "u32", "text")), "how it is stored; without it, a bit or a u16", None),
    Key("many", Whole(1, 120), "how many values a list has, or how many registers a text", None),
    Key("low_first", Flag(), "the low register of a u32, or the low byte of text, first", False),
    Key("scale", Whole(1, 10000), "the stored number is the value times this", 1),
    Key("table", NAME, "the table that says what the numbers mean", None),
)
PLACE = Table(dict, PLACE_KEYS)
IN_SLOT = (Key("at", Whole(0, 119), "register inside the slot"), *PLACE_KEYS[4:])
SLOT = Table(dict, (*IN_SLOT, Key("length", Table(dict, IN_SLOT), "where the length of a list is", None)))
FIELD = Table(
    dict,
    (
        *PLACE_KEYS,
        Key("length", PLACE, "where the length of a list is", None),
        Key("rises", NAME, "the event that a flag's rise stands for", None),
        Key("falls", NAME, "the event that its fall stands for", None),
        Key("initial", Flag(), "the flag of an emulator that has just started", False),
    ),
)
FIELD_NAME = Text(r"[a-z_]+(\.[a-z_]+)?", "a name of small letters, with one dot at most")
RING = Table(
    dict,
    (
        Key("latest", PLACE, "where the number of the latest event is"),
        Key("start", PLACE, "the first slot"),
        Key("slots", Whole(1, 1024), "how many there are"),
        Key("size", Whole(2, 120), "registers of each"),
        Key("number", SLOT, "the event's number in its slot"),
        Key("event", SLOT, "its name, by a table"),
        Key("values", Named(FIELD_NAME, SLOT), "its fields, as event.field", {}),
    ),
)
MODBUS = Table(
    dict,
    (
        Key("fields", Named(FIELD_NAME, FIELD), "what can be read, under its name", {}),
        Key("assumed", Loose(), "fields of events that the wire does not carry", {}),
        Key("ring", RING, "events in slots", None),
    ),
)

WRITE = Table(dict, (*PLACE_KEYS, Key("value", Constant(), "what is written")))
COMMAND = Table(
    dict,
    (
        Key("message", Wording(), "what is sent", None, IN_MESSAGES),
        Key("topic", TOPIC, "the topic, if it is not where the device listens", None, ON_MQTT),
        Key("answer", Wording(), "the answer that accepts it, if it is not the one in `[answers]`", None, IN_MESSAGES),
        Key("answer_topic", TOPIC, "the topic, if it is not where the device speaks", None, ON_MQTT),
        Key("refused", Wording(), "the answer that refuses it, if it is not the one in `[answers]`", None, IN_MESSAGES),
        Key("answered_by", NAME, "the event whose message is the answer too", None, IN_MESSAGES),
        Key("unanswered", Flag(), "the device does not answer it", False, IN_MESSAGES),
        Key("values", Loose(), "arguments that are implied; the command cannot be sent with other values", {}),
        Key("remembered", Loose(), "fields of the reply, and what the device last reported that stands for each", {}),
        Key("write", Rows(WRITE), "what is written, in order", [], ON_MODBUS),
        Key("result", PLACE, "where the error is afterwards", None, ON_MODBUS),
        Key("reply", Named(FIELD_NAME, PLACE), "where the fields of the reply are afterwards", {}, ON_MODBUS),
    ),
)

ANSWERS = Table(
    dict,
    (
        Key("done", Wording(), "what accepts a command", None),
        Key("refused", Wording(), "what refuses one; {error} says why", None),
    ),
)

SAYS = Table(
    dict,
    (
        Key("message", Wording(), "what is said"),
        Key("topic", TOPIC, "the topic, if it is not where the device speaks", None, ON_MQTT),
        Key("retain", Flag(), "the broker keeps it", False, ON_MQTT),
        Key("event", NAME, "the event that it reports", None),
        Key("status", Flag(), "it reports the whole state", False),
        Key("when", Loose(), "sent only if these fields have these values, such as 5, true, '55..' or '..53'", {}),
        Key("values", Loose(), "fields of the event that it implies", {}),
        Key("assumed", Loose(), "fields that the wire does not carry: a value, or command.argument", {}),
        Key("state", Choice(("idle", "busy", "ready", "fault", "locked")), "the state after it", None),
        Key("modulus", Whole(2, 1 << 32), "where counters in it start over", None),
        Key("every", Number(0.01, 3600), "seconds between two reports of the state", None),
        Key("on_change", Flag(), "a report of the state is also sent when it changes", True),
    ),
)

REPORTS = Table(
    dict,
    (
        Key("modulus", Whole(2, 1 << 32), "where {seq} starts over", None),
        Key("repeats", Whole(1, 10), "how often each message is sent, with the same {seq}", 1),
        Key("apart", Number(0, 10), "seconds between repeats", 0.0),
        Key("acknowledge", Wording(), "what the rig sends back for each report that it has read", None),
        Key(
            "poll", Wording(), "what asks the device for its next report; without it, reports come by themselves", None
        ),
        Key("nothing", Wording(), "what a polled device says when it has nothing to report", None),
        Key("poll_every", Number(0, 60), "seconds that the device needs between two polls", 0.0),
    ),
)

PROFILE = Table(
    dict,
    (
        Key("feltrig_profile", Choice((1,)), "version of this format"),
        Key("name", NAME, "name of the profile"),
        Key("title", LINE, "what it describes"),
        Key("about", PROSE, "where the description comes from, and what in it is a guess"),
        Key("kind", Choice(tuple(KINDS)), "what the device is"),
        Key("wire", Choice(("serial", "mqtt", "modbus")), "how it is connected"),
        Key("codec", NAME, "the codec that reads and writes the messages", None, IN_MESSAGES),
        Key("identity", Table(dict, tuple(Key(name, LINE, "by its label", "unknown") for name in LABEL)),
            "what the label says, if the device does not say it itself", {}),
        Key("serial", SERIAL, "the port and the framings", {}, {"wire": ("serial",)}),
        Key("mqtt", TOPICS, "where the device listens and speaks", {}, ON_MQTT),
        Key("modbus", MODBUS, "what can be read", {}, ON_MODBUS),
        Key("tables", Named(NAME, Table(dict, ())), "what is on the wire, and what it means", {}),
        Key("answers", ANSWERS, "how commands are answered", {}, IN_MESSAGES),
        Key("reports", REPORTS, "how messages are numbered and repeated", {}, IN_MESSAGES),
        Key("commands", Named(NAME, COMMAND), "how each command is carried", {}),
        Key("says", Rows(SAYS), "what the device says unasked", [], IN_MESSAGES),
    ),
)  # fmt: skip
