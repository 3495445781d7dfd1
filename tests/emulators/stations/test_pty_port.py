"""A pseudo terminal as a serial port, opened by programs that are not ours."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
import serial

from feltrig.emulators.stations.pty_port import PtyPort

EVERY_BYTE = bytes(range(256))


def open_descriptors() -> int:
    """How many this process has."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.fixture
async def port(new_recorder):
    recorder = new_recorder()
    port = PtyPort(recorder)
    port.open()
    yield port, recorder
    port.close()


async def read_exactly(client: serial.Serial, size: int) -> bytes:
    data = b""
    async with asyncio.timeout(5):
        while len(data) < size:
            data += client.read(size - len(data))
            await asyncio.sleep(0)
    return data


async def test_every_byte_passes_unchanged_both_ways_and_nothing_echoes(port):
    port, recorder = port
    with serial.Serial(port.open(), timeout=0) as client:
        client.write(EVERY_BYTE)
        assert await recorder.until(256) == EVERY_BYTE
        port.send(EVERY_BYTE)
        assert await read_exactly(client, 256) == EVERY_BYTE
    assert recorder.data == EVERY_BYTE


async def test_a_client_that_opens_the_path_without_setting_it_up_meets_a_raw_line(port):
    port, recorder = port
    program = "import os, sys; f = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); os.write(f, bytes(range(256)))"
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", program, port.open()], check=True, timeout=10)
    assert await recorder.until(256) == EVERY_BYTE


async def test_clients_may_come_and_go(port):
    port, recorder = port
    for turn in range(1, 4):
        with serial.Serial(port.open(), timeout=0, exclusive=True) as client:
            client.write(b"x")
            await recorder.until(turn)
            port.send(b"y")
            assert await read_exactly(client, 1) == b"y"


async def test_parity_and_seven_bits_can_be_set_by_one_client_after_the_other(port):
    port, recorder = port
    for turn, (bits, parity) in enumerate([(8, "E"), (8, "E"), (7, "O"), (7, "O"), (8, "E")], 1):
        with serial.Serial(port.open(), 19200, bits, parity, timeout=0) as client:
            client.write(b"x")
            await recorder.until(turn)


async def test_more_than_the_kernel_holds_is_buffered_and_arrives_in_order(port):
    port, _ = port
    sent = bytes(n % 251 for n in range(100_000))
    with serial.Serial(port.open(), timeout=0) as client:
        for at in range(0, len(sent), 1000):
            port.send(sent[at : at + 1000])
        assert await read_exactly(client, len(sent)) == sent


async def test_a_client_that_never_reads_stops_being_read(port):
    port, recorder = port
    with serial.Serial(port.open(), timeout=0) as client:
        port.send(bytes(200_000))
        client.write(b"unheard")
        for _ in range(50):
            await asyncio.sleep(0)
        assert recorder.data == b""
        await read_exactly(client, 200_000)
        assert await recorder.until(7) == b"unheard"


async def test_closing_hangs_up_and_may_be_done_twice(port):
    port, _ = port
    with serial.Serial(port.open(), timeout=0) as client:
        port.close()
        port.close()
        port.send(b"into the void")
        with pytest.raises(OSError, match=r"."):
            client.write(b"x")


async def test_a_closed_port_can_be_opened_again(port):
    port, recorder = port
    port.close()
    with serial.Serial(port.open(), timeout=0) as client:
        client.write(b"again")
        assert await recorder.until(5) == b"again"


async def test_closing_releases_all_descriptors(new_recorder):
    before = open_descriptors()
    port = PtyPort(new_recorder())
    port.open()
    port.close()
    assert open_descriptors() == before
