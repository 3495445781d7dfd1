"""Steps of a run, each of which is one record, and what a check makes of them."""

from dataclasses import dataclass

from feltrig.harness.judge.check import Sighting
from feltrig.harness.judge.checks import all_checks

M = "machine"
IN, OUT = [0, 1, 2, 3], [2, 0, 3, 1]
DECK = list(range(40, 23, -1))
BEFORE, AFTER = "deck before the shuffle", "deck after the shuffle"


def event(name, device=M, **values):
    return lambda log: log.event(device, name, **values)


def call(command, device=M, **values):
    return lambda log: log.call(device, command, **values)


def reply(command, error="ok", device=M, **values):
    return lambda log: log.reply(device, command, error, **values)


def read(what, cards, face_up=(), deck="red"):
    return lambda log: log.read(what, cards, face_up, deck)


def tell(name, **data):
    return lambda log: log.tell(name, **data)


def note(kind, **data):
    return lambda log: log.add(kind, **data)


def device(submitted, **identity):
    return lambda log: log.device(M, "shoe", submitted, **identity)


def challenged(proof, expected, error="ok"):
    return note("challenge", device=M, image="00", nonce="01", error=error, proof=proof, expected=expected)


def run(log):
    return log.run()


def counted(count, correct):
    return event("counted", deck=1, count=count, correct=correct)


def dice(*faces, flat=(1, 1, 1)):
    return event("rolled", dice=list(faces), flat=list(flat))


def selected(number, device=M):
    return event("selected", device, number=number)


def session(*decks):
    return note("session", decks=list(decks))


def trouble(what, device=M):
    return note("trouble", device=device, what=what, detail="said why")


def round_of(deck, number=1):
    return (note("round", number=number, wagers={}), tell("Shuffled", deck=deck), note("result", result={}))


LOOK = {check.name: check.look for _, check in all_checks()}


@dataclass(frozen=True)
class Bad:
    """Steps of which exactly one thing is wrong: where it shows, and in which words."""

    check: str
    steps: tuple
    at: tuple[int, ...]
    detail: str


def sightings(log, check, steps) -> list[Sighting]:
    """What a check sees in these steps."""
    for step in steps:
        step(log)
    return list(LOOK[check](log.evidence, M))


def passes(log, check, steps) -> bool:
    """Whether the check has seen something, all of it good and with evidence from these steps."""
    seen = sightings(log, check, steps)
    numbers = {record.seq for record in log.records}
    return bool(seen) and all(sighting.good and set(sighting.evidence) <= numbers for sighting in seen)


def failures(log, bad) -> list[Sighting]:
    """What the check finds wrong."""
    return [sighting for sighting in sightings(log, bad.check, bad.steps) if not sighting.good]
