"""The keys of a rig file, as data: how each is called, what it may hold, and what it is for."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, replace
from math import inf
from typing import Any

from feltrig.emulators.models import MODELS, fault_types
from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.emulators.relays.noise import DIRECTIONS, NOISES, Disturbance, Entry
from feltrig.engine.games import GAMES as KNOWN_GAMES
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.harness.rig.model import (
    BrokerConfig,
    DeviceConfig,
    EmbeddedBroker,
    EmulatorConfig,
    GameConfig,
    IdentityConfig,
    ModbusRtu,
    ModbusTcp,
    ModbusTls,
    Mqtt,
    Serial,
    Wagers,
)
from feltrig.harness.rig.profile_key import ProfileName
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.schema import (
    Choice,
    Flag,
    Key,
    Named,
    Number,
    Plain,
    Rows,
    Several,
    Table,
    Text,
    Whole,
    reference,
)


class _PlayedIn(Mapping[str, Collection[str]]):
    """By game, the jurisdictions in which it is played. Only the game that is asked for is loaded."""

    def __getitem__(self, name: str) -> Collection[str]:
        return KNOWN_GAMES[name].jurisdictions

    def __iter__(self) -> Iterator[str]:
        return iter(KNOWN_GAMES)

    def __len__(self) -> int:
        return len(KNOWN_GAMES)


GAMES: Mapping[str, Collection[str]] = _PlayedIn()
"""The games that a rig can play, and where."""

TOPIC_ROOT = "feltrig"
MQTT_PORTS = {False: 1883, True: 8883}
"""By whether it speaks TLS."""
USUAL_BAUD = 115_200
BAUD = Whole(300, 4_000_000)
MODBUS_PORTS = {"modbus-tcp": 502, "modbus-tls": 802}

NAME = Text(r"[A-Za-z0-9_-]{1,64}", "a name of letters, digits, - and _")
WORDS = Text(r"[^\x00-\x1f\x7f]{1,200}", "text on one line")
HOST = Text(r"[^\s/\x00-\x1f]{1,253}", "a host name or address")
PORT = Text(
    r"(socket|rfc2217)://(\[[0-9A-Fa-f:]+\]|[^\s/:\x00-\x1f]{1,253}):[0-9]{1,5}|(?!\w+://)[^\x00-\x1f\x7f]{1,4096}",
    "the path of a serial port, socket://host:port or rfc2217://host:port",
)
TOPIC = Text(r"[^/$+#\x00-\x1f\x7f][^+#\x00-\x1f\x7f]{0,255}(?<!/)", "a topic without wildcards or outer slashes")
FILE = Text(r"[^\x00-\x1f\x7f]{1,4096}", "the path of a file, from the folder of the rig file")
DIGEST = Text(r"[0-9a-f]{64}", "a SHA-256 digest of 64 small hex digits")
FUNCTION = Text(
    r"zoo:[a-z0-9-]+|[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", "a function, written module:function"
)
TCP_PORT = Whole(1, 65535)
CENTS = Whole(1)
SEED = Whole(0)

ON_LINE = {"wire": ("serial", "modbus-rtu")}
ON_BUS = {"wire": ("serial", "modbus-rtu", "modbus-tcp")}
ON_TCP = {"wire": ("modbus-tcp", "modbus-tls")}
ON_TLS = {"wire": ("modbus-tls",)}
ON_MODBUS = {"wire": ("modbus-rtu", "modbus-tcp", "modbus-tls")}
ON_MQTT = {"wire": ("mqtt",)}

WIRES: Mapping[str, type[Serial | ModbusRtu | ModbusTcp | ModbusTls | Mqtt]] = {
    wire.name: wire for wire in (Serial, ModbusRtu, ModbusTcp, ModbusTls, Mqtt)
}


def _device(*, name: str, wire: str, **values: Any) -> DeviceConfig:
    kind_of_wire = WIRES[wire]
    if wire in MODBUS_PORTS and values["port"] is None:
        values["port"] = MODBUS_PORTS[wire] if values["emulator"] is None else 0
    if "baud" in values and values["baud"] is None:
        serial = values["profile"] and values["profile"].serial
        values["baud"] = serial.baud if serial else USUAL_BAUD
    own = {field.name: values.pop(field.name) for field in fields(kind_of_wire)}
    return DeviceConfig(name=name, wire=kind_of_wire(**own), **values)


def _broker(*, port: int | None, tls: bool, embedded: EmbeddedBroker | None, **values: Any) -> BrokerConfig:
    if port is None:
        port = 0 if embedded else MQTT_PORTS[tls]
    return BrokerConfig(port=port, tls=tls, embedded=embedded, **values)


IDENTITY = Table(
    IdentityConfig,
    (
        Key("vendor", WORDS, "who made it", None),
        Key("model", WORDS, "what the vendor calls it", None),
        Key("serial", WORDS, "serial number", None),
        Key("firmware", WORDS, "firmware version", None),
        Key("digest", DIGEST, "SHA-256 of the firmware image; without it, that of `image`", None),
        Key("image", FILE, "file of the firmware image, which a salted challenge asks for", None),
    ),
)

FAULT = Table(
    Fault,
    (
        Key("what", WORDS, "name of the fault; each kind of device has its own"),
        Key("at", Whole(1, 1_000_000), "the first operation of its sort that it strikes, counted from 1", 1),
        Key("every", Whole(1, 1_000_000), "and from there on each so-manieth", 1),
        Key(
            "times",
            Whole(FOR_EVER, 1_000_000),
            "how many it strikes, 0 for ever; without it one, but for ever with `every` or `probability`",
            None,
        ),
        Key("after", Number(0, 86_400), "not before so many seconds since the device was started, at any speed", 0.0),
        Key("event", Whole(1, 0xFFFF_FFFF), "not before the event of this number is the next to be emitted", 1),
        Key("probability", Number(1e-6, 1), "how likely it strikes each of these; drawn from the device's seed", 1.0),
        Key("seconds", Number(0.001, 86_400), "how long it lasts, for those that last", None),
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
            {"kind": tuple(kind for kind, model in MODELS.items() if model.takes_mechanics)},
        ),
        *(replace(key, when={"kind": (kind,)}) for kind, model in MODELS.items() for key in model.keys),
        Key("line", NAME, "those with the same line share one port, each with its own address or unit", None, ON_BUS),
        Key(
            "serve",
            Choice(("pty", "tcp", "rfc2217")),
            "its port: a pseudo terminal, bare bytes on TCP, or RFC 2217",
            "pty",
            ON_LINE,
        ),
        Key(
            "listen",
            TCP_PORT,
            "the TCP port of `tcp` and `rfc2217`; any free one without it",
            None,
            {**ON_LINE, "serve": ("tcp", "rfc2217")},
        ),
        Key("identity", IDENTITY, "who the emulated device says it is; the rest is made up", {}),
        Key(
            "ca",
            FILE,
            "PEM file of the authority by which it knows its masters; without it, none must show a certificate",
            None,
            ON_TLS,
        ),
        Key(
            "certificate",
            FILE,
            "PEM file of what it shows; without it, made for the run, and the rig knows it",
            None,
            ON_TLS,
        ),
        Key("key", FILE, "PEM file of its private key, if that is not in the same file", None, ON_TLS),
        Key("faults", Rows(FAULT), "what goes wrong, and when", []),
    ),
)

NOISE = Table(
    Disturbance,
    (
        Key("what", Choice(tuple(NOISES)), "sort of noise, see below"),
        Key("direction", Choice(tuple(DIRECTIONS)), "which bytes it strikes", "both"),
        Key("at", Whole(1, 1_000_000), "the first chunk of bytes that it may strike, counted from 1", 1),
        Key("probability", Number(0.000_001, 1), "how likely it strikes a chunk", 1.0),
        Key("times", Whole(FOR_EVER, 1_000_000), "how often it strikes; 0 without end", 1),
        Key("seconds", Number(0, 86_400), "how long it lasts; without it, see below", None),
    ),
)

DEVICE = Table(
    _device,
    (
        Key("kind", Choice(tuple(KINDS)), "what the device is; one of each kind at most"),
        Key("wire", Choice(tuple(WIRES)), "how it is connected"),
        Key("port", PORT, "the serial port; may be left out when emulated", None, ON_LINE),
        Key("baud", BAUD, f"bits per second; without it the profile's, or {USUAL_BAUD}", None, ON_LINE),
        Key("address", Whole(0, 254), "address on the line", 1, {"wire": ("serial",)}),
        Key("host", HOST, "where it listens; may be left out when emulated, for 127.0.0.1", None, ON_TCP),
        Key("port", TCP_PORT, "its TCP port; without it 502 or with TLS 802, any free one when emulated", None, ON_TCP),
        Key("unit", Whole(1, 247), "Modbus unit", 1, ON_MODBUS),
        Key(
            "ca",
            FILE,
            "PEM file of the authority by which the rig knows the device; without it, the computer's own",
            None,
            ON_TLS,
        ),
        Key("certificate", FILE, "PEM file of what the rig shows to a device that asks", None, ON_TLS),
        Key("key", FILE, "PEM file of its private key, if that is not in the same file", None, ON_TLS),
        Key("topic", TOPIC, f"its topics begin so; without it, `{TOPIC_ROOT}/<table>/<name>`", None, ON_MQTT),
        Key("mqtt", Choice(("5", "3.1.1")), "version of the protocol", "5", ON_MQTT),
        Key("deadline", Number(0.001, 3600), "seconds for one answer", 2.0),
        Key("patience", Number(0.001, 86_400), "seconds for a mechanical operation to end", 120.0),
        Key("reconnect", Number(0, 3600), "seconds for a lost line to come back; 0 ends the run at once", 2.0),
        Key("identity", IDENTITY, "what was submitted; whatever is given is compared with what the device says", {}),
        Key("emulator", EMULATOR, "with this table the device is emulated", None),
        Key("noise", Rows(NOISE), "what disturbs its wire, whether it is emulated or real", []),
        Key("profile", ProfileName(), "how it talks; without it, by the open profile of its wire", None),
    ),
)

EMBEDDED_BROKER = Table(
    EmbeddedBroker,
    (
        Key(
            "ca",
            FILE,
            "PEM file of the authority by which it knows its clients; without it, none must show a certificate",
            None,
        ),
        Key("certificate", FILE, "PEM file of what it shows; without it, made for the run, and the rig knows it", None),
        Key("key", FILE, "PEM file of its private key, if that is not in the same file", None),
    ),
)

BROKER = Table(
    _broker,
    (
        Key("host", HOST, "where the broker listens", "127.0.0.1"),
        Key("port", TCP_PORT, "its TCP port; without it 1883 or with TLS 8883, any free one when embedded", None),
        Key("username", WORDS, "if the broker asks for one; an embedded one then does", None),
        Key("password", Text(r"[^\x00]+", "text", secret=True), "goes with the username", None),
        Key("tls", Flag(), "whether it speaks TLS", False),
        Key(
            "ca",
            FILE,
            "PEM file of the authority by which the rig knows the broker; without it, the computer's own",
            None,
        ),
        Key("certificate", FILE, "PEM file of what the rig shows to a broker that asks", None),
        Key("key", FILE, "PEM file of its private key, if that is not in the same file", None),
        Key("embedded", EMBEDDED_BROKER, "with this table the broker is one that is started for the run", None),
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


START = Several(Choice(("dice", "rng", "button")))
DEAL = Several(Choice(("automated_shoe", "manual_shoe", "hand")))


def _game_table(games: Mapping[str, Collection[str]]) -> Table:
    return Table(
        GameConfig,
        (
            Key("name", Choice(tuple(games)), "the game"),
            Key("jurisdiction", Choice(tuple(JURISDICTIONS)), "whose rules"),
            Key("start", START, "how the starting position is found; nothing: every way of the game", None),
            Key("deal", DEAL, "how the cards are dealt; nothing: every way of the game", None),
            Key("bank", Several(Choice(("none", "player", "co_bank"))), "who holds the bank", ["none"]),
            Key("decks", Choice((1, 2)), "two decks alternate", 1),
            Key("players", Whole(1, 8), "seats taken by scripted players, as many as the game has at most", 6),
            Key("rounds", Whole(1, 1_000_000), "rounds of a run, unless the command says otherwise", 40),
            Key("vigorish", Choice(("exact", "round_up_to_25_cents")), "how the vigorish is rounded", "exact"),
            Key("machine_shuffle", Flag(), "the shuffler shuffles; if not, the dealer does by hand", True),
            Key("shuffler_counts", Flag(), "the shuffler counts the deck after each shuffle, or is to", True),
            Key("wagers", WAGERS, "what is staked, in cents", {}),
            Key("options", Plain(), "the game's own options, which then hold in every way to play", {}),
        ),
    )


def rig_table(games: Mapping[str, Collection[str]]) -> Table:
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


def describe() -> str:
    """The reference of the rig file, in Markdown."""
    lines = [*reference(rig_table(GAMES)), "### Faults of emulated devices", ""]
    lines += ["| kind | fault | strikes | what happens |", "|---|---|---|---|"]
    lines += [
        f"| {kind} | `{what}` | {fault.operation} | {fault.effect}{_usually(fault.seconds)} |"
        for kind, known in fault_types().items()
        for what, fault in known.items()
    ]
    lines += ["", "### Noise on wires", "", "| noise | wires | what happens | without `seconds` |", "|---|---|---|---|"]
    lines += [
        f"| `{what}` | {', '.join(noise.wires)} | {noise.effect} | {_lasting(noise)} |"
        for what, noise in NOISES.items()
    ]
    return "\n".join(lines) + "\n"


def _usually(seconds: float | None) -> str:
    return "" if seconds is None else f"; without `seconds`, {seconds:g}"


def _lasting(noise: Entry) -> str:
    if "seconds" not in noise.effect:
        return ""
    return "for ever" if noise.seconds == inf else f"{noise.seconds:g} s"
