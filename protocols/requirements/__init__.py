"""The numbered requirements of the wire documents: what a device must do, as data.

Each has its sentence in docs/serial.md, docs/modbus.md or docs/mqtt.md, where its id stands in bold. Those with DEV
hold on every wire and stand in serial.md.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, cast

PAGES = {"device": "serial.md", "serial": "serial.md", "modbus": "modbus.md", "mqtt": "mqtt.md"}
"""The page in which the requirements of each table stand."""

EVERY = "*"
"""Stands for every kind of device, or every wire."""

Level = Literal["mandatory", "optional"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One demand on a device. An optional one holds for what a device need not offer: if it does, it must be right."""

    id: str
    level: Level
    kinds: tuple[str, ...]
    """The kinds of device that it holds for; `*` for all."""
    wires: tuple[str, ...]
    """The wires on which it holds; `*` for all."""
    area: str
    """What it is about, in a word or two. Conformance has one finding for each area."""
    says: str
    """The demand, in one sentence."""
    untested: str
    """Why no probe can test it; empty if one can."""
    page: str
    """The page in docs where it stands."""

    def holds(self, kind: str, wire: str) -> bool:
        """Whether it is a demand on this kind of device on this wire."""
        return not {kind, EVERY}.isdisjoint(self.kinds) and not {wire, EVERY}.isdisjoint(self.wires)

    @property
    def mandatory(self) -> bool:
        """Whether every device of its kinds must offer it."""
        return self.level == "mandatory"


def _read(table: str) -> Iterator[Requirement]:
    text = (files(__name__) / f"{table}.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        yield Requirement(
            row["id"],
            cast("Level", row["level"]),
            tuple(row["kinds"].split()),
            tuple(row["wires"].split()),
            row["area"],
            row["says"],
            row["untested"],
            PAGES[table],
        )


REQUIREMENTS: Mapping[str, Requirement] = MappingProxyType(
    {requirement.id: requirement for table in PAGES for requirement in _read(table)}
)
"""Every requirement by its id, in the order of the pages."""


def known(ids: Iterable[str]) -> tuple[str, ...]:
    """These ids, in the order of the pages and each once. One that does not exist is a KeyError."""
    wanted = set(ids)
    if unknown := wanted - REQUIREMENTS.keys():
        raise KeyError(f"no requirement {', '.join(sorted(unknown))}: see protocols/requirements")
    return tuple(each for each in REQUIREMENTS if each in wanted)
