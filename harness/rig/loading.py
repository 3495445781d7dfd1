"""The rig file: TOML in, a Rig out, or one line that names the file, the key, the value and what was expected."""

import hashlib
import os
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.rig.crosschecks import check, needs
from feltrig.harness.rig.keys import rig_table
from feltrig.harness.rig.model import EMBEDDED, GameConfig, Rig
from feltrig.harness.rig.profile_key import filled_in
from feltrig.protocols.schema import Mismatch

LARGEST_FILE = 1 << 20


UNPLAYED = {"name": "three_card_poker", "jurisdiction": "NJ"}
"""The game whose deck is used when a rig is not to be played and names no game: 52 plain cards."""


def load(file: str | os.PathLike[str], *, to_play: bool = True) -> Rig:
    """Read a rig file. One that is not to be played need not have a game, nor the devices that its game needs. Raises
    RigError."""
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RigError(f"{file}: cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise RigError(f"{file}: is larger than {LARGEST_FILE} bytes, not a rig file")
    return _rig(data, str(file), to_play)


def loads(text: str, source: str, *, to_play: bool = True) -> Rig:
    """Read a rig file from text; errors name it by its source. Raises RigError."""
    return _rig(text.encode(), source, to_play)


def embedded(game: str | None = None, jurisdiction: str | None = None) -> Rig:
    """The default rig: every device emulated, one on each kind of wire. It can play another game in all its ways, and
    by the rules of another jurisdiction. Raises RigError."""
    rig = _embedded(game)
    if jurisdiction is None or jurisdiction == rig.game.jurisdiction:
        return rig
    if jurisdiction not in GAMES[rig.game.name].jurisdictions:
        raise RigError(f"{rig.source}: {rig.game.name} is not played in {jurisdiction}")
    return replace(rig, game=replace(rig.game, jurisdiction=jurisdiction))


def _embedded(game: str | None) -> Rig:
    rig = _rig(resources.files("feltrig.harness.rig").joinpath(EMBEDDED).read_bytes(), EMBEDDED, to_play=True)
    if game is None or game == rig.game.name:
        return rig
    if game not in GAMES:
        raise RigError(f"--game {game}: no such game; expected one of {', '.join(GAMES)}")
    jurisdiction = GAMES[game].jurisdictions[0]
    every = replace(rig.game, name=game, jurisdiction=jurisdiction, start=(), deal=(), bank=("none",), house_way=None)
    kinds = {device.kind for device in rig.devices.values()}
    return replace(rig, name=f"embedded-{game.replace('_', '-')}", game=_every_way(every, kinds))


def reopen(origin: str | None, game: str, jurisdiction: str) -> Rig:
    """The rig that a run was begun with, as its file is today; None for the embedded one. Raises RigError."""
    return embedded(game, jurisdiction) if origin is None else load(Path(origin))


def _rig(data: bytes, source: str, to_play: bool) -> Rig:
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RigError(f"{source}: is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise RigError(f"{source}: is not TOML: {' '.join(str(error).split())}") from error
    if not to_play:
        document.setdefault("game", UNPLAYED)
    try:
        values = rig_table().read(filled_in(document, source), "", {"source": source})
        del values["feltrig"]
        devices = values.pop("devices")
        values["game"] = _every_way(values["game"], {device.kind for device in devices.values()})
        rig = Rig(**values, devices=MappingProxyType(devices), source=source, digest=hashlib.sha256(data).hexdigest())
        check(rig, to_play)
    except Mismatch as error:
        raise RigError(f"{source}: {error}") from error
    return rig


def _every_way(game: GameConfig, kinds: set[str]) -> GameConfig:
    """The game with every way to start and to deal that the rig has the devices for, where the file names none."""
    known, needed = GAMES[game.name], needs(game.name)

    def ways(option: str, named: tuple[str, ...], of_game: tuple[str, ...]) -> tuple[str, ...]:
        return named or tuple(way for way in of_game if needed.get((option, way)) in (None, *kinds))

    start = ways("start", game.start, known.start_methods)
    return replace(game, start=start, deal=ways("deal", game.deal, known.dealing_methods))
