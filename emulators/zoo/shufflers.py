"""Shufflers: what becomes of the cards, top first. A machine with a memory is a class, and each one built has its own.

Chance comes from the generator that is handed in; whatever is drawn elsewhere is the defect.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from feltrig.emulators.models import mechanics
from feltrig.emulators.zoo.specimen import Specimen, always

Cards = list[int]


def sorted_by_keys(cards: Cards, rng: random.Random) -> Cards:
    """A random key for every card: good, since no two keys are alike."""
    keys = [rng.random() for _ in cards]
    return [cards[place] for place in sorted(range(len(cards)), key=keys.__getitem__)]


def riffled(cards: Cards, rng: random.Random, times: int) -> Cards:
    """Riffles of Gilbert, Shannon and Reeds: each place of the result draws its pile, and piles keep their order."""
    piles = [rng.randrange(2**times) for _ in cards]
    out = list(cards)
    for card, place in zip(cards, sorted(range(len(cards)), key=piles.__getitem__), strict=True):
        out[place] = card
    return out


def shelved(cards: Cards, rng: random.Random, shelves: int, passes: int = 1) -> Cards:
    """Each card goes on a shelf, above or below the pile that lies there."""
    for _ in range(passes):
        piles: list[deque[int]] = [deque() for _ in range(shelves)]
        for card in reversed(cards):
            pile = rng.choice(piles)
            (pile.append if rng.random() < 0.5 else pile.appendleft)(card)
        cards = [card for pile in piles for card in pile]
    return cards


def overhand(cards: Cards, rng: random.Random, passes: int) -> Cards:
    """Each gap is cut with chance 1/5, and the packets come out in the opposite order."""
    for _ in range(passes):
        packets: list[Cards] = [[]]
        for card in cards:
            if packets[-1] and rng.random() < 0.2:
                packets.append([])
            packets[-1].append(card)
        cards = [card for packet in reversed(packets) for card in packet]
    return cards


def swapped(cards: Cards, rng: random.Random, below: Callable[[int, int], int]) -> Cards:
    """A program that swaps each place, from the last down, with one below `below(place, size)`."""
    out = list(cards)
    for place in range(len(out) - 1, -1, -1):
        other = rng.randrange(max(below(place, len(out)), 1))
        out[place], out[other] = out[other], out[place]
    return out


def sattolo(place: int, size: int) -> int:
    """One too low: no card is ever swapped with itself, and all of them make one cycle."""
    return place


def naive(place: int, size: int) -> int:
    """Any place at all: n^n ways, which do not divide evenly among n! orders."""
    return size


def staying(cards: Cards, rng: random.Random, place: int, chance: float) -> Cards:
    """The card at one place, counted from the top or negative from the bottom, stays there with that chance."""
    out = _fair(cards, rng)
    if cards and rng.random() < chance:
        at = out.index(cards[place])
        out[at], out[place] = out[place], out[at]
    return out


def sticking(cards: Cards, rng: random.Random, place: int, chance: float) -> Cards:
    """The card at one place takes the next one along with that chance."""
    out = _fair(cards, rng)
    if place + 1 < len(cards) and rng.random() < chance:
        out.remove(cards[place + 1])
        out.insert(out.index(cards[place]) + 1, cards[place + 1])
    return out


def glued(cards: Cards, rng: random.Random, chance: float) -> Cards:
    """Neighbours are glued together with that chance, and the packets are shuffled well."""
    packets: list[Cards] = []
    for card in cards:
        if packets and rng.random() < chance:
            packets[-1].append(card)
        else:
            packets.append([card])
    rng.shuffle(packets)
    return [card for packet in packets for card in packet]


def few_seeds(cards: Cards, rng: random.Random, bits: int) -> Cards:
    """A good program whose generator starts anew for every deck, from a seed of this many bits."""
    return _fair(cards, random.Random(rng.getrandbits(bits)))


@dataclass(slots=True)
class RepeatingDeck:
    """Gives out the last deck once more, with some chance."""

    chance: float
    last: Cards = field(default_factory=list)

    def __call__(self, cards: Cards, rng: random.Random) -> Cards:
        again = rng.random() < self.chance and sorted(self.last) == sorted(cards)
        self.last = self.last if again else _fair(cards, rng)
        return list(self.last)


@dataclass(slots=True)
class Continuing:
    """Goes on from the order of its last deck, however the cards were loaded, and riffles that."""

    times: int
    last: Cards = field(default_factory=list)

    def __call__(self, cards: Cards, rng: random.Random) -> Cards:
        known = sorted(self.last) == sorted(cards)
        self.last = riffled(self.last, rng, self.times) if known else _fair(cards, rng)
        return list(self.last)


def _fair(cards: Cards, rng: random.Random) -> Cards:
    return rng.sample(cards, len(cards))


SPECIMENS = (
    Specimen("good", "every order equally likely", always(mechanics.shuffle), good=True),
    Specimen("good-keys", "sorts the cards by random keys", always(sorted_by_keys), good=True),
    Specimen("good-shelf-10-twice", "two passes of ten shelves", always(shelved, shelves=10, passes=2), good=True),
    *(Specimen(f"riffles-{k}", f"{k} riffles", always(riffled, times=k)) for k in (4, 5, 6, 7, 8)),
    *(Specimen(f"shelf-{m}", f"one pass of {m} shelves", always(shelved, shelves=m)) for m in (4, 10, 20, 30, 50)),
    *(Specimen(f"overhand-{n}", f"{n} overhand passes", always(overhand, passes=n)) for n in (10, 50)),
    Specimen("sattolo", "swaps no card with itself", always(swapped, below=sattolo)),
    Specimen("naive-swap", "swaps each card with any", always(swapped, below=naive)),
    Specimen("bottom-stays", "the bottom card never moves", always(staying, place=-1, chance=1.0)),
    Specimen("top-stays-20", "the top card stays once in 5", always(staying, place=0, chance=0.2)),
    Specimen("top-stays-5", "the top card stays once in 20", always(staying, place=0, chance=0.05)),
    Specimen("seed-10-bit", "1,024 possible shuffles", always(few_seeds, bits=10)),
    Specimen("seed-16-bit", "65,536 possible shuffles", always(few_seeds, bits=16)),
    Specimen("sticky-50", "two cards stick together every other time", always(sticking, place=17, chance=0.5)),
    Specimen("sticky-10", "two cards stick together once in 10", always(sticking, place=17, chance=0.1)),
    Specimen("repeats-5", "the last deck comes out again once in 20", partial(RepeatingDeck, 0.05)),
    Specimen("continues-5", "riffles its last deck 5 times, not the one loaded", partial(Continuing, 5)),
    Specimen("glued-10", "a tenth of the neighbours is glued", always(glued, chance=0.1)),
    Specimen("glued-2", "one neighbour in 50 is glued", always(glued, chance=0.02)),
)
