"""A recorded wire, byte for byte."""

import asyncio
import contextlib
import os
import termios
import tty

import pytest

from feltrig.emulators.replay.bytes_station import RecordedPty, RecordedTcp
from feltrig.protocols.lines.tty import open_tty

PASSED = (
    (0.0, False, b"hello"),
    (1.0, True, b"ab"),
    (1.5, False, b"1"),
    (1.75, False, b"2"),
    (5.0, True, b"cd"),
    (5.5, True, b"e"),
    (6.0, False, b"\0\xff garbage"),
)


async def test_a_recorded_serial_line_is_served_on_a_pseudo_terminal() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    station = RecordedPty("shoe", PASSED, said.put_nowait, speed=0)
    port = os.open(await station.start(), os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(port, termios.TCSANOW)  # the usual way would throw away what has come
        os.set_blocking(port, False)
        assert await _read(port, 5) == b"hello"
        os.write(port, b"ab")
        assert await _read(port, 2) == b"12"
        os.write(port, b"cde")
        assert await _read(port, 10) == b"\0\xff garbage"
        assert said.empty()
        os.write(port, b"f")
        async with asyncio.timeout(5):
            line = await said.get()
    finally:
        os.close(port)
        await station.stop()
        await station.stop()
    assert line == "shoe: the driver went on after the recording had ended"
    assert station.deviations == [line]


async def test_what_the_device_said_first_is_said_again_to_a_driver_that_sets_the_terminal_up() -> None:
    station = RecordedPty("shoe", PASSED, print, speed=0)
    path = await station.start()
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    line = open_tty(path, 9600, heard.put_nowait, print)  # throws away what waited
    try:
        async with asyncio.timeout(5):
            assert await heard.get() == b"hello"
            line.write(b"ab")
            assert await heard.get() in (b"1", b"12")
    finally:
        line.close()
        await station.stop()


async def test_a_recorded_connection_goes_on_where_the_last_driver_left() -> None:
    station = RecordedTcp("shoe", PASSED, print, speed=0)
    host, port = (await station.start()).split(":")
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(host, port)
        assert await reader.readexactly(5) == b"hello"
        writer.write(b"ab")
        assert await reader.readexactly(2) == b"12"
        refused, other = await asyncio.open_connection(host, port)
        with contextlib.suppress(ConnectionResetError):
            assert await refused.read() == b""
        other.close()
        assert station.driver is not None
        writer.close()
        while station.driver is not None:  # noqa: ASYNC110 - the station tells nobody who has left
            await asyncio.sleep(0)
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"cde")
        assert await reader.readexactly(10) == b"\0\xff garbage"
        await station.stop()
        await station.stop()
        writer.close()
    assert station.deviations == []


async def test_recorded_times_are_kept_and_scaled() -> None:
    station = RecordedTcp("shoe", [(0.0, True, b"a"), (2.0, False, b"1"), (6.0, False, b"2")], print, speed=0.01)
    host, port = (await station.start()).split(":")
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(host, port)
        began = asyncio.get_running_loop().time()
        writer.write(b"a")
        assert await reader.readexactly(2) == b"12"
        assert asyncio.get_running_loop().time() - began >= 0.06
        writer.close()
        await station.stop()


async def test_a_recorded_line_is_dead_until_its_device_is_switched_on() -> None:
    station = RecordedPty("shoe", PASSED, print, speed=0, starts=[5.75])
    port = os.open(await station.start(), os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(port, termios.TCSANOW)
        os.set_blocking(port, False)
        os.write(port, b"ab")
        assert await _read(port, 7) == b"hello12"
        os.write(port, b"anybody there?")
        await asyncio.sleep(0.02)
        with pytest.raises(BlockingIOError):
            os.read(port, 100)
        station.power_on()
        assert await _read(port, 10) == b"\0\xff garbage"
    finally:
        os.close(port)
        await station.stop()
    assert station.deviations == []


async def test_a_recorded_connection_is_dead_until_its_device_is_switched_on() -> None:
    station = RecordedTcp("shoe", PASSED, print, speed=0, starts=[1.6, 5.75])
    host, port = (await station.start()).split(":")
    station.power_on()  # nobody is connected yet
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(host, port)
        assert await reader.readexactly(7) == b"hello12"
        station.power_on()
        assert await reader.readexactly(10) == b"\0\xff garbage"
        writer.close()
        await station.stop()


async def _read(port: int, size: int) -> bytes:
    data = b""
    async with asyncio.timeout(5):
        while len(data) < size:
            try:
                data += os.read(port, 100)
            except BlockingIOError:
                await asyncio.sleep(0.001)
    return data
