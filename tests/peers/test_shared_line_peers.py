"""Several devices on one line, and ports on TCP, worked by programs that we did not write."""

import asyncio
import re

import minimalmodbus
import serial

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.messages import Request
from feltrig.protocols.serial.channel import SerialChannel

SELECT = [0xCAFE, 0xBABE, 0x10]
STARTED = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0]
SELECTED = [1, 1, 2, 0, 0, 1, 0, 2, 0xCAFE, 0xBABE]


async def mbpoll(*arguments: str) -> list[int]:
    """The registers that mbpoll prints, once; `-0` makes its references start at zero."""
    process = await asyncio.create_subprocess_exec(
        "mbpoll", "-0", "-1", *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(10):
        output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return [int(value) for value in re.findall(r"^\[\d+\]:\s+(\d+)", output.decode(), re.MULTILINE)]


async def test_minimalmodbus_addresses_two_units_on_one_line():
    machines = rng(Setup("one", 1)), rng(Setup("two", 2))
    station = ModbusRtuStation(machines[0], 1)
    station.add(machines[1], 17)
    port = await station.start()

    def work() -> None:
        first, second, absent = (minimalmodbus.Instrument(port, unit) for unit in (1, 17, 5))
        first.serial.timeout = 5
        try:
            assert first.read_registers(0, 10) == second.read_registers(0, 10) == STARTED
            second.write_registers(256, SELECT)
            assert (first.read_registers(0, 10), second.read_registers(0, 10)) == (STARTED, SELECTED)
            first.serial.timeout = 0.2
            try:
                absent.read_register(0)
            except minimalmodbus.NoResponseError:
                return
            raise AssertionError("a unit that is not there has answered")
        finally:
            first.serial.close()

    await asyncio.to_thread(work)
    await station.stop()


async def test_minimalmodbus_broadcasts_to_every_unit_on_the_line():
    machines = rng(Setup("one", 1)), rng(Setup("two", 2))
    station = ModbusRtuStation(machines[0], 1)
    station.add(machines[1], 2)
    port = await station.start()

    def work() -> None:
        everybody, second = minimalmodbus.Instrument(port, 0), minimalmodbus.Instrument(port, 2)
        second.serial.timeout = 5
        everybody.write_registers(256, SELECT)
        assert second.read_registers(0, 10) == SELECTED
        second.serial.close()

    await asyncio.to_thread(work)
    assert [machine.status(0.0).latest for machine in machines] == [2, 2]
    await station.stop()


async def test_mbpoll_addresses_two_units_on_one_line(peer):
    peer("mbpoll")
    station = ModbusRtuStation(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 2)), 2)
    line = ("-m", "rtu", "-b", "19200", "-P", "none")
    port = await station.start()
    await mbpoll(*line, "-a", "2", "-r", "256", port, *map(str, SELECT))
    assert await mbpoll(*line, "-a", "1", "-r", "0", "-c", "10", port) == STARTED
    assert await mbpoll(*line, "-a", "2", "-r", "0", "-c", "10", port) == SELECTED
    await station.stop()


async def test_mbpoll_addresses_two_units_behind_one_tcp_address(peer):
    peer("mbpoll")
    station = ModbusTcpStation(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 2)), 2)
    host, _, port = (await station.start()).rpartition(":")
    line = ("-m", "tcp", "-p", port)
    await mbpoll(*line, "-a", "2", "-r", "256", host, *map(str, SELECT))
    assert await mbpoll(*line, "-a", "1", "-r", "0", "-c", "10", host) == STARTED
    assert await mbpoll(*line, "-a", "2", "-r", "0", "-c", "10", host) == SELECTED
    await station.stop()


async def test_socat_makes_a_terminal_of_a_port_on_tcp(peer, tmp_path):
    """The way from a program that knows only terminals to a device server."""
    peer("socat")
    station = SerialStation(rng(Setup("one", 1)), 1, port=TcpSerialPort)
    where = (await station.start()).removeprefix("socket://")
    link = tmp_path / "tty"
    process = await asyncio.create_subprocess_exec(
        "socat", "-d", "-d", f"PTY,link={link},raw,echo=0", f"TCP:{where},nodelay", stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(10):
            await process.stderr.readuntil(b"starting data transfer loop")
        with serial.Serial(str(link), timeout=5) as client:
            # status of address 1, seq 2, as docs/serial.md frames it
            client.write(bytes.fromhex("00 06 01 02 02 8C BD 00"))
            answer = await asyncio.to_thread(client.read, 19)
        # address 1, seq 2, code 82, no error, idle, no fault, events 1 to 1
        assert answer == bytes.fromhex("00 04 01 02 82 01 01 01 01 01 02 01 01 01 04 01 F6 4E 00")
    finally:
        process.terminate()
        await process.communicate()
        await station.stop()


async def test_our_driver_shares_the_far_end_of_a_device_server_by_socat(peer):
    """socat stands for the device server: TCP on one side, the terminal of two devices on the other."""
    peer("socat")
    station = SerialStation(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 2)), 2)
    path = await station.start()
    process = await asyncio.create_subprocess_exec(
        "socat",
        "-d",
        "-d",
        "TCP-LISTEN:0,bind=127.0.0.1,nodelay",
        f"FILE:{path},raw,echo=0",
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(10):
            await process.stderr.readuntil(b"listening on")
            said = await process.stderr.readline()
        port = SharedPort(f"socket://127.0.0.1:{said.decode().rpartition(':')[2].strip()}", 115_200)
        channels = [SerialChannel(RNG, port, address, deadline=10.0) for address in (1, 2)]
        for channel in channels:
            await channel.open()
        replies = await asyncio.gather(*(channel.request(Request("identify")) for channel in channels))
        assert [reply.values["serial"] for reply in replies] == ["EMU-one", "EMU-two"]
        for channel in channels:
            await channel.close()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
        await station.stop()
