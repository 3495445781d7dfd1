"""`feltrig faults`: what emulated machines can do wrong, and what the rig is expected to say of it."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from feltrig.emulators.models import fault_types
from feltrig.emulators.models.faults import FaultType
from feltrig.errors import RigError
from feltrig.harness.cli.console import show_table, table, whole
from feltrig.harness.cli.parameters import Json
from feltrig.protocols.schema import either, shown

COLUMNS = ("device", "fault", "strikes", "effect", "what the rig is expected to say", "clauses")


def faults(
    device: Annotated[str | None, typer.Option(metavar="KIND", help="Only the faults of this kind of device.")] = None,
    as_json: Json = False,
) -> None:
    """List the faults of emulated devices, and what the rig should find for each.

    Exit status: 0 listed, 2 bad input.
    """
    kinds = fault_types()
    if device is not None:
        if device not in kinds:
            raise RigError(f"--device: {shown(device)} is not {either(map(shown, kinds))}")
        kinds = {device: kinds[device]}
    listed = [_record(kind, what, entry) for kind, known in kinds.items() for what, entry in known.items()]
    columns = (whole(name) if name == "fault" else name for name in COLUMNS)
    show_table(table(columns, _rows(listed)), listed, as_json)


def _record(kind: str, what: str, entry: FaultType) -> dict[str, Any]:
    return {
        "device": kind,
        "fault": what,
        "strikes": entry.operation,
        "effect": entry.effect,
        "seconds": entry.seconds,
        "expected": entry.expected,
        "clauses": list(entry.rules),
    }


def _rows(listed: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for record in listed:
        usual = f" ({record['seconds']:g})" if record["seconds"] is not None else ""
        effect = record["effect"].replace("`seconds`", f"`seconds`{usual}")
        clauses = ", ".join(record["clauses"])
        yield record["device"], record["fault"], record["strikes"], effect, record["expected"], clauses
