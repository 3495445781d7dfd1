"""`feltrig replay`: a run served as the devices that took part in it."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from rigs import nobody
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.replay import replay
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.vocabulary import Error

app = typer.Typer()
app.command()(replay)

PROGRAM = "import typer; from feltrig.harness.cli.replay import replay; typer.run(replay)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one round on the embedded rig: a device on each kind of wire."""

    out = tmp_path_factory.mktemp("runs")
    return asyncio.run(run(rigfile.embedded(), 1, 1, out, lambda _: None, nobody, drills=False)).folder


class Replay:
    """The command, running; it is interrupted on leaving."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments
        self.errors: list[str] = []
        self.status: int | None = None

    async def __aenter__(self) -> "Replay":
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, *self._arguments, stdout=pipe, stderr=pipe
        )
        return self

    async def line(self) -> str:
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode()

    async def __aexit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        _, errors = await self._process.communicate()
        self.errors = errors.decode().splitlines()
        self.status = self._process.returncode


async def _talk(place: dict[str, Any], *requests: Request) -> list[Error]:
    host, port = place["where"].split(":")
    channel = ModbusTcpChannel(SHOE, host, int(port), deadline=20.0)
    await channel.open()
    try:
        return [(await channel.request(request)).error for request in requests]
    finally:
        await channel.close()


async def test_recorded_devices_are_served_until_interrupted_and_the_session_is_summed_up(folder: Path) -> None:
    async with asyncio.timeout(30):
        async with Replay(str(folder), "--json") as command:
            endpoints = json.loads(await command.line())
            shoe = endpoints["devices"]["shoe"]
            asked = (Request("lock", {}, 1), Request("dispense", {"size": 7}, 2), Request("unlock", {}, 3))
            assert await _talk(shoe, *asked) == [Error.OK, Error.WRONG_STATE, Error.OK]
    assert {name: place["wire"] for name, place in endpoints["devices"].items()} == {
        "shuffler": "serial",
        "shoe": "modbus-tcp",
        "shaker": "mqtt",
        "rng": "mqtt",
        "reader": "modbus-rtu",
    }
    assert endpoints["broker"].startswith("127.0.0.1:")
    assert command.status == 0
    left = "shoe: the driver left the recording at request 3: recorded unlock, asked dispense (size 7)"
    assert command.errors[:2] == [left, left]  # when it happened, and in the summary
    assert any(line.startswith("shuffler: ") and "were not sent" in line for line in command.errors)


async def test_one_device_alone_is_served_and_a_quiet_session_kept_to_the_recording(folder: Path) -> None:
    async with asyncio.timeout(30):
        async with Replay(str(folder), "--device", "shoe", "--speed", "0") as command:
            heading, row, serving = [await command.line() for _ in range(3)]
    assert heading.split() == ["device", "kind", "wire", "where"]
    assert row.split()[:3] == ["shoe", "shoe", "modbus-tcp"]
    assert serving == "serving until interrupted (Ctrl-C)\n"
    assert command.status == 0
    assert command.errors[0] == "the driver kept to the recording, as far as it went"


async def test_a_run_that_was_killed_in_the_middle_of_a_record_is_served_and_one_line_says_so(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "journal.jsonl").write_bytes((folder / "journal.jsonl").read_bytes() + b'{"data":')
    async with asyncio.timeout(30):
        async with Replay(str(tmp_path), "--device", "shoe", "--json") as command:
            await command.line()
    assert command.status == 0
    assert command.errors[0] == f"{tmp_path}/journal.jsonl: ends in the middle of a record, which is left out"


async def test_raw_serves_lines_and_connections_byte_for_byte(folder: Path) -> None:
    async with asyncio.timeout(30):
        async with Replay(str(folder), "--raw", "--device", "shoe", "--json") as command:
            host, port = json.loads(await command.line())["devices"]["shoe"]["where"].split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"any twelve b")  # as many as the driver's first question has
            answer = await reader.readexactly(9 + 2 * 60)
            writer.close()
    assert answer[:9] == bytes.fromhex("0001 0000 007b 01 03 78")
    assert b"Emulated shoe" in answer
    assert command.status == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("{folder}", "--device", "wheel"), "there is no device 'wheel' in it"),
        (("{folder}/..",), "is not the folder of a run"),
        (("{folder}", "--raw", "--device", "rng"), "--raw: rng is on mqtt: expected a device on serial"),
    ],
)
def test_bad_input_is_one_clear_line(folder: Path, arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(RigError, match=why) as refused:
        CliRunner().invoke(app, [argument.format(folder=folder) for argument in arguments], catch_exceptions=False)
    assert "\n" not in str(refused.value)


def test_a_journal_that_does_not_verify_is_refused(folder: Path, tmp_path: Path) -> None:
    changed = (folder / "journal.jsonl").read_bytes().replace(b'"seed":1', b'"seed":2', 1)
    (tmp_path / "journal.jsonl").write_bytes(changed)
    with pytest.raises(RigError, match="line 1: was changed"):
        CliRunner().invoke(app, [str(tmp_path)], catch_exceptions=False)
