"""Faults as data: what goes wrong in a machine, and when. The catalogue says what the rig is expected to make of each.

No device tells the time, neither in its status nor in its events: so none can have a wrong clock.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf

FOR_EVER = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and when. It strikes operations of one sort, those that meet every condition given here."""

    what: str
    at: int = 1
    """The first of the operations that it strikes, counted from when `after` and `event` hold."""
    times: int | None = None
    """How many it strikes at most, 0 for ever. None: one, but with `every` or `probability` for ever."""
    every: int = 1
    """From the first on, each so-manieth."""
    after: float = 0.0
    """Not before so many seconds have passed since the device was started, or since the fault was added. They are
    seconds of the clock: the speed of the mechanics does not scale them."""
    event: int = 1
    """Not before the event of this number is the next to be emitted."""
    probability: float = 1.0
    """How likely each of these operations is struck, by a random stream of the device's own seed."""
    seconds: float | None = None
    """How long it lasts, if it is one of those that last; None for the catalogue's figure."""

    def __post_init__(self) -> None:
        for key, good, expected in (
            ("at", self.at >= 1, "1 or more"),
            ("times", self.times is None or self.times >= 0, "1 or more, or 0 for ever"),
            ("every", self.every >= 1, "1 or more"),
            ("after", 0 <= self.after < inf, "0 or more"),
            ("event", self.event >= 1, "1 or more"),
            ("probability", 0 < self.probability <= 1, "more than 0 and at most 1"),
            ("seconds", self.seconds is None or 0 < self.seconds < inf, "more than 0"),
        ):
            if not good:
                raise ValueError(f"fault {self.what}: {key} {getattr(self, key)}: expected {expected}")

    @property
    def most(self) -> int:
        """How many operations it strikes at most, 0 for ever."""
        if self.times is not None:
            return self.times
        return 1 if self.every == 1 and self.probability == 1 else FOR_EVER


@dataclass(frozen=True, slots=True)
class Entry:
    """One fault of the catalogue: the operation it strikes, its effect, what the rig is expected to say, and the
    rules that it breaks or that say what follows (none where the rules are silent)."""

    operation: str
    effect: str
    expected: str
    rules: tuple[str, ...] = ()
    seconds: float | None = None
    """How long it lasts unless the fault says otherwise; None when it is not one of those that last."""


ANSWER = "answer"
"""The operation of a fault of the wire: an answer that the device's station sends."""

OPERATION = "operation"
"""Any operation that takes time, of whatever sort."""

EVENT = "event"
"""An event that is about to be emitted; with `after`, also the moment itself. Faults that strike here strike at any
instant of an operation."""

Misbehave = Callable[[bytes], bytes | None]
"""What a station asks for each answer: the bytes to send instead, None for silence; ConnectionAbortedError hangs up."""

WIRE: Mapping[str, Entry] = {
    "silent": Entry(ANSWER, "the answer is not sent", "asked again; if that stays silent, no answer: inconclusive"),
    "garbage": Entry(
        ANSWER, "noise is sent instead of the answer", "asked again; if that is noise too, garbage: inconclusive"
    ),
    "line_drop": Entry(
        ANSWER,
        "the line is dropped instead of an answer; other than on Modbus TCP and TLS it stays so for the session",
        "the line is opened again, or is lost: inconclusive",
    ),
}

MACHINE: Mapping[str, Entry] = {
    "slow": Entry(
        OPERATION,
        "each step takes three times as long, and `seconds` more at any speed",
        "stalled, once the patience is exceeded: refused; short of that nothing, since no rule limits the time",
        seconds=5.0,
    ),
    "hang": Entry(OPERATION, "begins and never ends, with no fault reported", "stalled: refused"),
    "restart": Entry(
        EVENT,
        "starts over instead of emitting the event, at once; what was under way is lost, and its memory too: events "
        "are numbered from 1 again",
        "started over in the middle of the run, and stalled if something was under way: refused; not seen as such "
        "before more events were read than have come since",
    ),
    "power_loss": Entry(
        EVENT,
        "is off for `seconds` instead of emitting the event; what was under way is lost, its memory is not",
        "started over in the middle of the run, and stalled if something was under way: refused; off beyond the "
        "deadline, no answer: inconclusive",
        seconds=0.2,
    ),
    "power_loss_forgetful": Entry(
        EVENT,
        "is off for `seconds` instead of emitting the event; what was under way is lost, and its memory too: events "
        "are numbered from 1 again",
        "as after a power loss, but not seen as such before more events were read than have come since",
        seconds=0.2,
    ),
    "counter_jump": Entry(EVENT, "the number of the event is three too high", "gap in the event numbers: refused"),
}
"""What can happen to the electronics of every device."""

RNG: Mapping[str, Entry] = {
    "stop": Entry("select", "stops with a fault, nothing selected", "unfit: refused", ("34.4(a)2",)),
    "out_of_range": Entry(
        "select", "selects 0 or 8", "number not from 1 to 7: refused", ("34.4(a)2", "19:46-1.13W(e)")
    ),
    "stuck": Entry(
        "select",
        "selects the number before once more",
        "the same again and again: refused, once chance cannot explain the run",
        ("34.4(a)2",),
    ),
    "selects_twice": Entry(
        "select", "selects a second time by itself", "selected without a trigger: refused", ("34.11(c)",)
    ),
    "display_differs": Entry(
        "select",
        "displays another number than it reports",
        "display and report differ: refused",
        ("34.11(c)", "19:46-1.13W(e)"),
    ),
    "display_stale": Entry(
        "select",
        "displays what it displayed before; while this lasts, the display is stuck",
        "display and report differ: refused, unless the number is by chance the same",
        ("34.11(c)", "19:46-1.13W(e)"),
    ),
}

SHAKER: Mapping[str, Entry] = {
    "stop": Entry("shake", "stops in mid-shake with a fault", "unfit: refused", ("34.11(b)",)),
    "few_shakes": Entry(
        "shake", "shakes once less than told and says so", "too few shakes: shake again", ("34.11(b)",)
    ),
    "few_shakes_unreported": Entry(
        "shake", "shakes once less than told and reports as many as told", "nothing: no wire shows it", ("34.11(b)",)
    ),
    "dice_stuck": Entry(
        "shake",
        "the dice do not move",
        "the same again and again: refused, once chance cannot explain the run",
        ("34.11(b)",),
    ),
    "lid_lifted": Entry(
        "shake", "a hand lifts the lid as soon as the dice were shaken", "cover and shake again", ("34.13(h)1",)
    ),
    "lid_jam": Entry("uncover", "the lid does not come off, and a fault says so", "unfit: refused", ("34.11(b)1",)),
    "lid_sensor_dead": Entry(
        "uncover", "the lid comes off, and no event says so", "dice read under a closed lid: refused", ("34.11(b)1",)
    ),
    "cocked_die": Entry("uncover", "one die does not lie flat", "no roll: shake again", ("34.16(a)",)),
    "die_out": Entry("uncover", "one die falls out until the lid is closed", "no roll: shake again", ("34.16(b)",)),
    "die_missing": Entry(
        "uncover",
        "one die is gone and never comes back",
        "not three dice, no roll again and again: unfit, refused",
        ("34.4(a)1i", "34.16(b)"),
    ),
}

SHUFFLER: Mapping[str, Entry] = {
    "jam_in": Entry("shuffle", "jams at the way in, no card inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "jam": Entry("shuffle", "jams half-way, half of the cards inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "jam_out": Entry("shuffle", "jams at the way out, all cards inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "stop": Entry("shuffle", "stops half-way, half of the cards inside", "shuffler failed: reshuffle", ("34.16(m)",)),
    "incomplete": Entry(
        "shuffle", "ends with half of the cards still inside", "shuffler failed: reshuffle", ("34.16(m)",)
    ),
    "double_feed": Entry(
        "shuffle", "two cards go through as one and are counted as one", "count wrong: remove the deck", ("34.8(e)",)
    ),
    "wrong_count": Entry(
        "shuffle", "reports one card less than come out", "count wrong: remove the deck", ("34.8(e)",)
    ),
    "no_count": Entry("shuffle", "ends without a count", "stalled, no count after a shuffle: refused", ("34.8(e)",)),
    "blind_count": Entry(
        "shuffle",
        "reports a full deck whatever comes out",
        "in the drills, a count that is false: refused",
        ("34.8(e)",),
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
        "shuffle",
        "delivers a copy of another card in place of one: the count is right, the deck is not",
        "not the cards that went in: refused",
        ("34.2(a)", "34.8(e)"),
    ),
    "face_up_card": Entry("shuffle", "turns one card face up", "card turned over: refused", ("34.16(f)",)),
    "unshuffled": Entry("shuffle", "the deck comes out as it went in", "order unchanged: refused", ("34.6(a)",)),
    "half_shuffled": Entry(
        "shuffle", "the lower half of the deck comes out as it went in", "cards stay together: refused", ("34.6(a)",)
    ),
    "repeated_shuffle": Entry(
        "shuffle", "moves the cards exactly as the time before", "two shuffles alike: refused", ("34.6(a)",)
    ),
    "sort_mode": Entry("shuffle", "the deck comes out in new-deck order", "the deck is sorted: refused", ("34.6(a)",)),
}

SHOE: Mapping[str, Entry] = {
    "jam_well": Entry("dispense", "jams at the well, no card moved", "shoe failed: void the round", ("34.16(n)",)),
    "jam": Entry("dispense", "jams in mid-stack, one card inside", "shoe failed: void the round", ("34.16(n)",)),
    "jam_exit": Entry("dispense", "jams at the exit, the stack inside", "shoe failed: void the round", ("34.16(n)",)),
    "stop": Entry("dispense", "stops in mid-stack", "shoe failed: void the round", ("34.16(n)",)),
    "short_stack": Entry(
        "dispense", "dispenses one card too few and says so", "wrong hand size: void the round", ("34.16(h)",)
    ),
    "long_stack": Entry(
        "dispense", "dispenses one card too many and says so", "wrong hand size: void the round", ("34.16(h)",)
    ),
    "misfeed": Entry(
        "dispense",
        "one card stays behind, the size asked is reported",
        "wrong hand size: void the round",
        ("34.16(h)",),
    ),
    "double_feed": Entry(
        "dispense",
        "two cards leave as one, the size asked is reported",
        "wrong hand size: void the round",
        ("34.16(h)",),
    ),
    "bottom_card": Entry(
        "dispense", "takes the last card of the stack from the bottom", "not the next cards: refused", ("34.10(d)",)
    ),
    "face_up_card": Entry("dispense", "turns one card face up", "face-up card: discard it or void", ("34.16(f)",)),
    "early_dispense": Entry(
        "load", "dispenses a stack by itself as soon as it is loaded", "dispensed before told: refused", ("34.10(b)2",)
    ),
}

READER: Mapping[str, Entry] = {
    "blind": Entry("scan", "stops with a fault of its sensor", "the rig's own eye fails: unfit, refused"),
}

CATALOGUE: Mapping[str, Mapping[str, Entry]] = {
    "rng": {**RNG, **MACHINE, **WIRE},
    "shaker": {**SHAKER, **MACHINE, **WIRE},
    "shuffler": {**SHUFFLER, **MACHINE, **WIRE},
    "shoe": {**SHOE, **MACHINE, **WIRE},
    "reader": {**READER, **MACHINE, **WIRE},
}
"""Every fault, by the kind of device and by name."""


def lasts(what: str) -> bool:
    """Whether a fault of this name is one of those that last."""
    return what in MACHINE and MACHINE[what].seconds is not None


def check(kind: str, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults, if every one is in the catalogue of that kind of device. Raises ValueError with those that are."""
    known = CATALOGUE[kind]
    checked = tuple(faults)
    for fault in checked:
        if fault.what not in known:
            raise ValueError(f"fault {fault.what!r}: a {kind} has only {', '.join(known)}")
        if fault.seconds is not None and not lasts(fault.what):
            raise ValueError(
                f"fault {fault.what}: seconds {fault.seconds}: only for {', '.join(filter(lasts, MACHINE))}"
            )
    return checked
