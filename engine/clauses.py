"""The clause register: every clause of the rule texts, what it says in our words, and how each jurisdiction cites it.

Keys are New Jersey's numbers: bare within the chapter of the game (`34.12(i)`), whole elsewhere (`19:46-1.17(a)3`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `device` names the kinds of device that it concerns; `check` says how the rig proves it."""

    key: str
    kind: str
    device: tuple[str, ...]
    summary: str
    check: str


@dataclass(frozen=True, slots=True)
class Book:
    """Where a game's clauses are kept, and how they are cited."""

    package: str
    """The package that holds `clauses.tsv`."""
    new_jersey: str
    """What goes before a bare key."""
    massachusetts: str | None
    """What goes before the section, when Massachusetts prints the chapter too."""


BOOKS: Mapping[str, Book] = {
    "supreme_pai_gow": Book("feltrig.engine.supreme_pai_gow", "19:47-", "MA SPG "),
}

JURISDICTIONS = ("NJ", "MA")

_COLUMNS = ["key", "kind", "device", "summary", "check"]
_BARE = re.compile(r"\d+\.(?P<section>\d+)(?P<rest>.*)")
_LABEL = re.compile(r"\([a-z]\)|\d+|[ivx]+")


@cache
def register(game: str) -> Mapping[str, Clause]:
    """All clauses of a game by key, in the order of the text."""
    if game not in BOOKS:
        raise KeyError(f"game {game!r}: expected one of {', '.join(BOOKS)}")
    heading, *lines = files(BOOKS[game].package).joinpath("clauses.tsv").read_text(encoding="utf-8").splitlines()
    if heading.split("\t") != _COLUMNS:
        raise ValueError(f"{game}/clauses.tsv: columns {heading!r}, expected {', '.join(_COLUMNS)}")
    clauses: dict[str, Clause] = {}
    for line in lines:
        key, kind, device, summary, check = line.split("\t")
        if key in clauses:
            raise ValueError(f"{game}/clauses.tsv: {key} stands twice")
        clauses[key] = Clause(key, kind, () if device == "none" else tuple(device.split(",")), summary, check)
    return MappingProxyType(clauses)


@cache
def cite(key: str, jurisdiction: str) -> str | None:
    """The clause's number as the jurisdiction prints it; None when it does not print that clause."""
    if jurisdiction not in JURISDICTIONS:
        raise ValueError(f"jurisdiction {jurisdiction!r}: expected one of {', '.join(JURISDICTIONS)}")
    book = _book(key)
    bare = _BARE.fullmatch(key)
    if jurisdiction == "NJ":
        return book.new_jersey + key if bare else key
    if bare is None or book.massachusetts is None:
        return None
    return book.massachusetts + bare["section"] + _massachusetts_labels(bare["rest"])


def _book(key: str) -> Book:
    """The book that prints the clause."""
    for game, book in BOOKS.items():
        if key in register(game):
            return book
    raise KeyError(f"clause {key!r}: not in the register")


def _massachusetts_labels(rest: str) -> str:
    """`(a)3iv` as `(a)(3)(iv)`; the name of a defined term stays as it is."""
    if rest.startswith(" "):
        return rest
    return "".join(f"({label.strip('()')})" for label in _LABEL.findall(rest))
