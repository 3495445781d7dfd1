"""`feltrig verify`: whether a run is what it was when it ended."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.parameters import Json, RunFolder
from feltrig.runs import verify as verify_run

Key = Annotated[Path | None, typer.Option(metavar="FILE", help="Require a certificate signed by this public key.")]

MARKS = {True: "ok ", False: "BAD", None: "-- "}


def verify(run: RunFolder, key: Key = None, as_json: Json = False) -> None:
    """Check a run: the journal's chain, the verdict that follows from it, and the certificate.

    Exit status: 0 unchanged, 1 something was changed or is missing, 2 bad input.
    """
    examined = verify_run(run, key=key)
    if as_json:
        print(json.dumps([asdict(one) for one in examined], indent=2))
    else:
        for one in examined:
            print(f"{MARKS[one.good]} {one.what}: {one.detail}")
    raise typer.Exit(1 if any(one.good is False for one in examined) else 0)
