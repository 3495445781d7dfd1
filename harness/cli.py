"""The command line: `feltrig certify`, `play`, `emulate`, `games`."""

import asyncio
import json
import signal
import sys
from collections.abc import Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from rich.console import Console

from feltrig.engine.games import GAMES
from feltrig.harness import display, rigfile
from feltrig.harness.emulation import EmulatedRig
from feltrig.harness.findings import Outcome
from feltrig.harness.journal import JournalError
from feltrig.harness.rigconfig import Rig
from feltrig.harness.rigfile import RigError
from feltrig.harness.run import Finished, choose_seed, run
from feltrig.harness.runs import RunError
from feltrig.harness.technician import terminal

T = TypeVar("T")

STATUS = {Outcome.CERTIFIED.value: 0, Outcome.REFUSED.value: 1, Outcome.INCONCLUSIVE.value: 3}
BAD_INPUT = 2
TECHNICIANS_PATIENCE = 1800.0
"""Seconds that a prompt waits for an answer."""

app = typer.Typer(
    help="Certify the machines on a casino table, or emulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

RigFile = Annotated[Path | None, typer.Argument(metavar="[RIG]", help="Rig file; without it, the embedded rig.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the run; the same seed plays the same rounds again.")]
Rounds = Annotated[int | None, typer.Option(min=1, max=1_000_000, help="Rounds to play; else the rig file's number.")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="Folder in which the run gets a folder of its own.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@app.command()
def certify(
    rig: RigFile = None, seed: Seed = None, rounds: Rounds = None, out: Out = Path("runs"), as_json: Json = False
) -> None:
    """Play full rounds on the devices of a rig and judge them, clause by clause.

    Exit status: 0 certified, 1 refused, 2 bad input, 3 inconclusive.
    """
    finished = _run(rig, seed, rounds, out, as_json)
    if not as_json:
        display.show_verdict(Console(), finished)
    raise typer.Exit(STATUS[finished.verdict["verdict"]])


@app.command()
def play(
    rig: RigFile = None, seed: Seed = None, rounds: Rounds = None, out: Out = Path("runs"), as_json: Json = False
) -> None:
    """Play full rounds on the devices of a rig, without a judgement.

    Exit status: 0 played, 2 bad input, 3 the rounds could not be played to the end.
    """
    finished = _run(rig, seed, rounds, out, as_json, drills=False)
    if not as_json:
        display.show_played(Console(), finished)
    raise typer.Exit(0 if finished.verdict["ended"] == "finished" else 3)


@app.command()
def emulate(
    rig: Annotated[Path, typer.Argument(metavar="RIG", help="Rig file.")], seed: Seed = None, as_json: Json = False
) -> None:
    """Serve the emulated devices of a rig to any program, until interrupted."""
    loaded = _load(rig)
    _until_interrupted(_serve(loaded, choose_seed(loaded, seed), as_json))


@app.command()
def games(as_json: Json = False) -> None:
    """List the games that the engine can play."""
    if as_json:
        print(json.dumps([asdict(game) for game in GAMES.values()], indent=2))
    else:
        display.show_games(Console())


def main() -> None:
    """Entry point of the `feltrig` command."""
    try:
        app()
    except (RigError, RunError) as error:
        _end(str(error), BAD_INPUT)
    except JournalError as error:
        _end(str(error), STATUS[Outcome.INCONCLUSIVE.value])


def _run(
    rig: Path | None, seed: int | None, rounds: int | None, out: Path, as_json: bool, *, drills: bool = True
) -> Finished:
    loaded = _load(rig)
    chosen_seed, total = choose_seed(loaded, seed), rounds or loaded.game.rounds
    console = Console(stderr=True, quiet=as_json)
    with display.rounds_bar(console, total) as on_progress:
        ask = terminal(TECHNICIANS_PATIENCE)
        finished = _until_interrupted(run(loaded, total, chosen_seed, out, on_progress, ask, drills=drills))
    if as_json:
        print(json.dumps(finished.verdict, indent=2))
    return finished


def _load(rig: Path | None) -> Rig:
    return rigfile.embedded() if rig is None else rigfile.load(rig)


async def _serve(rig: Rig, seed: int, as_json: bool) -> None:
    try:
        async with EmulatedRig(rig, seed) as emulated:
            broker = f"{emulated.broker.host}:{emulated.broker.port}" if emulated.broker else None
            if as_json:
                places = {p.name: {"kind": p.kind, "wire": p.wire, "where": p.where} for p in emulated.places.values()}
                print(json.dumps({"devices": places, "broker": broker}), flush=True)
            else:
                display.show_places(Console(), emulated.places.values(), broker)
                print("serving until interrupted (Ctrl-C)", flush=True)
            await asyncio.Event().wait()
    except asyncio.CancelledError:
        return


def _until_interrupted(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; Ctrl-C and SIGTERM cancel the work, which then winds up in its own way."""

    async def supervised() -> T:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    return asyncio.run(supervised())


def _end(line: str, status: int) -> NoReturn:
    print(f"feltrig: {line}", file=sys.stderr)
    sys.exit(status)
