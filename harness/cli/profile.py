"""`feltrig profile`: the profiles that come with the package, and whether one of your own works."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.text import Text

from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, show_table, table, whole
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.profile_findings import REPEATED, REPEATS, words
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.profile_check import WRONG, Row, check_profile
from feltrig.harness.wires.profile_machine import ANSWERED, BAD, HEARD, Finding, check_machine, machine_rig
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.profile import Profile, ProfileError

IDENTITY = "is the device that was submitted, as far as that was submitted"

STYLES = {"carried": "green", "supplied": "yellow", "lacking": "yellow", WRONG: "bold red"}

app = group("Check and list profiles. A profile describes how a machine talks on its wire.")


@app.command("check")
def profile_check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Profile file, or the name of a built-in profile.")],
    port: Annotated[str | None, typer.Option(help="Serial port of the machine, or its TCP port with --host.")] = None,
    baud: Annotated[int | None, typer.Option(help="Bits per second. Default: those of the profile.")] = None,
    host: Annotated[str | None, typer.Option(help="Host of a machine on Modbus TCP.")] = None,
    unit: Annotated[int | None, typer.Option(help="Modbus unit of the machine.")] = None,
    broker: Annotated[str | None, typer.Option(metavar="HOST[:PORT]", help="MQTT broker of the machine.")] = None,
    topic: Annotated[str | None, typer.Option(help="MQTT topic of the machine.")] = None,
    act: Annotated[bool, typer.Option("--act", help="Also give the commands that make the machine move.")] = False,
    listen: Annotated[float, typer.Option(min=0, max=3600, help="Seconds to listen for what it says unasked.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Validate a profile. Without an address, try its emulator against its driver over the real wire.

    With the address of the machine, ask it everything that the profile can ask, and show each message, how it was read,
    and the bytes that nobody could read. Only the machine proves a profile.

    Exit status: 0 it works, 1 something does not work, 2 bad input.
    """
    profile = _profile(file)
    where = {"port": port, "baud": baud, "host": host, "unit": unit, "topic": topic}
    if any(value is not None for value in (*where.values(), broker)):
        named = file if file in profilefile.names() else str(Path(file).absolute())
        _check_machine(profile, machine_rig(profile, named, where, broker), listen, act, as_json)
    rows = asyncio.run(check_profile(profile))
    if as_json:
        print(json.dumps({**profile.record(), "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        _show(Console(), profile, rows)
    raise typer.Exit(any(row.outcome == WRONG for row in rows))


def _check_machine(profile: Profile, rig: Rig, listen: float, act: bool, as_json: bool) -> NoReturn:
    console = Console(quiet=as_json)
    console.print(Text(f"{profile.name}: {profile.title}"))
    messages: list[dict[str, object]] = []

    def show(outgoing: bool, data: bytes, read: str) -> None:
        messages.append({"to_machine": outgoing, "bytes": data.hex(), "read": read})
        console.print(Text(f"{'->' if outgoing else '<-'} {_bytes(data)}  {read}", "dim"))

    async def all_findings() -> list[Finding]:
        return [finding async for finding in check_machine(rig, listen, act, show)]

    findings = asyncio.run(all_findings())
    bad = any(finding.outcome in BAD for finding in findings)
    lacks = costs(profile)
    if as_json:
        found = [asdict(finding) for finding in findings]
        print(json.dumps({**profile.record(), "messages": messages, "findings": found, "limits": lacks}, indent=2))
        raise typer.Exit(bad)
    styles = {ANSWERED: "green", HEARD: "green", **dict.fromkeys(BAD, "bold red")}
    rows = ((f.what, Text(f.outcome, styles.get(f.outcome, "yellow")), f.detail) for f in findings)
    shown = table(("", "", ""), rows)
    shown.show_header = False
    console.print(shown)
    _show_costs(console, lacks)
    raise typer.Exit(bad)


def costs(profile: Profile) -> list[dict[str, object]]:
    """What the profile lacks, in words, and which findings of a plan are not tested for it. Without the outcome itself
    there is no certificate."""
    device = DEVICES[profile.kind.name]
    rests = [(check.name, check.rests_on) for kind, check in all_checks() if kind in (None, profile.kind.name)]
    rests += [(drill.name, drill.rests_on) for drill in device.drills]
    rests += [(REPEATED, (REPEATS,)), (IDENTITY, tuple(f"identity.{name}" for name in profile.label))]
    return [
        {
            "lacks": lack,
            "words": words(lack),
            "not_tested": [name for name, what in rests if lack in what],
            "forbids": lack in device.outcome,
        }
        for lack in profile.lacks()
    ]


def _show_costs(console: Console, lacks: list[dict[str, object]]) -> None:
    for lack in lacks:
        tests = lack["not_tested"]
        assert isinstance(tests, list)
        cost = f"not tested: {'; '.join(tests)}" if tests else "no finding rests on it"
        forbids = ". Without it nothing is certified" if lack["forbids"] else ""
        console.print(Text(f"does not carry {lack['words']}: {cost}{forbids}"))
    if lacks and not any(lack["forbids"] for lack in lacks):
        console.print(Text("A certificate is possible. It names these limits."))


def _bytes(data: bytes) -> str:
    text = data.decode("latin-1")
    shown = text.replace("\r", "").replace("\n", "")
    return repr(text) if shown.isascii() and shown.isprintable() else data.hex(" ")


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
    _show_costs(console, costs(profile))
