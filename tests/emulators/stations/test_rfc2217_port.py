"""A serial port as RFC 2217, used by pyserial's client and by hand-written telnet."""

import asyncio
import contextlib

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st
from serial import rfc2217

from feltrig.emulators.stations.rfc2217_port import Rfc2217Port

IAC, SB, SE = b"\xff", b"\xfa", b"\xf0"
COM_PORT = b"\x2c"

SILENT = [
    (b"\x0a\x00", b"\x6e\x00"),  # SET-LINESTATE-MASK 0
    (b"\x0b\xfe", b"\x6f\xfe"),  # SET-MODEMSTATE-MASK 254
    (b"\x05\x04", b"\x69\x06"),  # break? off
    (b"\x05\x07", b"\x69\x09"),  # DTR? off
    (b"\x05\x0a", b"\x69\x0c"),  # RTS? off
]
"""What pyserial's server leaves without an answer, and the answer of RFC 2217, section 3: the code plus 100."""


def option(body: bytes) -> bytes:
    return IAC + SB + COM_PORT + body.replace(IAC, IAC + IAC) + IAC + SE


def address(name: str) -> tuple[str, int]:
    scheme, _, where = name.partition("://")
    assert scheme == "rfc2217"
    host, _, number = where.rpartition(":")
    return host, int(number)


@pytest.fixture
async def port(new_recorder):
    recorder = new_recorder()
    port = Rfc2217Port(recorder)
    yield port, recorder
    port.close()


@pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")  # pyserial's client, of 2020
async def test_pyserial_sets_up_the_line_and_the_emulator_sees_how(port):
    port, recorder = port
    client = await asyncio.to_thread(
        serial.serial_for_url, port.open(), 19200, bytesize=7, parity="E", stopbits=2, timeout=5
    )
    try:
        setup = port.setup
        assert (setup.baudrate, setup.bytesize, setup.parity, setup.stopbits) == (19200, 7, "E", 2)
        assert (setup.dtr, setup.rts) == (True, True)
        await asyncio.to_thread(setattr, client, "dtr", False)
        await asyncio.to_thread(setattr, client, "break_condition", True)
        assert (setup.dtr, setup.break_condition) == (False, True)
        client.write(bytes(range(256)))
        assert await recorder.until(256) == bytes(range(256))
        port.send(bytes(range(256)))
        assert await asyncio.to_thread(client.read, 256) == bytes(range(256))
    finally:
        await asyncio.to_thread(client.close)


@pytest.mark.parametrize(("request_", "answer"), SILENT)
async def test_what_pyserial_leaves_unanswered_is_answered(port, request_, answer):
    port, _ = port
    reader, writer = await asyncio.open_connection(*address(port.open()))
    writer.write(option(request_))
    async with asyncio.timeout(5):
        await reader.readuntil(option(answer))
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    "broken",
    [
        IAC + SE,
        option(b"\x01\x00"),
        option(b"\x03\x63"),
        option(b"\x0a"),
        IAC + SB + COM_PORT + bytes(100_000),
    ],
    ids=["end without beginning", "half a baud rate", "no such parity", "no mask", "without end"],
)
async def test_a_client_that_breaks_the_protocol_is_disconnected_and_the_next_one_served(port, broken):
    port, recorder = port
    where = address(port.open())
    reader, writer = await asyncio.open_connection(*where)
    writer.write(broken)
    async with asyncio.timeout(5):
        with contextlib.suppress(ConnectionResetError):
            await reader.read()
    writer.close()
    _, next_writer = await asyncio.open_connection(*where)
    next_writer.write(b"x")
    assert await recorder.until(1) == b"x"
    next_writer.close()
    await next_writer.wait_closed()


@settings(max_examples=30, derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from([IAC, SB, SE, COM_PORT, b"\xfb", b"\xfd", b"\x01", b"\x05", b"\x0b", b"z"]), max_size=60)
)
def test_no_telnet_bytes_harm_the_port(new_recorder, pieces):
    async def scenario() -> None:
        recorder = new_recorder()
        port = Rfc2217Port(recorder)
        where = address(port.open())
        try:
            _, writer = await asyncio.open_connection(*where)
            writer.write(b"".join(pieces))
            writer.close()
            _, last = await asyncio.open_connection(*where)
            last.write(b"end")
            async with asyncio.timeout(5):
                while not recorder.data.endswith(b"end"):
                    await recorder.until(len(recorder.data) + 1)
            last.close()
        finally:
            port.close()

    asyncio.run(scenario())


def test_the_codes_written_down_here_are_those_of_pyserial():
    assert (rfc2217.SET_LINESTATE_MASK, rfc2217.SERVER_SET_MODEMSTATE_MASK) == (b"\x0a", b"\x6f")
