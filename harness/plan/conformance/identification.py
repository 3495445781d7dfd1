"""How a device on Modbus identifies itself by the standard's own function, which any client can read. A device need not
offer it. If it does, what it says must agree with its answer to `identify`."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict

from feltrig.harness.journal.records import Identified
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.errors import WireError
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.channel import ModbusChannel
from feltrig.protocols.modbus.pdu import Refusal

BASIC = {0x00: ("vendor", "MOD-80"), 0x01: ("model", "MOD-81"), 0x02: ("firmware", "MOD-82")}
"""The basic identification, which is whole or not there."""
MORE = {0x05: ("model", "MOD-83"), 0x80: ("serial", "MOD-84"), 0x81: ("digest", "MOD-85")}
"""Further objects, each of which can be missing."""

NOT_OFFERED = tuple(pdu.refusal(pdu.IDENTIFY, code) for code in (Refusal.ILLEGAL_FUNCTION, Refusal.ILLEGAL_ADDRESS))


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Look at each object."""
    driver, channel = stage.prober, stage.channel
    assert driver.identity is not None
    assert isinstance(channel, ModbusChannel)
    said = asdict(driver.identity)
    try:
        answer = await channel.exchange(pdu.identify(pdu.BASIC))
        if answer in NOT_OFFERED or _says_nothing(answer):
            yield Tried("function 43/14", None, ("MOD-7",), note="not offered")
            return
        told = await driver.identification()
    except WireError as error:
        for name, which in BASIC.values():
            yield Tried(name, str(error), ("MOD-6", which))
        return
    more = await _objects(channel)
    objects = {f"{number:#04x}": value.decode(errors="replace") for number, value in {**more, **told}.items()}
    stage.journal.append(Identified(driver.name, objects))
    for number, (name, which) in BASIC.items():
        yield Tried(name, _fault(told.get(number), said[name]), ("MOD-6", which))
    for number, (name, which) in MORE.items():
        if number in more:
            yield Tried(f"{name}, object {number:#04x}", _fault(more[number], said[name]), (which,))


def _says_nothing(answer: bytes) -> bool:
    """Whether there is not one object in an answer, as from a server whose owner has given it no identity."""
    try:
        return answer[:1] == bytes((pdu.IDENTIFY,)) and not pdu.read_identification(answer).objects
    except ValueError:
        return False


async def _objects(channel: ModbusChannel) -> Mapping[int, bytes]:
    """The objects beyond the basic ones that a device gives one by one."""
    found: dict[int, bytes] = {}
    for number in MORE:
        try:
            answer = await channel.exchange(pdu.identify(pdu.SINGLE, number))
        except WireError:
            break
        if answer[:1] == bytes((pdu.IDENTIFY,)):
            try:
                found |= pdu.read_identification(answer).objects
            except ValueError:
                found[number] = answer
    return found


def _fault(value: bytes | None, expected: str) -> str | None:
    if value is None:
        return "is not told"
    said = value.decode(errors="replace")
    return None if said == expected else f"{said!r}, and identify says {expected!r}"
