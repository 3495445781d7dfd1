"""A serial port behind a network, by RFC 2217."""

from collections.abc import Callable
from pathlib import Path

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation
from feltrig.emulators.stations.rfc2217_port import Rfc2217Port
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.lines import tcp
from feltrig.protocols.lines.line import open_line
from feltrig.protocols.modbus.channel import ModbusRtuChannel

LONG, SHORT = 10.0, 0.15


async def test_the_settings_of_the_driver_reach_the_device_by_rfc2217():
    made: list[Rfc2217Port] = []

    def make_port(on_data: Callable[[bytes], None]) -> Rfc2217Port:
        made.append(Rfc2217Port(on_data))
        return made[0]

    station = ModbusRtuStation(rng(Setup("one", 1)), port=make_port)
    channel = ModbusRtuChannel(RNG, await station.start(), 1, 38400, LONG, parity="E", stopbits=2)
    await channel.open()
    setup = made[0].setup
    assert (setup.baudrate, setup.bytesize, setup.parity, setup.stopbits) == (38400, 8, "E", 2)
    await channel.close()
    await station.stop()


def ignore(_: object) -> None:
    """Nothing comes, or nobody cares."""


async def test_a_server_that_does_not_speak_rfc2217_is_a_lost_line_within_the_deadline(monkeypatch):
    monkeypatch.setattr(tcp, "LEAST_OPENING", 0.0)
    port = TcpSerialPort(ignore)
    with pytest.raises(LineLost, match="no connection within"):
        await open_line(port.open().replace("socket", "rfc2217"), 9600, ignore, ignore, deadline=SHORT)
    port.close()


def test_importing_a_channel_does_not_import_the_library_that_only_rfc2217_needs():
    source = (Path(__file__).parents[3] / "protocols" / "lines" / "line.py").read_text()
    assert not any(line.startswith(("import serialx", "from serialx")) for line in source.splitlines())
