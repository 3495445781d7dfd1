"""Several machines on one line or behind one address, as a raw master sees them."""

import asyncio

import pytest
import serial

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import encode_rtu
from feltrig.protocols.serial.frame import BROADCAST, encode

STATUS, SELECT = 0x02, 0x10
TOKEN = bytes.fromhex("cafebabe")


class Master:
    """A raw client of a port."""

    def __init__(self, path: str) -> None:
        self.port = serial.Serial(path, timeout=0)

    async def hear(self, size: int) -> bytes:
        heard = b""
        async with asyncio.timeout(5):
            while len(heard) < size:
                heard += self.port.read(4096)
                await asyncio.sleep(0)
        return heard


@pytest.fixture
async def line():
    """Three machines on one serial line, at the addresses 1, 2 and 9."""
    machines = {address: rng(Setup(f"rng{address}", address)) for address in (1, 2, 9)}
    station = SerialStation(machines[1], 1, lambda: 0.0)
    station.add(machines[2], 2)
    station.add(machines[9], 9)
    master = Master(await station.start())
    yield master, machines
    master.port.close()
    await station.stop()


@pytest.fixture
async def rtu_line():
    """Three units on one RTU line: 1, 2 and 9."""
    machines = {unit: rng(Setup(f"rng{unit}", unit)) for unit in (1, 2, 9)}
    station = ModbusRtuStation(machines[1], 1, lambda: 0.0)
    station.add(machines[2], 2)
    station.add(machines[9], 9)
    master = Master(await station.start())
    yield master, machines
    master.port.close()
    await station.stop()


def latest(machines) -> list[int]:
    return [machine.status(0.0).latest for machine in machines.values()]


async def test_each_address_answers_for_itself(line):
    master, machines = line
    master.port.write(encode(2, 5, SELECT, TOKEN) + encode(9, 6, STATUS, b"") + encode(1, 7, STATUS, b""))
    idle = bytes.fromhex("00 00 00 00000001 00000001")
    answers = encode(2, 5, 0x90, b"\0") + encode(9, 6, 0x82, idle) + encode(1, 7, 0x82, idle)
    assert await master.hear(len(answers)) == answers
    assert latest(machines) == [1, 2, 1]


async def test_a_foreign_address_is_met_with_silence(line):
    master, machines = line
    foreign = b"".join(encode(address, 1, SELECT, TOKEN) for address in range(255) if address not in (1, 2, 9))
    master.port.write(foreign + encode(1, 8, STATUS, b""))
    answer = encode(1, 8, 0x82, bytes.fromhex("00 00 00 00000001 00000001"))
    assert await master.hear(len(answer)) == answer
    assert latest(machines) == [1, 1, 1]


async def test_a_broadcast_acts_on_all_and_none_answers(line):
    master, machines = line
    master.port.write(2 * encode(BROADCAST, 1, SELECT, TOKEN) + encode(2, 8, STATUS, b""))
    answer = encode(2, 8, 0x82, bytes.fromhex("00 02 00 00000001 00000002"))
    assert await master.hear(len(answer)) == answer
    assert latest(machines) == [2, 2, 2]


async def test_a_broadcast_that_cannot_be_read_harms_nobody(line):
    master, machines = line
    for code, data in ((0x7E, b""), (SELECT, b""), (STATUS, b"x"), (0x90, b"\0"), (0x03, b"\0\0\0\0")):
        master.port.write(encode(BROADCAST, 1, code, data))
    master.port.write(encode(1, 8, STATUS, b""))
    answer = encode(1, 8, 0x82, bytes.fromhex("00 00 00 00000001 00000001"))
    assert await master.hear(len(answer)) == answer
    assert latest(machines) == [1, 1, 1]


async def test_the_misbehaviour_of_one_is_not_that_of_its_neighbours():
    station = SerialStation(rng(Setup("mute", 1)), 1, misbehave=lambda _: None)
    station.add(rng(Setup("fine", 1)), 2)
    master = Master(await station.start())
    master.port.write(encode(1, 1, STATUS, b"") + encode(2, 2, STATUS, b""))
    answer = encode(2, 2, 0x82, bytes.fromhex("00 00 00 00000001 00000001"))
    assert await master.hear(len(answer)) == answer
    master.port.close()
    await station.stop()


async def test_each_unit_answers_for_itself_and_a_foreign_one_is_met_with_silence(rtu_line):
    master, machines = rtu_line
    run = pdu.write(256, TOKEN + bytes((0, SELECT)))
    # one request at a time, as on a real line
    for request, answer in (
        (encode_rtu(2, run), encode_rtu(2, run[:5])),
        (b"".join(encode_rtu(unit, run) for unit in (3, 8, 10, 247)) + encode_rtu(9, pdu.read(6, 2)), None),
        (encode_rtu(1, pdu.read(6, 2)), None),
    ):
        expected = answer or encode_rtu(request[-8], bytes.fromhex("03 04 00000001"))
        master.port.write(request)
        assert await master.hear(len(expected)) == expected
    assert latest(machines) == [1, 2, 1]


async def test_a_broadcast_to_unit_0_acts_on_all_and_none_answers(rtu_line):
    master, machines = rtu_line
    master.port.write(encode_rtu(0, pdu.write(256, TOKEN + bytes((0, SELECT)))))
    master.port.write(encode_rtu(0, pdu.read(6, 2)) + encode_rtu(9, pdu.read(6, 2)))
    expected = encode_rtu(9, bytes.fromhex("03 04 00000002"))
    assert await master.hear(len(expected)) == expected
    assert latest(machines) == [2, 2, 2]


def test_a_gateway_to_several_units_is_none_of_them():
    station = ModbusTcpStation(rng(Setup("one", 1)), 1, clock=lambda: 0.0)
    assert station.drop(0) is station.drop(255) is station.drop(1) is not None
    station.add(rng(Setup("two", 2)), 2)
    assert station.drop(0) is station.drop(255) is None
    assert station.drop(2) not in (station.drop(1), None)


@pytest.mark.parametrize(
    ("station", "numbers"),
    [(SerialStation, (1, 255, -1)), (ModbusRtuStation, (1, 0, 248)), (ModbusTcpStation, (1, 0, 248))],
)
def test_a_number_that_is_taken_or_reserved_is_refused(station, numbers):
    for number in numbers:
        with pytest.raises(ValueError, match=f"{number} is taken, or not from"):
            station(rng(Setup("one", 1))).add(rng(Setup("two", 1)), number)
