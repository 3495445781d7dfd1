"""Connections that are dead without either end knowing: a new one goes on where the old one fell silent."""

import contextlib
import ssl

import pytest

from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.relays.noise import Noise, Passage
from feltrig.emulators.relays.relay import TcpRelay
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.journal import reader as journals
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import NoAnswer, SilentConnection
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.serial.channel import SerialChannel

DATA = bytes.fromhex("17 03 03")
"""A TLS record with data begins so; two bytes with its length follow (RFC 8446, 5.2)."""
LONGEST = bytes.fromhex("40 00")


class Damage(Noise):
    """Once, when it is due, makes a record so long that its receiver waits for ever for the rest."""

    def __init__(self, outgoing):
        super().__init__((), 1, stream=True)
        self.outgoing = outgoing
        self.due = False

    def passes(self, outgoing, chunk, now):
        """Called by the relay."""
        if self.due and outgoing == self.outgoing and chunk.startswith(DATA):
            self.due = False
            chunk = DATA + LONGEST + chunk[5:]
        return Passage([(0.0, chunk)])


@contextlib.asynccontextmanager
async def damaged_line(outgoing):
    """A device on Modbus TLS, and the channel to it through damage."""
    authority = Authority()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue("127.0.0.1").load_into(served)
    trusted = ssl.create_default_context(cadata=authority.pem.decode())
    machine = rng(Setup("rng", 1))
    station = ModbusTcpStation(machine, tls=served)
    host, _, port = (await station.start()).rpartition(":")
    damage = Damage(outgoing)
    relay = TcpRelay(host, int(port), damage)
    host, _, port = (await relay.start()).rpartition(":")
    channel = ModbusTcpChannel(RNG, host, int(port), deadline=0.6, tls=trusted)
    try:
        await channel.open()
        yield machine, channel, damage
    finally:
        await channel.close()
        await relay.stop()
        await station.stop()


@pytest.mark.parametrize("outgoing", [True, False], ids=["question", "answer"])
async def test_a_damaged_record_of_tls_costs_one_connection_and_the_command_runs_once(journal, outgoing):
    """When the answer is damaged the device has acted already: the token keeps it from acting again."""
    async with damaged_line(outgoing) as (machine, channel, damage):
        driver = Driver("rng", RNG, channel, journal, 5.0, reconnect=20.0)
        await driver.open()
        await driver.call("select")
        damage.due = True
        await driver.call("select")
        assert not damage.due
        selected = [event.number for event in machine.board.events(0, 100) if event.name == "selected"]
        await driver.look()
    journal.flush()
    records = journals.read(journal.path).records
    seen = [r.data["number"] for r in records if r.kind == "event" and r.data["event"] == "selected"]
    assert len(selected) == 2
    assert seen == selected
    troubles = [(r.kind, r.data.get("what")) for r in records if r.kind in ("trouble", "recovered")]
    assert troubles == [("trouble", "no answer"), ("recovered", None)]


@pytest.mark.parametrize("outgoing", [True, False], ids=["question", "answer"])
async def test_without_time_to_reconnect_a_damaged_record_is_silence(journal, outgoing):
    async with damaged_line(outgoing) as (_, channel, damage):
        driver = Driver("rng", RNG, channel, journal, 5.0, reconnect=0.0)
        await driver.open()
        damage.due = True
        with pytest.raises(SilentConnection, match="no answer to 3 tries"):
            await driver.call("status")


@pytest.mark.parametrize(("station", "channel"), [(SerialStation, SerialChannel), (ModbusRtuStation, ModbusRtuChannel)])
async def test_silence_on_a_serial_port_is_no_silent_connection(station, channel):
    """It is not opened again: that may restart what is plugged into it."""
    served = station(rng(Setup("rng", 1)), misbehave=lambda answer: None)
    asking = channel(RNG, await served.start(), deadline=0.1)
    await asking.open()
    try:
        with pytest.raises(NoAnswer) as silence:
            await asking.request(Request("status"))
    finally:
        await asking.close()
        await served.stop()
    assert not isinstance(silence.value, SilentConnection)
