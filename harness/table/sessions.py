"""The sessions of a run: each plays some rounds of one way, at a table opened anew."""

from dataclasses import asdict, dataclass
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Choices, Variant
from feltrig.harness.devices import DEVICES
from feltrig.harness.rig.model import GameConfig, HouseWayConfig


@dataclass(frozen=True, slots=True)
class Session:
    """Some rounds of one variant."""

    variant: Variant
    rounds: int


def choices(game: GameConfig) -> Choices:
    """What the rig file chooses for the table."""
    return Choices(
        jurisdiction=game.jurisdiction,
        start=game.start,
        deal=game.deal,
        bank=game.bank,
        decks=game.decks,
        machine_shuffle=game.machine_shuffle,
        shuffler_counts=game.shuffler_counts,
        vigorish=game.vigorish,
        house_way=_submitted(game.house_way),
        minimum=game.wagers.minimum,
        bonus_minimum=game.wagers.bonus_minimum,
        options=game.options,
    )


def _submitted(way: HouseWayConfig | str | None) -> dict[str, Any] | None:
    """The licensee's house way as plain values; None for the rig's own."""
    if not isinstance(way, HouseWayConfig):
        return None
    return {**asdict(way), "rules": [asdict(rule) for rule in way.rules]}


def variants(game: GameConfig) -> tuple[Variant, ...]:
    """Every way to play that the rig file allows."""
    return GAMES[game.name].variants(choices(game))


def used_kinds(game: GameConfig) -> list[str]:
    """The kinds of device that the chosen ways to play put to use."""
    readers = {kind for kind, device in DEVICES.items() if device.read is not None}
    instruments = readers if GAMES[game.name].cards else set()
    return sorted(instruments.union(*(way.uses for way in variants(game))))


def drilled_kinds(game: GameConfig) -> set[str]:
    """The kinds of device that are put through drills."""
    used = {kind: DEVICES[kind] for kind in used_kinds(game)}
    return {
        kind
        for kind, device in used.items()
        if device.drills and (device.drills_need is None or getattr(game, device.drills_need))
    }


def sessions(game: GameConfig, rounds: int) -> tuple[Session, ...]:
    """The rounds dealt out over the variants as evenly as they go."""
    ways = variants(game)
    each, over = divmod(rounds, len(ways))
    shares = [each + (1 if place < over else 0) for place in range(len(ways))]
    return tuple(Session(way, share) for way, share in zip(ways, shares, strict=True) if share)


def session_record(game: GameConfig, session: Session) -> dict[str, Any]:
    """What the journal needs to know to build the same table again."""
    known = GAMES[game.name]
    record = known.record(choices(game), session.variant)
    return {**record, "rounds": session.rounds, "cards": len(known.cards_of(record))}
