"""The serial station as a raw client sees it: bytes in, bytes out."""

import asyncio

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.messages import Request
from feltrig.protocols.serial.frame import Deframer, Frame, encode
from feltrig.protocols.vocabulary import Error

STATUS, EVENTS, SELECT, DISPLAY = 0x02, 0x03, 0x10, 0x11


class Client:
    """A raw client of the port that speaks in frames."""

    def __init__(self, path: str) -> None:
        self.port = serial.Serial(path, timeout=0)
        self._deframer = Deframer()
        self._frames: list[Frame] = []

    async def ask(self, data: bytes, frames: int = 1) -> list[Frame]:
        self.port.write(data)
        async with asyncio.timeout(5):
            while len(self._frames) < frames:
                self._frames += self._deframer.receive(self.port.read(4096))
                await asyncio.sleep(0)
        heard, self._frames = self._frames, []
        return heard


@pytest.fixture
async def line():
    machine = rng(Setup("rng", 1))
    station = SerialStation(machine, 1, lambda: 0.0)
    client = Client(await station.start())
    yield client, machine
    client.port.close()
    await station.stop()


async def test_a_status_request_and_its_answer_are_the_bytes_written_down_by_hand(line):
    client, _ = line
    # address 1, seq 2, code 02, CRC FBAC; the answer: error 0, state 0, fault 0, oldest 1, latest 1
    (answer,) = await client.ask(encode(1, 2, STATUS, b""))
    assert answer == Frame(1, 2, 0x82, bytes.fromhex("00 00 00 00000001 00000001"))


async def test_a_repeated_token_runs_a_command_once_and_gets_the_same_answer(line):
    client, machine = line
    answers = await client.ask(b"".join(encode(1, seq, SELECT, b"\0\0\0\x09") for seq in range(4)), 4)
    assert answers == [Frame(1, seq, 0x90, b"\0") for seq in range(4)]
    assert machine.status(0.0).latest == 2


async def test_requests_in_one_piece_are_answered_in_order(line):
    client, _ = line
    answers = await client.ask(b"".join(encode(1, seq, DISPLAY, b"") for seq in range(20)), 20)
    assert [answer.seq for answer in answers] == list(range(20))


async def test_a_request_in_many_pieces_is_answered(line):
    client, _ = line
    request = encode(1, 7, STATUS, b"")
    for octet in request[:-1]:
        client.port.write(bytes((octet,)))
        await asyncio.sleep(0)
    (answer,) = await client.ask(request[-1:])
    assert answer.seq == 7


@pytest.mark.parametrize(
    ("code", "data", "error"),
    [
        (0x7E, b"", Error.UNKNOWN_COMMAND),
        (SELECT, b"", Error.MALFORMED),
        (STATUS, b"x", Error.MALFORMED),
        (EVENTS, b"\0", Error.MALFORMED),
    ],
)
async def test_what_cannot_be_done_is_answered_with_its_error(line, code, data, error):
    client, _ = line
    assert await client.ask(encode(1, 3, code, data)) == [Frame(1, 3, code | 0x80, bytes((error,)))]


async def test_other_addresses_and_the_answers_of_other_devices_are_let_pass_in_silence(line):
    client, _ = line
    foreign = encode(2, 1, STATUS, b"") + encode(0, 1, STATUS, b"") + encode(1, 1, 0x82, b"\0")
    assert [frame.seq for frame in await client.ask(foreign + encode(1, 9, DISPLAY, b""))] == [9]


async def test_more_events_than_a_frame_holds_are_fetched_batch_by_batch(line):
    client, machine = line
    for _ in range(99):
        machine.handle(Request("select"), 0.0)
    after, fetched = 0, 0
    while after < 100:
        (answer,) = await client.ask(encode(1, 1, EVENTS, after.to_bytes(4, "big")))
        records = answer.data[11:]
        fetched += 1
        while records:
            assert int.from_bytes(records[:4], "big") == after + 1
            after += 1
            records = records[5 if records[4] == 1 else 6 :]
    assert fetched == 3


@settings(max_examples=25, derandomize=True, deadline=None)
@given(noise=st.binary(max_size=300))
def test_after_any_noise_the_next_request_is_answered(noise):
    async def scenario() -> None:
        station = SerialStation(rng(Setup("rng", 1)))
        client = Client(await station.start())
        try:
            answers = await client.ask(noise + encode(1, 200, DISPLAY, b""))
            assert answers[-1].seq == 200
        finally:
            client.port.close()
            await station.stop()

    asyncio.run(scenario())


async def test_a_stopped_station_can_be_stopped_again_and_started_again():
    station = SerialStation(rng(Setup("rng", 1)))
    await station.start()
    await station.stop()
    await station.stop()
    client = Client(await station.start())
    assert len(await client.ask(encode(1, 1, STATUS, b""))) == 1
    client.port.close()
    await station.stop()


async def test_the_clock_of_the_station_is_the_clock_of_its_machine():
    now = [0.0]
    machine = rng(Setup("rng", 1, speed=1.0))
    station = SerialStation(machine, clock=lambda: now[0])
    client = Client(await station.start())
    try:
        await client.ask(encode(1, 1, SELECT, b"\0\0\0\1"))
        (busy,) = await client.ask(encode(1, 2, STATUS, b""))
        now[0] = 10.0
        (ready,) = await client.ask(encode(1, 3, STATUS, b""))
        assert (busy.data[1], ready.data[1]) == (1, 2)
    finally:
        client.port.close()
        await station.stop()
