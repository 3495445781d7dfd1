"""The driver's end of a serial line, against a scripted device on a pseudo terminal."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, WrongAnswer
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.malformed import NEXT, Envelope
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.serial.frame import Deframer, Frame, encode, sealed, wrapped
from feltrig.protocols.vocabulary import Error, State

SHORT = 0.06
"""A deadline for tests in which it must pass."""
DISPLAY = Request("display")

Script = Callable[[Frame], bytes]


def open_descriptors() -> int:
    """How many this process has."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def shows(number: int, frame: Frame) -> bytes:
    """A right answer to `display`."""
    return encode(frame.address, frame.seq, frame.code | 0x80, bytes((0, number)))


class ScriptedDevice:
    """Answers the frames that it hears by a script that the test may change at any time."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.heard: list[Frame] = []
        self.asked = asyncio.Event()
        self.port = PtyPort(self._received)
        self._deframer = Deframer()

    def _received(self, data: bytes) -> None:
        for frame in self._deframer.receive(data):
            self.heard.append(frame)
            self.asked.set()
            self.port.send(self.script(frame))


@asynccontextmanager
async def talking(script: Script, deadline: float = 5.0) -> AsyncIterator[tuple[SerialChannel, ScriptedDevice]]:
    device = ScriptedDevice(script)
    channel = SerialChannel(RNG, device.port.open(), deadline=deadline)
    await channel.open()
    try:
        yield channel, device
    finally:
        await channel.close()
        device.port.close()


async def test_a_command_and_its_events_cross_the_wire():
    station = SerialStation(rng(Setup("rng", 1)))
    channel = SerialChannel(RNG, await station.start())
    await channel.open()
    try:
        assert (await channel.request(Request("select", token=1))) == Reply()
        batch = await channel.events(0)
        assert batch.status.state is State.READY
        assert [(event.number, event.name) for event in batch.events] == [(1, "started"), (2, "selected")]
        shown = await channel.request(DISPLAY)
        assert shown.values["number"] == batch.events[1].values["number"]
        assert (await channel.events(2)).events == ()
    finally:
        await channel.close()
        await station.stop()


async def test_a_refusal_is_a_reply_and_not_an_exception():
    async with talking(lambda f: encode(f.address, f.seq, f.code | 0x80, b"\x03")) as (channel, _):
        assert await channel.request(DISPLAY) == Reply(Error.WRONG_STATE)


async def test_silence_is_asked_again_with_the_same_token_and_a_new_seq_and_ends_as_no_answer():
    async with talking(lambda _: b"", SHORT) as (channel, device):
        with pytest.raises(NoAnswer, match="no answer to 3 tries"):
            await channel.request(Request("select", token=0x01020304))
        assert {(frame.code, frame.data) for frame in device.heard} == {(0x10, b"\x01\x02\x03\x04")}
        assert len({frame.seq for frame in device.heard}) == len(device.heard) == TRIES


async def test_a_lost_answer_is_repaired_and_the_command_ran_once():
    machine = rng(Setup("rng", 1))
    lose = iter([True])
    station = SerialStation(machine, misbehave=lambda answer: None if next(lose, False) else answer)
    channel = SerialChannel(RNG, await station.start(), deadline=0.3)
    await channel.open()
    try:
        assert await channel.request(Request("select", token=5)) == Reply()
    finally:
        await channel.close()
        await station.stop()
    assert [event.name for event in machine.events(0, 0.0, 9).events] == ["started", "selected"]


async def test_a_late_answer_is_never_taken_for_the_next():
    async with talking(lambda _: b"", SHORT) as (channel, device):
        with pytest.raises(NoAnswer):
            await channel.request(DISPLAY)
        late = b"".join(shows(3, frame) for frame in device.heard)
        device.script = lambda frame: late + shows(5, frame)
        assert (await channel.request(DISPLAY)).values == {"number": 5}


async def test_an_answer_to_an_earlier_try_of_the_same_request_is_taken():
    async with talking(lambda _: b"", 0.3) as (channel, device):
        device.script = lambda frame: b"" if len(device.heard) < 2 else shows(4, device.heard[0])
        assert (await channel.request(DISPLAY)).values == {"number": 4}
        device.script = lambda frame: shows(1, device.heard[1]) + shows(6, frame)
        assert (await channel.request(DISPLAY)).values == {"number": 6}


async def test_seqs_come_round_without_confusion():
    async with talking(lambda frame: shows(frame.seq % 8, frame)) as (channel, device):
        for _ in range(300):
            reply = await channel.request(DISPLAY)
            assert reply.values == {"number": device.heard[-1].seq % 8}


@pytest.mark.parametrize("noise", [b"\x55", b"\x55\xaa\x00", b"\x00\x05\x01\x02\x03\x04\x00", b"\x11" * 700])
async def test_noise_without_an_answer_is_garbage(noise):
    async with talking(lambda _: noise, SHORT) as (channel, _):
        with pytest.raises(Garbage, match="bytes that make no frame"):
            await channel.request(DISPLAY)


async def test_noise_before_an_answer_does_no_harm():
    async with talking(lambda frame: b"\x55\xaa\x07" + shows(2, frame)) as (channel, _):
        assert (await channel.request(DISPLAY)).values == {"number": 2}


async def test_an_answer_to_another_command_is_garbage():
    async with talking(lambda f: encode(f.address, f.seq, 0x90, b"\0"), SHORT) as (channel, _):
        with pytest.raises(Garbage, match="code 0x90"):
            await channel.request(DISPLAY)


async def test_an_answer_from_another_address_is_wrong_where_nobody_else_is_on_the_line():
    async with talking(lambda f: encode(2, f.seq, f.code | 0x80, b"\0\x07"), SHORT) as (channel, _):
        with pytest.raises(WrongAnswer, match="an answer from address 2"):
            await channel.request(DISPLAY)


async def test_an_answer_whose_checksum_alone_is_wrong_is_a_wrong_answer():
    def swapped(frame: Frame) -> bytes:
        plain = sealed(bytes((frame.address, frame.seq, frame.code | 0x80, 0, 7)))
        return wrapped(plain[:-2] + plain[:-3:-1])

    async with talking(swapped, SHORT) as (channel, _):
        with pytest.raises(WrongAnswer, match="with a wrong checksum"):
            await channel.request(DISPLAY)


async def test_noise_in_place_of_an_answer_is_nobodys_failure():
    async with talking(lambda _: b"\0\x55\x55\x55\x55\x55\x55\0", SHORT) as (channel, _):
        with pytest.raises(Garbage) as garbage:
            await channel.request(DISPLAY)
    assert not isinstance(garbage.value, WrongAnswer)


async def test_noise_in_place_of_an_answer_is_nothing_that_nobody_asked_for():
    """It ends with the zero of the answer to the next try."""
    async with talking(lambda _: b"\x55\x55", SHORT) as (channel, device):
        device.script = lambda frame: b"\x55\x55" if len(device.heard) % 2 else shows(7, frame)
        for _ in range(4):
            assert (await channel.request(DISPLAY)).values == {"number": 7}
        assert channel.repeats == channel._deframer.rejected_frames == 4
        assert channel.unasked == []


async def test_noise_before_every_answer_is_noted():
    async with talking(lambda frame: b"\x55\x55" + shows(7, frame)) as (channel, _):
        for _ in range(3):
            await channel.request(DISPLAY)
        assert channel.unasked == ["bytes that make no frame, 3 times; the last were 55 55"]


async def test_a_second_answer_and_an_answer_that_nobody_asked_for_are_noted():
    async with talking(lambda frame: 2 * shows(7, frame)) as (channel, _):
        await channel.request(DISPLAY)
        assert channel.unasked == ["a second answer to seq 1, or one that was never asked for: code 0x91"]


async def test_bytes_that_come_again_and_again_unasked_are_noted_and_a_few_are_noise():
    async with talking(lambda frame: shows(7, frame)) as (channel, device):
        noted = []
        for _ in range(3):
            await channel.request(DISPLAY)
            rejected = channel._deframer.rejected_frames
            device.port.send(b"\x55\x55\0")
            async with asyncio.timeout(5):
                while channel._deframer.rejected_frames == rejected:  # noqa: ASYNC110 - nobody tells of bytes that are noise
                    await asyncio.sleep(0)
            noted.append(len(channel.unasked))
        assert noted == [0, 0, 1]
        assert channel.unasked == ["bytes that make no frame, 3 times; the last were 55 55"]


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\1\2", b"\x63"])
async def test_an_answer_that_cannot_be_read_is_garbage(data):
    async with talking(lambda f: encode(f.address, f.seq, f.code | 0x80, data)) as (channel, _):
        with pytest.raises(Garbage, match="display"):
            await channel.request(DISPLAY)
        with pytest.raises(Garbage, match="events"):
            await channel.events(0)


async def test_a_hang_up_while_waiting_is_line_lost_and_stays_so():
    async with talking(lambda _: b"") as (channel, device):
        asking = asyncio.create_task(channel.request(DISPLAY))
        await device.asked.wait()
        device.port.close()
        with pytest.raises(LineLost, match="hung up"):
            await asking
        with pytest.raises(LineLost, match="hung up"):
            await channel.events(0)


async def test_a_closed_channel_refuses_and_can_be_opened_again():
    async with talking(lambda frame: shows(1, frame)) as (channel, _):
        await channel.close()
        await channel.close()
        with pytest.raises(LineLost, match="closed"):
            await channel.request(DISPLAY)
        await channel.open()
        assert (await channel.request(DISPLAY)).values == {"number": 1}


async def test_closing_ends_a_request_that_waits():
    async with talking(lambda _: b"") as (channel, device):
        asking = asyncio.create_task(channel.request(DISPLAY))
        await device.asked.wait()
        await channel.close()
        with pytest.raises(LineLost, match="closed"):
            await asking


async def test_a_cancelled_request_leaves_the_line_usable():
    async with talking(lambda _: b"") as (channel, device):
        asking = asyncio.create_task(channel.request(DISPLAY))
        await device.asked.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        first = device.heard[0]
        device.script = lambda frame: shows(1, first) + shows(2, frame)
        assert (await channel.request(DISPLAY)).values == {"number": 2}


async def test_requests_made_at_once_are_asked_one_after_the_other():
    async with talking(lambda frame: shows(frame.seq, frame)) as (channel, _):
        replies = await asyncio.gather(*(channel.request(DISPLAY) for _ in range(5)))
        assert [reply.values["number"] for reply in replies] == [1, 2, 3, 4, 5]


class Nonsense:
    """A message that is wrong on purpose, and met with silence."""

    def write(self, envelope: Envelope) -> bytes:
        return b"\0\x55\0"

    def answer(self, envelope: Envelope) -> bytes:
        return b""


async def test_a_provocation_waits_for_the_question_that_is_open():
    async with talking(lambda _: b"") as (channel, device):
        asking = asyncio.create_task(channel.request(DISPLAY))
        await device.asked.wait()
        provoking = asyncio.create_task(channel.provoke(Nonsense(), 1))
        await asyncio.sleep(0)
        device.port.send(shows(3, device.heard[0]))
        async with asyncio.timeout(5):
            assert (await asking).values == {"number": 3}
            assert await provoking == (NEXT, b"")  # it does not answer the question behind the nonsense either


async def test_a_provocation_leaves_an_unanswered_question_its_end():
    async with talking(lambda _: b"", SHORT) as (channel, device):
        asking = asyncio.create_task(channel.request(DISPLAY))
        while len(device.heard) < 2:
            device.asked.clear()
            await device.asked.wait()
        async with asyncio.timeout(5):
            ends = await asyncio.gather(asking, channel.provoke(Nonsense(), 1), return_exceptions=True)
        assert [type(end) for end in ends] == [NoAnswer, NoAnswer]


async def test_the_tap_sees_every_byte_both_ways():
    seen: list[tuple[bool, bytes]] = []
    device = ScriptedDevice(lambda frame: shows(7, frame))
    channel = SerialChannel(RNG, device.port.open(), tap=lambda outgoing, data: seen.append((outgoing, data)))
    await channel.open()
    try:
        await channel.request(DISPLAY)
    finally:
        await channel.close()
        device.port.close()
    asked = Frame(1, 1, 0x11, b"")
    assert b"".join(data for outgoing, data in seen if outgoing) == encode(*asked)
    assert b"".join(data for outgoing, data in seen if not outgoing) == shows(7, asked)


async def test_a_port_that_cannot_be_opened_is_line_lost_in_one_line(tmp_path):
    with pytest.raises(LineLost, match=r"/dev/no-such-port: no such file or directory$"):
        await SerialChannel(RNG, "/dev/no-such-port").open()
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(LineLost, match=r"file: not a serial port$"):
        await SerialChannel(RNG, str(plain)).open()


async def test_a_port_in_use_is_line_lost():
    async with talking(lambda _: b"") as (_, device):
        with pytest.raises(LineLost, match="in use by another program"):
            await SerialChannel(RNG, device.port.open()).open()


async def test_idle_waits_no_longer_than_told():
    async with talking(lambda _: b"") as (channel, _), asyncio.timeout(5):
        await channel.idle(0.0)


async def test_nothing_is_left_open_after_closing():
    before = open_descriptors()
    async with talking(lambda frame: shows(1, frame)) as (channel, _):
        await channel.request(DISPLAY)
    assert open_descriptors() == before
