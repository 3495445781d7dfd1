"""`feltrig register`: the laboratory's register of its runs."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from feltrig.errors import RegisterError
from feltrig.harness.cli.console import show_table, table, whole
from feltrig.harness.cli.display import COLOURS
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.journal.folder import write_whole
from feltrig.harness.judge import keys
from feltrig.harness.laboratory.history import RegisteredRun, runs
from feltrig.harness.laboratory.register import NAME, SIGNED, Reading, Register, clock_set_back, read

app = group("Show, check and copy the register of a laboratory's runs.")

File = Annotated[Path, typer.Argument(metavar="REGISTER", help="The register: register.jsonl beside the key.")]
Keys = Annotated[
    list[Path] | None, typer.Option("--key", metavar="FILE", help="A public key that the laboratory has published.")
]
UNKNOWN = 3
"""Of exit: the register is whole, and nobody has said whose it is."""


@app.command("list")
def list_runs(register: File, as_json: Json = False) -> None:
    """List the runs, oldest first: how each ended, and which attempt of its device by its plan it was."""
    found = [*runs(read(register).entries).values()]
    rows = []
    for run in found:
        verdict = Text(run.verdict or "", style=COLOURS.get(run.verdict or "", ""))
        verdict.append(", signed" if run.last(SIGNED) else "", style="default")
        what = f"{run.begun.data['plan']} on {run.device}" if run.begun.data["plan"] else "no plan"
        attempt = f"{run.attempt} of {run.attempts}"
        rows.append((run.begun.data["folder"], Text(what, overflow="fold"), attempt, run.state, verdict))
    columns = (whole("run"), "what", whole("attempt"), whole("ended"), whole("verdict"))
    show_table(table(columns, rows), [_plain(run) for run in found], as_json)


@app.command("verify")
def verify(register: File, key: Keys = None) -> None:
    """Check the chain and every signature.

    Exit status: 0 whole, and opened by a key that was given, 1 changed, or opened by another key, 3 whole, but no key
    was given.
    """
    try:
        reading = read(register)
    except RegisterError as error:
        print(f"BAD {error}")
        raise typer.Exit(1) from error
    for line in _remarks(reading):
        print(line)
    if not key:
        names = ", ".join(f"{signer[:16]}…" for signer in sorted({entry.key for entry in reading.entries}))
        print(f"--  signed by {names}, whoever has that: give --key")
        raise typer.Exit(UNKNOWN)
    given = {keys.key_id(keys.public(file)) for file in key}
    first = reading.entries[0].key if reading.entries else ""
    good = first in given
    print(f"{'ok ' if good else 'BAD'} opened by the key {first[:16]}…, which {'is' if good else 'is not'} given")
    raise typer.Exit(0 if good else 1)


@app.command("export")
def export(
    register: File,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the copy goes.")],
) -> None:
    """Copy the register, once every entry is checked, for `feltrig verify RUN --register` elsewhere."""
    entries = read(register).entries
    write_whole(out, b"".join(entry.line for entry in entries))
    head = entries[-1].hash if entries else "none"
    print(f"{out}: {len(entries)} entries, head {head}")


@app.command("key")
def key(
    new: Annotated[Path, typer.Argument(metavar="FILE", help="The new public key.")],
    signing: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key used so far.")],
    register: Annotated[Path | None, typer.Option(metavar="FILE", help="Default: register.jsonl beside it.")] = None,
) -> None:
    """Make another key of the laboratory known, which may sign from now on."""
    book = Register(register or signing.parent / NAME, keys.private(signing))
    book.open(version("feltrig"))
    public = keys.public(new)
    entry = book.add_key(public)
    print(f"{book.path}: entry {entry.seq}: the key {keys.key_id(public)} may sign from now on")


def _remarks(reading: Reading) -> list[str]:
    entries = reading.entries
    unended = sum(run.state == "never ended" for run in runs(entries).values())
    head = f", head {entries[-1].hash}" if entries else ""
    return [
        f"ok  {len(entries)} entries, each chained to the one before and signed{head}",
        *([f"--  {unended} runs were begun and never ended"] if unended else []),
        *(f"--  entry {entry.seq}: the clock was set back before it" for entry in clock_set_back(entries)),
        *(["--  the last line is torn: it was never acknowledged"] if reading.torn else []),
    ]


def _plain(run: RegisteredRun) -> dict[str, Any]:
    data = run.begun.data
    signed = run.last(SIGNED)
    return {
        "run": run.id,
        "folder": data["folder"],
        "begun": run.begun.at,
        "rig": data["rig"],
        "plan": data["plan"] or None,
        "device": run.device or None,
        "attempt": run.attempt,
        "attempts": run.attempts,
        "ended": None if run.state == "never ended" else run.state,
        "failures": [{"at": entry.at, **entry.data} for entry in run.failures],
        "verdict": run.verdict,
        "signed": None if signed is None else signed.at,
    }
