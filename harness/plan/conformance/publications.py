"""What a device on MQTT publishes by itself. It must be as documented, agree with what the device answers, and be
retained by the broker where the document says so."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from feltrig.harness.journal.records import Published
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import Garbage
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.malformed import QUIET
from feltrig.protocols.messages import Publication, Status
from feltrig.protocols.mqtt import codec as mqtt_topics

QOS = 1
EVENTS = 8
"""How many events are looked for, one after the other: a device may publish only some of them."""

Read = Callable[[bytes], str | None]
"""What is wrong with a payload; Garbage where it cannot be read."""


async def judged(driver: Driver, journal: Journal) -> Mapping[str, str | None]:
    """What is wrong on each topic; None when nothing."""
    before = await driver.rest()
    kept = await _kept(driver, journal)
    meta = _fault(kept, "meta", partial(_other_identity, driver))
    online = _fault(kept, "online", _offline)
    state = _fault(kept, "state", partial(_other_status, before))
    event = None
    for _ in range(EVENTS):
        cleared = await driver.perform("reset", "cleared")
        if event is None and await driver.pushed(cleared.number) != cleared:
            event = f"{cleared.name}, number {cleared.number}, is not published"
    if any(publication.topic == "event" for publication in kept):
        event = "is retained"
    return {"meta": meta, "online": online, "state": state or await _later_state(driver, journal), "event": event}


async def _later_state(driver: Driver, journal: Journal) -> str | None:
    """What is wrong with the state after it has changed. A device may need a moment to publish it."""
    fault: str | None = None
    for _ in range(TRIES):
        after = await driver.rest()
        fault = _fault(await _kept(driver, journal), "state", partial(_other_status, after))
        if fault is None:
            break
        await asyncio.sleep(QUIET)
    return fault


async def _kept(driver: Driver, journal: Journal) -> Sequence[Publication]:
    kept = await driver.retained()
    for publication in kept:
        text = publication.payload.decode(errors="replace")
        journal.append(Published(driver.name, publication.topic, text, publication.qos))
    return kept


def _fault(kept: Sequence[Publication], topic: str, read: Read) -> str | None:
    publication = next((each for each in kept if each.topic == topic), None)
    if publication is None:
        return "nothing is retained"
    if publication.qos != QOS:
        return f"published at QoS {publication.qos}, expected {QOS}"
    try:
        return read(publication.payload)
    except Garbage as garbage:
        return str(garbage)


def _other_identity(driver: Driver, payload: bytes) -> str | None:
    _, said = mqtt_topics.decode_meta(payload)
    assert driver.identity is not None
    for name, value in asdict(driver.identity).items():
        if getattr(said, name) != value:
            return f"{name} {getattr(said, name)!r}, and identify says {value!r}"
    return None


def _offline(payload: bytes) -> str | None:
    return None if mqtt_topics.decode_online(payload) else "says that it is not"


def _other_status(status: Status, payload: bytes) -> str | None:
    said = mqtt_topics.decode_state(payload)
    return None if said == status else f"{_shown(said)}, and status says {_shown(status)}"


def _shown(status: Status) -> str:
    return f"{status.state.name.lower()}, fault {status.fault.name.lower()}, events {status.oldest} to {status.latest}"
