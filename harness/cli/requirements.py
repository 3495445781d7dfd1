"""`feltrig requirements`: what the wire documents demand of a device, and what tests each demand."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from feltrig.errors import RigError
from feltrig.harness.cli.console import show_table, table
from feltrig.harness.cli.parameters import Json
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.conformance.coverage import Probe, probes_of
from feltrig.harness.wires import WIRES
from feltrig.protocols.requirements import REQUIREMENTS, Requirement
from feltrig.protocols.schema import either, shown

Id = Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this one, with everything that tests it.")]
WireName = Annotated[str | None, typer.Option("--wire", metavar="WIRE", help="Only those that hold on this wire.")]
KindName = Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only those for this kind of device.")]

Tested = Mapping[tuple[str, str], tuple[Probe, ...]]
"""What tests a requirement, by kind of device and wire."""

SHOWN = 2
"""Probes that the list names of each requirement; the whole of it has one line each."""


def requirements(number: Id = None, wire: WireName = None, kind: KindName = None, as_json: Json = False) -> None:
    """List the requirements of the wire documents, with what tests each or why nothing can."""
    kinds = [name for name, device in DEVICES.items() if device.planned]
    for option, value, known in (("--wire", wire, WIRES), ("--kind", kind, kinds)):
        if value is not None and value not in known:
            raise RigError(f"{option}: {shown(value)} is not {either(map(shown, known))}")
    if number is not None and number not in REQUIREMENTS:
        raise RigError(f"{number}: no such requirement; `feltrig requirements` lists them")
    found = joined([kind] if kind else kinds, [wire] if wire else list(WIRES))
    everywhere = kind is None and wire is None  # then those of the rig's own instrument too
    chosen = [r for r in REQUIREMENTS.values() if number in (None, r.id) and (everywhere or found[r.id])]
    if number is not None and not as_json:
        _show(REQUIREMENTS[number], found[number])
        return
    cells = ((r.id, r.level, r.area, r.says, how(r, found[r.id])) for r in chosen)
    columns = ("id", "level", "area", "a device must", "tested by")
    show_table(table(columns, cells), [plain(r, found[r.id]) for r in chosen], as_json)


def joined(kinds: Iterable[str], wires: Iterable[str]) -> Mapping[str, Tested]:
    """What tests each requirement, by kind and wire; an empty place where it holds and nothing tests it."""
    found: dict[str, dict[tuple[str, str], tuple[Probe, ...]]] = {each: {} for each in REQUIREMENTS}
    for kind in kinds:
        for wire in wires:
            probes = probes_of(kind, WIRES[wire])
            for requirement in REQUIREMENTS.values():
                if requirement.holds(kind, wire):
                    found[requirement.id][kind, wire] = probes.get(requirement.id, ())
    return found


def how(requirement: Requirement, tested: Tested) -> str:
    """What tests a requirement, in a cell of a table."""
    if requirement.untested:
        return f"not tested: {requirement.untested}"
    probes = list(dict.fromkeys(str(probe) for found in tested.values() for probe in found))
    more = f" and {len(probes) - SHOWN} more" if len(probes) > SHOWN else ""
    return ", ".join(probes[:SHOWN]) + more if probes else "nothing yet"


def plain(requirement: Requirement, tested: Tested) -> dict[str, Any]:
    """A requirement as JSON has it."""
    return {
        "id": requirement.id,
        "level": requirement.level,
        "kinds": list(requirement.kinds),
        "wires": list(requirement.wires),
        "area": requirement.area,
        "says": requirement.says,
        "page": requirement.page,
        "untested": requirement.untested or None,
        "probes": [
            {"kind": kind, "wire": wire, "step": probe.step, "name": probe.name}
            for (kind, wire), probes in tested.items()
            for probe in probes
        ],
    }


def _show(requirement: Requirement, tested: Tested) -> None:
    """One requirement whole."""
    print(f"{requirement.id}  {requirement.level}, docs/{requirement.page}, {requirement.area}")
    print(requirement.says)
    if requirement.untested:
        print(f"Not tested: {requirement.untested}")
    places: dict[Probe, list[str]] = {}
    for (kind, wire), probes in tested.items():
        for probe in probes:
            places.setdefault(probe, []).append(f"{kind} on {wire}")
    for probe, where in places.items():
        print(f"  {probe}: {', '.join(where)}")
