"""A recorded run, served again: the same driver on the same rig comes to the same findings, and no bench is needed."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rigs import nobody

from feltrig.errors import RigError
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run, run
from feltrig.harness.wires import recording
from feltrig.harness.wires.replaying import Replayed, ReplayedRig, replayed
from feltrig.protocols.lines.line import open_line

WIRES = ("serial", "modbus-rtu", "modbus-tcp", "mqtt-3.1.1", "mqtt-5")

PLACE = re.compile(r"/\S+?(?=[ :])|127\.0\.0\.1:\d+")
"""Where a device was is no part of what it did."""
ASKED_AGAIN = re.compile(r", [^,;]+ only when asked again")
"""How often a busy computer had to ask again is no part of a recording."""
LOOKED = re.compile(r"\d+ requests")
"""Nor is how often a machine was looked at while it worked."""

PlayAgain = Callable[[Replayed], Awaitable[Run]]


@pytest.fixture
def play_again(tmp_path: Path) -> PlayAgain:
    """Runs the rig of a recording; nobody is there to answer a prompt."""

    async def play(again: Replayed) -> Run:
        options = {"drills": again.drills, "operator": again.operator}
        return await run(again.rig, again.rounds, again.seed, tmp_path, lambda _: None, nobody, **options)

    return play


def found(finished: Run) -> list[tuple[object, ...]]:
    return [
        (f.clause, f.device, f.check, f.verdict, ASKED_AGAIN.sub("", PLACE.sub("@", f.detail)))
        for f in finished.findings
    ]


def asked_of(finished: Run, device: str) -> list[tuple[str, object]]:
    records = journals.read(finished.folder / "journal.jsonl").records
    return [(r.kind, r.data) for r in records if r.kind in ("call", "reply", "event") and r.data["device"] == device]


@pytest.mark.parametrize("faults", ["", 'faults = [{ what = "jam", at = 3 }]'], ids=["good", "jammed"])
@pytest.mark.parametrize("wire", WIRES)
async def test_the_findings_of_a_replayed_run_are_those_of_the_recorded_one(make_rig, play, play_again, wire, faults):
    rig = make_rig(wire, start=("dice", "rng", "button"), decks=2, extra={"shoe": faults})
    recorded = await play(rig, 4)
    assert recorded.verdict["verdict"] == ("refused" if faults else "no failure seen")

    async with replayed(recorded.folder, rig) as again:
        assert all(device.emulator is None for device in again.rig.devices.values())
        finished = await play_again(again)
    assert again.deviations == []
    assert again.served.left == {}
    assert found(finished) == found(recorded)
    assert finished.verdict["rounds"] == recorded.verdict["rounds"]
    for device in rig.devices:
        assert asked_of(finished, device) == asked_of(recorded, device)
        assert _left_the_broker(finished.folder, device) == _left_the_broker(recorded.folder, device)
    if wire.startswith("mqtt"):
        assert _left_the_broker(finished.folder, "rng"), "its power is cut in a drill"


@pytest.mark.parametrize("kind", ["shuffler", "shoe", "shaker"])
async def test_a_machine_that_takes_its_time_takes_it_again(make_rig, play, play_again, kind):
    rig = make_rig("mqtt-5" if kind == "shaker" else "serial", extra={kind: "speed = 0.001"})
    recorded = await play(rig, 1)
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
    assert again.deviations == []
    told = [[(*rest, LOOKED.sub("", str(detail))) for *rest, detail in found(each)] for each in (finished, recorded)]
    assert told[0] == told[1]


@pytest.mark.parametrize("wire", ["serial", "modbus-rtu", "modbus-tcp", "mqtt-5"])
@pytest.mark.parametrize("what", ["silent", "garbage"])
async def test_a_device_that_fell_silent_or_talked_rubbish_does_so_again(make_rig, play, play_again, wire, what):
    rig = make_rig(wire, extra={"shoe": f'faults = [{{ what = "{what}", at = 20, times = 9 }}]'}, deadline=0.3)
    recorded = await play(rig, 2)
    assert (recorded.verdict["verdict"], recorded.verdict["ended"]) == ("inconclusive", "wire")
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
    assert finished.verdict["ended"] == "wire"
    assert found(finished) == found(recorded)


@pytest.mark.parametrize("at", [19, 20], ids=["command", "look"])
@pytest.mark.parametrize(("wire", "tries"), [("modbus-tcp", 3), ("mqtt-5", 2)])
async def test_a_device_that_was_heard_again_on_a_new_connection_is_so_again(
    make_rig, play, play_again, wire, tries, at
):
    silent = f'faults = [{{ what = "silent", at = {at}, times = {tries} }}]'
    rig = make_rig(wire, extra={"shoe": silent}, deadline=0.3)
    recorded = await play(rig, 1)
    assert recorded.verdict["verdict"] == "no failure seen"
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
        assert again.deviations == []
    assert found(finished) == found(recorded)


async def test_an_answer_that_came_only_after_a_repetition_does_so_again(make_rig, play, play_again):
    rig = make_rig("serial", extra={"shoe": 'faults = [{ what = "silent", at = 20 }]'}, deadline=0.3)
    recorded = await play(rig, 1)
    assert recorded.verdict["verdict"] == "no failure seen"
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
        assert again.deviations == []
    assert found(finished) == found(recorded)
    silent = [_tries(run_.folder, "shoe") for run_ in (recorded, finished)]
    assert silent[0] == silent[1]


async def test_a_line_that_was_lost_is_lost_again(make_rig, play, play_again):
    rig = make_rig("modbus-tcp", extra={"shoe": 'faults = [{ what = "line_drop", at = 20, times = 9 }]'})
    rig = _without_reconnect(rig)
    recorded = await play(rig, 1)
    assert recorded.verdict["ended"] == "wire"
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
    assert found(finished) == found(recorded)


async def test_another_session_leaves_the_recording_and_that_is_reported(make_rig, play, play_again):
    rig = make_rig("serial", start=("dice",))
    recorded = await play(rig, 1)
    said: list[str] = []
    other = replace(rig, game=replace(rig.game, start=("rng",)))
    async with replayed(recorded.folder, other, report=said.append) as again:
        await play_again(again)
    assert said == again.deviations
    assert said[0] == "rng: the driver left the recording at request 2: recorded nothing more, asked select"


async def test_byte_for_byte_a_serial_line_needs_no_codec(make_rig, play, play_again):
    rig = make_rig("serial")
    recorded = await play(rig, 1)
    async with replayed(recorded.folder, rig, raw=True, speed=0) as again:
        finished = await play_again(again)
    assert again.deviations == []
    assert found(finished) == found(recorded)


async def test_a_rig_that_does_not_fit_the_recording_is_refused(make_rig, play):
    recorded = await play(make_rig("serial"), 1)
    with pytest.raises(RigError, match=r"test\.toml: devices\.rng: \S+ has a rng on serial"):
        async with replayed(recorded.folder, make_rig("modbus-tcp")):
            raise AssertionError("it was served")


async def test_the_firmware_is_compared_again_but_cannot_be_challenged_again(make_rig, play, play_again, tmp_path):
    image = tmp_path / "shoe.bin"
    image.write_bytes(b"the shoe's firmware")
    rig = make_rig("serial", extra={"shoe": f'identity = {{ image = "{image}" }}'})
    shoe = replace(rig.devices["shoe"], identity=replace(rig.devices["shoe"].identity, image=str(image)))
    rig = replace(rig, devices={**rig.devices, "shoe": shoe})
    recorded = await play(rig, 1)
    async with replayed(recorded.folder, rig) as again:
        finished = await play_again(again)
    assert again.deviations == []
    verdicts = [{(f.device, f.check, f.verdict) for f in each.findings} for each in (recorded, finished)]
    challenge = ("shoe", "proves its firmware with a salted challenge")
    assert verdicts[0] ^ verdicts[1] == {(*challenge, Verdict.PASS), (*challenge, Verdict.NOT_TESTED)}
    submitted = [recording.load(each.folder).devices["shoe"].digest for each in (recorded, finished)]
    assert submitted == [hashlib.sha256(image.read_bytes()).hexdigest()] * 2


async def test_a_device_that_talked_by_a_profile_is_served_byte_for_byte(make_rig, play):
    recorded = await play(make_rig("serial"), 1)
    devices = recording.load(recorded.folder).devices
    spoken = replace(devices["rng"], profile="acme")
    async with ReplayedRig([spoken], print, speed=0) as served:
        heard = asyncio.Queue[bytes]()
        line = await open_line(served.endpoints["rng"].where, 115200, heard.put_nowait, print)
        line.write(spoken.chunks[0].data)
        answer = b""
        async with asyncio.timeout(5):
            while len(answer) < len(spoken.chunks[1].data):
                answer += await heard.get()
        line.close()
    assert answer.startswith(spoken.chunks[1].data)


def _left_the_broker(folder: Path, device: str) -> bool:
    """Whether its will was published."""
    return any(b'"online":false' in chunk.data for chunk in recording.load(folder).devices[device].chunks)


def _tries(folder: Path, device: str) -> list[str]:
    chunks = recording.load(folder).devices[device].chunks
    return ["→" if chunk.outgoing else "←" for chunk in chunks if chunk.data]


def _without_reconnect(rig: Rig) -> Rig:
    return replace(rig, devices={name: replace(device, reconnect=0.0) for name, device in rig.devices.items()})
