"""`feltrig predict`: looks for the generator behind samples that a laboratory already has."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, table, whole
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.predictability.battery import Battery, TooFew, search
from feltrig.harness.predictability.targets import BLOCK, UNITS, Target, deck_targets, row_targets
from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.core.files import BadSample
from feltrig.harness.statistics.shuffles.recorded import LoadedOrder, NoShuffle, decks, recorded

app = group("Look for the generator behind samples in a file: can the next deck, or the next numbers, be foretold?")

FACES = {"numbers": 7, "rolls": 6}
"""The highest number of each sort of sample."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="CSV or JSON Lines, one draw, roll or shuffle per line.")]
Budget = Annotated[float, typer.Option(min=0.1, max=1e7, help="Seconds of processor time to search for.")]
Since = Annotated[
    datetime | None,
    typer.Option(formats=["%Y-%m-%d"], help="Try the seconds of the clock from this day on (UTC) as seeds."),
]
Until = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The last day of --since. Default: that day only.")
]
Loaded = Annotated[
    LoadedOrder,
    typer.Option(
        help="How decks were loaded where the file does not say: in new-deck order, or as they last came out."
    ),
]


@app.command("shuffle")
def predict_shuffle(
    file: File,
    budget: Budget = 120,
    loaded: Loaded = "new",
    since: Since = None,
    until: Until = None,
    as_json: Json = False,
) -> None:
    """Search for the generator behind shuffles that followed each other. At least three are needed.

    Exit status: 0 not foretold, 1 foretold, 2 bad input.
    """
    try:
        orders = recorded(decks(file), loaded=loaded).orders
    except BadSample as error:
        raise RigError(str(error)) from error
    except NoShuffle as error:
        raise RigError(f"{file}: {error}") from error
    if len(orders) < UNITS:
        raise RigError(f"{file}: {len(orders)} shuffles; expected at least {UNITS}, of which one is kept aside")
    targets = list(deck_targets([tuple(map(int, order)) for order in orders]))
    _search(targets, budget, _clock(since, until), as_json)


@app.command("rng")
def predict_rng(
    file: File, budget: Budget = 120, since: Since = None, until: Until = None, as_json: Json = False
) -> None:
    """Search for the generator behind numbers from 1 to 7 that followed each other. At least 72 are needed.

    Exit status: 0 not foretold, 1 foretold, 2 bad input.
    """
    _rows("numbers", file, budget, _clock(since, until), as_json)


@app.command("dice")
def predict_dice(
    file: File, budget: Budget = 120, since: Since = None, until: Until = None, as_json: Json = False
) -> None:
    """Search for the generator behind rolls of three dice that followed each other. At least 24 are needed.

    Exit status: 0 not foretold, 1 foretold, 2 bad input.
    """
    _rows("rolls", file, budget, _clock(since, until), as_json)


def _rows(sort: str, file: Path, budget: float, clock: Sequence[range], as_json: bool) -> None:
    try:
        sample = SAMPLES[sort].read(file)
    except BadSample as error:
        raise RigError(str(error)) from error
    rows = sample.reshape(len(sample), -1).tolist()
    needed = -(-UNITS * BLOCK // len(rows[0]))
    if len(rows) < needed:
        raise RigError(f"{file}: {len(rows)} {sort}; expected at least {needed}, of which the last are kept aside")
    _search(list(row_targets(rows, FACES[sort])), budget, clock, as_json)


def _clock(since: datetime | None, until: datetime | None) -> Sequence[range]:
    """The seconds of the days in question."""
    if since is None:
        if until is not None:
            raise RigError("--until: expected --since as well")
        return ()
    last = until or since
    if last < since:
        raise RigError(f"--until {last:%Y-%m-%d}: expected a day from {since:%Y-%m-%d} on")
    begin, end = (int(day.replace(tzinfo=UTC).timestamp()) for day in (since, last + timedelta(days=1)))
    if not 0 <= begin < end <= 1 << 32:
        raise RigError(f"--since {since:%Y-%m-%d}: expected days between 1970 and 2106")
    return (range(begin, end),)


def _search(targets: Sequence[Target], budget: float, clock: Sequence[range], as_json: bool) -> None:
    """Searches with a bar, prints; ends with status 1 when the machine was foretold."""
    columns = (TextColumn("searching"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}", style="dim"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        bar = shown.add_task("", total=1.0)
        try:
            battery = search(
                targets,
                budget,
                clock,
                lambda share, family: shown.update(bar, completed=share, description=family),
            )
        except TooFew as error:
            raise RigError(str(error)) from error
    if as_json:
        print(json.dumps(battery.as_json(), indent=2))
    else:
        _show(Console(), battery)
    raise typer.Exit(battery.foretold is not None)


def _show(console: Console, battery: Battery) -> None:
    found = battery.foretold
    if found is not None:
        console.print(Text(f"foretold: {found.generator}", "bold red"))
        rows = [
            ("program", found.program),
            ("scaling", found.scaling),
            ("state", found.state),
            ("goes on", found.how),
            ("foretold", _listed(found.foretold)),
            ("dealt", _listed(found.dealt)),
        ]
        console.print(table((whole(""), ""), rows))
        console.print(Text(f"{battery.seconds:.1f} s of processor time"))
        return
    searched = [(family.family, family.searched, f"{family.done} of {family.of}") for family in battery.families]
    console.print(table((whole("family"), "searched", whole("programs and scalings")), searched))
    words = "all was searched" if battery.whole else "the time was used up; --budget gives more"
    console.print(
        Text(f"not foretold: {battery.done} of {battery.of} searches in {battery.seconds:.1f} s; {words}", "bold")
    )


def _listed(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
