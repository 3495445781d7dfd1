"""`feltrig monitor`, on a rig and on a run."""

import asyncio
import json
import os
import re
import signal
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import pytest
import typer
from rigs import nobody
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.monitor import monitor
from feltrig.harness.journal import reader as journals
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run
from feltrig.protocols.errors import WireError
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel

app = typer.Typer()
app.command()(monitor)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one round on the embedded rig: a device on each kind of wire."""

    out = tmp_path_factory.mktemp("runs")
    return asyncio.run(run(rigfile.embedded(), 1, 1, out, lambda _: None, nobody, drills=False)).folder


def shown(*arguments: str) -> list[str]:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_a_recorded_run_is_shown_decoded_in_the_order_of_the_journal(folder: Path) -> None:
    objects = [json.loads(line) for line in shown(str(folder), "--json")]
    assert [o["t"] for o in objects] == sorted(o["t"] for o in objects)
    assert {o["device"] for o in objects} == {"shuffler", "shoe", "shaker", "rng", "reader"}
    assert not [o for o in objects if o["is"] == "noise"]
    calls = [r.data for r in journals.read(folder / "journal.jsonl").records if r.kind == "call"]
    for device in ("shuffler", "shoe", "shaker", "reader"):
        asked = [(o["command"], o["values"]) for o in objects if o["is"] == "asked" and o["device"] == device]
        looks = ("status", "events")
        called = [(c["command"], c["values"]) for c in calls if c["device"] == device and c["command"] not in looks]
        assert [pair for pair in asked if pair[0] not in looks] == called


def test_a_person_sees_a_line_for_each_message(folder: Path) -> None:
    lines = shown(str(folder), "--device", "shoe")
    assert all(" shoe " in line for line in lines)
    assert any(line.endswith("→ dispense size=4") for line in lines)
    assert any("← events: " in line and "event 2 dispensed stack=1 size=4" in line for line in lines)


def test_raw_shows_the_bytes_as_the_journal_has_them(folder: Path) -> None:
    wires = [r.data for r in journals.read(folder / "journal.jsonl").records if r.kind == "wire"]
    objects = [json.loads(line) for line in shown(str(folder), "--device", "reader", "--raw", "--json")]
    expected = [(w["outgoing"], w["bytes"]) for w in wires if w["device"] == "reader"]
    assert [(o["outgoing"], o["bytes"]) for o in objects] == expected
    assert len(shown(str(folder), "--device", "reader", "--raw")) == len(expected)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("{folder}", "--device", "wheel"), "there is no device 'wheel' in it"),
        (("{folder}/..",), "is not the folder of a run"),
        (("{folder}/nothing.toml",), "cannot be read: No such file or directory"),
    ],
)
def test_bad_input_is_one_clear_line(folder: Path, arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(RigError, match=why) as refused:
        shown(*(argument.format(folder=folder) for argument in arguments))
    assert "\n" not in str(refused.value)


def test_a_run_that_was_killed_in_the_middle_of_a_record_is_shown_and_one_line_says_so(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "journal.jsonl").write_bytes((folder / "journal.jsonl").read_bytes() + b'{"data":')
    result = CliRunner().invoke(app, [str(tmp_path)], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == shown(str(folder))
    assert result.stderr == f"{tmp_path}/journal.jsonl: ends in the middle of a record, which is left out\n"


PROGRAM = "import typer; from feltrig.harness.cli.monitor import monitor; typer.run(monitor)"


@asynccontextmanager
async def watching(rig: Path) -> AsyncIterator[asyncio.StreamReader]:
    """What the command prints in JSON of a rig that it watches, until it is interrupted."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, str(rig), "--json", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(30):
        try:
            yield process.stdout
        finally:
            process.send_signal(signal.SIGINT)
            await process.communicate()
    assert process.returncode == 0


async def test_a_rig_is_watched_live_until_it_is_interrupted(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(_embedded())
    async with watching(rig) as lines:
        endpoints = json.loads(await lines.readline())
        host, port = endpoints["devices"]["shoe"]["where"].split(":")
        channel = ModbusTcpChannel(SHOE, host, int(port), deadline=20.0)
        await channel.open()
        await channel.request(Request("lock", {}, 7))
        await channel.close()
        heard: list[dict[str, Any]] = []
        while not any(o["is"] == "answered" and o["command"] == "lock" for o in heard):
            heard.append(json.loads(await lines.readline()))
    mine = [o for o in heard if o["device"] == "shoe"]
    assert [(o["is"], o["command"], o["outgoing"]) for o in mine] == [
        ("asked", "status", True),  # whether the device offers function 23
        ("answered", "status", False),
        ("asked", "lock", True),
        ("answered", "lock", False),
    ]
    assert {o["device"] for o in heard} == {"shoe", "shaker", "rng"}  # what the broker retained of two of them


async def test_programs_are_told_by_which_certificate_they_know_a_made_up_device(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text('feltrig = 1\nname = "test"\n[devices.shoe]\nkind = "shoe"\nwire = "modbus-tls"\nemulator = {}\n')
    async with watching(rig) as lines:
        said = json.loads(await lines.readline())
        host, port = said["devices"]["shoe"]["where"].split(":")
        context = ssl.create_default_context(cafile=said["ca"])
        channel = ModbusTcpChannel(SHOE, host, int(port), deadline=20.0, tls=context)
        await channel.open()
        assert not (await channel.request(Request("status"))).error
        await channel.close()


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
async def test_it_ends_quietly_when_nobody_reads_on(tmp_path: Path, form: tuple[str, ...]) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(_embedded())
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, str(rig), *form, stdout=writing, stderr=asyncio.subprocess.PIPE
    )
    os.close(writing)
    async with asyncio.timeout(30):
        try:
            with os.fdopen(reading) as shown:
                place = await asyncio.to_thread(_shoe, shown)
            channel = ModbusTcpChannel(SHOE, "127.0.0.1", place, deadline=20.0)
            with suppress(WireError):  # it may have ended before the answer has passed
                await channel.open()
                await channel.request(Request("lock", {}, 7))
            _, errors = await process.communicate()
            await channel.close()
        finally:
            if process.returncode is None:
                process.kill()
    assert (process.returncode, errors.decode()) == (0, "")


def _shoe(shown: TextIO) -> int:
    """The port of the shoe in the list of endpoints, which is read to its end."""
    listed = ""
    for line in shown:
        listed += line
        if line.startswith(("{", "watching")):
            break
    found = re.search(r"127\.0\.0\.1:(\d+)", listed.partition("shoe")[2])
    assert found is not None
    return int(found[1])


def _embedded() -> str:
    return (Path(rigfile.__file__).parent / "embedded.toml").read_text()
