"""The clause register of a game: every clause of its rule text, what it says in our words, and how it is covered.

A key is the clause's number in the jurisdiction whose text it is (`19:47-20.11(a)1`, `19:46-1.17(a)3`). In a chapter
that several jurisdictions print, it is the number within the chapter (`34.12(i)`), to which each adds its own prefix.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `device` names the kinds of device that it concerns."""

    key: str
    kind: str
    device: tuple[str, ...]
    summary: str
    """What it is about, in a few words."""
    says: str
    """What it says, in our words."""
    coverage: str
    """`automated`: a device or an instrument can fail it. `played`: the rig's own dealer, players and engine keep it,
    and no device can fail it. `attested` by an inspector. Or `not_applicable`."""
    covered_by: tuple[str, ...]
    """Names below `feltrig.engine`, `check:` and the name of a check of devices, `item:` and one of the checklist."""
    uncovered: str
    """What of it nothing here covers; of a clause that is not applicable, why."""
    tests: tuple[str, ...] = ()
    """Tests that fail when the rule is broken, by their node ids."""

    @property
    def items(self) -> tuple[str, ...]:
        """The items of the checklist that it is attested by."""
        return self._named("item:")

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks and drills of devices that it is covered by."""
        return self._named("check:")

    @property
    def rules(self) -> tuple[str, ...]:
        """The names below `feltrig.engine` that it is covered by."""
        return tuple(name for name in self.covered_by if ":" not in name)

    def _named(self, prefix: str) -> tuple[str, ...]:
        return tuple(name.removeprefix(prefix) for name in self.covered_by if name.startswith(prefix))


COVERAGE = ("automated", "played", "attested", "not_applicable")

_COLUMNS = ["key", "kind", "device", "summary", "says", "coverage", "covered_by", "uncovered"]


def register(game: str, package: str) -> Mapping[str, Clause]:
    """All clauses of a game by key, in the order of the text, from `clauses.tsv` in its package."""
    proofs = _proofs()
    clauses: dict[str, Clause] = {}
    for key, kind, device, summary, says, coverage, covered_by, uncovered in _rows(package, "clauses.tsv", _COLUMNS):
        if key in clauses:
            raise ValueError(f"{package}/clauses.tsv: {key} is listed twice")
        if coverage not in COVERAGE:
            raise ValueError(f"{package}/clauses.tsv: {key}: coverage {coverage!r}, expected {', '.join(COVERAGE)}")
        devices = () if device == "none" else tuple(device.split(","))
        names = tuple(name for name in covered_by.split("; ") if name)
        tests = proofs.get((game, key), ())
        clauses[key] = Clause(key, kind, devices, summary, says, coverage, names, uncovered, tests)
    return clauses


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the inspector's checklist."""

    question: str
    jurisdictions: tuple[str, ...] = ()
    """Where it is asked. Empty: in every jurisdiction that prints a clause which names it."""


def checklist(package: str) -> Mapping[str, Item]:
    """What the inspector is asked about a table: yes-or-no questions by their names, from `checklist.tsv`."""
    columns = ["item", "question"]
    if _heading(package, "checklist.tsv") != columns:
        columns.append("jurisdictions")
    rows = _rows(package, "checklist.tsv", columns)
    return {name: Item(question, tuple(where[0].split(",")) if any(where) else ()) for name, question, *where in rows}


@cache
def _proofs() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The tests of each clause, by game and key."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in files("feltrig.engine").joinpath("clause_tests.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        game, key, test = line.split("\t")
        found.setdefault((game, key), []).append(test)
    return {clause: tuple(tests) for clause, tests in found.items()}


def _heading(package: str, file: str) -> list[str]:
    return files(package).joinpath(file).read_text(encoding="utf-8").split("\n")[0].split("\t")


def _rows(package: str, file: str, columns: list[str]) -> Iterator[list[str]]:
    heading, *lines = files(package).joinpath(file).read_text(encoding="utf-8").splitlines()
    if heading.split("\t") != columns:
        raise ValueError(f"{package}/{file}: columns {heading!r}, expected {', '.join(columns)}")
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{package}/{file}: line {number} has {len(cells)} cells, expected {len(columns)}")
        yield cells
