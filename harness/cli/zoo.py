"""`feltrig zoo`: a plan against every bad machine that we know, and against good ones."""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from feltrig.emulators.saboteur.catalogue import MUTANTS
from feltrig.emulators.zoo.catalogue import ZOO
from feltrig.emulators.zoo.specimen import Specimen
from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, show_table, table
from feltrig.harness.cli.parameters import Json
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.plan import plan
from feltrig.harness.plan.standards import STANDARDS
from feltrig.harness.saboteur import Trial, sabotage, score, trials
from feltrig.harness.wires import WIRES
from feltrig.harness.zoo import Seen, show
from feltrig.protocols.requirements import REQUIREMENTS
from feltrig.protocols.schema import either, shown

Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Only the machines of these names.")]
KindName = Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only this kind of device.")]
Listed = Annotated[bool, typer.Option("--list", help="List the machines, and run nothing.")]
Standard = Annotated[
    str, typer.Option("--standard", metavar="STANDARD", help="Use the plans of this standard: nj, ma or gli.")
]
Sequential = Annotated[
    bool, typer.Option("--sequential/--fixed", help="Stop sampling once the evidence is strong enough.")
]
Saboteur = Annotated[
    bool,
    typer.Option("--saboteur", help="Run the mutants: devices that each break one requirement of a wire document."),
]
Ids = Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="Only mutants that break this requirement.")]
WireNames = Annotated[list[str] | None, typer.Option("--wire", metavar="WIRE", help="Only mutants on this wire.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of every run.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the runs in this folder.")]


def zoo(
    names: Names = None,
    kind: KindName = None,
    only_list: Listed = False,
    saboteur: Saboteur = False,
    ids: Ids = None,
    wires: WireNames = None,
    standard: Standard = "nj",
    sequential: Sequential = True,
    seed: Seed = 2,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Run plans against known bad machines and some good ones, and show what was caught.

    Exit status: 0 every bad machine was refused and every good one certified, 1 a bad one was certified or a good
    one refused, 2 bad input, 3 a run was inconclusive.
    """
    if standard not in STANDARDS:
        raise RigError(f"--standard: {shown(standard)} is not {either(map(shown, STANDARDS))}")
    if saboteur:
        _sabotage(_trials(names, ids, kind, wires), only_list, standard, seed, out, as_json)
        return
    if ids or wires:
        raise RigError(f"{'--id' if ids else '--wire'}: is for mutants; give --saboteur too")
    chosen = _chosen(kind, names or [])
    plans = [plan(f"{specimen.kind}-{standard}") for specimen in chosen]
    if only_list:
        _list(chosen, as_json)
        return
    found: list[Seen] = []
    console = Console(quiet=as_json, highlight=False)
    width = max(len(specimen.name) for specimen in chosen)
    with tempfile.TemporaryDirectory() as folder:
        for specimen, by in zip(chosen, plans, strict=True):
            seen = asyncio.run(show(specimen, by, seed, out or Path(folder), sequential=sequential))
            found.append(seen)
            console.print(Text(_line(seen, width)), soft_wrap=True)
    if as_json:
        print(json.dumps([seen.record() for seen in found], indent=2))
    wrong = [seen for seen in found if not seen.right]
    console.print(Text(_sum(found, wrong)))
    if wrong:
        raise typer.Exit(3 if all(seen.verdict == "inconclusive" for seen in wrong) else 1)


def _chosen(kind: str | None, names: list[str]) -> list[Specimen]:
    if kind is not None and kind not in ZOO:
        raise RigError(f"--kind: {shown(kind)} is not {either(map(shown, ZOO))}")
    every = [specimen for known in ([kind] if kind else ZOO) for specimen in ZOO[known].values()]
    for name in names:
        if name not in {specimen.name for specimen in every}:
            raise RigError(f"{name}: no such machine; see `feltrig zoo --list`")
    return [specimen for specimen in every if not names or specimen.name in names]


def _trials(names: list[str] | None, ids: list[str] | None, kind: str | None, wires: list[str] | None) -> list[Trial]:
    """The mutants that are asked for, each on each wire as one kind of device."""
    kinds = [name for name, device in DEVICES.items() if device.planned]
    for option, given, known in (
        ("NAME", names, MUTANTS),
        ("--id", ids, REQUIREMENTS),
        ("--kind", [kind] if kind else [], kinds),
        ("--wire", wires, WIRES),
    ):
        for value in given or ():
            if value not in known:
                raise RigError(f"{option}: {shown(value)} is unknown; see `feltrig zoo --saboteur --list`")
    mutants = [m for m in MUTANTS.values() if (not names or m.name in names) and (not ids or set(ids) & set(m.breaks))]
    return list(trials(mutants, [kind] if kind else kinds, wires or list(WIRES), every=False))


def _sabotage(chosen: list[Trial], only_list: bool, standard: str, seed: int, out: Path | None, as_json: bool) -> None:
    if only_list:
        mutants = list(dict.fromkeys(trial.mutant for trial in chosen if trial.mutant))
        cells = ((m.name, ", ".join(m.breaks), m.does) for m in mutants)
        plain = [{"name": m.name, "breaks": m.breaks, "does": m.does, "survives": m.survives or None} for m in mutants]
        show_table(table(("name", "breaks", "what it does"), cells), plain, as_json)
        return
    console, found = Console(quiet=as_json, highlight=False), []
    with tempfile.TemporaryDirectory() as folder:
        for trial in chosen:
            by = plan(f"{trial.kind}-{standard}")
            caught = asyncio.run(sabotage(trial.mutant, trial.kind, trial.wire, by, seed, out or Path(folder)))
            found.append(caught)
            mark = " " if caught.rightly else "!"
            why = f": {caught.failures[0]}" if caught.failures else ""
            who = f"{mark} {caught.mutant}, {caught.kind} on {caught.wire}"
            console.print(Text(f"{who}, breaks {', '.join(caught.breaks)}: {caught.verdict}{why}"), soft_wrap=True)
    if as_json:
        print(json.dumps([caught.record() for caught in found], indent=2))
    total = score(found)
    said = f"{total.rightly} of {total.tried} mutants refused for what they break, {total.otherwise} for another reason"
    console.print(Text(f"\n{said}"))
    if total.rightly < total.tried:
        raise typer.Exit(3 if total.tried == total.rightly + total.inconclusive else 1)


def _list(chosen: list[Specimen], as_json: bool) -> None:
    cells = ((s.kind, s.name, "good" if s.good else "bad", s.words, _use(s)) for s in chosen)
    plain = [{"kind": s.kind, "name": s.name, "good": s.good, "what": s.words, "use": _use(s)} for s in chosen]
    show_table(table(("kind", "name", "", "what it does", "in a rig file"), cells), plain, as_json)


def _use(specimen: Specimen) -> str:
    """How a rig file names it."""
    if specimen.build is not None:
        return f'mechanics = "zoo:{specimen.name}"'
    return "" if specimen.fault is None else f"faults = [{{ {', '.join(_keys(specimen))} }}]"


def _keys(specimen: Specimen) -> Iterator[str]:
    assert specimen.fault is not None
    yield f'what = "{specimen.fault.what}"'
    if specimen.fault.at != 1:
        yield f"at = {specimen.fault.at}"
    if specimen.fault.times != 1:
        yield f"times = {specimen.fault.times}"


def _line(seen: Seen, width: int) -> str:
    mark = " " if seen.right else "!"
    samples = f", {seen.samples} samples" if seen.samples else ""
    why = f": {seen.finding}: {seen.detail}" if seen.finding else ""
    return f"{mark} {seen.kind:8}  {seen.name:{width}}  {seen.verdict}{samples}{why}"


def _sum(found: list[Seen], wrong: list[Seen]) -> str:
    good = [seen for seen in found if seen.good]
    certified = sum(seen.verdict == "certified" for seen in good)
    refused = sum(seen.verdict == "refused" for seen in found if not seen.good)
    said = (
        f"\n{certified} of {len(good)} good machines certified, {refused} of {len(found) - len(good)} bad ones refused"
    )
    return said + (f"; wrong: {', '.join(f'{seen.kind} {seen.name}' for seen in wrong)}" if wrong else "")
