"""The salted challenge, asked by programs that share no code with ours and know only its document: HMAC-SHA-256, with
the nonce as the key and the firmware image as the message."""

import asyncio
import hashlib
import hmac
import json
import secrets
import struct
from collections.abc import Callable

import pytest
import serial
from cobs import cobs
from pymodbus.client import AsyncModbusSerialClient
from pyModbusTCP.client import ModbusClient

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.mqtt.link import Server

IMAGE = b"firmware\0of a display" * 99
TOPIC = "casino/t1/rng"

Peer = Callable[..., None]


@pytest.fixture
def display():
    machine = rng(Setup("rng", 1))
    machine.image = IMAGE
    return machine


@pytest.fixture(params=[16, 21, 32])
def nonce(request):
    return secrets.token_bytes(request.param)


def expected(nonce: bytes) -> bytes:
    return hmac.new(nonce, IMAGE, hashlib.sha256).digest()


def crc(data: bytes) -> bytes:
    """CRC-16/CCITT-FALSE bit by bit, low byte first."""
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return struct.pack("<H", value)


def registers(octets: bytes) -> list[int]:
    """A list of bytes as the register map has it: its length, then two in each register."""
    filled = octets + bytes(len(octets) % 2)
    return [len(octets), *struct.unpack(f">{len(filled) // 2}H", filled)]


async def test_a_serial_client_from_scratch(display, nonce: bytes) -> None:
    station = SerialStation(display, address=7)
    path = await station.start()

    def ask() -> bytes:
        with serial.Serial(path, 115200, timeout=5) as port:
            payload = bytes((7, 200, 0x05, len(nonce))) + nonce
            port.write(b"\0" + cobs.encode(payload + crc(payload)) + b"\0")
            assert port.read(1) == b"\0"
            return cobs.decode(port.read_until(b"\0").rstrip(b"\0"))

    answer = await asyncio.to_thread(ask)
    await station.stop()
    assert answer[:5] == bytes((7, 200, 0x85, 0, 32))
    assert answer[5:37] == expected(nonce)
    assert answer[37:] == crc(answer[:37])


async def test_py_modbus_tcp(display, nonce: bytes) -> None:
    station = ModbusTcpStation(display)
    host, _, port = (await station.start()).rpartition(":")

    def ask() -> tuple[bool, list[int]]:
        client = ModbusClient(host, int(port), unit_id=1, timeout=5)
        written = client.write_multiple_registers(256, [0x1234, 0x5678, 0x05, *registers(nonce)])
        result = client.read_holding_registers(288, 21)
        client.close()
        return bool(written), result

    written, result = await asyncio.to_thread(ask)
    await station.stop()
    assert written
    assert result == [0x1234, 0x5678, 0, 17, *registers(expected(nonce))]


async def test_pymodbus_on_rtu(display, nonce: bytes) -> None:
    station = ModbusRtuStation(display)
    client = AsyncModbusSerialClient(await station.start(), baudrate=19200, timeout=5, retries=0)
    await client.connect()
    command = [0x1234, 0x5678, 0x05, *registers(nonce)]
    answer = await client.readwrite_registers(
        read_address=288, read_count=21, write_address=256, values=command, device_id=1
    )
    client.close()
    await station.stop()
    assert answer.registers == [0x1234, 0x5678, 0, 17, *registers(expected(nonce))]


async def test_mosquitto_rr(peer: Peer, broker: Broker, display, nonce: bytes) -> None:
    peer("mosquitto_rr")
    port = str(broker.port)
    station = MqttStation(display, TOPIC, Server("127.0.0.1", int(port)))
    await station.start()
    asked = json.dumps({"v": 1, "cmd": "challenge", "args": {"nonce": list(nonce)}})
    process = await asyncio.create_subprocess_exec(
        *(
            "mosquitto_rr",
            "-p",
            port,
            "-V",
            "5",
            "-t",
            f"{TOPIC}/cmd",
            "-e",
            f"{TOPIC}/reply/rr",
            "-m",
            asked,
            "-W",
            "9",
        ),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    await station.stop()
    assert json.loads(output) == {"v": 1, "error": "ok", "values": {"proof": list(expected(nonce))}}
