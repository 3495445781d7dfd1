"""Protocol conformance of the device under test: every command in every state that is reached without harm. What is
illegal must be refused, not acted on, and status answered afterwards.

What is done here stands in records of its own, since a refusal that was asked for is no fault. Malformed frames and
codes of no command are left out: a channel carries only messages of the vocabulary.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, cast

from feltrig.harness.driver import LONGEST_PAUSE, Driver, Stalled, bytes_of
from feltrig.harness.journal import Journal
from feltrig.harness.legs import Crew, Fixed, Leg
from feltrig.harness.playing.played import DECKS
from feltrig.harness.sessions import COMPARTMENTS
from feltrig.protocols.errors import Refused
from feltrig.protocols.messages import Status, Value
from feltrig.protocols.proof import NONCE_SIZES, PROOF_SIZE
from feltrig.protocols.vocabulary import STACK_SIZES, State

LEFT_OUT = "without malformed frames and unknown codes, and without the state fault"
"""What a pass does not show."""

PROBE = {"call": "probe call", "reply": "probe reply", "event": "probe event"}
"""How the records of a driver are called while it probes."""

OK, ARGUMENT, STATE, ANY = "ok", "bad_argument", "wrong_state", "refused"
"""What must be answered; ANY error will do where several reasons to refuse come together."""

DECK = DECKS[0]
FEW = 4
"""Cards of a stack."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One command, what it must be answered, and the event that ends what it begins."""

    command: str
    expected: str = OK
    values: Mapping[str, Value] | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the device, how it is reached from the one before, and what is tried in it."""

    state: str
    probes: tuple[Probe, ...]
    enter: Callable[[Crew], Awaitable[None]] | None = None


NONCES = {
    OK: [tuple(range(size)) for size in (NONCE_SIZES[0], NONCE_SIZES[-1])],
    ARGUMENT: [(), tuple(range(NONCE_SIZES[0] - 1))],
}
EVERYWHERE = (
    Probe("identify"),
    Probe("status"),
    *(Probe("challenge", said, {"nonce": nonce}) for said, nonces in NONCES.items() for nonce in nonces),
)
"""What every device answers in every state."""

WIDE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255)
"""Values of one byte, around the limits that devices have."""


async def _load_shuffler(crew: Crew) -> None:
    await crew.wired.operator.bring_deck(DECK)
    await crew.wired.operator.load_shuffler(DECK)


async def _unload_shuffler(crew: Crew) -> None:
    await crew.wired.operator.unload_shuffler(DECK)


async def _bring(crew: Crew) -> None:
    await crew.wired.operator.bring_deck(DECK)


async def _load_shoe(crew: Crew) -> None:
    await crew.wired.operator.load_shoe(DECK)


async def _gather(crew: Crew) -> None:
    await crew.wired.operator.gather(DECK)


def _each(command: str, name: str, wrong: Sequence[int]) -> tuple[Probe, ...]:
    return tuple(Probe(command, ARGUMENT, {name: value}) for value in wrong)


NO_DECK = _each("shuffle", "deck", [n for n in WIDE if n not in COMPARTMENTS.values()])
NO_STACK = _each("dispense", "size", [n for n in WIDE if n not in STACK_SIZES])
RESET = Probe("reset", until="cleared")

SCENES: Mapping[str, tuple[Scene, ...]] = {
    "rng": (
        Scene("after a reset", (RESET, Probe("display"), Probe("blank"), Probe("blank"), Probe("display"))),
        Scene("a number is shown", (Probe("select", until="selected"), Probe("display"), RESET, Probe("blank"))),
        Scene("selected again", (Probe("select", until="selected"), Probe("select", until="selected"))),
    ),
    "shaker": (
        Scene("covered", (RESET, Probe("cover", until="covered"), *_each("shake", "times", [0]))),
        Scene("shaken", (Probe("shake", values={"times": 3}, until="shaken"), *_each("shake", "times", [0]))),
        Scene(
            "uncovered",
            (
                Probe("uncover", until="rolled"),
                Probe("shake", STATE, {"times": 3}),
                Probe("shake", ANY, {"times": 0}),
                Probe("uncover", until="rolled"),
                Probe("cover", until="covered"),
            ),
        ),
    ),
    "shuffler": (
        Scene("empty", (RESET, *NO_DECK, *(Probe("shuffle", ANY, {"deck": n}) for n in COMPARTMENTS.values())), _bring),
        Scene("loaded", (*NO_DECK, RESET), _load_shuffler),
        Scene(
            "shuffled",
            (
                Probe("shuffle", values={"deck": COMPARTMENTS[DECK]}, until="shuffled"),
                *NO_DECK,
                Probe("shuffle", ANY, {"deck": COMPARTMENTS[DECK]}),
            ),
        ),
        Scene("unloaded", (RESET,), _unload_shuffler),
    ),
    "shoe": (
        Scene("empty", (Probe("unlock"), RESET, *NO_STACK, Probe("dispense", ANY, {"size": FEW})), _bring),
        Scene("locked and loaded", (Probe("lock"), Probe("lock")), _load_shoe),
        Scene("locked", tuple(Probe("dispense", ANY, {"size": size}) for size in (*STACK_SIZES, 0, 255))),
        Scene("unlocked", (Probe("unlock"), Probe("unlock"), *NO_STACK)),
        Scene("dispensed", tuple(Probe("dispense", OK, {"size": size}, "dispensed") for size in STACK_SIZES)),
        Scene("locked again", (*NO_STACK, Probe("lock"), Probe("dispense", STATE, {"size": FEW}))),
        Scene("unloaded", (Probe("unlock"), RESET, Probe("lock")), _gather),
    ),
}
"""The states of each kind of device in turn. Every state begins and ends with what every device answers."""


def conformance(kind: str, device: str) -> Fixed:
    """The step: one leg for each state."""

    def legs() -> Iterator[Leg]:
        for scene in SCENES[kind]:
            probes = [[probe.command, probe.expected, _plain(probe), probe.until] for probe in _all(scene)]
            definition = {"conformance": kind, "device": device, "state": scene.state, "probes": probes}
            yield Leg(f"conformance: {scene.state}", definition, partial(_hold, kind=kind, scene=scene))

    return Fixed("conformance", legs())


def _all(scene: Scene) -> tuple[Probe, ...]:
    return (*EVERYWHERE, *scene.probes, *EVERYWHERE)


async def _hold(crew: Crew, kind: str, scene: Scene) -> None:
    driver = crew.wired.devices[kind]
    if scene.enter is not None:
        await scene.enter(crew)
    # its own driver on the same channel, with tokens of its own: the device remembers those of the rounds
    patience = crew.rig.devices[driver.name].patience
    prober = Driver(driver.name, driver.kind, driver._channel, cast("Journal", Aside(crew.journal)), patience)
    await prober.open()
    for probe in _all(scene):
        fault = await _try(prober, probe, patience)
        crew.journal.append("probe", {"device": driver.name, **_record(scene, probe), "fault": fault})
    await driver.open()  # behind the events of the probes


async def _try(driver: Driver, probe: Probe, patience: float) -> str | None:
    """What was wrong with the answer, or with what the device did; None when all was well."""
    before = await driver.status()
    try:
        reply, answered = await driver.call(probe.command, **(probe.values or {})), OK
    except Refused as refusal:
        reply, answered = {}, refusal.error
    wrong = answered == OK if probe.expected == ANY else answered != probe.expected
    if wrong:
        await driver.pending()
        return f"answered {answered}, expected {probe.expected}"
    if probe.until is not None and answered == OK:
        if await _accepts_while_busy(driver, probe):
            return "accepted once more while busy"
        await driver.until(probe.until)
    after = await _rest(driver, patience)
    acted = [event.name for event in await driver.pending()]
    if answered != OK and (acted or (after.state, after.latest) != (before.state, before.latest)):
        return f"refused, and acted on: {', '.join(acted) or after.state.name.lower()}"
    if probe.command == "challenge" and answered == OK and len(bytes_of(reply["proof"])) != PROOF_SIZE:
        return f"a proof of {len(bytes_of(reply['proof']))} bytes"
    return None


async def _accepts_while_busy(driver: Driver, probe: Probe) -> bool:
    """Whether the device takes the same command again in the middle of its work; one that is quick is never caught."""
    if (await driver.status()).state is not State.BUSY:
        return False
    try:
        await driver.call(probe.command, **(probe.values or {}))
    except Refused:
        return False
    return (await driver.status()).state is State.BUSY


async def _rest(driver: Driver, patience: float) -> Status:
    """The status once the device is at rest: a count may follow the shuffle. Raises Stalled."""
    give_up = monotonic() + patience
    while (status := await driver.status()).state is State.BUSY:
        if monotonic() > give_up:
            raise Stalled(driver.name, "that ends its work", patience)
        await asyncio.sleep(LONGEST_PAUSE)
    return status


class Aside:
    """A journal in which what a driver asks and hears has names of its own; troubles keep theirs."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, kind: str, data: Mapping[str, Any]) -> int:
        """Write a record."""
        return self._journal.append(PROBE.get(kind, kind), data)


def _record(scene: Scene, probe: Probe) -> dict[str, Any]:
    expected = {"expected": probe.expected}
    return {"state": scene.state, "command": probe.command, "values": _plain(probe), **expected}


def _plain(probe: Probe) -> dict[str, Any]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in (probe.values or {}).items()}
