"""Faults as data: what goes wrong, at which operation, how often. The catalogue says what the rig must make of each."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

FOR_EVER = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """Strikes the `at`-th operation of its sort (1 is the first) and as many in a row as `times`; 0 is for ever."""

    what: str
    at: int = 1
    times: int = 1

    def __post_init__(self) -> None:
        if self.at < 1:
            raise ValueError(f"fault {self.what}: at {self.at}: expected 1 or more")
        if self.times < 0:
            raise ValueError(f"fault {self.what}: times {self.times}: expected 1 or more, or 0 for ever")

    def strikes(self, number: int) -> bool:
        """Whether the operation of this number is struck."""
        return number >= self.at and (self.times == FOR_EVER or number < self.at + self.times)


@dataclass(frozen=True, slots=True)
class Entry:
    """One fault of the catalogue: the operation it strikes, its effect, what the rig is expected to say, and the
    rules that order it (none where the rules are silent)."""

    operation: str
    effect: str
    expected: str
    rules: tuple[str, ...] = ()


ANSWER = "answer"
"""The operation of a fault of the wire: the device's answers, counted by the station that sends them."""

WIRE: Mapping[str, Entry] = {
    "silent": Entry(ANSWER, "the answer is not sent", "no answer within the deadline: refused or inconclusive"),
    "garbage": Entry(ANSWER, "noise is sent instead of the answer", "no usable answer: refused or inconclusive"),
    "line_drop": Entry(ANSWER, "the line is dropped instead of an answer", "line lost: refused or inconclusive"),
}

SHUFFLER: Mapping[str, Entry] = {
    "jam": Entry("shuffle", "jams half-way, half of the cards inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "stop": Entry("shuffle", "stops half-way, half of the cards inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "incomplete": Entry(
        "shuffle", "ends with half of the cards still inside", "shuffler failed: reshuffle", ("34.16(m)",)
    ),
    "wrong_count": Entry(
        "shuffle", "reports one card less than come out", "count wrong: remove the deck", ("34.8(e)",)
    ),
    "missing_card": Entry(
        "shuffle", "keeps one card inside and counts the others", "count wrong: remove the deck", ("34.8(e)",)
    ),
    "missing_card_unnoticed": Entry(
        "shuffle", "keeps one card inside and counts it as delivered", "reported count false: refused", ("34.8(e)",)
    ),
    "extra_card": Entry(
        "shuffle", "delivers a foreign card too and counts it", "count wrong: remove the deck", ("34.8(e)",)
    ),
    "duplicate_card": Entry(
        "shuffle", "delivers a copy of another card in place of one", "deck wrong: refused", ("34.2(a)", "34.8(e)")
    ),
    "blind_count": Entry(
        "shuffle", "reports a full deck whatever comes out", "missing card not reported: refused", ("34.8(e)",)
    ),
    "face_up_card": Entry("shuffle", "turns one card face up", "face-up card: discard it or void", ("34.16(f)",)),
}

SHOE: Mapping[str, Entry] = {
    "jam": Entry("dispense", "jams in mid-stack, one card inside", "shoe failed: void the round", ("34.16(n)",)),
    "stop": Entry("dispense", "stops in mid-stack", "shoe failed: void the round", ("34.16(n)",)),
    "short_stack": Entry(
        "dispense", "dispenses one card too few and says so", "wrong hand size: void the round", ("34.16(h)",)
    ),
    "long_stack": Entry(
        "dispense", "dispenses one card too many and says so", "wrong hand size: void the round", ("34.16(h)",)
    ),
    "extra_card_unreported": Entry(
        "dispense", "dispenses one card too many, reports the size asked", "wrong hand size: void", ("34.16(h)",)
    ),
    "face_up_card": Entry("dispense", "turns one card face up", "face-up card: discard it or void", ("34.16(f)",)),
    "early_dispense": Entry(
        "load", "dispenses a stack by itself as soon as it is loaded", "dispensed before told: refused", ("34.10(c)",)
    ),
}

SHAKER: Mapping[str, Entry] = {
    "cocked_die": Entry("uncover", "one die does not lie flat", "no roll: shake again", ("34.16(a)",)),
    "die_out": Entry("uncover", "one die falls out until the lid is closed", "no roll: shake again", ("34.16(b)",)),
    "die_missing": Entry(
        "uncover", "one die is not in the shaker", "no roll; not three dice: refused", ("34.4(a)1i", "34.16(b)")
    ),
    "lid_lifted": Entry(
        "shake", "a hand lifts the lid as soon as the dice were shaken", "cover and shake again", ("34.13(h)1",)
    ),
    "few_shakes": Entry("shake", "shakes once less than told and says so", "too few shakes", ("34.11(b)",)),
}

RNG: Mapping[str, Entry] = {
    "out_of_range": Entry("select", "selects 0 or 8", "number not from 1 to 7: refused", ("1.13W(e)",)),
    "stuck": Entry("select", "selects the number before once more", "selections not random: refused", ("1.13W(e)",)),
    "display_differs": Entry(
        "select", "displays another number than it reports", "display and report differ: refused", ("1.13W(e)",)
    ),
}

CATALOGUE: Mapping[str, Mapping[str, Entry]] = {
    "rng": {**RNG, **WIRE},
    "shaker": {**SHAKER, **WIRE},
    "shuffler": {**SHUFFLER, **WIRE},
    "shoe": {**SHOE, **WIRE},
    "reader": WIRE,
}
"""Every fault, by the kind of device and by name."""


def check(kind: str, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults, if every one is in the catalogue of that kind of device. Raises ValueError with those that are."""
    known = CATALOGUE[kind]
    checked = tuple(faults)
    for fault in checked:
        if fault.what not in known:
            raise ValueError(f"fault {fault.what!r}: a {kind} has only {', '.join(known)}")
    return checked


class Strikes:
    """Counts the operations of one device and says which of its faults strike each. Faults of the wire never do."""

    def __init__(self, kind: str, faults: Iterable[Fault] = ()) -> None:
        self._kind = kind
        self._done: Counter[str] = Counter()
        self._faults: list[tuple[Fault, str, int]] = []
        for fault in check(kind, faults):
            self.add(fault)

    def add(self, fault: Fault) -> None:
        """Add a fault; its operations are counted from now."""
        (fault,) = check(self._kind, (fault,))
        operation = CATALOGUE[self._kind][fault.what].operation
        self._faults.append((fault, operation, self._done[operation]))

    def next(self, operation: str) -> frozenset[str]:
        """Count one more operation; the names of the faults that strike it."""
        self._done[operation] += 1
        number = self._done[operation]
        return frozenset(
            fault.what
            for fault, struck, before in self._faults
            if struck == operation and fault.strikes(number - before)
        )


Misbehave = Callable[[bytes], bytes | None]
"""What a station asks for each answer: the bytes to send instead, None for silence; ConnectionAbortedError hangs up."""


class Misbehaviour:
    """What a station does to the answers it sends, by those of a device's faults that are faults of the wire."""

    def __init__(self, faults: Iterable[Fault], seed: int | str = 0) -> None:
        self._faults = tuple(fault for fault in faults if fault.what in WIRE)
        self._random = random.Random(f"{seed}/wire")
        self._answers = 0

    def __call__(self, answer: bytes) -> bytes | None:
        """The bytes to send instead of an answer; None for silence. Raises ConnectionAbortedError to drop the line."""
        self._answers += 1
        for fault in self._faults:
            if fault.strikes(self._answers):
                return self._spoil(fault, answer)
        return answer

    def _spoil(self, fault: Fault, answer: bytes) -> bytes | None:
        match fault.what:
            case "silent":
                return None
            case "garbage":
                return self._noise(answer)
        raise ConnectionAbortedError(f"line dropped at answer {self._answers}")

    def _noise(self, answer: bytes) -> bytes:
        noise = answer
        while noise == answer:
            noise = self._random.randbytes(max(1, len(answer)))
        return noise


def misbehaviour(kind: str, faults: Iterable[Fault], seed: int | str = 0) -> Misbehaviour | None:
    """The misbehaviour on the wire of a device with these faults, None when there is none. Checks them all."""
    checked = check(kind, faults)
    return Misbehaviour(checked, seed) if any(fault.what in WIRE for fault in checked) else None
