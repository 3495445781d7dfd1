"""Mutants that publish wrongly: on which topics, when, how often and how."""

import json
from collections.abc import Iterable
from dataclasses import replace

from feltrig.emulators.saboteur.hooks.publications import (
    ANSWER,
    Said,
    joins,
    key,
    late,
    nothing,
    now_and_then,
    on,
    publishes,
    without_key,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh


def _swapped() -> Change:
    """Publishes two events in the wrong order."""
    held: list[Said] = []

    def publish(said: Said) -> Iterable[Said]:
        if said.topic == "event" and len(held) == 0 and json.loads(said.payload)["n"] % 5 == 0:
            held.append(said)
            return ()
        if said.topic == "event" and held:
            return (said, held.pop())
        return (said,)

    return publishes(publish)


PUBLICATIONS = (
    Mutant("no-meta", ("MQT-1",), "publishes no `meta`", on("meta", nothing)),
    Mutant(
        "meta-not-retained", ("MQT-1",), "does not retain `meta`", on("meta", lambda s: (replace(s, retain=False),))
    ),
    Mutant(
        "state-not-retained", ("MQT-2",), "does not retain `state`", on("state", lambda s: (replace(s, retain=False),))
    ),
    Mutant("state-without-oldest", ("MQT-2",), "publishes `state` without `oldest`", without_key("oldest", "state")),
    Mutant(
        "online-not-retained",
        ("MQT-3",),
        "does not retain `online`",
        on("online", lambda s: (replace(s, retain=False),)),
    ),
    Mutant("no-online", ("MQT-3", "MQT-13"), "never publishes `online`", on("online", nothing)),
    Mutant("event-retained", ("MQT-4",), "retains its events", on("event", lambda s: (replace(s, retain=True),))),
    Mutant("no-events", ("MQT-4", "MQT-12"), "publishes no events", on("event", nothing)),
    Mutant("qos-0", ("MQT-5",), "publishes at QoS 0", publishes(lambda said: (replace(said, qos=0),))),
    Mutant("qos-0-events", ("MQT-5",), "publishes events at QoS 0", on("event", lambda s: (replace(s, qos=0),))),
    Mutant("qos-0-answers", ("MQT-5",), "answers at QoS 0", on(ANSWER, lambda s: (replace(s, qos=0),))),
    Mutant("qos-2", ("MQT-5",), "publishes `state` at QoS 2", on("state", lambda s: (replace(s, qos=2),))),
    Mutant("subscribes-at-0", ("MQT-6",), "subscribes at QoS 0", joins(lambda joining: setattr(joining, "qos", 0))),
    Mutant(
        "meta-of-another",
        ("MQT-7",),
        "publishes another serial number in `meta`",
        key("serial", lambda _: "0", "meta"),
    ),
    Mutant(
        "meta-kind-as-code", ("MQT-7",), "publishes its kind as a number in `meta`", key("kind", lambda _: 1, "meta")
    ),
    Mutant(
        "meta-commands-missing",
        ("MQT-8",),
        "leaves a command out of `meta`",
        key("commands", lambda names: names[:-1], "meta"),
    ),
    Mutant(
        "meta-events-in-disorder",
        ("MQT-8",),
        "has its events in another order in `meta`",
        key("events", lambda names: names[::-1], "meta"),
    ),
    Mutant("state-late", ("MQT-9",), "publishes `state` 1.5 s after a change", late("state", seconds=1.5)),
    Mutant(
        "state-not-always",
        ("MQT-9",),
        "does not publish every second change of its state",
        now_and_then(2, nothing, "state"),
    ),
    Mutant("event-name-missing", ("MQT-10",), "publishes events without their name", without_key("event", "event")),
    Mutant(
        "event-number-as-text",
        ("MQT-10", "MQT-17"),
        "publishes the number of an event as text",
        key("n", str, "event"),
    ),
    Mutant("event-without-state", ("MQT-11",), "publishes events without the state", without_key("state", "event")),
    Mutant(
        "event-state-wrong",
        ("MQT-11",),
        "publishes events with a latest event that is older",
        key("latest", lambda n: n - 1 if n > 1 else n, "event"),
    ),
    Mutant("event-twice", ("MQT-12",), "publishes every event twice", on("event", lambda said: (said, said))),
    Mutant("event-late", ("MQT-12",), "publishes events 1.5 s after they happen", late("event", seconds=1.5)),
    Mutant("event-not-always", ("MQT-12",), "does not publish every fifth event", now_and_then(5, nothing, "event")),
    Mutant("events-out-of-order", ("MQT-12",), "publishes some events in the wrong order", fresh(_swapped)),
    Mutant("online-false", ("MQT-13",), "says that it is not online", key("online", lambda _: False, "online")),
)


def _elsewhere_below(said: Said) -> Iterable[Said]:
    """Says its state on a topic of its own too."""
    return (said, replace(said, to=said.to.rpartition("/")[0] + "/debug"))


MORE = (
    Mutant("another-topic", ("MQT-51",), "publishes on another topic below its own", on("state", _elsewhere_below)),
    Mutant("repeats-itself", ("MQT-52",), "publishes its state twenty times", on("state", lambda said: (said,) * 20)),
)

MUTANTS = (*PUBLICATIONS, *MORE)
