"""How a device on Modbus identifies itself by function 43: good ones are found good, and each way to err is found."""

from types import SimpleNamespace

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.harness.journal.reader import read
from feltrig.harness.plan.conformance.identification import BASIC, play
from feltrig.harness.table.driver import Driver
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.serial.channel import SerialChannel

OBJECTS = {name: number for number, (name, _) in BASIC.items()}
GOOD = dict.fromkeys(OBJECTS)


class Otherwise:
    """A display that answers function 43 otherwise: `answer` gets the first object that is asked for, and returns the
    PDU of the response."""

    def __init__(self, answer):
        self.machine = rng(Setup("rng", 1))
        self._server = ModbusServer(self.machine)
        self._answer = answer

    def respond(self, request, now):
        if self._answer is not None and request[:2] == bytes((pdu.IDENTIFY, pdu.MEI_IDENTIFICATION)):
            return self._answer(request[3])
        return self._server.respond(request, now)


@pytest.fixture(params=["modbus-rtu", "modbus-tcp"])
def look(request, journal):
    """What is wrong with each object of a display on Modbus."""

    async def looked(answer=None):
        device = Otherwise(answer)
        station = (ModbusRtuStation if request.param == "modbus-rtu" else ModbusTcpStation)(device)
        host, _, port = (where := await station.start()).rpartition(":")
        channel = (
            ModbusRtuChannel(RNG, where, deadline=0.3)
            if request.param == "modbus-rtu"
            else ModbusTcpChannel(RNG, host, int(port), deadline=0.3)
        )
        try:
            await channel.open()
            driver = Driver("rng", RNG, channel, journal, 5.0)
            await driver.open()
            stage = SimpleNamespace(prober=driver, channel=channel, journal=journal)
            found = {tried.what: tried.fault or tried.note or None async for tried in play(stage)}
            assert await driver.status() == device.machine.status(0.0)
            return found
        finally:
            await channel.close()
            await station.stop()

    return looked


def identification(**changes):
    """The objects of a good display, with others."""
    who = rng(Setup("rng", 1)).identity
    told = {"vendor": who.vendor, "model": who.model, "firmware": who.firmware} | changes
    return [(OBJECTS[name], value.encode()) for name, value in told.items() if value is not None]


async def test_a_good_device_says_who_it_is(look, journal):
    more = {0x05: "model", 0x80: "serial", 0x81: "digest"}
    assert await look() == GOOD | dict.fromkeys(f"{name}, object {number:#04x}" for number, name in more.items())
    journal.flush()
    (record,) = [r.data for r in read(journal.path).records if r.kind == "identification"]
    who = rng(Setup("rng", 1)).identity
    told = {n: value.decode() for n, value in identification()} | {n: getattr(who, name) for n, name in more.items()}
    assert record == {"device": "rng", "objects": {f"{n:#04x}": value for n, value in told.items()}}


@pytest.mark.parametrize("conformity", [0x01, 0x02, 0x81])
async def test_a_device_may_have_fewer_objects_and_say_so(look, conformity):
    def lesser(_):
        response = pdu.identification(pdu.BASIC, identification())
        return response[:3] + bytes((conformity,)) + response[4:]

    assert await look(lesser) == GOOD


async def test_a_device_may_tell_one_object_at_a_time(look):
    def one(first):
        (number, value), *more = [each for each in identification() if each[0] >= first] or identification()
        head = (pdu.IDENTIFY, pdu.MEI_IDENTIFICATION, pdu.BASIC, 1, 0xFF * bool(more), more[0][0] if more else 0, 1)
        return bytes((*head, number, len(value))) + value

    assert await look(one) == GOOD


@pytest.mark.parametrize("name", OBJECTS)
async def test_another_identity_than_the_device_tells_is_found(look, name):
    found = await look(lambda _: pdu.identification(pdu.BASIC, identification(**{name: "Other"})))
    assert found == GOOD | {name: found[name]}
    assert found[name].startswith("'Other', and identify says '")


@pytest.mark.parametrize("name", OBJECTS)
async def test_an_object_that_is_missing_is_found(look, name):
    found = await look(lambda _: pdu.identification(pdu.BASIC, identification(**{name: None})))
    assert found == GOOD | {name: "is not told"}


@pytest.mark.parametrize(
    "answer",
    [
        pdu.refusal(pdu.IDENTIFY, pdu.Refusal.ILLEGAL_FUNCTION),
        pdu.refusal(pdu.IDENTIFY, pdu.Refusal.ILLEGAL_ADDRESS),
        pdu.identification(pdu.BASIC, []),
    ],
    ids=["unknown", "no such register", "empty"],
)
async def test_a_device_need_not_offer_the_function(look, answer):
    assert await look(lambda _: answer) == {"function 43/14": "not offered"}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (pdu.refusal(pdu.IDENTIFY, pdu.Refusal.DEVICE_FAILURE), "Modbus exception 4, device failure"),
        (bytes.fromhex("2b0e01 83 ff 00 01 00 01 41"), "asked for 0 and on: objects [0], and 0 next"),
        (pdu.read(0, 1), "no usable answer to 3 tries"),
    ],
    ids=["fails", "goes on for ever", "another function"],
)
async def test_a_device_that_does_not_say_who_it_is_is_found(look, answer, why):
    found = await look(lambda _: answer)
    assert set(found) == set(GOOD)
    assert all(why in fault for fault in found.values())


async def test_other_wires_have_no_such_way(journal):
    driver = Driver("rng", RNG, SerialChannel(RNG, "/dev/null"), journal, 5.0)
    with pytest.raises(TypeError, match="no way of its own"):
        await driver.identification()
