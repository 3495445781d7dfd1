"""Every machine of the zoo by the kind of device and by name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from feltrig.emulators.models import mechanics
from feltrig.emulators.models.faults import CATALOGUE, FOR_EVER, MACHINE, WIRE, Fault
from feltrig.emulators.zoo import dice, displays, shufflers

LAST = -1


@dataclass(frozen=True, slots=True)
class Specimen:
    """One machine: what it does, and whether it is good. It has mechanics of its own, or a fault, or is plain."""

    name: str
    kind: str
    words: str
    good: bool = False
    build: Callable[[], Callable[..., Any]] | None = None
    """Makes its mechanics; each device gets its own."""
    fault: Fault | None = None


def _always(function: Callable[..., Any], **given: Any) -> Callable[[], Callable[..., Any]]:
    """Builds mechanics without a memory."""
    return lambda: partial(function, **given)


Row = tuple[str, str, Callable[[], Callable[..., Any]]]

GOOD: Mapping[str, tuple[Row, ...]] = {
    "shuffler": (
        ("good", "every order equally likely", _always(mechanics.shuffle)),
        ("good-keys", "sorts the cards by random keys", _always(shufflers.sorted_by_keys)),
        ("good-shelf-10-twice", "two passes of ten shelves", _always(shufflers.shelved, shelves=10, passes=2)),
    ),
    "rng": (
        ("good", "every number equally likely", _always(mechanics.number)),
        ("good-bits", "three bits, drawn again while they show 0", _always(displays.drawn_until_it_fits)),
        ("good-32-bit", "32 bits mod 7", _always(displays.scaled, values=2**32)),
    ),
    "shaker": (
        ("good", "three fair dice", _always(mechanics.dice)),
        ("good-one-draw", "one of 216 rolls", _always(dice.one_draw)),
    ),
}

BAD: Mapping[str, tuple[Row, ...]] = {
    "shuffler": (
        *((f"riffles-{k}", f"{k} riffles", _always(shufflers.riffled, times=k)) for k in (4, 5, 6, 7, 8)),
        *(
            (f"shelf-{m}", f"one pass of {m} shelves", _always(shufflers.shelved, shelves=m))
            for m in (4, 10, 20, 30, 50)
        ),
        *((f"overhand-{n}", f"{n} overhand passes", _always(shufflers.overhand, passes=n)) for n in (10, 50)),
        ("sattolo", "swaps no card with itself", _always(shufflers.swapped, below=shufflers.sattolo)),
        ("naive-swap", "swaps each card with any", _always(shufflers.swapped, below=shufflers.naive)),
        ("bottom-stays", "the bottom card never moves", _always(shufflers.staying, place=LAST, chance=1.0)),
        ("top-stays-20", "the top card stays once in 5", _always(shufflers.staying, place=0, chance=0.2)),
        ("top-stays-5", "the top card stays once in 20", _always(shufflers.staying, place=0, chance=0.05)),
        ("seed-10-bit", "1,024 possible shuffles", _always(shufflers.few_seeds, bits=10)),
        ("seed-16-bit", "65,536 possible shuffles", _always(shufflers.few_seeds, bits=16)),
        ("sticky-50", "two cards stick together every other time", _always(shufflers.sticking, place=17, chance=0.5)),
        ("sticky-10", "two cards stick together once in 10", _always(shufflers.sticking, place=17, chance=0.1)),
        ("repeats-5", "the last deck comes out again once in 20", partial(shufflers.Repeating, 0.05)),
        ("continues-5", "riffles its last deck 5 times, not the one loaded", partial(shufflers.Continuing, 5)),
        ("glued-10", "a tenth of the neighbours is glued", _always(shufflers.glued, chance=0.1)),
        ("glued-2", "one neighbour in 50 is glued", _always(shufflers.glued, chance=0.02)),
    ),
    "rng": (
        ("favours-50", "one number half as often again", _always(displays.favouring, excess=0.5)),
        ("favours-20", "one number a fifth too often", _always(displays.favouring, excess=0.2)),
        ("mod-16", "0 to 15 mod 7", _always(displays.scaled, values=16)),
        *(
            (f"period-{n}", f"the same {n} numbers again and again", partial(displays.Periodic, n))
            for n in (50, 200, 500)
        ),
        *((f"sticky-{n}", f"repeats its last number, {n} %", partial(displays.Sticky, n / 100)) for n in (30, 10, 5)),
        ("never-repeats", "never the last number", displays.NeverRepeating),
        ("recurrent-8", "a linear rule on the last 8 numbers", partial(displays.Recurrent, 8)),
        ("seeds-60", "60 seeds, a new one every 10 numbers", partial(displays.Restarted, 60, 10)),
    ),
    "shaker": (
        ("loaded-one-50", "one die shows a six half as often again", _always(dice.loaded, excess=0.5, dice=1)),
        ("loaded-one-20", "one die shows a six a fifth too often", _always(dice.loaded, excess=0.2, dice=1)),
        ("loaded-all-50", "all dice show a six half as often again", _always(dice.loaded, excess=0.5, dice=3)),
        ("loaded-all-20", "all dice show a six a fifth too often", _always(dice.loaded, excess=0.2, dice=3)),
        ("missing-face", "one die never shows a six", _always(dice.loaded, excess=-1.0, dice=1)),
        ("copies-20", "the second die copies the first once in 5", _always(dice.copying, chance=0.2)),
        ("copies-5", "the second die copies the first once in 20", _always(dice.copying, chance=0.05)),
        ("keeps-20", "each die keeps its face once in 5", partial(dice.Keeping, 0.2)),
        ("keeps-5", "each die keeps its face once in 20", partial(dice.Keeping, 0.05)),
        ("repeats-10", "the whole roll repeats once in 10", partial(dice.Repeating, 0.1)),
        ("repeats-2", "the whole roll repeats once in 50", partial(dice.Repeating, 0.02)),
    ),
}

UNSEEN = {"few_shakes_unreported", *WIRE}
"""Faults that no plan can lay to a machine: no wire shows them, or they are the wire's."""

LASTING = {"stuck", "dice_stuck", "display_stale", "blind_count"}
"""Faults that chance explains when they strike once, or that show only in a drill."""

LATER = {"repeated_shuffle", *MACHINE}
"""Faults that need something before them: a shuffle to repeat, events that were read."""


def _fault(what: str) -> Fault:
    return Fault(what, at=2 if what in LATER else 1, times=FOR_EVER if what in LASTING else 1)


def _specimens(kind: str) -> Iterable[Specimen]:
    for name, words, build in GOOD.get(kind, ()):
        yield Specimen(name, kind, words, good=True, build=build)
    if kind not in GOOD:
        yield Specimen("good", kind, "works as it should", good=True)
    for name, words, build in BAD.get(kind, ()):
        yield Specimen(name, kind, words, build=build)
    for what, entry in CATALOGUE[kind].items():
        if what not in UNSEEN:
            yield Specimen(what, kind, entry.effect, fault=_fault(what))


ZOO: Mapping[str, Mapping[str, Specimen]] = {
    kind: {specimen.name: specimen for specimen in _specimens(kind)} for kind in ("shuffler", "shoe", "rng", "shaker")
}
"""The specimens, by kind of device and by name. A fault has the name that the catalogue of faults gives it."""


def build(name: str, kind: str) -> Callable[..., Any]:
    """New mechanics of a name. Raises ValueError with the names that there are."""
    known = {known: found.build for known, found in ZOO.get(kind, {}).items() if found.build is not None}
    made = known.get(name)
    if made is None:
        raise ValueError(f"zoo:{name}: no such {kind} in the zoo; there are {', '.join(known) or 'none'}")
    return made()
