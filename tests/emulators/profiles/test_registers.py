"""Emulators of Modbus profiles, with and without a ring, and what the driver's end makes of their registers."""

import asyncio

import pytest
from pyModbusTCP.client import ModbusClient

from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.profiles.puppet import Puppet
from feltrig.emulators.profiles.registers import on_registers
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.harness.wires.profile_check import WRONG, check_profile
from feltrig.protocols.errors import Garbage, NoAnswer
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.messages import Event, Request
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.register_channel import rtu_channel, tcp_channel
from feltrig.protocols.vocabulary import Error, State

RING = """
feltrig_profile = 1
name = "ring"
title = "events in a ring"
about = "made up"
kind = "shaker"
wire = "modbus"

[tables.events]
1 = "started"
2 = "faulted"
3 = "cleared"
16 = "shaken"
17 = "uncovered"
18 = "covered"
19 = "rolled"

[tables.results]
0 = "ok"
1 = "unknown_command"
2 = "bad_argument"
3 = "wrong_state"
4 = "empty"
5 = "malformed"
99 = "pending"

[modbus.fields]
"status.state" = { holding = 0 }
"status.fault" = { holding = 1 }

[modbus.ring]
latest = { holding = 2, type = "u32", low_first = true }
start = { holding = 16 }
slots = 4
size = 9
number = { at = 0 }
event = { at = 1, table = "events" }

[modbus.ring.values]
"faulted.fault" = { at = 2 }
"shaken.times" = { at = 2 }
"uncovered.commanded" = { at = 2 }
"rolled.dice" = { at = 3, many = 3, length = { at = 2 } }
"rolled.flat" = { at = 6, many = 3, length = { at = 2 } }

[commands.shake]
write = [{ holding = 5, value = "{times}" }, { holding = 4, value = 1 }]
result = { holding = 6, table = "results" }

[commands.cover]
write = [{ holding = 4, value = 2 }]
result = { holding = 6, table = "results" }
"""


def ring():
    return profilefile.loads(RING.encode(), "ring.toml")


@pytest.fixture
async def connect():
    opened = []

    async def make(profile, machine, misbehave=None):
        station = ModbusTcpStation(on_registers(profile, machine), misbehave=misbehave)
        host, _, port = (await station.start()).rpartition(":")
        channel = tcp_channel(profile, host, int(port), deadline=0.3)
        await channel.open()
        opened.append((station, channel))
        return channel, int(port)

    yield make
    for station, channel in opened:
        await channel.close()
        await station.stop()


async def test_a_foreign_master_shakes_the_dice(connect):
    """pyModbusTCP against the registers of the PLC shaker as its description has them."""
    _, port = await connect(profilefile.builtin("plc-shaker"), shaker(Setup("shaker", 1)))
    client = ModbusClient("127.0.0.1", port, unit_id=1, auto_open=True, timeout=5)

    def play():
        assert client.read_input_registers(0, 5) == [0, 0, 0, 0, 0]
        assert client.read_discrete_inputs(0, 2) == [True, False]
        assert client.write_single_register(0, 3)
        assert client.write_single_coil(0, True)
        assert client.read_coils(0, 4) == [False] * 4  # the controller takes it back
        assert client.read_input_registers(0, 4) == [2, 0, 1, 3]
        assert client.write_single_coil(1, True)
        state, _, shaken, _, rolled, many, *dice = client.read_input_registers(0, 9)
        assert (state, shaken, rolled, many) == (2, 1, 1, 3)
        assert all(1 <= die <= 6 for die in dice)
        assert client.read_discrete_inputs(0, 5) == [False, True, True, True, True]
        assert client.write_single_coil(0, True)
        assert client.read_input_registers(9, 1) == [3]  # the lid is off: wrong state
        assert client.read_input_registers(10, 1) is None
        assert client.write_single_register(1, 1) is False
        client.close()

    await asyncio.to_thread(play)


async def test_a_ring_carries_all_that_it_claims():
    rows = await check_profile(ring())
    assert [row for row in rows if row.outcome == WRONG] == []
    assert {row.what: row.outcome for row in rows}["event numbers"] == "carried"


async def test_events_of_a_ring_have_the_devices_own_numbers_and_overrun_leaves_a_gap(connect):
    puppet = Puppet(SHAKER)
    channel, _ = await connect(ring(), puppet)
    assert (await channel.request(Request("status"))).values["latest"] == 1
    for times in range(1, 4):
        puppet.emit("shaken", {"times": times})
    assert [(e.number, e.values["times"]) for e in (await channel.events(1)).events] == [(2, 1), (3, 2), (4, 3)]
    for times in range(6):
        puppet.emit("shaken", {"times": times})
    assert [(e.number, e.values["times"]) for e in (await channel.events(4)).events] == [
        (7, 2),
        (8, 3),
        (9, 4),
        (10, 5),
    ]


async def test_a_number_of_a_ring_that_starts_over_at_the_size_of_its_register_goes_on(connect):
    puppet = Puppet(SHAKER)
    puppet.held = [Event(number, "covered") for number in range(1, 65535)]
    small = RING.replace('type = "u32", low_first = true', 'type = "u16"')
    channel, _ = await connect(profilefile.loads(small.encode(), "ring.toml"), puppet)
    assert (await channel.request(Request("status"))).values["latest"] == 65534
    for times in range(1, 7):
        puppet.emit("shaken", {"times": times})
        (event,) = (await channel.events(65533 + times)).events
        assert (event.number, event.name, event.values) == (65534 + times, "shaken", {"times": times})
    del puppet.held[65538:]
    assert (await channel.events(65540)).events[0].name == "started"


@pytest.mark.parametrize("told", [("started",), ("started", "covered"), ("covered",), ()])
async def test_a_device_that_began_anew_is_numbered_on_and_told_of_once(connect, told):
    puppet = Puppet(SHAKER)
    for _ in range(4):
        puppet.emit("covered", {})
    channel, _ = await connect(ring(), puppet)
    await channel.request(Request("status"))
    puppet.held.clear()
    for name in told:
        puppet.emit(name, {})
    await channel.request(Request("status"))
    puppet.emit("covered", {})
    events = (await channel.events(5)).events
    others = [name for name in told if name != "started"]
    assert [e.name for e in events] == ["started", *others, "covered"]
    assert [e.number for e in events] == list(range(6, 6 + len(events)))


async def test_a_result_that_is_pending_is_waited_for_and_one_that_stays_so_is_no_answer(connect):
    pending = [2]

    def late(answer: bytes) -> bytes:
        # the answer to the read of the result alone
        if answer[7:9] == b"\x03\x02" and pending[0]:
            pending[0] -= 1
            return answer[:9] + b"\x00\x63"
        return answer

    channel, _ = await connect(ring(), Puppet(SHAKER), late)
    assert (await channel.request(Request("cover"))).error is Error.OK
    assert pending == [0]
    pending[0] = 1000
    with pytest.raises(NoAnswer, match="no result within"):
        await channel.request(Request("cover", token=1))


async def test_a_write_is_sent_once_even_into_silence(connect):
    frames = []

    def swallow(answer: bytes) -> bytes | None:
        frames.append(answer)
        return None if answer[7] == 5 else answer

    puppet = Puppet(SHAKER)
    channel, _ = await connect(profilefile.builtin("plc-shaker"), puppet, swallow)
    request = Request("cover", token=4)
    with pytest.raises(NoAnswer, match="no answer to one try"):
        await channel.request(request)
    assert puppet.told == [("cover", {})]
    with pytest.raises(NoAnswer, match="might run twice"):
        await channel.request(request)
    assert puppet.told == [("cover", {})]


async def test_codes_that_mean_nothing_are_garbage(connect):
    profile = profilefile.builtin("plc-shaker")

    def spoil(answer: bytes) -> bytes:
        # the answer to the read of input registers from 0 on: its first is the state
        return answer[:9] + b"\x00\x77" + answer[11:] if answer[7] == 4 else answer

    channel, _ = await connect(profile, Puppet(SHAKER), spoil)
    with pytest.raises(Garbage, match=r"status\.state: its value means nothing in the profile"):
        await channel.events(0)


async def test_an_exception_response_is_garbage(connect):
    profile = profilefile.builtin("plc-shaker")
    channel, _ = await connect(profile, Puppet(SHAKER), lambda answer: answer[:5] + b"\x03" + answer[6:7] + b"\x84\x04")
    with pytest.raises(Garbage, match="Modbus exception 4 to function 4"):
        await channel.events(0)


async def test_on_a_line_without_numbers_a_question_that_was_repeated_is_followed_by_a_pause():
    """The first answer is late: on RTU nothing would tell it from the answer to the next question."""
    answers = []

    def lose_the_first(answer: bytes) -> bytes | None:
        answers.append(answer)
        return None if len(answers) == 1 else answer

    profile = profilefile.builtin("plc-shaker")
    puppet = Puppet(SHAKER)
    station = ModbusRtuStation(on_registers(profile, puppet), misbehave=lose_the_first)
    channel = rtu_channel(profile, await station.start(), deadline=0.15)
    await channel.open()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        assert (await channel.events(0)).status.state is State.IDLE
        assert loop.time() - begun >= 0.15
        assert (await channel.request(Request("cover"))).error is Error.OK
    finally:
        await channel.close()
        await station.stop()


async def test_on_a_line_without_numbers_a_question_that_was_given_up_is_followed_by_a_pause():
    """Its answer may still come."""
    asked = asyncio.Event()

    def lose(answer: bytes) -> bytes | None:
        lost = not asked.is_set()
        asked.set()
        return None if lost else answer

    profile = profilefile.builtin("plc-shaker")
    station = ModbusRtuStation(on_registers(profile, Puppet(SHAKER)), misbehave=lose)
    channel = rtu_channel(profile, await station.start(), deadline=0.6)
    await channel.open()
    loop = asyncio.get_running_loop()
    try:
        given_up = asyncio.create_task(channel.events(0))
        await asked.wait()
        begun = loop.time()
        given_up.cancel()
        assert (await channel.events(0)).status.state is State.IDLE
        assert loop.time() - begun >= 0.6
    finally:
        await channel.close()
        await station.stop()
