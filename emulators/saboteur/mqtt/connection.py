"""Mutants that come to their broker, leave it or come back wrongly."""

import itertools
from collections.abc import Iterable
from typing import Any

import aiomqtt

from feltrig.emulators.saboteur.hooks.publications import Joining, Said, joins, on, publishes
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh


def _names() -> Change:
    """Another client identifier at each connection."""
    counter = itertools.count(1)

    def change(joining: Joining) -> None:
        joining.identifier = f"{joining.identifier}-{next(counter)}"

    return joins(change)


def _will(**changes: object) -> Change:
    def change(joining: Joining) -> None:
        assert joining.will is not None
        given = {"topic": joining.will.topic, "payload": joining.will.payload, "qos": 1, "retain": True}
        joining.will = aiomqtt.Will(**{**given, **changes})  # type: ignore[arg-type]

    return joins(change)


def _no_will(joining: Joining) -> None:
    joining.will = None


def _persistent(joining: Joining) -> None:
    joining.persistent = True


def _online_first() -> Change:
    """Publishes `online` before everything else: it is said again where it belongs."""

    def publish(said: Said) -> Iterable[Said]:
        if said.topic != "meta":
            return (said,)
        to = said.to.rpartition("/")[0] + "/online"
        return (Said("online", b'{"v": 1, "online": true}', True, to), said)

    return publishes(publish)


def _once(topic: str) -> Change:
    """Publishes on a topic at the first connection only."""
    seen: list[Said] = []

    def publish(said: Said) -> Iterable[Said]:
        if said.topic != topic:
            return (said,)
        seen.append(said)
        return (said,) if len(seen) == 1 else ()

    return publishes(publish)


def _stays_away(victim: Victim) -> None:
    """Does not come back when the connection is lost."""

    def prepare(station: Any) -> None:
        station._presence._unlink = lambda: None

    victim.stations.append(prepare)


def _no_farewell(said: Said) -> Iterable[Said]:
    return () if b"false" in said.payload else (said,)


MUTANTS = (
    Mutant("another-name", ("MQT-22",), "connects under another client identifier each time", fresh(_names)),
    Mutant("no-will", ("MQT-23",), "connects without a last will", joins(_no_will)),
    Mutant(
        "will-says-online",
        ("MQT-23",),
        "has a last will that says that it is there",
        _will(payload=b'{"v": 1, "online": true}'),
    ),
    Mutant("will-elsewhere", ("MQT-23",), "has its last will on another topic", _will(topic="feltrig/elsewhere")),
    Mutant("will-at-0", ("MQT-24",), "has a last will at QoS 0", _will(qos=0)),
    Mutant("will-not-retained", ("MQT-25",), "has a last will that is not retained", _will(retain=False)),
    Mutant("session-kept", ("MQT-26",), "asks for a session that outlives its connection", joins(_persistent)),
    Mutant("online-first", ("MQT-27",), "publishes `online` before `meta`", fresh(_online_first)),
    Mutant("meta-once", ("MQT-28",), "publishes `meta` at its first connection only", fresh(lambda: _once("meta"))),
    Mutant(
        "online-once", ("MQT-28",), "publishes `online` at its first connection only", fresh(lambda: _once("online"))
    ),
    Mutant("stays-away", ("MQT-29",), "does not come back when the connection is lost", _stays_away),
    Mutant(
        "no-farewell",
        ("MQT-30",),
        "leaves on purpose without a word",
        on("online", _no_farewell),
        survives="The rig cannot make a real device leave on purpose.",
    ),
)
