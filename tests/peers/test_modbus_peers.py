"""The register map on Modbus, worked by masters and served by slaves that we did not write."""

import asyncio
import re
import socket
from typing import Any

import minimalmodbus
import pytest
import serial
from pymodbus.client import AsyncModbusSerialClient, AsyncModbusTcpClient
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice
from pyModbusTCP.client import ModbusClient
from umodbus.client import tcp as umodbus_tcp
from umodbus.client.serial import rtu as umodbus_rtu
from umodbus.exceptions import IllegalDataAddressError

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel

SELECT = [0xCAFE, 0xBABE, 0x10]
STATUS_AFTER_START = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0]
STATUS_AFTER_SELECT = [1, 1, 2, 0, 0, 1, 0, 2, 0xCAFE, 0xBABE]
RESULT = [0xCAFE, 0xBABE, 0, 0]


@pytest.fixture
async def tcp():
    station = ModbusTcpStation(rng(Setup("rng", 1)))
    host, _, port = (await station.start()).rpartition(":")
    yield host, int(port)
    await station.stop()


@pytest.fixture
async def rtu():
    station = ModbusRtuStation(rng(Setup("rng", 1)))
    yield await station.start()
    await station.stop()


async def mbpoll(*arguments: str) -> str:
    """What mbpoll prints. `-0` makes its references start at zero, as in the map; `-1` polls once."""
    process = await asyncio.create_subprocess_exec(
        "mbpoll", "-0", "-1", *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(10):
        output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


def registers(printed: str) -> list[int]:
    """The values in lines like `[4]: 17`, without the signed reading that mbpoll adds in brackets."""
    return [int(value) for value in re.findall(r"^\[\d+\]:\s+(\d+)", printed, re.MULTILINE)]


async def test_mbpoll_works_the_map_over_tcp(peer, tcp):
    peer("mbpoll")
    host, port = tcp
    line = ("-m", "tcp", "-p", str(port), "-a", "1")
    assert registers(await mbpoll(*line, "-r", "0", "-c", "10", host)) == STATUS_AFTER_START
    assert registers(await mbpoll(*line, "-t", "3", "-r", "0", "-c", "10", host)) == STATUS_AFTER_START
    await mbpoll(*line, "-r", "256", host, *map(str, SELECT))
    assert registers(await mbpoll(*line, "-r", "288", "-c", "4", host)) == RESULT
    assert registers(await mbpoll(*line, "-r", "0", "-c", "10", host)) == STATUS_AFTER_SELECT


@pytest.mark.parametrize("parity", ["none", "even"])
async def test_mbpoll_works_the_map_over_rtu(peer, rtu, parity):
    peer("mbpoll")
    line = ("-m", "rtu", "-b", "19200", "-P", parity, "-a", "1")
    assert registers(await mbpoll(*line, "-r", "0", "-c", "10", rtu)) == STATUS_AFTER_START
    await mbpoll(*line, "-r", "256", rtu, *map(str, SELECT))
    assert registers(await mbpoll(*line, "-r", "288", "-c", "4", rtu)) == RESULT
    assert registers(await mbpoll(*line, "-r", "0", "-c", "10", rtu)) == STATUS_AFTER_SELECT


async def work_by_pymodbus(client) -> None:
    assert (await client.read_holding_registers(0, count=10)).registers == STATUS_AFTER_START
    result = await client.readwrite_registers(
        read_address=288, read_count=4, write_address=256, values=SELECT, device_id=1
    )
    assert result.registers == RESULT
    assert (await client.read_input_registers(0, count=10)).registers == STATUS_AFTER_SELECT
    vendor = client.convert_from_registers(
        (await client.read_holding_registers(16, count=16)).registers, client.DATATYPE.STRING
    )
    identified = await client.read_device_information(read_code=1)
    assert identified.information[0].decode() == vendor
    refused = await client.read_holding_registers(200, count=1)
    assert refused.exception_code == 2


async def test_pymodbus_works_the_map_over_tcp(tcp):
    host, port = tcp
    async with AsyncModbusTcpClient(host, port=port, retries=0, timeout=5) as client:
        await work_by_pymodbus(client)


async def test_pymodbus_works_the_map_over_rtu(rtu):
    async with AsyncModbusSerialClient(rtu, baudrate=19200, retries=0, timeout=5) as client:
        await work_by_pymodbus(client)


async def test_pymodbustcp_works_the_map(tcp):
    def work() -> None:
        client = ModbusClient(*tcp, unit_id=1, timeout=5)
        try:
            assert client.read_holding_registers(0, 10) == STATUS_AFTER_START
            assert client.write_multiple_registers(256, SELECT)
            assert client.read_input_registers(288, 4) == RESULT
            assert client.write_read_multiple_registers(256, SELECT, 288, 4) == RESULT
            assert client.read_holding_registers(0, 10) == STATUS_AFTER_SELECT
            assert client.read_holding_registers(200, 1) is None
            assert client.last_except == 2
        finally:
            client.close()

    await asyncio.to_thread(work)


async def test_minimalmodbus_works_the_map(rtu):
    def work() -> None:
        instrument = minimalmodbus.Instrument(rtu, 1)
        instrument.serial.timeout = 5
        try:
            assert instrument.read_registers(0, 10) == STATUS_AFTER_START
            instrument.write_registers(256, SELECT)
            assert instrument.read_registers(288, 4, functioncode=4) == RESULT
            assert instrument.read_registers(0, 10) == STATUS_AFTER_SELECT
            assert instrument.read_long(8) == 0xCAFEBABE
            # it waits in vain for the rest of a longer answer
            instrument.serial.timeout = 0.3
            with pytest.raises(minimalmodbus.IllegalRequestError):
                instrument.read_register(200)
        finally:
            instrument.serial.close()

    await asyncio.to_thread(work)


def work_by_umodbus(functions: Any, line: Any) -> None:
    """The same for TCP and RTU: umodbus builds a request and sends it on whatever line it is given."""

    def ask(request: bytes) -> list[int]:
        answer: list[int] = functions.send_message(request, line)
        return answer

    assert ask(functions.read_holding_registers(1, 0, 10)) == STATUS_AFTER_START
    assert ask(functions.write_multiple_registers(1, 256, SELECT)) == len(SELECT)
    assert ask(functions.read_input_registers(1, 288, 4)) == RESULT
    assert ask(functions.read_holding_registers(1, 0, 10)) == STATUS_AFTER_SELECT
    with pytest.raises(IllegalDataAddressError):
        ask(functions.read_holding_registers(1, 200, 1))


async def test_umodbus_works_the_map_over_tcp(tcp):
    def work() -> None:
        with socket.create_connection(tcp, timeout=5) as line:
            work_by_umodbus(umodbus_tcp, line)

    await asyncio.to_thread(work)


async def test_umodbus_works_the_map_over_rtu(rtu):
    def work() -> None:
        with serial.Serial(rtu, 19200, timeout=5) as line:
            work_by_umodbus(umodbus_rtu, line)

    await asyncio.to_thread(work)


async def test_our_driver_reads_a_server_of_pymodbus():
    text = [ord("M") << 8 | ord("e"), *[0] * 15]
    head = [1, 1, 2, 0, 0, 1, 0, 1, 0, 0, *[0] * 6, *text, *[0] * 96]
    slot = [0, 1, 0x10, 7, *[0] * 12]
    device = SimDevice(
        id=1,
        simdata=[
            SimData(0, values=head, datatype=DataType.REGISTERS),
            SimData(256, values=[0] * 160, datatype=DataType.REGISTERS),
            SimData(512, values=slot, datatype=DataType.REGISTERS),
        ],
    )
    server = ModbusTcpServer(device, address=("127.0.0.1", 0))
    await server.serve_forever(background=True)
    channel = ModbusTcpChannel(RNG, *server.transport.sockets[0].getsockname()[:2], deadline=5.0)
    try:
        await channel.open()
        assert (await channel.request(Request("identify"))).values["vendor"] == "Me"
        (event,) = (await channel.events(0)).events
        assert (event.number, event.values) == (1, {"number": 7})
    finally:
        await channel.close()
        await server.shutdown()
