"""The rig file: TOML in, a Rig out, or one line that names the file, the key, the value and what was expected."""

import hashlib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from feltrig.emulators.models import fault_types
from feltrig.engine.games import GAMES as KNOWN_GAMES
from feltrig.harness.rig.crosschecks import check
from feltrig.harness.rig.keys import GAMES, TOPIC_ROOT, rig_table
from feltrig.harness.rig.model import EMBEDDED, DeviceConfig, GameConfig, Mqtt, Rig
from feltrig.protocols.schema import Mismatch

LARGEST_FILE = 1 << 20

Faults = Mapping[str, Collection[str]]
"""The names of the faults that an emulator of each kind can have."""


class RigError(Exception):
    """A rig file that cannot be used; the message is one line for the user."""


UNPLAYED = {"name": "three_card_poker", "jurisdiction": "NJ"}
"""Whose cards the devices have where nothing is to be played and no game is named: one plain deck of 52."""


def load(
    file: Path, *, games: Mapping[str, Collection[str]] = GAMES, faults: Faults | None = None, to_play: bool = True
) -> Rig:
    """Read a rig file. One that is not to be played need not have a game, nor the devices that its game needs. Raises
    RigError."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RigError(f"{file}: cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise RigError(f"{file}: is larger than {LARGEST_FILE} bytes, not a rig file")
    return _rig(data, str(file), games, faults, to_play)


def loads(text: str, source: str, *, games: Mapping[str, Collection[str]] = GAMES, faults: Faults | None = None) -> Rig:
    """Read a rig file from text; errors name it by its source. Raises RigError."""
    return _rig(text.encode(), source, games, faults)


def embedded(game: str | None = None, jurisdiction: str | None = None) -> Rig:
    """The default rig: every device emulated, one on each kind of wire. It can play another game in all its ways, and
    by the rules of another jurisdiction. Raises RigError."""
    rig = _embedded(game)
    if jurisdiction is None or jurisdiction == rig.game.jurisdiction:
        return rig
    if jurisdiction not in GAMES[rig.game.name]:
        raise RigError(f"{rig.source}: {jurisdiction} has no {rig.game.name}")
    return replace(rig, game=replace(rig.game, jurisdiction=jurisdiction))


def _embedded(game: str | None) -> Rig:
    text = resources.files("feltrig.harness.rig").joinpath(EMBEDDED).read_bytes()
    rig = _rig(text, EMBEDDED, GAMES, None)
    if game is None or game == rig.game.name:
        return rig
    if game not in GAMES:
        raise RigError(f"--game {game}: no such game; expected one of {', '.join(GAMES)}")
    every = replace(rig.game, name=game, jurisdiction=next(iter(GAMES[game])), start=(), deal=(), bank=("none",))
    kinds = {device.kind for device in rig.devices.values()}
    return replace(rig, name=f"embedded-{game.replace('_', '-')}", game=_every_way(every, kinds))


def reopen(origin: str | None, game: str, jurisdiction: str) -> Rig:
    """The rig that a run was begun with, as its file is today; None for the embedded one. Raises RigError."""
    return embedded(game, jurisdiction) if origin is None else load(Path(origin))


def _rig(
    data: bytes, source: str, games: Mapping[str, Collection[str]], faults: Faults | None, to_play: bool = True
) -> Rig:
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RigError(f"{source}: is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise RigError(f"{source}: is not TOML: {' '.join(str(error).split())}") from error
    if not to_play:
        document.setdefault("game", UNPLAYED)
    try:
        values = rig_table(games).read(document, "", {"source": source})
        del values["feltrig"]
        devices = {name: _with_topic(device, values["table"]) for name, device in values.pop("devices").items()}
        values["game"] = _every_way(values["game"], {device.kind for device in devices.values()})
        rig = Rig(**values, devices=MappingProxyType(devices), source=source, digest=hashlib.sha256(data).hexdigest())
        check(rig, games, fault_types() if faults is None else faults, to_play)
    except Mismatch as error:
        raise RigError(f"{source}: {error}") from error
    return rig


WAY_NEEDS = {"dice": "shaker", "rng": "rng", "button": "shuffler", "automated_shoe": "shoe"}
"""The kind of device without which the rig cannot start or deal that way."""


def _every_way(game: GameConfig, kinds: set[str]) -> GameConfig:
    """The game with every way to start and to deal that the rig has the devices for, where the file names none."""
    known = KNOWN_GAMES.get(game.name)
    if known is None:
        return game

    def ways(named: tuple[str, ...] | None, of_game: tuple[str, ...]) -> tuple[str, ...]:
        return named or tuple(way for way in of_game if WAY_NEEDS.get(way) in (None, *kinds))

    return replace(game, start=ways(game.start, known.start_methods), deal=ways(game.deal, known.dealing_methods))


def _with_topic(device: DeviceConfig, table: str) -> DeviceConfig:
    if isinstance(device.wire, Mqtt) and not device.wire.topic:
        topic = f"{TOPIC_ROOT}/{table}/{device.name}"
        return replace(device, wire=replace(device.wire, topic=topic))
    return device
