"""What a rig must keep beyond the shape of each value: places, clashes, and what the game's options need."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from feltrig.emulators.models.faults import lasts
from feltrig.emulators.relays.noise import NOISES
from feltrig.engine.games import GAMES
from feltrig.harness.rig.model import (
    BrokerConfig,
    DeviceConfig,
    EmulatorConfig,
    ModbusRtu,
    ModbusTcp,
    ModbusTls,
    Mqtt,
    Rig,
    Serial,
    TlsFiles,
)
from feltrig.harness.rig.profile_key import check_lines, check_played
from feltrig.protocols.schema import Choice, Mismatch, either, shown

NEEDS: tuple[tuple[str, str | int, str], ...] = (
    ("start", "dice", "shaker"),
    ("start", "rng", "rng"),
    ("start", "button", "shuffler"),
    ("deal", "automated_shoe", "shoe"),
    ("decks", 2, "shuffler"),
    ("machine_shuffle", True, "shuffler"),
)
"""An option of the game, its value, and the kind of device without which it cannot be played."""

AGREED: tuple[tuple[str, type, str], ...] = (
    ("", Serial, "baud"),
    ("", ModbusRtu, "baud"),
    ("", ModbusTcp, "host"),
    ("", ModbusTcp, "port"),
    (".emulator", EmulatorConfig, "serve"),
    (".emulator", EmulatorConfig, "listen"),
)
"""What the devices on one line have in common: the table, what it becomes, and the key."""

THE_TABLE = "table"
"""Where cards lie that lie nowhere else: a place of the bench, so no name for a device."""

TOLD_APART = ("address", "unit")
"""What differs between them."""


def check(rig: Rig, games: Mapping[str, Collection[str]], faults: Mapping[str, Collection[str]], to_play: bool) -> None:
    """Raise the first Mismatch of the rig, if any. One that is not to be played may have any devices."""
    table = (_kinds(rig), _needs(rig), check_played(rig)) if to_play else ()
    table = (*table, _game(rig, games), _wagers(rig))
    wires = (_names(rig), _places(rig), _credentials(rig), _clashes(rig), _lines(rig), _noise(rig))
    for found in (*table, *wires, check_lines(rig), _emulators(rig, faults)):
        for mismatch in found:
            raise mismatch


def _kinds(rig: Rig) -> Iterator[Mismatch]:
    for one, other in combinations(rig.devices.values(), 2):
        if one.kind == other.kind:
            yield Mismatch(f"devices.{other.name}.kind", f"{shown(one.kind)} is the kind of {one.name} already")
    if rig.device("reader") is None:
        yield Mismatch("devices", "there is none of kind 'reader', and every rig needs one")


def _names(rig: Rig) -> Iterator[Mismatch]:
    if THE_TABLE in rig.devices:
        yield Mismatch(f"devices.{THE_TABLE}", f"{shown(THE_TABLE)} is a place for cards; expected another name")


def _game(rig: Rig, games: Mapping[str, Collection[str]]) -> Iterator[Mismatch]:
    game = rig.game
    if game.jurisdiction not in games[game.name]:
        expected = Choice(tuple(games[game.name])).expected
        yield Mismatch("game.jurisdiction", f"{shown(game.jurisdiction)} has no {game.name}: expected {expected}")
    yield from _options(rig)


def _needs(rig: Rig) -> Iterator[Mismatch]:
    """The ways to play that the game's options name."""
    game = rig.game
    uses = GAMES[game.name].uses if game.name in GAMES else tuple(kind for _, _, kind in NEEDS)
    for option, value, kind in NEEDS:
        if kind not in uses:
            continue
        chosen = getattr(game, option)
        if (value in chosen if isinstance(chosen, tuple) else value == chosen) and rig.device(kind) is None:
            yield Mismatch(f"game.{option}", f"{shown(value)} needs a device of kind {shown(kind)}, and there is none")
    # 34.4(a)3: the button only with an automated shuffler and an automated shoe.
    if "button" in game.start and not ("automated_shoe" in game.deal and game.machine_shuffle):
        yield Mismatch("game.start", "'button' needs 'automated_shoe' in deal, and machine_shuffle")
    # 34.2(b)3: the idle deck is shuffled by the machine while the other is in play.
    if game.decks == 2 and not game.machine_shuffle:
        yield Mismatch("game.decks", "2 needs machine_shuffle")


def _options(rig: Rig) -> Iterator[Mismatch]:
    """The game's own options are known to the game only."""
    known = GAMES[rig.game.name].known_options if rig.game.options else {}
    for name, value in rig.game.options.items():
        if name not in known:
            expected = f"expected {either(map(shown, known))}" if known else f"{rig.game.name} has no options here"
            yield Mismatch(f"game.options.{name}", f"no such option: {expected}")
        elif (values := known[name]) is not None and value not in values:
            yield Mismatch(f"game.options.{name}", f"{shown(value)} is not {either(map(shown, values))}")


def _wagers(rig: Rig) -> Iterator[Mismatch]:
    wagers = rig.game.wagers
    if wagers.main < wagers.minimum:
        yield Mismatch("game.wagers.main", f"{wagers.main} is less than the minimum, {wagers.minimum}")
    if 0 < wagers.bonus < wagers.bonus_minimum:
        yield Mismatch(
            "game.wagers.bonus", f"{wagers.bonus} is neither 0 nor at least bonus_minimum, {wagers.bonus_minimum}"
        )


def _places(rig: Rig) -> Iterator[Mismatch]:
    """A real machine must be found somewhere."""
    for device in rig.devices.values():
        if device.emulator is not None:
            continue
        match device.wire:
            case Serial(port=None) | ModbusRtu(port=None):
                yield _nowhere(device, "port", "the path of a serial port")
            case ModbusTcp(host=None) | ModbusTls(host=None):
                yield _nowhere(device, "host", "a host name or address")
            case Mqtt() if rig.broker is None:
                yield Mismatch("broker", f"is missing; expected a table, since {device.name} is a real device on mqtt")


def _credentials(rig: Rig) -> Iterator[Mismatch]:
    """What is shown to be let in must be whole."""
    ends: list[tuple[str, TlsFiles]] = []
    if rig.broker is not None:
        yield from _broker(rig.broker)
        ends += _broker_ends(rig.broker)
    for device in rig.devices.values():
        if isinstance(device.wire, ModbusTls):
            ends.append((f"devices.{device.name}", device.wire))
            if device.emulator is not None:
                ends.append((f"devices.{device.name}.emulator", device.emulator))
    for where, end in ends:
        if end.key is not None and end.certificate is None:
            yield Mismatch(f"{where}.certificate", "is missing; expected the path of a file, since there is a key")


def _broker(broker: BrokerConfig) -> Iterator[Mismatch]:
    # MQTT 3.1.1 [MQTT-3.1.2-22]: no password without a username.
    if broker.password is not None and broker.username is None:
        yield Mismatch("broker.username", "is missing; expected text, since there is a password")
    if broker.embedded is not None and broker.username is not None and broker.password is None:
        yield Mismatch("broker.password", "is missing; expected text, since the embedded broker asks for it")
    for where, end in () if broker.tls else _broker_ends(broker):
        for key in ("ca", "certificate", "key"):
            if getattr(end, key) is not None:
                yield Mismatch(f"{where}.{key}", "is only for a broker with tls = true")


def _broker_ends(broker: BrokerConfig) -> list[tuple[str, TlsFiles]]:
    ends: list[tuple[str, TlsFiles]] = [("broker", broker)]
    return ends if broker.embedded is None else [*ends, ("broker.embedded", broker.embedded)]


def _nowhere(device: DeviceConfig, key: str, expected: str) -> Mismatch:
    why = f"since {device.name} is not emulated"
    return Mismatch(f"devices.{device.name}.{key}", f"is missing; expected {expected}, {why}")


def _clashes(rig: Rig) -> Iterator[Mismatch]:
    """Two devices in one place where there can be one only."""
    for one, other in combinations(rig.devices.values(), 2):
        emulated = one.emulator is not None or other.emulator is not None
        match one.wire, other.wire:
            case (Mqtt(topic=first), Mqtt(topic=second)) if _nested(first, second):
                yield Mismatch(
                    f"devices.{other.name}.topic", f"{shown(second)} clashes with {shown(first)} of {one.name}"
                )
            case (Serial() | ModbusRtu(), Serial() | ModbusRtu()) if (
                not emulated and one.wire.port == other.wire.port and one.wire.name != other.wire.name
            ):
                yield Mismatch(
                    f"devices.{other.name}.port", f"{shown(other.wire.port)} is the port of {one.name} already"
                )
            case (ModbusTcp() | ModbusTls(), ModbusTcp() | ModbusTls()) if (
                emulated and one.wire.port == other.wire.port != 0 and not _on_one_line(one, other)
            ):
                yield Mismatch(f"devices.{other.name}.port", f"{other.wire.port} is the port of {one.name} already")
            case (ModbusTcp() | ModbusTls() as first, ModbusTcp() | ModbusTls() as second) if (
                not emulated and _in_one_place(first, second)
            ):
                yield Mismatch(
                    f"devices.{other.name}.unit", f"{second.unit} at {second.host}:{second.port} is {one.name} already"
                )


def _in_one_place(one: ModbusTcp | ModbusTls, other: ModbusTcp | ModbusTls) -> bool:
    """Whether two are the same unit at one address, which may be a gateway to several."""
    return (one.host, one.port, one.unit) == (other.host, other.port, other.unit)


def _on_one_line(one: DeviceConfig, other: DeviceConfig) -> bool:
    """Whether two devices share a line: emulated ones say so, and of real ones it is the port that tells."""
    if one.emulator is not None and other.emulator is not None:
        return one.emulator.line is not None and one.emulator.line == other.emulator.line
    if one.emulator is not None or other.emulator is not None:
        return False
    match one.wire, other.wire:
        case (Serial(port=first), Serial(port=second)) | (ModbusRtu(port=first), ModbusRtu(port=second)):
            return first == second
    return False


def _lines(rig: Rig) -> Iterator[Mismatch]:
    """Who shares a line must agree about it, and be told apart."""
    for one, other in combinations(rig.devices.values(), 2):
        if not _on_one_line(one, other):
            continue
        if one.wire.name != other.wire.name:
            reason = f"{shown(other.wire.name)} is not {shown(one.wire.name)}, the wire of {one.name} on the same line"
            yield Mismatch(f"devices.{other.name}.wire", reason)
            return
        for table, kind, key in AGREED:
            first, second = (one.emulator, other.emulator) if table else (one.wire, other.wire)
            if isinstance(second, kind) and getattr(first, key) != getattr(second, key):
                theirs, ours = (shown(value or "none") for value in (getattr(first, key), getattr(second, key)))
                reason = f"{ours} is not {theirs}, as {one.name} has it on the same line"
                yield Mismatch(f"devices.{other.name}{table}.{key}", reason)
        for key in TOLD_APART:
            number = getattr(one.wire, key, None)
            if number is not None and number == getattr(other.wire, key, None):
                yield Mismatch(f"devices.{other.name}.{key}", f"{number} is {one.name} already, on the same line")
        for device in (one, other):
            if device.noise:
                yield Mismatch(f"devices.{device.name}.noise", "is not for a device that shares its line")


def _nested(first: str, second: str) -> bool:
    return f"{first}/".startswith(f"{second}/") or f"{second}/".startswith(f"{first}/")


def _noise(rig: Rig) -> Iterator[Mismatch]:
    for device in rig.devices.values():
        for number, disturbance in enumerate(device.noise, 1):
            wires = NOISES[disturbance.what].wires
            if device.wire.name not in wires:
                why = f"{shown(disturbance.what)} is only for wire {either(map(shown, wires))}"
                yield Mismatch(f"devices.{device.name}.noise[{number}].what", f"{why}, and this is {device.wire.name}")


def _emulators(rig: Rig, faults: Mapping[str, Collection[str]]) -> Iterator[Mismatch]:
    for device in rig.devices.values():
        if device.emulator is None:
            continue
        where = f"devices.{device.name}.emulator"
        if (shoe := device.emulator.feeds) is not None:
            fed = rig.devices.get(shoe)
            if fed is None or fed.kind != "shoe" or fed.emulator is None:
                yield Mismatch(f"{where}.feeds", f"{shown(shoe)} is not the name of an emulated shoe")
        known = tuple(faults.get(device.kind, ()))
        for number, fault in enumerate(device.emulator.faults, 1):
            key = f"{where}.faults[{number}].what"
            if not known:
                yield Mismatch(key, f"{shown(fault.what)} is not a fault of the kind {device.kind}: it has none")
            Choice(known).read(fault.what, key, {})
            if fault.seconds is not None and not lasts(fault.what):
                only = either(shown(what) for what in known if lasts(what))
                yield Mismatch(
                    f"{where}.faults[{number}].seconds", f"is only for {only}, and this is {shown(fault.what)}"
                )
