"""A run from its folder to its verdict: whatever happens, what was seen is on record and judged, or nothing is left."""

import asyncio
import json
from dataclasses import replace
from types import MappingProxyType

import pytest
from rigs import nobody

from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.errors import RigError
from feltrig.harness.journal import reader as journals
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run

EMBEDDED = rigfile.embedded()


def with_device(name, **changes):
    changed = replace(EMBEDDED.devices[name], **changes)
    return replace(EMBEDDED, devices=MappingProxyType({**EMBEDDED.devices, name: changed}))


async def run_it(rig, out, on_progress=lambda _: None):
    return await run(rig, 2, 1, out, on_progress, nobody, drills=False)


def test_the_seed_given_goes_before_the_files_and_without_both_one_is_drawn():
    assert EMBEDDED.choose_seed(7) == 7
    assert EMBEDDED.choose_seed(0) == 0
    assert EMBEDDED.choose_seed(None) == 1
    drawn = {replace(EMBEDDED, seed=None).choose_seed(None) for _ in range(4)}
    assert len(drawn) > 1


async def test_the_verdict_that_is_returned_is_the_one_that_is_written(tmp_path):
    finished = await run_it(EMBEDDED, tmp_path)
    assert json.loads((finished.folder / "verdict.json").read_text()) == finished.verdict
    records = journals.read(finished.folder / "journal.jsonl").records
    assert records[0].kind == "run"
    assert [r.data for r in records if r.kind == "end"] == [{"reason": "finished", "rounds": 2}]
    assert finished.verdict["journal"]["hash"] == records[-1].hash


async def test_a_rig_that_cannot_be_wired_leaves_no_folder(tmp_path):
    wire = replace(EMBEDDED.devices["reader"].wire, port="/dev/no-such-port")
    with pytest.raises(RigError):
        await run_it(with_device("reader", emulator=None, wire=wire), tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_a_device_that_never_says_who_it_is_makes_the_run_inconclusive_and_is_named(tmp_path):
    silent = replace(EMBEDDED.devices["reader"].emulator, faults=(Fault("silent", times=FOR_EVER),))
    finished = await run_it(with_device("reader", emulator=silent, deadline=0.05), tmp_path)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")
    unanswered = [f for f in finished.findings if f.check == "answers on its wire" and f.device == "reader"]
    assert [f.verdict.value for f in unanswered] == ["not tested"]


async def test_a_run_that_is_cancelled_is_judged_by_what_it_has_seen(tmp_path):
    after_the_first = asyncio.Event()
    task = asyncio.create_task(run_it(EMBEDDED, tmp_path, lambda _: after_the_first.set()))
    await after_the_first.wait()
    task.cancel()
    finished = await task
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "interrupted")
    assert finished.verdict["rounds"]["played"] == 1
    assert (finished.folder / "verdict.json").exists()
