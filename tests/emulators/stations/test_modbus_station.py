"""Modbus stations as a raw master sees them: bytes in, bytes out."""

import asyncio

import pytest
import serial

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.protocols.lines.fd_line import HIGH_WATER
from feltrig.protocols.messages import Identity
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import encode_rtu, encode_tcp

SELECT = bytes.fromhex("cafebabe 0010")


@pytest.fixture
def machine():
    return rng(Setup("rng", 1, identity=Identity("rng", "Maker", "Seven", "S1", "2.1", "ab" * 32)))


class TcpMaster:
    """A raw connection to a station."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def ask(self, data: bytes, size: int) -> bytes:
        self.writer.write(data)
        async with asyncio.timeout(5):
            return await self._reader.readexactly(size)

    async def hears_the_end(self) -> bool:
        async with asyncio.timeout(5):
            try:
                return await self._reader.read() == b""
            except ConnectionError:
                return True

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except ConnectionError:
            return


@pytest.fixture
async def tcp(machine):
    station = ModbusTcpStation(machine, unit=5)
    where = await station.start()
    host, _, port = where.rpartition(":")
    master = TcpMaster(*await asyncio.open_connection(host, int(port)))
    yield master, where, station
    await master.close()
    await station.stop()


READ_KIND = pdu.read(1, 1)
KIND = pdu.registers(3, b"\0\1")


async def test_pipelined_requests_are_answered_in_order(tcp):
    master, _, _ = tcp
    asked = b"".join(encode_tcp(n, 5, READ_KIND) for n in range(50))
    assert await master.ask(asked, 50 * 11) == b"".join(encode_tcp(n, 5, KIND) for n in range(50))


async def test_a_request_split_anywhere_is_answered(tcp):
    master, _, _ = tcp
    request = encode_tcp(1, 5, READ_KIND)
    for cut in range(1, len(request)):
        master.writer.write(request[:cut])
        await asyncio.sleep(0)
        assert await master.ask(request[cut:], 11) == encode_tcp(1, 5, KIND)


async def test_a_foreign_unit_is_refused_as_by_a_gateway_and_the_device_itself_is_answered(tcp):
    master, _, _ = tcp
    assert await master.ask(encode_tcp(1, 6, READ_KIND), 9) == encode_tcp(1, 6, b"\x83\x0b")
    for unit in (0, 5, 255):
        assert await master.ask(encode_tcp(2, unit, READ_KIND), 11) == encode_tcp(2, unit, KIND)


async def test_noise_on_a_connection_is_survived(tcp):
    master, _, _ = tcp
    assert await master.ask(b"\xff" * 9 + encode_tcp(1, 5, READ_KIND), 11) == encode_tcp(1, 5, KIND)


@pytest.mark.parametrize(
    "wrong",
    [
        "002b 0001 0006 05 03 0000 0002",
        "002b ffff 0006 05 03 0000 0002",
        "002b 0001 000d 05 10 0100 0003 06 00010002 0010",
        "002b 0000 0000",
        "002b 0000 0001 05",
        "002b 0000 00ff 05 03" + "00" * 253,
        "002b 0000 012c" + "01" * 300,
    ],
)
@pytest.mark.parametrize("cut", [0, 3, 9])
async def test_a_frame_with_a_wrong_header_is_met_with_silence_and_the_next_ones_are_answered(tcp, machine, wrong, cut):
    master, _, _ = tcp
    frame = bytes.fromhex(wrong)
    master.writer.write(frame[:cut])
    await asyncio.sleep(0)
    # a number that could be a length, too
    assert await master.ask(frame[cut:] + encode_tcp(0x2C, 5, READ_KIND), 11) == encode_tcp(0x2C, 5, KIND)
    assert await master.ask(encode_tcp(0x2D, 5, READ_KIND), 11) == encode_tcp(0x2D, 5, KIND)
    assert machine.status(0.0).latest == 1


async def test_several_masters_are_served_and_all_hear_the_end(tcp):
    master, where, station = tcp
    host, _, port = where.rpartition(":")
    other = TcpMaster(*await asyncio.open_connection(host, int(port)))
    for each in (master, other):
        assert await each.ask(encode_tcp(1, 5, READ_KIND), 11) == encode_tcp(1, 5, KIND)
    await station.stop()
    await station.stop()
    for each in (master, other):
        assert await each.hears_the_end()
    await other.close()


async def test_a_master_that_never_reads_stops_being_read(tcp, monkeypatch):
    master, _, station = tcp
    request = encode_tcp(1, 5, pdu.read(0, 125))
    answer = 9 + 250
    many = 60_000
    master.writer.write(request * many)
    (connection,) = station.masters
    loop, paused = asyncio.get_running_loop(), asyncio.Event()
    remove = loop.remove_reader

    def remove_reader(fd):
        paused.set()
        return remove(fd)

    monkeypatch.setattr(loop, "remove_reader", remove_reader)
    async with asyncio.timeout(20):
        await paused.wait()
    assert HIGH_WATER < connection.line.unsent < many * answer // 2


async def test_a_port_in_use_is_an_os_error(tcp, machine):
    _, where, _ = tcp
    host, _, port = where.rpartition(":")
    with pytest.raises(OSError, match="in use"):
        await ModbusTcpStation(machine, 1, host, int(port)).start()


async def test_misbehaviour_on_tcp_replaces_swallows_and_hangs_up(machine):
    moods = iter([b"zz", None])

    def misbehave(answer: bytes) -> bytes | None:
        try:
            return next(moods)
        except StopIteration:
            raise ConnectionAbortedError from None

    station = ModbusTcpStation(machine, misbehave=misbehave)
    host, _, port = (await station.start()).rpartition(":")
    master = TcpMaster(*await asyncio.open_connection(host, int(port)))
    try:
        assert await master.ask(encode_tcp(1, 1, READ_KIND), 2) == b"zz"
        master.writer.write(encode_tcp(2, 1, READ_KIND) + encode_tcp(3, 1, READ_KIND))
        assert await master.hears_the_end()
    finally:
        await master.close()
        await station.stop()


class RtuMaster:
    """A raw client of a serial port."""

    def __init__(self, path: str) -> None:
        self.port = serial.Serial(path, timeout=0)

    async def ask(self, data: bytes, size: int) -> bytes:
        self.port.write(data)
        heard = b""
        async with asyncio.timeout(5):
            while len(heard) < size:
                heard += self.port.read(size - len(heard))
                await asyncio.sleep(0)
        return heard


@pytest.fixture
async def rtu(machine):
    station = ModbusRtuStation(machine, unit=5)
    master = RtuMaster(await station.start())
    yield master
    master.port.close()
    await station.stop()


ASKED, ANSWERED = encode_rtu(5, READ_KIND), encode_rtu(5, KIND)


async def test_an_rtu_request_and_its_answer_are_the_bytes_written_down_by_hand(rtu):
    # the CRC of 05 03 0001 0001 is 4ED4 and that of 05 03 02 0001 is 4488, low byte first
    assert await rtu.ask(bytes.fromhex("05 03 0001 0001 d4 4e"), 7) == bytes.fromhex("05 03 02 0001 88 44")


async def test_a_foreign_unit_is_met_with_silence_and_a_broadcast_is_obeyed_in_silence(rtu, machine):
    foreign = encode_rtu(6, READ_KIND)
    broadcast = encode_rtu(0, pdu.write(256, SELECT))
    assert await rtu.ask(foreign + broadcast + ASKED, len(ANSWERED)) == ANSWERED
    assert machine.status(0.0).latest == 2


async def test_an_unknown_function_on_rtu_is_refused(rtu):
    assert await rtu.ask(encode_rtu(5, bytes.fromhex("64 01")), 5) == encode_rtu(5, b"\xe4\x01")
    assert await rtu.ask(encode_rtu(5, bytes.fromhex("01 0000 0001")), 5) == encode_rtu(5, b"\x81\x01")


@pytest.mark.parametrize(
    "noise", [b"\x55", b"\x05\x03", b"\x05\x10\x01\x00\x00\x7b\xf6", b"\xff" * 300, ASKED[:5], ASKED[:-1] + b"\x00"]
)
async def test_noise_on_an_rtu_line_is_survived_without_a_pause(rtu, noise):
    rtu.port.write(noise)
    for _ in range(3):
        assert await rtu.ask(ASKED, len(ANSWERED)) == ANSWERED
