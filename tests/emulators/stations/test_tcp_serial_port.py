"""A serial port on a raw TCP socket, used by plain sockets and by pyserial."""

import asyncio
import socket
from pathlib import Path

import pytest
import serial

from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort

EVERY_BYTE = bytes(range(256))


def open_descriptors() -> int:
    """How many this process has."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def address(name: str) -> tuple[str, int]:
    scheme, _, where = name.partition("://")
    assert scheme == "socket"
    host, _, number = where.rpartition(":")
    return host, int(number)


@pytest.fixture
async def port(new_recorder):
    recorder = new_recorder()
    port = TcpSerialPort(recorder)
    yield port, recorder
    port.close()


async def test_every_byte_passes_unchanged_both_ways(port):
    port, recorder = port
    reader, writer = await asyncio.open_connection(*address(port.open()))
    writer.write(EVERY_BYTE)
    assert await recorder.until(256) == EVERY_BYTE
    port.send(EVERY_BYTE)
    async with asyncio.timeout(5):
        assert await reader.readexactly(256) == EVERY_BYTE
    writer.close()
    await writer.wait_closed()


async def test_pyserial_opens_it_by_the_name_that_it_is_given(port):
    port, recorder = port
    client = await asyncio.to_thread(serial.serial_for_url, port.open(), timeout=5)
    client.write(b"ask")
    await recorder.until(3)
    port.send(b"answer")
    assert await asyncio.to_thread(client.read, 6) == b"answer"
    client.close()


async def test_a_new_client_takes_the_line_over(port):
    port, recorder = port
    where = address(port.open())
    first, first_writer = await asyncio.open_connection(*where)
    first_writer.write(b"1")
    await recorder.until(1)
    second, second_writer = await asyncio.open_connection(*where)
    second_writer.write(b"2")
    await recorder.until(2)
    port.send(b"answer")
    async with asyncio.timeout(5):
        assert await second.readexactly(6) == b"answer"
        assert await first.read() == b""
    for writer in (first_writer, second_writer):
        writer.close()
        await writer.wait_closed()


async def test_it_listens_on_this_computer_only(port):
    port, _ = port
    assert address(port.open())[0] == "127.0.0.1"


async def test_bytes_for_nobody_go_nowhere_and_closing_may_be_done_twice(port):
    port, _ = port
    where = address(port.open())
    port.send(b"nobody hears this")
    port.close()
    port.close()
    port.send(b"nor this")
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(*where)


async def test_a_port_in_use_is_an_os_error(new_recorder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = TcpSerialPort(new_recorder(), port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            port.open()
        port.close()


async def test_closing_releases_all_descriptors(port):
    port, recorder = port
    before = open_descriptors()
    _, writer = await asyncio.open_connection(*address(port.open()))
    writer.write(b"x")
    await recorder.until(1)
    writer.close()
    await writer.wait_closed()
    port.close()
    assert open_descriptors() == before
