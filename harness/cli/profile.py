"""`feltrig profile`: the profiles that come with the package, and whether one of your own works."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, show_table, table, whole
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.wires.profile_check import WRONG, Row, check_profile
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.profile import Profile, ProfileError

STYLES = {"carried": "green", "supplied": "yellow", "lacking": "yellow", WRONG: "bold red"}

app = group("Check and list profiles. A profile describes how a machine talks on its wire.")


@app.command("check")
def profile_check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Profile file, or the name of a built-in profile.")],
    as_json: Json = False,
) -> None:
    """Validate a profile, and try its emulator against its driver over the real wire: every command and every event.

    Exit status: 0 it works, 1 something does not work, 2 bad input.
    """
    profile = _profile(file)
    rows = asyncio.run(check_profile(profile))
    if as_json:
        print(json.dumps({**profile.record(), "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        _show(Console(), profile, rows)
    raise typer.Exit(any(row.outcome == WRONG for row in rows))


@app.command("list")
def profile_list(as_json: Json = False) -> None:
    """List the profiles that come with the package."""
    profiles = [profilefile.builtin(name) for name in profilefile.names()]
    rows = ((p.name, p.kind.name, p.wire, p.title) for p in profiles)
    plain = [{"name": p.name, "kind": p.kind.name, "wire": p.wire, "title": p.title} for p in profiles]
    show_table(table((whole("name"), "kind", "wire", "what it describes"), rows), plain, as_json)


def _profile(file: str) -> Profile:
    try:
        is_path = file not in profilefile.names() and (file.endswith(".toml") or Path(file).exists())
        return profilefile.load(Path(file)) if is_path else profilefile.builtin(file)
    except ProfileError as error:
        raise RigError(str(error)) from error


def _show(console: Console, profile: Profile, rows: list[Row]) -> None:
    console.print(Text(f"{profile.name}: {profile.title}"))
    shown = table(("", "", ""), ((row.what, Text(row.outcome, STYLES[row.outcome]), row.detail) for row in rows))
    shown.show_header = False
    console.print(shown)
    if lacks := profile.lacks():
        console.print(Text(f"no evidence from the wire about: {', '.join(lacks)}"))
