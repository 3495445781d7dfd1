"""Emulators of serial profiles as a raw client sees them: bytes in, bytes out."""

import asyncio
from datetime import UTC, datetime

import pytest
import serial

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shoe import shoe
from feltrig.emulators.profiles.puppet import Puppet
from feltrig.emulators.profiles.serial import serial_station
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.profiles import profilefile

DISPENSE_FOUR = bytes.fromhex("02 4F 50 44 50 30 34 03 30 45")


class Client:
    """A raw client of a port."""

    def __init__(self, path: str) -> None:
        self.port = serial.Serial(path, timeout=0)
        self._heard = b""

    async def until(self, end: bytes) -> bytes:
        """Everything that comes up to some bytes."""
        async with asyncio.timeout(5):
            while end not in self._heard:
                self._heard += self.port.read(4096)
                await asyncio.sleep(0.001)
        at = self._heard.index(end) + len(end)
        heard, self._heard = self._heard[:at], self._heard[at:]
        return heard


@pytest.fixture
async def connect():
    opened = []

    async def make(profile, machine, **more):
        station = serial_station(profilefile.builtin(profile), machine, **more)
        client = Client(await station.start())
        opened.append((station, client))
        return client

    yield make
    for station, client in opened:
        client.port.close()
        await station.stop()
        await station.stop()


async def test_a_shoe_acknowledges_and_reports_each_stack_three_times(connect):
    bench = Bench()
    machine = shoe(Setup("shoe", 1, bench=bench))
    bench.put_new_deck("shoe.well", "red", range(54))
    client = await connect("lookalike-card-reports-shoe", machine)
    client.port.write(DISPENSE_FOUR)
    report = bytes.fromhex("05 32 44 30 31 34 03 34 30")  # seq 2: the start of the machine was 1
    assert (await client.until(3 * report)).endswith(b"\x06" + 3 * report)


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ("02 4F 50 44 50 30 34 03 30 46", b"\x1502"),  # the BCC is wrong
        ("02 4F 50 58 58 30 30 03 31 45", b"\x1513"),  # OPXX00 is no command
        ("02 4F 50 44 50 30 36 03 30 43", b"\x1522"),  # no stacks of six
        ("02 4F 50 44 50 30 34 03 30 45", b"\x1523"),  # the shoe is empty
    ],
)
async def test_a_shoe_refuses_with_a_code(connect, sent, answer):
    client = await connect("lookalike-card-reports-shoe", shoe(Setup("shoe", 1)))
    client.port.write(bytes.fromhex(sent))
    assert (await client.until(answer)).endswith(answer)


async def test_a_display_prints_its_state_again_and_again_and_at_once_when_it_changes(connect):
    client = await connect("lookalike-status-lines-rng", rng(Setup("rng", 1)))
    line = b"*X;2;000;00;0;000;0\r\n"
    await client.until(line)
    await client.until(line)
    client.port.write(b"*s 1\r\n")
    assert (await client.until(b"*X;5;001;")).endswith(b"*s OK\r\n*X;5;001;")


async def test_a_log_has_the_time_of_day(connect):
    puppet = Puppet(SHUFFLER)
    client = await connect(
        "lookalike-history-log-shuffler", puppet, wall=lambda: datetime(2026, 11, 16, 14, 5, 9, tzinfo=UTC)
    )
    puppet.emit("faulted", {"fault": 1})
    assert (await client.until(b"Jam\r\n")).endswith(b"14:05:09 11/16/26 000000 Card Jam\r\n")


async def test_silence_ends_a_frame_that_broke_off(connect):
    bench = Bench()
    machine = shoe(Setup("shoe", 1, bench=bench))
    bench.put_new_deck("shoe.well", "red", range(54))
    client = await connect("lookalike-card-reports-shoe", machine)
    client.port.write(b"\x02OPDP")
    assert (await client.until(b"\x1502")).endswith(b"\x1502")
    client.port.write(DISPENSE_FOUR)
    await client.until(b"\x06")


async def test_faults_of_the_wire_strike_what_a_profile_says(connect):
    client = await connect("lookalike-card-reports-shoe", shoe(Setup("shoe", 1)), misbehave=lambda answer: answer[::-1])
    client.port.write(DISPENSE_FOUR)
    assert (await client.until(b"32\x15")).endswith(b"32\x15")


async def test_a_device_that_speaks_to_nobody_does_not_fill_the_memory(connect):
    puppet = Puppet(SHUFFLER)
    client = await connect("lookalike-history-log-shuffler", puppet)
    for _ in range(2000):
        puppet.emit("shuffling", {"deck": 1})
    client.port.write(b"RESET\r\n")
    heard = b""
    async with asyncio.timeout(5):
        while not heard or client.port.in_waiting:
            heard += client.port.read(4096)
            await asyncio.sleep(0.01)
    assert heard.count(b"\n") < 1000
    client.port.write(b"RESET\r\n")
    assert (await client.until(b"OK\r\n")).endswith(b"OK\r\n")
