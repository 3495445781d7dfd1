"""Devices that fall silent, drop their line or send noise: the run ends in time, says so, and leaves nothing behind."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from feltrig.harness.journal import reader as journals
from feltrig.harness.rig.model import Rig

WIRES = ("serial", "modbus-rtu", "modbus-tcp", "mqtt-3.1.1", "mqtt-5")
NAMED = {"silent": "no answer", "garbage": "garbage", "line_drop": "line lost"}
"""What the journal calls the failure that follows from each fault."""

DEADLINE = 0.2
GUARD = 30.0
"""Seconds after which a run that should have ended counts as hanging."""

IN_MID_ROUND = {"rng": 4, "shaker": 5, "shuffler": 5, "shoe": 9, "reader": 40}
"""An answer of each kind of device that falls into the first rounds."""
MORE_TO_OPEN = {"modbus-rtu": 6}
"""Answers that a wire takes more than the others before a device has said who it is."""


@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize("kind", IN_MID_ROUND)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_device_that_fails_in_mid_round_leaves_the_run_inconclusive(make_rig, play, wire, kind, what):
    at = IN_MID_ROUND[kind] + MORE_TO_OPEN.get(wire, 0)
    rig = make_rig(wire, start=("rng", "dice"), extra={kind: _faults(what, at, times=0)})
    finished = await _guarded(play, _hurried(rig, kind), 2)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")
    expected = "not under test" if kind == "reader" else "inconclusive"
    assert finished.verdict["devices"][kind]["verdict"] == expected
    _assert_said(finished, kind, what)


@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize(
    ("wire", "kind"), list(zip(WIRES, ("reader", "rng", "shaker", "shuffler", "shoe"), strict=True))
)
async def test_a_device_that_never_says_who_it_is_leaves_the_run_inconclusive(make_rig, play, wire, kind, what):
    rig = make_rig(wire, extra={kind: _faults(what, 1, times=0)})
    finished = await _guarded(play, _hurried(rig, kind), 2)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")
    assert finished.verdict["rounds"]["played"] == 0
    _assert_said(finished, kind, what)


@pytest.mark.parametrize("what", ["silent", "garbage"])
@pytest.mark.parametrize(
    ("wire", "kind"), list(zip(WIRES, ("shuffler", "shoe", "reader", "rng", "shaker"), strict=True))
)
async def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_done_twice(make_rig, play, wire, kind, what):
    every_first_try = range(3, 33, 2)  # each lost answer is followed by the one to the second try
    rig = make_rig(wire, start=("rng", "dice"), extra={kind: _faults(what, *every_first_try)})
    struck = await _guarded(play, _hurried(rig, kind), 2)
    spared = await _guarded(play, make_rig(wire, start=("rng", "dice")), 2)
    assert struck.verdict["verdict"] == spared.verdict["verdict"] == "no failure seen"
    assert _sent(struck, kind) > _sent(spared, kind)
    assert _events(struck) == _events(spared)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_silent_device_that_has_a_fault_of_its_own_stays_refused(make_rig, play, wire):
    shoe = 'faults = [{ what = "short_stack" }, { what = "silent", at = 25, times = 0 }]'
    finished = await _guarded(play, _hurried(make_rig(wire, extra={"shoe": shoe}), "shoe"), 3)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("refused", "wire")
    _assert_said(finished, "shoe", "silent")


def _faults(what: str, *at: int, times: int = 1) -> str:
    rows = ", ".join(f'{{ what = "{what}", at = {number}, times = {times} }}' for number in at)
    return f"faults = [{rows}]"


def _hurried(rig: Rig, *kinds: str) -> Rig:
    """The rig with little patience for the devices that will fail, and only for them. A line that is gone stays gone:
    another emulator may get the same terminal, and must not be taken for the device."""
    devices = {
        name: replace(d, deadline=DEADLINE, reconnect=0.0) if d.kind in kinds else d for name, d in rig.devices.items()
    }
    return replace(rig, devices=MappingProxyType(devices))


async def _guarded(play: Any, rig: Rig, rounds: int) -> Any:
    """The run, which must end by itself, with every task ended and every line closed, and with a whole journal."""
    before = set(_open_lines())
    async with asyncio.timeout(GUARD):
        finished = await play(rig, rounds)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert set(_open_lines()) == before
    whole = journals.read(finished.folder / "journal.jsonl")
    assert whole.torn is None
    assert [r.kind for r in whole.records if r.kind != "wire"][-1] == "end"  # a farewell to a broker may follow
    assert finished.verdict["journal"] == {"records": whole.records[-1].seq, "hash": whole.records[-1].hash}
    return finished


def _open_lines() -> Iterator[str]:
    """The terminals and sockets that this process has open."""
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            target = str(descriptor.readlink())
        except FileNotFoundError:  # the folder's own descriptor, closed by now
            continue
        if target.startswith(("/dev/pts/", "/dev/ptmx", "socket:")):
            yield target


def _assert_said(finished: Any, device: str, what: str) -> None:
    records = journals.read(finished.folder / "journal.jsonl").records
    (finding,) = (f for f in finished.findings if f.device == device and f.check == "answers on its wire")
    assert finding.verdict.value == "not tested"
    assert finding.detail
    kinds = {r.seq: (r.kind, r.data["what"]) for r in records if r.kind == "trouble"}
    assert [kinds[number] for number in finding.evidence] == [("trouble", NAMED[what])]


def _sent(finished: Any, device: str) -> int:
    records = journals.read(finished.folder / "journal.jsonl").records
    return sum(r.kind == "wire" and r.data["device"] == device and r.data["outgoing"] for r in records)


def _events(finished: Any) -> list[tuple[Any, ...]]:
    events = (r.data for r in journals.read(finished.folder / "journal.jsonl").records if r.kind == "event")
    return sorted((e["device"], e["number"], e["event"], str(e["values"])) for e in events)
