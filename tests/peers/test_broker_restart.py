"""A real broker that dies in mid-run and comes back: the run goes on, loses no event and runs no command twice."""

import asyncio
import sys

import pytest
import rigs
import wire_faults
from rigs import rig_text

from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.table.runner import Runner, run_record
from feltrig.harness.wires.connecting import wire

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
ROUNDS = 4
KILLS = 2


def make_rig(broker, version, reconnect):
    wire = f'wire = "mqtt"\nmqtt = "{version}"\nreconnect = {reconnect}'
    return rigs.make_rig(rig_text(wire=wire, more=f"[broker]\nport = {broker.port}"), "restarted.toml")


async def played(rig, broker, folder, come_back):
    """What the journal and the machines have of a run in which the broker is killed after each of the first rounds, and
    how often it was."""
    path, truth, due, kills = folder / "journal.jsonl", {}, asyncio.Queue(), 0

    async def kill():
        nonlocal kills
        for _ in range(KILLS if come_back else 1):
            await due.get()
            await broker.kill()
            kills += 1
            if come_back:
                await broker.start()

    with Journal(path) as journal:
        journal.append(run_record(rig, "test", 3, ROUNDS))
        killing = asyncio.create_task(kill())
        async with wire(rig, journal, 3, wire_faults.nobody) as wired:
            try:
                await Runner(rig, wired, journal, 3, due.put_nowait).play(ROUNDS)
            finally:
                truth |= {name: m.board.events(0, sys.maxsize) for name, m in wired.emulated.machines.items()}
        killing.cancel()
        await asyncio.wait((killing,))
    return Evidence(journals.read(path).records), truth, kills


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_run_goes_on_when_mosquitto_is_killed_and_started_again(killable_mosquitto, tmp_path, version):
    evidence, truth, kills = await played(
        make_rig(killable_mosquitto, version, 30), killable_mosquitto, tmp_path, come_back=True
    )
    assert list(wire_faults.judge(evidence, truth)) == []
    assert judge(evidence).verdict["verdict"] == "no failure seen"
    assert kills == KILLS
    assert any(record.kind == "recovered" for record in evidence.every)


async def test_a_run_ends_inconclusive_when_mosquitto_stays_away(killable_mosquitto, tmp_path):
    evidence, truth, kills = await played(
        make_rig(killable_mosquitto, "5", 0.3), killable_mosquitto, tmp_path, come_back=False
    )
    assert list(wire_faults.judge(evidence, truth)) == []
    assert judge(evidence).verdict["verdict"] == "inconclusive"
    assert kills == 1
