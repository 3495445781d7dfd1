"""What a rig must keep beyond the shape of each value: places, clashes, and what the game's options need."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from feltrig.harness.rigconfig import DeviceConfig, ModbusRtu, ModbusTcp, Mqtt, Rig, Serial
from feltrig.harness.schema import Choice, Mismatch, shown

NEEDS: tuple[tuple[str, str | int, str], ...] = (
    ("start", "dice", "shaker"),
    ("start", "rng", "rng"),
    ("start", "button", "shuffler"),
    ("deal", "automated_shoe", "shoe"),
    ("decks", 2, "shuffler"),
    ("machine_shuffle", True, "shuffler"),
)
"""An option of the game, its value, and the kind of device without which it cannot be played."""


def check(rig: Rig, games: Mapping[str, Collection[str]], faults: Mapping[str, Collection[str]]) -> None:
    """Raise the first Mismatch of the rig, if any."""
    for found in (_kinds(rig), _game(rig, games), _wagers(rig), _places(rig), _clashes(rig), _emulators(rig, faults)):
        for mismatch in found:
            raise mismatch


def _kinds(rig: Rig) -> Iterator[Mismatch]:
    for one, other in combinations(rig.devices.values(), 2):
        if one.kind == other.kind:
            yield Mismatch(f"devices.{other.name}.kind", f"{shown(one.kind)} is the kind of {one.name} already")
    if rig.device("reader") is None:
        yield Mismatch("devices", "there is none of kind 'reader', and every rig needs one")


def _game(rig: Rig, games: Mapping[str, Collection[str]]) -> Iterator[Mismatch]:
    game = rig.game
    if game.jurisdiction not in games[game.name]:
        expected = Choice(tuple(games[game.name])).expected
        yield Mismatch("game.jurisdiction", f"{shown(game.jurisdiction)} has no {game.name}: expected {expected}")
    for option, value, kind in NEEDS:
        chosen = getattr(game, option)
        if (value in chosen if isinstance(chosen, tuple) else value == chosen) and rig.device(kind) is None:
            yield Mismatch(f"game.{option}", f"{shown(value)} needs a device of kind {shown(kind)}, and there is none")
    # 34.4(a)3: the button only with an automated shuffler and an automated shoe.
    if "button" in game.start and not ("automated_shoe" in game.deal and game.machine_shuffle):
        yield Mismatch("game.start", "'button' needs 'automated_shoe' in deal, and machine_shuffle")
    # 34.2(b)3: the idle deck is shuffled by the machine while the other is in play.
    if game.decks == 2 and not game.machine_shuffle:
        yield Mismatch("game.decks", "2 needs machine_shuffle")


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
            case ModbusTcp(host=None):
                yield _nowhere(device, "host", "a host name or address")
            case Mqtt() if rig.broker is None:
                yield Mismatch("broker", f"is missing; expected a table, since {device.name} is a real device on mqtt")
    # MQTT 3.1.1 [MQTT-3.1.2-22]: no password without a username.
    if rig.broker is not None and rig.broker.password is not None and rig.broker.username is None:
        yield Mismatch("broker.username", "is missing; expected text, since there is a password")


def _nowhere(device: DeviceConfig, key: str, expected: str) -> Mismatch:
    why = f"since {device.name} is not emulated"
    return Mismatch(f"devices.{device.name}.{key}", f"is missing; expected {expected}, {why}")


def _clashes(rig: Rig) -> Iterator[Mismatch]:
    """Two devices in one place. A line has one device; a real TCP address may be a gateway to several units."""
    for one, other in combinations(rig.devices.values(), 2):
        emulated = one.emulator is not None or other.emulator is not None
        match one.wire, other.wire:
            case (Mqtt(topic=first), Mqtt(topic=second)) if _nested(first, second):
                yield Mismatch(
                    f"devices.{other.name}.topic", f"{shown(second)} clashes with {shown(first)} of {one.name}"
                )
            case (Serial() | ModbusRtu(), Serial() | ModbusRtu()) if not emulated and one.wire.port == other.wire.port:
                yield Mismatch(
                    f"devices.{other.name}.port", f"{shown(other.wire.port)} is the port of {one.name} already"
                )
            case (ModbusTcp(), ModbusTcp()) if emulated and one.wire.port == other.wire.port != 0:
                yield Mismatch(f"devices.{other.name}.port", f"{other.wire.port} is the port of {one.name} already")
            case (ModbusTcp(), ModbusTcp()) if not emulated and one.wire == other.wire:
                yield Mismatch(
                    f"devices.{other.name}.unit",
                    f"{other.wire.unit} at {other.wire.host}:{other.wire.port} is {one.name} already",
                )


def _nested(first: str, second: str) -> bool:
    return f"{first}/".startswith(f"{second}/") or f"{second}/".startswith(f"{first}/")


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
