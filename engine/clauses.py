"""The clause register: every clause of the rule texts, what it says in our words, and how each jurisdiction cites it.

A key is the clause's number within its game. In the chapter that two jurisdictions print it is New Jersey's number
without the title (`34.12(i)`); everywhere else it is the whole number (`19:47-20.11(a)1`, `19:46-1.17(a)3`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from feltrig.engine.games import GAMES


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `device` names the kinds of device that it concerns; `check` says how the rig proves it."""

    key: str
    kind: str
    device: tuple[str, ...]
    summary: str
    check: str
    coverage: str
    """`automated`, `attested` by an inspector, or `not_applicable`."""
    covered_by: tuple[str, ...]
    """Names below `feltrig.engine`, `check:` and the name of a check of devices, `item:` and one of the checklist."""
    reason: str
    """Why it is not applicable."""
    tests: tuple[str, ...] = ()
    """Tests that fail when the rule is broken, by their node ids."""


_PRINTED_AS = {"supreme_pai_gow": ("19:47-", "MA SPG ")}
"""What New Jersey puts before a bare key, and Massachusetts before the section, when it prints the chapter too."""

JURISDICTIONS = ("NJ", "MA")

COVERAGE = ("automated", "attested", "not_applicable")

_COLUMNS = ["key", "kind", "device", "summary", "check", "coverage", "covered_by", "reason"]
_BARE = re.compile(r"\d+\.(?P<section>\d+)(?P<rest>.*)")
_LABEL = re.compile(r"\([a-z]\)|\d+|[ivx]+")


@cache
def register(game: str) -> Mapping[str, Clause]:
    """All clauses of a game by key, in the order of the text."""
    if game not in GAMES:
        raise KeyError(f"game {game!r}: expected one of {', '.join(GAMES)}")
    proofs = _proofs()
    clauses: dict[str, Clause] = {}
    for key, kind, device, summary, check, coverage, covered_by, reason in _rows(game, "clauses.tsv", _COLUMNS):
        if key in clauses:
            raise ValueError(f"{game}/clauses.tsv: {key} stands twice")
        if coverage not in COVERAGE:
            raise ValueError(f"{game}/clauses.tsv: {key}: coverage {coverage!r}, expected {', '.join(COVERAGE)}")
        devices = () if device == "none" else tuple(device.split(","))
        names = tuple(name for name in covered_by.split("; ") if name)
        tests = proofs.get((game, key), ())
        clauses[key] = Clause(key, kind, devices, summary, check, coverage, names, reason, tests)
    return MappingProxyType(clauses)


@cache
def checklist(game: str) -> Mapping[str, str]:
    """What the inspector is asked about a table of this game: yes-or-no questions by their names."""
    items = dict(_rows(game, "checklist.tsv", ["item", "question"]))
    return MappingProxyType(items)


@cache
def _proofs() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The tests of each clause, by game and key."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in files("feltrig.engine").joinpath("clause_tests.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        game, key, test = line.split("\t")
        found.setdefault((game, key), []).append(test)
    return {clause: tuple(tests) for clause, tests in found.items()}


def _rows(game: str, file: str, columns: list[str]) -> Iterator[list[str]]:
    heading, *lines = files(GAMES[game].package).joinpath(file).read_text(encoding="utf-8").splitlines()
    if heading.split("\t") != columns:
        raise ValueError(f"{game}/{file}: columns {heading!r}, expected {', '.join(columns)}")
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{game}/{file}: line {number} has {len(cells)} cells, expected {len(columns)}")
        yield cells


@cache
def cite(game: str, key: str, jurisdiction: str) -> str | None:
    """The clause's number as the jurisdiction prints it; None when it does not print that clause."""
    if jurisdiction not in JURISDICTIONS:
        raise ValueError(f"jurisdiction {jurisdiction!r}: expected one of {', '.join(JURISDICTIONS)}")
    if key not in register(game):
        raise KeyError(f"clause {key!r}: not in the register of {game}")
    new_jersey, massachusetts = _PRINTED_AS.get(game, ("", None))
    bare = _BARE.fullmatch(key)
    if jurisdiction == "NJ":
        return new_jersey + key if bare else key
    if bare is None or massachusetts is None:
        return None
    return massachusetts + bare["section"] + _massachusetts_labels(bare["rest"])


def _massachusetts_labels(rest: str) -> str:
    """`(a)3iv` as `(a)(3)(iv)`; the name of a defined term stays as it is."""
    if rest.startswith(" "):
        return rest
    return "".join(f"({label.strip('()')})" for label in _LABEL.findall(rest))
