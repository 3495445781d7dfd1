"""Law that the rule texts refer to and do not print. The rig cannot test what it says: an inspector must know it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

COLUMNS = ("law", "device", "subject", "game", "clauses")


@dataclass(frozen=True, slots=True)
class Referred:
    """One section of law, as one game refers to it."""

    law: str
    device: tuple[str, ...]
    """The kinds of device that it is about."""
    subject: str
    """What it is about, in our words."""
    game: str
    clauses: tuple[str, ...]
    """The numbers of the clauses that refer to it."""


@cache
def referred() -> tuple[Referred, ...]:
    """All of it."""
    lines = files("feltrig.engine").joinpath("referred_law.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return tuple(_read(line) for line in lines)


def laws(game: str, clause: str) -> Iterator[str]:
    """The sections that a clause refers to."""
    return (each.law for each in referred() if each.game == game and clause in each.clauses)


def _read(line: str) -> Referred:
    law, device, subject, game, clauses = line.split("\t")
    return Referred(law, () if device == "none" else tuple(device.split(",")), subject, game, tuple(clauses.split(",")))
