"""How a device on Modbus identifies itself by the standard's own function, which any client can read. It must be as
documented, and agree with its answer to `identify`."""

from collections.abc import Mapping
from dataclasses import asdict

from feltrig.harness.journal.records import Identified
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import WireError

OBJECTS = {"vendor": 0x00, "model": 0x01, "firmware": 0x02}
"""The basic identification, which every device has."""


async def judged(driver: Driver, journal: Journal) -> Mapping[str, str | None]:
    """What is wrong with each object; None when nothing."""
    assert driver.identity is not None
    try:
        told = await driver.identification()
    except WireError as error:
        return dict.fromkeys(OBJECTS, str(error))
    objects = {f"{number:#04x}": value.decode(errors="replace") for number, value in told.items()}
    journal.append(Identified(driver.name, objects))
    who = asdict(driver.identity)
    return {name: _fault(told.get(number), who[name]) for name, number in OBJECTS.items()}


def _fault(value: bytes | None, expected: str) -> str | None:
    if value is None:
        return "is not told"
    said = value.decode(errors="replace")
    return None if said == expected else f"{said!r}, and identify says {expected!r}"
