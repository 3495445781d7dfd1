"""Full rounds behind noisy wires, a few of each sort on each wire: the benchmark `wire_faults.py` does thousands."""

import asyncio

import pytest
import wire_faults
from rigs import RNG_ONLY, make_rig, rig_text
from robot import laboratory

from feltrig.emulators.broker import Broker
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import NoiseBegun, NoiseEnded, Recovered
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.run import run
from feltrig.protocols.messages import Event

DEADLINE = 0.45
"""Seconds of all tries of a question. Each strike of noise can cost one of them."""


@pytest.mark.parametrize("case", wire_faults.CASES, ids=str)
async def test_a_run_behind_noise_ends_as_it_should(tmp_path, case):
    deadline = DEADLINE if case.shows else DEADLINE / 3  # without proof there is no need for patience either
    report = await wire_faults.play(case, 5, tmp_path, deadline, strength=0.1)
    assert report.wrong == []
    if case.shows:
        assert report.verdict == "no failure seen", report.trouble
    # each device's wire is struck; but a stream that was spoilt may end the run at once
    assert report.struck[case.what] >= (5 if case.shows else 1)


@pytest.mark.parametrize("wire", wire_faults.WIRES)
@pytest.mark.parametrize("what", ["delay", "disconnect"])
async def test_noise_never_hides_that_a_machine_jams(tmp_path, wire, what):
    report = await wire_faults.play(wire_faults.Case(wire, what, jams=True), 5, tmp_path, DEADLINE, strength=0.25)
    assert report.wrong == []
    assert report.verdict in ("refused", "inconclusive")


def journal(*rows):
    return Evidence([Record(n, "", 0.0, from_plain(kind, data)) for n, (kind, data) in enumerate(rows, 1)])


def call(command="select"):
    return "call", {"device": "rng", "command": command, "values": {}}


def reply(command="select", error="ok"):
    return "reply", {"device": "rng", "command": command, "error": error, "values": {}}


def event(number, name="selected"):
    return "event", {"device": "rng", "number": number, "event": name, "values": {}}


def happened(*names):
    return {"rng": [Event(number, name) for number, name in enumerate(names, 1)]}


STARTED, SELECTED = ("started", "started"), ("started", "selected", "selected")
ONCE = (call(), reply(), event(2))
CUT = (call(), reply(), event(2, "started"))

JUDGED = {
    "all is well": ((*ONCE, call(), reply(), event(3)), SELECTED, ()),
    "the journal ends before the machine does": ((*ONCE, call(), reply()), SELECTED, ()),
    "a command that nobody confirmed need not run": ((*ONCE, call()), SELECTED[:2], ()),
    "a fault ends a selection": (
        (call(), reply(), event(2, "faulted"), call("reset"), reply("reset")),
        ("started", "faulted", "cleared"),
        (),
    ),
    "a power cut ends a selection": ((*CUT, call()), (*STARTED, "selected"), ()),
    "an event is lost": (
        (*ONCE, event(4, "faulted")),
        (*SELECTED[:2], "faulted", "faulted"),
        ("event 4 follows 2 in the journal",),
    ),
    "a command is lost": (
        (*ONCE, call(), reply()),
        SELECTED[:2],
        ("select ran 0 times after command 2, select, answered ok",),
    ),
    "a command runs twice": (
        (call(), event(2)),
        SELECTED,
        ("select ran 2 times after command 1, select, answered None",),
    ),
    "a command runs by itself": (
        (event(1, "started"), event(2)),
        SELECTED[:2],
        ("select ran 1 times after the start",),
    ),
    "a refused command runs": (
        (call(), reply(error="busy")),
        SELECTED[:2],
        ("select ran 1 times after command 1, select, answered busy",),
    ),
    "a command of before a power cut runs after it": (
        (*CUT, call("reset"), reply("reset"), event(3, "cleared")),
        (*STARTED, "cleared", "selected"),
        ("select ran 1 times after command 2, reset, answered ok",),
    ),
}
"""A journal, the events of the machine, and what is wrong then."""


@pytest.mark.parametrize(("rows", "names", "wrong"), JUDGED.values(), ids=JUDGED)
def test_what_is_compared_finds_lost_events_and_commands_that_do_not_run_once(rows, names, wrong):
    """The judge of the runs can fail: without this its silence would say nothing."""
    assert list(wire_faults.judge(journal(*rows), happened(*names))) == [f"rng: {each}" for each in wrong]


def noisy(rng, wire='wire = "serial"', broker=""):
    """A rig whose generator has these keys beside its wire."""
    kinds = ("reader", "rng")
    text = rig_text({"rng": f"{wire}\n{rng}"}, kinds=kinds, wire=wire, game=RNG_ONLY, more=broker)
    return make_rig(text, "rig.toml")


def read(finished):
    return Evidence(journals.read(finished.folder / "journal.jsonl").records)


async def played_by_a_robot(rig, rounds, folder):
    """A run with devices that are real as far as the rig knows."""
    async with laboratory(rig) as (real, robot):
        return await run(real, rounds, 3, folder, lambda _: None, robot)


REAL = [case for case in wire_faults.CASES if case.wire in ("serial", "modbus-rtu", "modbus-tcp")]


@pytest.mark.parametrize("case", REAL, ids=str)
async def test_a_real_device_is_never_refused_for_noise_on_its_wire(tmp_path, case):
    """Its power is cut too, and nobody but the device itself can tell the rig of that."""
    chance, seconds = wire_faults.STRENGTH[case.what]
    strikes = f'what = "{case.what}", seconds = {seconds}'
    noise = f"[{{ {strikes}, at = 5 }}, {{ {strikes}, at = 9, probability = {2 * chance}, times = 0 }}]"
    rig = noisy(f"deadline = {DEADLINE}\npatience = 2\nnoise = {noise}", wire_faults.WIRES[case.wire])
    finished = await played_by_a_robot(rig, 2, tmp_path)
    assert finished.verdict["verdict"] in case.allowed
    (struck,) = read(finished).of(NoiseEnded)
    assert struck.data["times"][case.what] > 0


async def test_no_failure_is_seen_of_a_real_device_behind_a_line_that_comes_and_goes(tmp_path):
    away, babble = (
        '{ what = "disconnect", at = 8, seconds = 0.05 }',
        '{ what = "garbage", probability = 0.2, times = 0 }',
    )
    finished = await played_by_a_robot(noisy(f"deadline = 0.9\nnoise = [{away}, {babble}]"), 3, tmp_path)
    assert finished.verdict["verdict"] == "no failure seen"
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
    noise = 'reconnect = 0.1\nnoise = [{ what = "disconnect", at = 20 }]'
    finished = await play(noisy(noise, wire), 3)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")
    answers = next(f for f in finished.findings if f.device == "rng" and f.check == "answers on its wire")
    assert answers.verdict.value == "not tested"


@pytest.mark.parametrize("what", ["half_open", "disconnect"])
async def test_a_line_that_is_dead_from_the_first_byte_ends_the_run_inconclusive(play, what):
    noise = f'reconnect = 0.1\ndeadline = 0.1\nnoise = [{{ what = "{what}" }}]'
    finished = await play(noisy(noise), 1)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "wire")


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_broker_that_is_restarted_holds_up_the_run_but_does_not_end_it(tmp_path, version):
    """Drivers and devices lose it at once, and what it had retained is gone."""
    broker = Broker("127.0.0.1")
    port = await broker.start()
    wire = f'wire = "mqtt"\nmqtt = "{version}"\nreconnect = 10'
    rig = noisy("", wire, f"[broker]\nport = {port}")
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
    assert finished.verdict["verdict"] == "no failure seen"
    assert len(list(read(finished).of(Recovered))) >= 2
