"""What a device on MQTT publishes by itself. It must be as documented, agree with what the device answers, and be
retained by the broker where the document says so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from time import monotonic

from feltrig.harness.journal.records import Published
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires import wire_of
from feltrig.protocols.errors import Garbage
from feltrig.protocols.messages import Publication, Status
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.bystander import Bystander
from feltrig.protocols.mqtt.listener import LIMIT

QOS = 1
EVENTS = 8
"""How many events are looked for, one after the other: a device may publish only some of them."""

Read = Callable[[bytes], str | None]
"""What is wrong with a payload; Garbage where it cannot be read."""


KEPT = {
    "meta": ("MQT-1", "MQT-7", "MQT-8"),
    "online": ("MQT-3", "MQT-13"),
    "state": ("MQT-2", "MQT-9"),
    "event": ("MQT-4", "MQT-12"),
}
"""What the broker keeps of a device, and the demands on it."""

HEARD = {
    "MQT-1": "meta to be retained",
    "MQT-2": "state as it is, to be retained",
    "MQT-3": "online to be retained",
    "MQT-4": "events not to be retained",
    "MQT-5": "QoS 1",
    "MQT-7": "meta as identify answers",
    "MQT-8": "commands and events in meta",
    "MQT-9": "state at every change",
    "MQT-10": "number, name and fields of events",
    "MQT-11": "the state beside events",
    "MQT-12": "each event once and in order",
    "MQT-13": "online while it answers",
    "MQT-14": "JSON objects that are not too long",
    "MQT-15": "the version in every payload",
    "MQT-17": "numbers",
    "MQT-18": "bools",
    "MQT-19": "texts",
    "MQT-20": "lists",
    "MQT-21": "exactly the fields of the vocabulary",
    "MQT-31": "answers on no other topic",
    "MQT-32": "correlation data of answers",
    "MQT-33": "ids of answers",
    "MQT-34": "errors of answers",
    "MQT-35": "values of answers",
    "MQT-36": "answers to events",
    "MQT-37": "answers not to be retained",
    "MQT-38": "one answer to each request",
    "MQT-42": "events before the answers that know of them",
    "MQT-51": "nothing on other topics",
    "MQT-52": "nothing again and again",
}
"""What is heard of a device during the whole run, by the demand on it."""

UNASKED_FOR = 0.3
"""Seconds in which nobody asks, so that a device which publishes without end shows that."""


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """The scene."""
    for thing, fault in (await judged(stage.prober, stage.journal)).items():
        yield Tried(thing, fault, KEPT[thing])
    async with bystander_of(stage) as bystander:
        await asyncio.sleep(UNASKED_FOR)
        await bystander.caught_up()
        heard = f"heard so far: {sum(bystander.listener.heard.values())} messages"
        for requirement, what in HEARD.items():
            faults = bystander.faults.get(requirement, [])
            yield Tried(what, faults[0] if faults else None, (requirement,), note=heard)


@asynccontextmanager
async def bystander_of(stage: Stage) -> AsyncIterator[Bystander]:
    """Who listens to the device during the whole run, or during this scene if nobody does."""
    site, device = stage.context.wired.emulated.site, stage.device
    if device.name in site.watchers:
        there = site.watchers[device.name]
        assert isinstance(there, Bystander)
        yield there
        return
    watcher = wire_of(device).watcher
    assert watcher is not None
    here = watcher(site, device, lambda requirement, fault: None)
    assert isinstance(here, Bystander)
    await here.open()
    try:
        yield here
    finally:
        await here.close()


async def judged(driver: Driver, journal: Journal) -> Mapping[str, str | None]:
    """What is wrong on each topic; None when nothing."""
    before = await driver.rest()
    kept = await _kept(driver, journal)
    meta = _fault(kept, "meta", partial(_other_identity, driver))
    online = _fault(kept, "online", _offline)
    state = _fault(kept, "state", partial(_other_status, before)) and await _later_state(driver, journal)
    event = None
    for _ in range(EVENTS):
        cleared = await driver.perform("reset", "cleared")
        if event is None and await driver.pushed(cleared.number) != cleared:
            event = f"{cleared.name}, number {cleared.number}, is not published"
    if any(publication.topic == "event" for publication in kept):
        event = "is retained"
    return {"meta": meta, "online": online, "state": state or await _later_state(driver, journal), "event": event}


async def _later_state(driver: Driver, journal: Journal) -> str | None:
    """What is wrong with the state after it has changed. A device has a second to publish it."""
    give_up = monotonic() + 1.2 * LIMIT
    while True:
        late = monotonic() > give_up
        after = await driver.rest()
        fault = _fault(await _kept(driver, journal), "state", partial(_other_status, after))
        if fault is None or late:
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
