"""What each machine of chance gave in a run: the samples of the plan, or else what the rounds needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.planned import planned, samples


@dataclass(frozen=True, slots=True)
class Observed:
    """The results of one device in order. `rows` are shuffles relative to the order of loading, single numbers, or
    rolls of the dice."""

    device: str
    kind: str
    rows: tuple[tuple[int, ...], ...]
    source: str
    left_out: int = 0
    """Results that are none, such as a deck with a card missing: other findings speak of them."""


SAMPLED = "samples of the plan"
PLAYED = "rounds played"


def observed(evidence: Evidence) -> Iterator[Observed]:
    """For each device whose results are left to chance, what there is of them."""
    chosen = planned(evidence)
    for name, device in evidence.devices.items():
        kind = device["kind"]
        if kind not in ROWS or kind not in evidence.run["uses"]:
            continue
        taken = [seen for _, seen in samples(evidence, name)] if chosen and chosen.device == name else []
        source = SAMPLED if taken else PLAYED
        seen = taken or list(_played(evidence, kind))
        rows = [ROWS[kind](one) for one in seen]
        usable = _alike([row for row in rows if row])
        if usable:
            yield Observed(name, kind, tuple(usable), source, len(rows) - len(usable))


def _played(evidence: Evidence, kind: str) -> Iterator[Mapping[str, Any]]:
    """What the rounds show of a kind of device, in the form of samples."""
    if kind != "shuffler":
        told = "NumberSelected" if kind == "rng" else "DiceRolled"
        yield from (record.data for record in evidence.tells(told))
        return
    loaded: dict[str, Sequence[int]] = {}
    for record in evidence.of("read"):
        deck, cards = record.data["deck"], record.data["cards"]
        if record.data["what"] == "deck before the shuffle":
            loaded[deck] = cards
        elif record.data["what"] == "deck after the shuffle" and deck in loaded:
            yield {"before": loaded.pop(deck), "after": cards}


def _shuffle(seen: Mapping[str, Any]) -> tuple[int, ...]:
    before, after = seen["before"], seen["after"]
    if sorted(before) != sorted(after) or len(set(before)) < max(len(before), 3):
        return ()
    place = {card: index for index, card in enumerate(before)}
    return tuple(place[card] for card in after)


def _number(seen: Mapping[str, Any]) -> tuple[int, ...]:
    number = seen["number"]
    return (number,) if isinstance(number, int) and 1 <= number <= 7 else ()


def _roll(seen: Mapping[str, Any]) -> tuple[int, ...]:
    dice = seen["dice"]
    return tuple(dice) if len(dice) == 3 and all(1 <= die <= 6 for die in dice) else ()


ROWS = {"shuffler": _shuffle, "rng": _number, "shaker": _roll}


def _alike(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The rows as long as the first: decks of another size are another sample."""
    return [row for row in rows if len(row) == len(rows[0])]
