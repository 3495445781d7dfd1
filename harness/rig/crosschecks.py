"""Checks across several keys of a rig file: where devices are, what clashes, what the game's options need."""

from collections.abc import Iterator
from itertools import combinations

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import lasts
from feltrig.emulators.relays.noise import NOISES
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.houseway import FLOORS
from feltrig.harness.devices import DEVICES
from feltrig.harness.rig.keys import wires_with
from feltrig.harness.rig.model import HOUSE_WAY, DeviceConfig, HouseWayConfig, Rig
from feltrig.harness.rig.shapes import TlsFiles, without_certificate
from feltrig.harness.wires import wire_of
from feltrig.protocols.schema import Choice, Mismatch, either, shown

THE_TABLE = "table"
"""Where cards lie that lie nowhere else: a place of the bench, so no name for a device."""


def check(rig: Rig, to_play: bool) -> None:
    """Raise the first Mismatch of the rig, if any. One that is not to be played may have any devices."""
    to_be_played = (_kinds, _needs, _stacks, _house_way, _played) if to_play else ()
    for look in (*to_be_played, _game, _wagers, _names, _broker, _wires, _noise, _emulators):
        for mismatch in look(rig):
            raise mismatch


def _kinds(rig: Rig) -> Iterator[Mismatch]:
    for one, other in combinations(rig.devices.values(), 2):
        if one.kind == other.kind:
            yield Mismatch(f"devices.{other.name}.kind", f"{shown(one.kind)} is the kind of {one.name} already")
    instruments = [kind for kind, device in DEVICES.items() if device.read is not None]
    if GAMES[rig.game.name].cards and not any(map(rig.device, instruments)):
        expected = either(map(shown, instruments))
        yield Mismatch("devices", f"there is no device of kind {expected}, and a game with cards needs one")


def _names(rig: Rig) -> Iterator[Mismatch]:
    if THE_TABLE in rig.devices:
        yield Mismatch(f"devices.{THE_TABLE}", f"{shown(THE_TABLE)} is a place for cards; expected another name")


def _game(rig: Rig) -> Iterator[Mismatch]:
    game = rig.game
    if game.jurisdiction not in (known := GAMES[game.name].jurisdictions):
        expected = Choice(known).expected
        yield Mismatch("game.jurisdiction", f"{shown(game.jurisdiction)} has no {game.name}: expected {expected}")
    yield from _options(rig)


def _needs(rig: Rig) -> Iterator[Mismatch]:
    """The ways to play that the game's options name."""
    game = rig.game
    for (option, value), kind in needs(game.name).items():
        chosen = getattr(game, option)
        if (value in chosen if isinstance(chosen, tuple) else value == chosen) and rig.device(kind) is None:
            yield Mismatch(f"game.{option}", f"{shown(value)} needs a device of kind {shown(kind)}, and there is none")
    # 34.4(a)3: the button only with an automated shuffler and an automated shoe.
    if "button" in game.start and not ("automated_shoe" in game.deal and game.machine_shuffle):
        yield Mismatch("game.start", "'button' needs 'automated_shoe' in deal, and machine_shuffle")
    # 34.2(b)3: the idle deck is shuffled by the machine while the other is in play.
    if game.decks == 2 and not game.machine_shuffle:
        yield Mismatch("game.decks", "2 needs machine_shuffle")


def _house_way(rig: Rig) -> Iterator[Mismatch]:
    """34.12(d): a licensee submits how the dealer's hands are set. Without it no hand can be set (SPG-20)."""
    submitted, way = GAMES[rig.game.name].house_way_named is not None, rig.game.house_way
    if submitted and way is None:
        yield Mismatch("game.house_way", f"is missing; expected {HOUSE_WAY.expected} with the licensee's way")
    elif way is not None and not submitted:
        yield Mismatch("game.house_way", f"{rig.game.name} does not take one")
    elif isinstance(way, HouseWayConfig) and [(r.high, r.low) for r in way.rules[-1:]] != [(FLOORS[-1], FLOORS[-1])]:
        yield Mismatch("game.house_way.rules", "the last rule must apply to every hand: high = '0', low = '0'")


def _stacks(rig: Rig) -> Iterator[Mismatch]:
    """A shoe must have been submitted for the stacks that the game deals."""
    for device in rig.devices.values() if "automated_shoe" in rig.game.deal else ():
        missing = set(GAMES[rig.game.name].stacks) - set(device.stack_sizes)
        if device.stack_sizes and missing:
            why = f"{min(missing)} is missing, and {rig.game.name} deals such stacks"
            yield Mismatch(f"devices.{device.name}.stack_sizes", why)


def needs(game: str) -> dict[tuple[str, object], str]:
    """Options of a game with a value each, and the kind of device without which that cannot be played."""
    return {need: kind for kind in GAMES[game].uses for need in DEVICES[kind].needed_for}


def _played(rig: Rig) -> Iterator[Mismatch]:
    """By a profile as by any other, a device must be able to do what a round asks of it."""
    for device in rig.devices.values():
        if device.profile is None:
            continue
        key, talk, needed = f"devices.{device.name}.profile", device.profile.talk, DEVICES[device.kind]
        told, reported = talk.carried_commands() | talk.answered(), talk.events()
        lacking = [f"command {name}" for name in needed.commands if name not in told]
        lacking += [f"event {name}" for name in needed.events if name not in reported]
        for what in lacking:
            yield Mismatch(key, f"{shown(device.profile.name)} has no {what}, and no round can be played without it")


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


def _broker(rig: Rig) -> Iterator[Mismatch]:
    """What is shown to be let in must be whole."""
    broker = rig.broker
    if broker is None:
        return
    # MQTT 3.1.1 [MQTT-3.1.2-22]: no password without a username.
    if broker.password is not None and broker.username is None:
        yield Mismatch("broker.username", "is missing; expected text, since there is a password")
    if broker.embedded is not None and broker.username is not None and broker.password is None:
        yield Mismatch("broker.password", "is missing; expected text, since the embedded broker asks for it")
    ends: list[tuple[str, TlsFiles | None]] = [("broker", broker), ("broker.embedded", broker.embedded)]
    for where, end in ends:
        if end is None:
            continue
        for key in () if broker.tls else ("ca", "certificate", "key"):
            if getattr(end, key) is not None:
                yield Mismatch(f"{where}.{key}", "is only for a broker with tls = true")
        yield from without_certificate(where, end)


def _wires(rig: Rig) -> Iterator[Mismatch]:
    for device in rig.devices.values():
        yield from wire_of(device).check(rig, device)
    for one, other in combinations(rig.devices.values(), 2):
        if (clash := wire_of(other).clash(one, other)) is not None:
            yield clash
        if _on_one_line(one, other):
            yield from _line(one, other)


def _on_one_line(one: DeviceConfig, other: DeviceConfig) -> bool:
    line = wire_of(one).line(one)
    both = (one.emulator is None) == (other.emulator is None)
    return both and line is not None and line == wire_of(other).line(other)


def _line(one: DeviceConfig, other: DeviceConfig) -> Iterator[Mismatch]:
    """Devices that share a line must agree about it, and be told apart."""
    where, wire = f"devices.{other.name}", wire_of(other)
    if one.wire.name != other.wire.name:
        reason = f"{shown(other.wire.name)} is not {shown(one.wire.name)}, the wire of {one.name} on the same line"
        yield Mismatch(f"{where}.wire", reason)
        return
    tables: list[tuple[str, object, object]] = [(where, one.wire, other.wire)]
    if one.emulator is not None and other.emulator is not None:
        tables.append((f"{where}.emulator", one.emulator.served, other.emulator.served))
    for table, first, second in tables:
        for key in wire.agreed:
            theirs, ours = getattr(first, key, None), getattr(second, key, None)
            if theirs != ours:
                reason = f"{shown(ours or 'none')} is not {shown(theirs or 'none')}, as {one.name} has it"
                yield Mismatch(f"{table}.{key}", f"{reason} on the same line")
    if wire.numbered is not None and (number := getattr(other.wire, wire.numbered)) == getattr(one.wire, wire.numbered):
        yield Mismatch(f"{where}.{wire.numbered}", f"{number} is {one.name} already, on the same line")
    for device in (one, other):
        if device.noise:
            yield Mismatch(f"devices.{device.name}.noise", "is not possible on a shared line")


def _noise(rig: Rig) -> Iterator[Mismatch]:
    for device in rig.devices.values():
        for number, disturbance in enumerate(device.noise, 1):
            wires = wires_with(NOISES[disturbance.what])
            if device.wire.name not in wires:
                why = f"{shown(disturbance.what)} is only for wire {either(map(shown, wires))}"
                yield Mismatch(f"devices.{device.name}.noise[{number}].what", f"{why}, and this is {device.wire.name}")


def _emulators(rig: Rig) -> Iterator[Mismatch]:
    for device in rig.devices.values():
        if device.emulator is None:
            continue
        where = f"devices.{device.name}.emulator"
        if (name := device.emulator.settings.get("feeds")) is not None:
            fed = rig.devices.get(str(name))
            deals = None if fed is None else DEVICES[fed.kind].openings
            if fed is None or fed.emulator is None or deals is None or not deals.stack:
                yield Mismatch(f"{where}.feeds", f"{shown(name)} is not the name of an emulated shoe")
        known = MODELS[device.kind].faults
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
