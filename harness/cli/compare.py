"""`feltrig compare`: what changed since a run that was good."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column
from rich.text import Text

from feltrig.errors import JournalError, RunError
from feltrig.harness.cli.console import Console, table
from feltrig.harness.cli.parameters import Json, RunFolder
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.compare import BETTER, DIFFERENT, WORSE, Difference, by_requirement, differences, unlike
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import Judgement, judge
from feltrig.harness.reports.junit import Case, Suite, junit

Baseline = Annotated[Path, typer.Argument(metavar="BASELINE", help="The folder of the run to compare it with.")]
Margin = Annotated[float, typer.Option(min=0, metavar="PERCENT", help="By how much a median time may change.")]
Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML to this file.")]

COLOURS = {WORSE: "bold red", BETTER: "green", DIFFERENT: "yellow"}


def compare(
    run: RunFolder, baseline: Baseline, margin: Margin = 20, junit_file: Junit = None, as_json: Json = False
) -> None:
    """Compare a run with a baseline: what got worse, better, or just different.

    Exit status: 0 nothing got worse, 1 something did, 2 bad input.
    """
    now, before = _judged(run), _judged(baseline)
    if (why := unlike(now, before)) is not None:
        raise RunError(f"{run}: cannot be compared with {baseline}: it {why}")
    found = differences(now, before, margin / 100)
    if junit_file is not None:
        runs.write_whole(junit_file, junit(f"feltrig compare {now.verdict['rig']}", _suites(now, before, found)))
    if as_json:
        counts = {change: sum(d.change == change for d in found) for change in COLOURS}
        print(json.dumps({**counts, "differences": [asdict(d) for d in found]}, indent=2))
    else:
        _show(found)
    raise typer.Exit(1 if any(d.change == WORSE for d in found) else 0)


def _judged(folder: Path) -> Judgement:
    try:
        evidence = Evidence(journals.read(runs.journal_path(folder)).records)
    except JournalError as error:
        raise RunError(str(error)) from error
    if not evidence.begun:
        raise RunError(f"{folder}: the journal of this run is empty")
    return judge(evidence)


def _show(found: list[Difference]) -> None:
    console = Console()
    if found:
        columns = (Column(heading, overflow="fold") for heading in ("part", "device", "what", "baseline", "this run"))
        rows = ((Text(d.change, COLOURS[d.change]), d.part, d.device, d.what, d.before, d.now) for d in found)
        console.print(table(("", *columns), rows))
    counts = ", ".join(f"{sum(d.change == change for d in found)} {change}" for change in COLOURS)
    console.print(counts, highlight=False)


def _suites(now: Judgement, before: Judgement, found: list[Difference]) -> Iterator[Suite]:
    """A case for each requirement of the run that stayed or got better, and one for each other difference; what got
    worse has failed."""
    when = now.evidence.all[0].t[:19]
    about = {"journal": now.verdict["journal"]["hash"], "baseline": before.verdict["journal"]["hash"]}
    cases: dict[str, list[Case]] = defaultdict(list)
    changed = {(d.device, d.what) for d in found if d.part == "finding"}
    for d in found:
        said = f"{d.change}: {d.before} → {d.now}"
        result = "failure" if d.change == WORSE else "passed"
        name = d.what if d.part == "finding" else f"{d.part}: {d.what}"
        cases[d.device].append(Case(f"compare.{d.device}", name, result, said, said))
    for clause, device, check in by_requirement(now):
        name = f"{clause or 'rig'} {check}"
        if (device, name) not in changed:
            cases[device].append(Case(f"compare.{device}", name, "passed"))
    for device, of_device in cases.items():
        yield Suite(device, of_device, about, when)
