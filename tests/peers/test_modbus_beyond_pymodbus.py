"""What an emulated Modbus line must do and the server and client of pymodbus do not: each point on ours, and beside it
the same bytes on pymodbus, which shows why its server is not under our stations."""

import asyncio
import contextlib
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest
from pymodbus.client import AsyncModbusTcpClient
from pymodbus.exceptions import ModbusIOException
from pymodbus.framer import FramerType
from pymodbus.pdu.device import ModbusControlBlock, ModbusDeviceIdentification
from pymodbus.server import ModbusTcpServer, ModbusTlsServer
from pymodbus.simulator import DataType, SimData, SimDevice
from umodbus.client.serial.redundancy_check import get_crc

from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.protocols.errors import NoAnswer
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Identity, Request, Value
from feltrig.protocols.modbus.channel import ModbusRtuChannel

QUIET = 0.3
"""Seconds in which a server of pymodbus would have answered; too short a wait can only hide what it does wrong."""

READ_KIND = bytes.fromhex("03 0001 0001")
KIND = bytes.fromhex("03 02 0001")
VENDOR_BY_IDENTIFICATION = bytes.fromhex("2b 0e 01 00")

Serve = Callable[..., AbstractAsyncContextManager[int]]


def rtu(unit: int, pdu: bytes) -> bytes:
    frame = bytes((unit,)) + pdu
    return frame + get_crc(frame)


def tcp(transaction: int, unit: int, pdu: bytes) -> bytes:
    return struct.pack(">HHHB", transaction, 0, len(pdu) + 1, unit) + pdu


ASKED, ANSWERED = rtu(1, READ_KIND), rtu(1, KIND)


@contextlib.asynccontextmanager
async def our_rtu() -> AsyncIterator[int]:
    """Modbus RTU on the raw bytes of a TCP connection, as pymodbus can serve it too."""
    station = ModbusRtuStation(rng(Setup("rng", 1)), port=TcpSerialPort)
    yield int((await station.start()).rpartition(":")[2])
    await station.stop()


@contextlib.asynccontextmanager
async def our_tcp(vendor: str = "Maker", tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    machine = rng(Setup("rng", 1, identity=Identity("rng", vendor, "M", "S", "1", "ab" * 32)))
    station = ModbusTcpStation(machine, tls=tls)
    yield int((await station.start()).rpartition(":")[2])
    await station.stop()


def registers() -> SimDevice:
    return SimDevice(id=1, simdata=[SimData(0, values=[1, 1, 0, 0], datatype=DataType.REGISTERS)])


@contextlib.asynccontextmanager
async def running(server: ModbusTcpServer) -> AsyncIterator[int]:
    await server.serve_forever(background=True)
    yield server.transport.sockets[0].getsockname()[1]
    await server.shutdown()


@contextlib.asynccontextmanager
async def their_rtu() -> AsyncIterator[int]:
    server = ModbusTcpServer(
        registers(), framer=FramerType.RTU, address=("127.0.0.1", 0), ignore_missing_devices=True, broadcast_enable=True
    )
    async with running(server) as port:
        yield port


@contextlib.asynccontextmanager
async def their_tcp(vendor: str = "Maker", tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    identity = ModbusDeviceIdentification(
        info_name={"VendorName": vendor, "ProductCode": "M", "MajorMinorRevision": "1"}
    )
    options = {"identity": identity, "address": ("127.0.0.1", 0)}
    server = ModbusTlsServer(registers(), sslctx=tls, **options) if tls else ModbusTcpServer(registers(), **options)
    async with running(server) as port:
        yield port


class Master:
    """A connection on which a test says every byte itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, data: bytes, size: int) -> bytes:
        """So many bytes of answer; fewer if no more come in good time."""
        self._writer.write(data)
        heard = b""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                while len(heard) < size and (piece := await self._reader.read(size - len(heard))):
                    heard += piece
        return heard

    async def all(self, data: bytes) -> bytes:
        """Everything that is heard until it is quiet."""
        self._writer.write(data)
        heard = b""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(QUIET):
                    piece = await self._reader.read(4096)
                if not piece:
                    break
                heard += piece
        return heard


@contextlib.asynccontextmanager
async def master(port: int, tls: ssl.SSLContext | None = None) -> AsyncIterator[Master]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
    yield Master(reader, writer)
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


RTU_SCENES = {
    "a foreign unit": (rtu(9, READ_KIND) + ASKED, ANSWERED),
    "a broadcast": (rtu(0, READ_KIND) + ASKED, ANSWERED),
    "two bytes of noise": (b"\x55\xaa" + ASKED, ANSWERED),
    "three bytes of noise": (b"\x55\xaa\x55" + ASKED, ANSWERED),
    "a frame that broke off": (ASKED[:5] + ASKED, ANSWERED),
    "a frame that broke off in its counted data": (rtu(1, bytes.fromhex("10 0100 0003 06 0001"))[:8] + ASKED, ANSWERED),
}
"""What a master sends in one piece, and all that it may hear."""

SELECT_FOR_ALL = rtu(0, bytes.fromhex("10 0100 0003 06 cafebabe 0010"))
READ_LATEST = rtu(1, bytes.fromhex("03 0007 0001"))


@pytest.mark.parametrize(("sent", "heard"), RTU_SCENES.values(), ids=RTU_SCENES)
async def test_an_rtu_station_answers_its_own_good_frame_and_nothing_else(sent: bytes, heard: bytes) -> None:
    async with our_rtu() as port, master(port) as line:
        # the second question shows that nothing else was answered before it
        assert await line.ask(sent, len(heard)) == heard
        assert await line.ask(ASKED, len(ANSWERED)) == ANSWERED


@pytest.mark.parametrize(("sent", "heard"), RTU_SCENES.values(), ids=RTU_SCENES)
async def test_the_rtu_server_of_pymodbus_does_not(sent: bytes, heard: bytes) -> None:
    """It answers for the foreign unit, and in all the other scenes loses the good frame."""
    async with their_rtu() as port, master(port) as line:
        assert await line.all(sent) != heard


async def test_a_foreign_unit_alone_on_the_line_is_met_with_silence() -> None:
    async with our_rtu() as port, master(port) as line:
        assert await line.all(rtu(9, READ_KIND)) == b""
    async with their_rtu() as port, master(port) as line:
        assert await line.ask(rtu(9, READ_KIND), 5) == rtu(9, b"\x83\x04")


async def test_a_broadcast_is_obeyed_in_silence() -> None:
    async with our_rtu() as port, master(port) as line:
        latest = rtu(1, bytes.fromhex("03 02 0002"))
        assert await line.ask(SELECT_FOR_ALL + READ_LATEST, len(latest)) == latest


PIPELINE = b"".join(tcp(n, 1, READ_KIND) for n in range(11, 16))
IN_ORDER = b"".join(tcp(n, 1, KIND) for n in range(11, 16))


async def test_five_pipelined_requests_are_answered_in_order_each_under_its_own_number() -> None:
    async with our_tcp() as port, master(port) as connection:
        assert await connection.ask(PIPELINE, len(IN_ORDER)) == IN_ORDER


async def test_pymodbus_loses_pipelined_requests() -> None:
    async with their_tcp() as port, master(port) as connection:
        heard = await connection.all(PIPELINE)
    assert len(heard) < len(IN_ORDER)


@pytest.fixture(scope="module")
def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS for a server, and for those who trust it."""
    authority = Authority()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue("127.0.0.1").load_into(server)
    return server, ssl.create_default_context(cadata=authority.pem.decode())


FIRST, SECOND = tcp(1, 1, READ_KIND), tcp(2, 1, READ_KIND)


@pytest.mark.parametrize("cut", range(1, len(SECOND)))
async def test_a_frame_that_is_split_over_two_tls_records_is_answered(
    contexts: tuple[ssl.SSLContext, ssl.SSLContext], cut: int
) -> None:
    server, client = contexts
    async with our_tcp(tls=server) as port, master(port, client) as connection:
        # that the first frame is answered shows that its record was read, and with it the beginning of the second
        assert await connection.ask(FIRST + SECOND[:cut], 11) == tcp(1, 1, KIND)
        assert await connection.ask(SECOND[cut:], 11) == tcp(2, 1, KIND)


async def test_pymodbus_loses_a_frame_that_is_split_over_two_tls_records(
    contexts: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    server, client = contexts
    async with their_tcp(tls=server) as port, master(port, client) as connection:
        assert await connection.all(FIRST) == tcp(1, 1, KIND)
        assert await connection.all(SECOND[:7]) == b""
        assert await connection.all(SECOND[7:]) != tcp(2, 1, KIND)


def vendor(answer: bytes) -> bytes:
    """The first object of an answer to device identification: MBAP header, seven bytes, number, length, value."""
    return answer[16 : 16 + answer[15]]


async def vendors(serve: Serve) -> list[bytes]:
    """What two servers in one process say who made them."""
    async with (
        serve("First") as one,
        serve("Second") as two,
        master(one) as first,
        master(two) as second,
    ):
        question = tcp(1, 1, VENDOR_BY_IDENTIFICATION)
        return [vendor(await each.all(question)) for each in (first, second)]


async def test_two_devices_in_one_process_have_each_their_own_identity() -> None:
    assert await vendors(our_tcp) == [b"First", b"Second"]


async def test_two_servers_of_pymodbus_in_one_process_share_one_identity() -> None:
    try:
        one, two = await vendors(their_tcp)
    finally:
        ModbusControlBlock().reset()
    assert one == two


async def test_a_text_takes_the_registers_that_the_map_gives_it_and_no_more() -> None:
    """A text of n registers in the simulator of pymodbus takes n times n."""
    read_vendor_and_model = bytes.fromhex("03 0010 0020")
    async with our_tcp("Maker") as port, master(port) as connection:
        answer = await connection.ask(tcp(1, 1, read_vendor_and_model), 9 + 64)
    assert answer[9:] == b"Maker".ljust(32, b"\0") + b"M".ljust(32, b"\0")


class Late:
    """Withholds the next answers, and sends them before the first that follows."""

    def __init__(self, many: int) -> None:
        self.many = many
        self._held = b""

    def __call__(self, answer: bytes) -> bytes | None:
        self.many -= 1
        if self.many >= 0:
            self._held += answer
            return None
        late, self._held = self._held, b""
        return late + answer


@pytest.mark.parametrize("many", [1, TRIES - 1, TRIES, 2 * TRIES])
async def test_our_driver_never_takes_a_late_rtu_answer_for_the_next(many: int) -> None:
    """If the answers to all tries of a question are late, the driver gives up. The next answer says how the machine
    stands then."""
    machine, late = rng(Setup("rng", 1)), Late(0)
    station = ModbusRtuStation(machine, misbehave=late, port=TcpSerialPort)
    channel = ModbusRtuChannel(RNG, await station.start(), deadline=0.3)
    await channel.open()

    async def latest() -> Value:
        return (await channel.request(Request("status"))).values["latest"]

    for number in range(1, 5):
        assert await latest() == number, "the late answers say less"
        late.many = many
        for _ in range(many // TRIES):
            with pytest.raises(NoAnswer):
                await latest()
        machine.handle(Request("select", token=number), 0.0)
    await channel.close()
    await station.stop()


@pytest.mark.parametrize("many", [1, TRIES, 1 + TRIES])
async def test_late_answers_to_the_first_questions_of_all_are_not_taken_for_others(many: int) -> None:
    """The first question is whether the device offers function 23, and is asked once."""
    machine = rng(Setup("rng", 1))
    station = ModbusRtuStation(machine, misbehave=Late(many), port=TcpSerialPort)
    channel = ModbusRtuChannel(RNG, await station.start(), deadline=0.3)
    await channel.open()
    with pytest.raises(NoAnswer) if many > TRIES else contextlib.nullcontext():
        assert (await channel.request(Request("status"))).values["latest"] == 1
    machine.handle(Request("select"), 0.0)
    status = await channel.request(Request("status"))
    await channel.close()
    await station.stop()
    assert status.values["latest"] == 2, "the late answers say 1"


async def test_the_client_of_pymodbus_takes_a_late_rtu_answer_for_the_next() -> None:
    station = ModbusRtuStation(rng(Setup("rng", 1)), misbehave=Late(1), port=TcpSerialPort)
    port = int((await station.start()).rpartition(":")[2])
    options = {"framer": FramerType.RTU, "retries": 0, "timeout": 0.1}
    async with AsyncModbusTcpClient("127.0.0.1", port=port, **options) as client:
        with pytest.raises(ModbusIOException):
            await client.read_holding_registers(16, count=1)
        kind = await client.read_holding_registers(1, count=1)
    await station.stop()
    assert kind.registers == [int.from_bytes(b"fe", "big")], "the vendor's first letters, which were asked for before"
