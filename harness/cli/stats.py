"""`feltrig stats`: the tests of samples that a laboratory already has."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, table, whole
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.core.files import BadSample
from feltrig.harness.statistics.core.results import Decision, counted, p_text
from feltrig.harness.statistics.core.sort import SampleSort, Values
from feltrig.harness.statistics.shuffles.recorded import LoadedOrder, NoShuffle, decks, recorded

app = group("Test whether samples in a file are random: CSV or JSON Lines, one draw, roll or shuffle per line.")

BLOCK = 64
"""Samples that a sequential test is given at once; what it says does not depend on it."""
WIDE = 150
"""Columns of a terminal on which the least detectable effects have room as well."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="CSV or JSON Lines.")]
Level = Annotated[float, typer.Option(min=1e-6, max=0.5, help="Share of good machines that may be refused.")]
Sequentially = Annotated[
    bool, typer.Option("--sequential", help="Test after every sample, and stop once the evidence is strong enough.")
]
Loaded = Annotated[
    LoadedOrder,
    typer.Option(
        help="How decks were loaded where the file does not say: in new-deck order, or as they last came out."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed for telling copies of a card apart, if decks contain several.")]


@app.command("shuffle")
def stats_shuffle(
    file: File,
    level: Level = 0.01,
    loaded: Loaded = "new",
    seed: Seed = 0,
    sequential: Sequentially = False,
    as_json: Json = False,
) -> None:
    """Test shuffled decks: cards as Td or numbers from 0; in columns `before` and `after` if the loaded order is known.

    Exit status: 0 not refused, 1 refused, 2 bad input.
    """
    _judge("shuffles", file, level, sequential, as_json, lambda: recorded(decks(file), loaded=loaded, seed=seed))


@app.command("rng")
def stats_rng(file: File, level: Level = 0.01, sequential: Sequentially = False, as_json: Json = False) -> None:
    """Test numbers from 1 to 7: one per line, or in a column `number`.

    Exit status: 0 not refused, 1 refused, 2 bad input.
    """
    _judge("numbers", file, level, sequential, as_json)


@app.command("dice")
def stats_dice(file: File, level: Level = 0.01, sequential: Sequentially = False, as_json: Json = False) -> None:
    """Test rolls of three dice: three faces per line, or in a column `dice`.

    Exit status: 0 not refused, 1 refused, 2 bad input.
    """
    _judge("rolls", file, level, sequential, as_json)


def _judge(
    sort: str, file: Path, level: float, sequential: bool, as_json: bool, read: Callable[[], Values] | None = None
) -> None:
    """Reads, decides, prints; ends with status 1 when the machine is refused."""
    judged = SAMPLES[sort]
    try:
        sample = judged.read(file) if read is None else read()
        decision = _looked_at(judged, level, sample) if sequential else judged.fixed(sample, level)
    except BadSample as error:
        raise RigError(str(error)) from error
    except NoShuffle as error:
        raise RigError(f"{file}: {error}") from error
    if as_json:
        print(json.dumps(decision.as_json(), indent=2))
    else:
        _show(Console(), decision)
    raise typer.Exit(decision.refused)


def _looked_at(sort: SampleSort, level: float, sample: Values) -> Decision:
    """The decision after the sample that sufficed, or after the last one; what comes after it is not looked at."""
    running = sort.sequential(level, None)
    for start in range(0, len(sample), BLOCK):
        if running.add(sample[start : start + BLOCK]):
            stop, running = running.refused_at or running.accepted_at, sort.sequential(level, None)
            running.add(sample[:stop])
            break
    return running.decision()


def _show(console: Console, decision: Decision) -> None:
    fixed = decision.log_e is None
    wide = fixed and console.width >= WIDE
    found = ("statistic", "p") if fixed else ("evidence",)
    columns = (whole("test"), "looks for", *found, *(("least effect",) if wide else ()))
    rows = []
    for outcome in decision.outcomes:
        style = "bold red" if decision.refused and outcome.name == decision.decided_by else ""
        strength = (f"{outcome.statistic:.6g}", p_text(outcome.p_value or 0)) if fixed else (_evidence(outcome.log_e),)
        effect = (outcome.detectable.words,) if wide else ()
        rows.append([Text(cell, style) for cell in (outcome.name, outcome.looks_for, *strength, *effect)])
    console.print(table(columns, rows))
    verdict = "refused" if decision.refused else "not refused"
    console.print(Text(f"{verdict} at level {decision.level:g}: {decision.reason}", "bold red" * decision.refused))
    console.print(Text(f"{counted(decision.sample, decision.unit)}; {decision.method}"))


def _evidence(log_e: float | None) -> str:
    if log_e is None or log_e == -math.inf:
        return "0"
    return f"{math.exp(log_e):.3g}" if abs(log_e) < 600 else f"1e{log_e / math.log(10):+.0f}"
