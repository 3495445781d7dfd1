"""Full rounds behind noisy wires, a few of each sort on each wire: the benchmark `wire_faults.py` does thousands."""

import asyncio

import pytest
import wire_faults
from rigs import RNG_ONLY, make_rig, rig_text

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import NoiseBegun, NoiseEnded, Recovered
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.run import run
from feltrig.protocols.messages import Event


@pytest.mark.parametrize("case", wire_faults.CASES, ids=str)
async def test_a_run_behind_noise_ends_as_it_should(tmp_path, case):
    report = await wire_faults.play(case, 5, tmp_path, deadline=0.9, strength=0.25)
    assert report.wrong == []
    if case.shows:
        assert report.verdict == "certified", report.trouble
    # each device's wire is struck; but a stream that was spoilt may end the run at once
    assert report.struck[case.what] >= (5 if case.shows else 1)


@pytest.mark.parametrize("wire", wire_faults.WIRES)
@pytest.mark.parametrize("what", ["delay", "disconnect"])
async def test_a_machine_that_jams_behind_noise_is_never_certified(tmp_path, wire, what):
    report = await wire_faults.play(wire_faults.Case(wire, what, jams=True), 5, tmp_path)
    assert report.wrong == []
    assert report.verdict in ("refused", "inconclusive")


def test_what_is_compared_finds_a_lost_event_and_a_doubled_command():
    """The judge of the runs can fail: without this its silence would say nothing."""

    def evidence(*numbers):
        events = [{"device": "rng", "number": n, "event": "selected", "values": {}} for n in numbers]
        call = ("call", {"device": "rng", "command": "select", "values": {}})
        reply = ("reply", {"device": "rng", "command": "select", "error": "ok", "values": {}})
        rows = [*([call, reply] * 3), *(("event", data) for data in events)]
        return Evidence([Record(n, "", 0.0, from_plain(kind, data)) for n, (kind, data) in enumerate(rows, 1)])

    def happened(*numbers):
        return {"rng": [Event(n, "selected") for n in numbers]}

    assert list(wire_faults.judge(evidence(1, 2, 3), happened(1, 2, 3))) == []
    assert list(wire_faults.judge(evidence(1, 3), happened(1, 2, 3))) == ["rng: event 3 follows 1 in the journal"]
    assert "ran 4 times" in next(wire_faults.judge(evidence(1, 2, 3), happened(1, 2, 3, 4)))
    assert "ran 2 times" in next(wire_faults.judge(evidence(1, 2), happened(1, 2)))


def noisy(rng, wire='wire = "serial"', broker=""):
    """A rig whose generator has these keys beside its wire."""
    kinds = ("reader", "rng")
    text = rig_text({"rng": f"{wire}\n{rng}"}, {"rng": None}, kinds=kinds, wire=wire, game=RNG_ONLY, more=broker)
    return make_rig(text, "rig.toml")


def read(finished):
    return Evidence(journals.read(finished.folder / "journal.jsonl").records)


async def test_a_device_that_is_not_emulated_is_certified_behind_a_line_that_comes_and_goes(play):
    station = SerialStation(rng(Setup("rng", 1)))
    away, babble = (
        '{ what = "disconnect", at = 8, seconds = 0.05 }',
        '{ what = "garbage", probability = 0.2, times = 0 }',
    )
    device = f'port = "{await station.start()}"\nnoise = [{away}, {babble}]'
    try:
        finished = await play(noisy(device), 3)
    finally:
        await station.stop()
    assert finished.verdict["verdict"] == "certified"
    assert not finished.verdict["devices"]["rng"]["emulated"]
    answers = next(f for f in finished.findings if f.device == "rng" and f.check == "answers on its wire")
    assert answers.detail.endswith("line lost and recovered once")
    (noise,), (struck,) = read(finished).of(NoiseBegun), read(finished).of(NoiseEnded)
    assert [d["what"] for d in noise.data["disturbances"]] == ["disconnect", "garbage"]
    assert noise.data["unseen"] is False
    assert struck.data["times"]["disconnect"] == 1
    assert struck.data["times"]["garbage"] > 0


@pytest.mark.parametrize("wire", ['wire = "serial"', 'wire = "modbus-tcp"', 'wire = "mqtt"'])
async def test_a_cable_that_is_pulled_ends_the_run_inconclusive(play, wire):
    noise = 'reconnect = 0.1\nnoise = [{ what = "disconnect", at = 20 }]\n[devices.rng.emulator]'
    finished = await play(noisy(noise, wire), 3)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")
    answers = next(f for f in finished.findings if f.device == "rng" and f.check == "answers on its wire")
    assert answers.verdict.value == "not tested"


@pytest.mark.parametrize("what", ["half_open", "disconnect"])
async def test_a_line_that_is_dead_from_the_first_byte_ends_the_run_inconclusive(play, what):
    noise = f'reconnect = 0.1\ndeadline = 0.1\nnoise = [{{ what = "{what}" }}]\n[devices.rng.emulator]'
    finished = await play(noisy(noise), 1)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_broker_that_is_restarted_holds_up_the_run_but_does_not_end_it(tmp_path, version):
    """Drivers and devices lose it at once, and what it had retained is gone."""
    broker = Broker("127.0.0.1")
    port = await broker.start()
    wire = f'wire = "mqtt"\nmqtt = "{version}"\nreconnect = 10'
    rig = noisy("[devices.rng.emulator]", wire, f"[broker]\nport = {port}")
    due = asyncio.Queue()

    async def restart():
        nonlocal broker
        for _ in range(2):
            await due.get()
            await broker.stop()
            broker = Broker("127.0.0.1", port)
            await broker.start()

    restarting = asyncio.create_task(restart())
    try:
        finished = await run(rig, 4, 3, tmp_path, due.put_nowait, wire_faults.nobody)
        await restarting
    finally:
        await broker.stop()
    assert finished.verdict["verdict"] == "certified"
    assert len(list(read(finished).of(Recovered))) >= 2
