"""The profile file: TOML in, a Profile out, or one line with the file, the key, the value and what was expected."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Value
from feltrig.protocols.profiles import codecs, framing
from feltrig.protocols.profiles.codecs import Codec, Direction
from feltrig.protocols.profiles.fields import LABEL, NAMES
from feltrig.protocols.profiles.profile import Profile, ProfileError, SerialSettings
from feltrig.protocols.profiles.read_dialogue import read_dialogue
from feltrig.protocols.profiles.read_registers import read_registers
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

LARGEST_FILE = 1 << 20
FOLDER = "feltrig.protocols.profiles"

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
    """A message: text in which slots stand, or on MQTT a table that becomes JSON."""

    expected: str = "text, or on mqtt a table"

    def read(self, value: object, key: str, scope: Scope) -> object:
        if isinstance(value, str) or (isinstance(value, dict) and scope["wire"] == "mqtt"):
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

CHECKED = {"framing": ("enclosed", "counted", "cobs")}
ENCLOSED = {"framing": ("enclosed",)}
COUNTED = {"framing": ("counted",)}
FRAMING = Table(
    dict,
    (
        Key("framing", Choice(("lines", "enclosed", "counted", "cobs")), "how messages are marked off", "lines"),
        Key("end", CHARACTERS, "what closes a line", "\r\n", {"framing": ("lines",)}),
        Key("start", OCTET, "the byte that begins a frame", 0x02, ENCLOSED),
        Key("stop", OCTET, "the byte that ends it", 0x03, ENCLOSED),
        Key("escape", OCTET, "the byte that says that the next one was XORed with 0x20", None, ENCLOSED),
        Key("bare", Rows(BARE), "messages between frames that have no frame of their own", [], ENCLOSED),
        Key("start", OCTET, "the byte that begins a frame", None, COUNTED),
        Key("length_size", Choice((1, 2)), "bytes of the length", 1, COUNTED),
        Key("length_order", Choice(("big", "little")), "which byte of the length comes first", "big", COUNTED),
        Key("counts", Choice(("payload", "frame")), "what the length counts", "payload", COUNTED),
        Key("check", Choice(tuple(framing.CHECKS)), "the check after the message", "none", CHECKED),
        Key("check_as", Choice(("raw", "hex")), "bytes, or hex characters", "raw", CHECKED),
        Key("check_order", Choice(("big", "little")), "which byte of the check comes first", "big", CHECKED),
        Key("covers_start", Flag(), "the check covers the start byte", False, {"framing": ("enclosed", "counted")}),
        Key("covers_stop", Flag(), "the check covers the stop byte", True, ENCLOSED),
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


def load(file: Path) -> Profile:
    """Read a profile file. Raises ProfileError."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ProfileError(f"{file}: cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise ProfileError(f"{file}: is larger than {LARGEST_FILE} bytes, not a profile")
    return loads(data, str(file))


def names() -> list[str]:
    """The profiles that come with the package."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in resources.files(FOLDER).iterdir() if entry.name.endswith(".toml")
    )


def builtin(name: str) -> Profile:
    """A profile that comes with the package. Raises ProfileError."""
    if name not in names():
        raise ProfileError(
            f"{name!r} is neither a .toml file nor a built-in profile; built in are {', '.join(names())}"
        )
    file = f"{name}.toml"
    return loads(resources.files(FOLDER).joinpath(file).read_bytes(), file)


def loads(data: bytes, source: str) -> Profile:
    """Read a profile from the bytes of its file; errors name it by its source. Raises ProfileError."""
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProfileError(f"{source}: is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: is not TOML: {' '.join(str(error).split())}") from error
    try:
        tables = _tables(document.pop("tables", {}))
        return _profile(PROFILE.read(document, "", {}), tables, source, hashlib.sha256(data).hexdigest())
    except Mismatch as error:
        raise ProfileError(f"{source}: {error}") from error


def _profile(values: Mapping[str, Any], tables: Mapping[str, Mapping[str, Value]], source: str, digest: str) -> Profile:
    kind = KINDS[values["kind"]]
    codec = _codec(values.get("codec"))
    talk = (
        read_registers(kind, values, tables)
        if values["wire"] == "modbus"
        else read_dialogue(kind, values, tables, codec)
    )
    return Profile(
        name=values["name"],
        title=values["title"],
        about=values["about"].strip(),
        kind=kind,
        wire=values["wire"],
        label=MappingProxyType(values["identity"]),
        talk=talk,
        serial=_serial(values["serial"], codec) if values["wire"] == "serial" else None,
        source=source,
        digest=digest,
    )  # fmt: skip


def _codec(name: str | None) -> Codec | None:
    try:
        return None if name is None else codecs.find(name)
    except ValueError as error:
        raise Mismatch("codec", str(error)) from error


def _serial(values: Mapping[str, Any], codec: Codec | None) -> SerialSettings:
    hears, says = _framing(values["hears"], codec, "hears"), _framing(values["says"], codec, "says")
    return SerialSettings(**{**values, "hears": hears, "says": says})


def _framing(values: Mapping[str, Any], codec: Codec | None, direction: Direction) -> framing.Framing:
    if codec is not None:
        try:
            with codecs.at_work(codec):
                own = codec.framing(direction)
        except ValueError as error:
            raise Mismatch("codec", str(error)) from error
        if own is not None:
            return own
    if values["framing"] == "lines":
        try:
            return framing.Lines(values["end"].encode("latin-1"))
        except UnicodeEncodeError as error:
            raise Mismatch(f"serial.{direction}.end", f"{shown(values['end'])} is not of single bytes") from error
    check = framing.Check(values["check"], values["check_as"] == "hex", values["check_order"])
    match values["framing"]:
        case "cobs":
            return framing.Cobs(check)
        case "counted":
            return framing.Counted(
                values["start"],
                values["length_size"],
                values["length_order"],
                values["counts"],
                check,
                values["covers_start"],
            )
    if values["start"] == values["stop"] or values["escape"] in (values["start"], values["stop"]):
        raise Mismatch(f"serial.{direction}.stop", "start, stop and escape must be three different bytes")
    return framing.Enclosed(
        values["start"],
        values["stop"],
        check,
        values["covers_start"],
        values["covers_stop"],
        values["escape"],
        values["bare"],
    )


def _tables(raw: object) -> dict[str, dict[str, Value]]:
    """What stands on the wire, and what it means: names of states, faults and errors become their numbers."""
    if not isinstance(raw, dict):
        raise Mismatch("tables", f"{shown(raw)} is not a table")
    tables: dict[str, dict[str, Value]] = {}
    for name, rows in raw.items():
        key = path("tables", name)
        NAME.read(name, "tables", {})
        if rows == {}:
            raise Mismatch(key, "is empty; expected at least one row")
        if not isinstance(rows, dict):
            raise Mismatch(key, f"{shown(rows)} is not a table")
        tables[name] = {wire: _meaning(value, path(key, wire)) for wire, value in rows.items()}
    return tables


def _meaning(value: object, key: str) -> Value:
    if isinstance(value, str):
        return NAMES.get(value, value)
    if isinstance(value, int):
        return value
    raise Mismatch(key, f"{shown(value)} is not a name, a number, or true or false")
