"""The rig file: TOML in, a Rig out, or one line that names the file, the key, the value and what was expected."""

import hashlib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.emulators.faults import CATALOGUE, FOR_EVER, Fault
from feltrig.harness.rigchecks import check
from feltrig.harness.rigconfig import (
    BrokerConfig,
    DeviceConfig,
    EmulatorConfig,
    GameConfig,
    IdentityConfig,
    ModbusRtu,
    ModbusTcp,
    Mqtt,
    Rig,
    Serial,
    Wagers,
)
from feltrig.harness.schema import (
    Choice,
    Flag,
    Key,
    Mismatch,
    Named,
    Number,
    Rows,
    Several,
    Table,
    Text,
    Whole,
    reference,
)
from feltrig.protocols.vocabulary import KINDS

__all__ = [
    "GAMES",
    "BrokerConfig",
    "DeviceConfig",
    "EmulatorConfig",
    "GameConfig",
    "IdentityConfig",
    "ModbusRtu",
    "ModbusTcp",
    "Mqtt",
    "Rig",
    "RigError",
    "Serial",
    "Wagers",
    "describe",
    "embedded",
    "load",
    "loads",
]

LARGEST_FILE = 1 << 20

GAMES: Mapping[str, Collection[str]] = {"supreme_pai_gow": ("NJ", "MA")}
"""The games that a rig can play, and where."""

TOPIC_ROOT = "feltrig"
MODBUS_PORT = 502

Faults = Mapping[str, Collection[str]]
"""The names of the faults that an emulator of each kind can have."""


class RigError(Exception):
    """A rig file that cannot be used; the message is one line for the user."""


NAME = Text(r"[A-Za-z0-9_-]{1,64}", "a name of letters, digits, - and _")
WORDS = Text(r"[^\x00-\x1f\x7f]{1,200}", "text on one line")
HOST = Text(r"[^\s/\x00-\x1f]{1,253}", "a host name or address")
PORT = Text(r"[^\x00-\x1f\x7f]{1,4096}", "the path of a serial port")
TOPIC = Text(r"[^/$+#\x00-\x1f\x7f][^+#\x00-\x1f\x7f]{0,255}(?<!/)", "a topic without wildcards or outer slashes")
DIGEST = Text(r"[0-9a-f]{64}", "a SHA-256 digest of 64 small hex digits")
FUNCTION = Text(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", "a function, written module:function")
TCP_PORT = Whole(1, 65535)
CENTS = Whole(1)
SEED = Whole(0)

ON_LINE = {"wire": ("serial", "modbus-rtu")}
ON_TCP = {"wire": ("modbus-tcp",)}
ON_MODBUS = {"wire": ("modbus-rtu", "modbus-tcp")}
ON_MQTT = {"wire": ("mqtt",)}

WIRES: Mapping[str, type[Serial | ModbusRtu | ModbusTcp | Mqtt]] = {
    wire.name: wire for wire in (Serial, ModbusRtu, ModbusTcp, Mqtt)
}


def _device(*, name: str, wire: str, **values: Any) -> DeviceConfig:
    kind_of_wire = WIRES[wire]
    if kind_of_wire is ModbusTcp and values["port"] is None:
        values["port"] = MODBUS_PORT if values["emulator"] is None else 0
    own = {field.name: values.pop(field.name) for field in fields(kind_of_wire)}
    return DeviceConfig(name=name, wire=kind_of_wire(**own), **values)


IDENTITY = Table(
    IdentityConfig,
    (
        Key("vendor", WORDS, "who made it", None),
        Key("model", WORDS, "what the vendor calls it", None),
        Key("serial", WORDS, "serial number", None),
        Key("firmware", WORDS, "firmware version", None),
        Key("digest", DIGEST, "SHA-256 of the firmware image", None),
    ),
)

FAULT = Table(
    Fault,
    (
        Key("what", WORDS, "name of the fault; each kind of device has its own"),
        Key("at", Whole(1, 1_000_000), "the first operation that it strikes, counted from 1", 1),
        Key("times", Whole(FOR_EVER, 1_000_000), "on how many, one after the other; 0 for ever", 1),
    ),
)

EMULATOR = Table(
    EmulatorConfig,
    (
        Key("seed", SEED, "seed of the device's own chance; without it, taken from the run's seed", None),
        Key("speed", Number(0, 1000), "mechanical times are multiplied by it: 0 at once, 1 as in life", 0.0),
        Key(
            "mechanics",
            FUNCTION,
            "a function of yours that does the device's work, see above",
            None,
            {"kind": ("rng", "shaker", "shuffler")},
        ),
        Key("counts", Flag(), "whether it counts the cards after each shuffle", True, {"kind": ("shuffler",)}),
        Key("feeds", NAME, "name of the shoe that it feeds", None, {"kind": ("shuffler",)}),
        Key("identity", IDENTITY, "who the emulated device says it is; the rest is made up", {}),
        Key("faults", Rows(FAULT), "what goes wrong, and when", []),
    ),
)

DEVICE = Table(
    _device,
    (
        Key("kind", Choice(tuple(KINDS)), "what the device is; one of each kind at most"),
        Key("wire", Choice(tuple(WIRES)), "how it is connected"),
        Key("port", PORT, "the serial port; may be left out when emulated", None, ON_LINE),
        Key("baud", Whole(300, 4_000_000), "bits per second", 115_200, ON_LINE),
        Key("address", Whole(0, 254), "address on the line", 1, {"wire": ("serial",)}),
        Key("host", HOST, "where it listens; may be left out when emulated, for 127.0.0.1", None, ON_TCP),
        Key("port", TCP_PORT, "its TCP port; without it 502, and any free one when emulated", None, ON_TCP),
        Key("unit", Whole(1, 247), "Modbus unit", 1, ON_MODBUS),
        Key("topic", TOPIC, f"its topics begin so; without it, `{TOPIC_ROOT}/<table>/<name>`", None, ON_MQTT),
        Key("mqtt", Choice(("5", "3.1.1")), "version of the protocol", "5", ON_MQTT),
        Key("deadline", Number(0.001, 3600), "seconds for one answer", 2.0),
        Key("patience", Number(0.001, 86_400), "seconds for a mechanical operation to end", 120.0),
        Key("identity", IDENTITY, "what was submitted; whatever is given is compared with what the device says", {}),
        Key("emulator", EMULATOR, "with this table the device is emulated", None),
    ),
)

BROKER = Table(
    BrokerConfig,
    (
        Key("host", HOST, "where the broker listens", "127.0.0.1"),
        Key("port", TCP_PORT, "its TCP port", 1883),
        Key("username", WORDS, "if the broker asks for one", None),
        Key("password", Text(r"[^\x00]+", "text", secret=True), "goes with the username", None),
    ),
)

WAGERS = Table(
    Wagers,
    (
        Key("main", CENTS, "what a scripted player stakes, or a small multiple of it, in cents", 2500),
        Key("bonus", Whole(0), "what a scripted player stakes on the bonus, 0 for never", 500),
        Key("minimum", CENTS, "least main wager of the table", 500),
        # 34.7(d): the bonus wager is at least one dollar.
        Key("bonus_minimum", Whole(100), "least bonus wager of the table", 100),
    ),
)


def _game_table(games: Mapping[str, Collection[str]]) -> Table:
    jurisdictions = tuple(dict.fromkeys(j for places in games.values() for j in places))
    return Table(
        GameConfig,
        (
            Key("name", Choice(tuple(games)), "the game"),
            Key("jurisdiction", Choice(jurisdictions), "whose rules"),
            Key("start", Several(Choice(("dice", "rng", "button"))), "how the starting position is found"),
            Key("deal", Several(Choice(("automated_shoe", "manual_shoe", "hand"))), "how the cards are dealt"),
            Key("bank", Several(Choice(("none", "player", "co_bank"))), "who holds the bank", ["none"]),
            Key("decks", Choice((1, 2)), "two decks alternate", 1),
            Key("players", Whole(1, 6), "seats taken by scripted players", 6),
            Key("rounds", Whole(1, 1_000_000), "rounds of a run, unless the command says otherwise", 40),
            Key("vigorish", Choice(("exact", "round_up_to_25_cents")), "how the vigorish is rounded", "exact"),
            Key("machine_shuffle", Flag(), "the shuffler shuffles; if not, the dealer does by hand", True),
            Key("shuffler_counts", Flag(), "the shuffler counts the deck after each shuffle, or is to", True),
            Key("wagers", WAGERS, "what is staked, in cents", {}),
        ),
    )


def _rig_table(games: Mapping[str, Collection[str]]) -> Table:
    return Table(
        dict,
        (
            Key("feltrig", Choice((1,)), "version of this format"),
            Key("name", NAME, "name of the rig; runs are filed under it"),
            Key("seed", SEED, "seed of a run; without it each run draws its own", None),
            Key("table", NAME, "name of the table, part of MQTT topics", "table1"),
            Key("game", _game_table(games), "the game and its options"),
            Key("broker", BROKER, "the MQTT broker; without it, one is started for the run", None),
            Key("devices", Named(NAME, DEVICE), "the devices, each under a name of yours"),
        ),
    )


def load(file: Path, *, games: Mapping[str, Collection[str]] = GAMES, faults: Faults = CATALOGUE) -> Rig:
    """Read a rig file. Raises RigError."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RigError(f"{file}: cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise RigError(f"{file}: is larger than {LARGEST_FILE} bytes, not a rig file")
    return _rig(data, str(file), games, faults)


def loads(text: str, source: str, *, games: Mapping[str, Collection[str]] = GAMES, faults: Faults = CATALOGUE) -> Rig:
    """Read a rig file from text; errors name it by its source. Raises RigError."""
    return _rig(text.encode(), source, games, faults)


def embedded() -> Rig:
    """The default rig: every device emulated, one on each kind of wire."""
    return _rig(
        resources.files("feltrig.harness").joinpath("embedded.toml").read_bytes(), "embedded.toml", GAMES, CATALOGUE
    )


def describe() -> str:
    """The reference of the rig file, in Markdown."""
    lines = [*reference(_rig_table(GAMES)), "### Faults of emulated devices", ""]
    lines += ["| kind | fault | strikes | what happens |", "|---|---|---|---|"]
    lines += [
        f"| {kind} | `{what}` | {fault.operation} | {fault.effect} |"
        for kind, known in CATALOGUE.items()
        for what, fault in known.items()
    ]
    return "\n".join(lines) + "\n"


def _rig(data: bytes, source: str, games: Mapping[str, Collection[str]], faults: Faults) -> Rig:
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RigError(f"{source}: is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise RigError(f"{source}: is not TOML: {' '.join(str(error).split())}") from error
    try:
        values = _rig_table(games).read(document, "", {})
        del values["feltrig"]
        devices = {name: _with_topic(device, values["table"]) for name, device in values.pop("devices").items()}
        rig = Rig(**values, devices=MappingProxyType(devices), source=source, digest=hashlib.sha256(data).hexdigest())
        check(rig, games, faults)
    except Mismatch as error:
        raise RigError(f"{source}: {error}") from error
    return rig


def _with_topic(device: DeviceConfig, table: str) -> DeviceConfig:
    if isinstance(device.wire, Mqtt) and not device.wire.topic:
        topic = f"{TOPIC_ROOT}/{table}/{device.name}"
        return replace(device, wire=replace(device.wire, topic=topic))
    return device
