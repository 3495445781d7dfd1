"""What a sample of shuffles could have shown: the weakest defect that a test finds with the stated power."""

import math
from bisect import bisect_left
from collections.abc import Callable

from scipy import special

from feltrig.harness.statistics.core.law import LEAN, Law
from feltrig.harness.statistics.core.results import Detectable
from feltrig.harness.statistics.core.tails import binomial_above, noncentrality, normal_point
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.bad_decks import STRETCHES
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.drift import FINE, SMOOTH

POWER = 0.9
Finder = Callable[[Deck, int, float], Detectable]
"""For a deck, so many shuffles, and the part of the level that a test has."""
Power = Callable[[int, int, float, float], float]
"""For a deck of n, so many shuffles, that part of the level, and the size of the defect."""
RIFFLES, SHELVES = range(1, 13), (*range(1, 20), *range(20, 60, 2), *range(60, 160, 5))
CHANCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _sum_power(fair: Law, machine: Law, count: int, level: float, lean: int) -> float:
    """Power of the sum of a statistic whose law under the machine is known, by normal laws."""
    critical = fair.mean * count + lean * normal_point(level * LEAN) * math.sqrt(count * fair.variance)
    distance = lean * (machine.mean * count - critical)
    spread = math.sqrt(count * machine.variance)
    return float(special.ndtr(distance / spread)) if spread else float(distance > 0)


def riffles(n: int, count: int, level: float, size: float) -> float:
    """Power against this many riffles."""
    model = laws.riffled(n, 2 ** int(size))
    return _sum_power(model.fair, model.law, count, level, -1)


def shelves(n: int, count: int, level: float, size: float) -> float:
    """Power against a machine of this many shelves."""
    # Turning points are valleys and about as many peaks, so valleys stand for them.
    model = laws.shelved(n, int(size))
    return _sum_power(model.fair, model.law, count, level, -1)


def glued(n: int, count: int, level: float, size: float) -> float:
    """Adjacencies of packets that are glued at each gap with a chance: about Poisson."""
    fair, mean = laws.adjacencies(n), (n - 1) * size + 1
    critical = fair.mean * count + normal_point(level * LEAN) * math.sqrt(count)
    return float(special.ndtr((mean * count - critical) / math.sqrt(mean * count)))


def _one_of(looks: Callable[[int], int], chance: Callable[[int], float]) -> Power:
    """Power against a thing with this fair chance, one of so many looked at, that happens anyway with chance `size`."""

    def power(n: int, count: int, level: float, size: float) -> float:
        fair, tried = chance(n), looks(n)
        critical = bisect_left(
            range(count + 1), True, key=lambda hits: tried * float(binomial_above(count, fair, hits)) <= level
        )
        return float(binomial_above(count, size + (1 - size) * fair, critical)) if critical <= count else 0.0

    return power


stays = _one_of(lambda n: 3 * n, lambda n: 1 / n)
"""One card that stays in place."""
sticks = _one_of(lambda n: 2 * (n - 1), lambda n: 1 / n)
"""Two cards that stick together."""
bound = _one_of(lambda n: 200 * n, lambda _: 1 / 8)
"""One card bound to an eighth of the deck; the windows that are looked at are about 200 n."""


def _most(of: Power, sizes: range | tuple[int, ...], one: str, several: str) -> Finder:
    """The machine with the most riffles or shelves that is still found."""

    def find(deck: Deck, count: int, level: float) -> Detectable:
        weaker = bisect_left(sizes, True, key=lambda size: of(deck.n, count, level, size) < POWER)
        found = sizes[weaker - 1] if weaker else None
        if found is None:
            return Detectable(None, f"not even one {one}")
        return Detectable(found, f"{found} {several} or fewer" if found > 1 else f"one {one}")

    return find


def _least(of: Power, words: str) -> Finder:
    """The smallest chance of doing wrong that is still found."""

    def find(deck: Deck, count: int, level: float) -> Detectable:
        for size in CHANCES:
            if of(deck.n, count, level, size) >= POWER:
                return Detectable(size, words.format(f"{size:.1%}".replace(".0%", "%")))
        return Detectable(None, f"not even {words.partition(' with chance')[0]} every time")

    return find


def _deviations(level: float, looks: float) -> float:
    """Standard errors by which one of so many normal statistics must be off to be found."""
    return normal_point(level / looks) + normal_point(1 - POWER)


def shifted(deck: Deck, count: int, level: float) -> Detectable:
    """What holds for any sum of a statistic of one deck."""
    shift = _deviations(level, 2) / math.sqrt(count)
    return Detectable(shift, f"a shift of the statistic by {shift:.2g} standard deviations of one shuffle")


def _uneven(freedom: Callable[[int], int], cells: Callable[[int], int], words: str) -> Finder:
    """So many cells, each due once per shuffle, that are off by a part of their due on average."""

    def find(deck: Deck, count: int, level: float) -> Detectable:
        off = math.sqrt(noncentrality(freedom(deck.n), level, POWER) / (count * cells(deck.n)))
        return Detectable(off, words.format(f"{off:.2g}"))

    return find


def precedence(deck: Deck, count: int, level: float) -> Detectable:
    """Two cards whose order is settled too often."""
    share = 0.5 + _deviations(level, deck.n * (deck.n - 1)) / (2 * math.sqrt(count))
    words = f"two cards of which one comes first in a share of {share:.2g} or more"
    return Detectable(share, words) if share <= 1 else Detectable(None, "no order of two cards")


def one_card_drift(deck: Deck, count: int, level: float) -> Detectable:
    """One card that drifts towards a part of the deck."""
    shift = _deviations(level, 16 * deck.n) / math.sqrt(count)
    return Detectable(shift, f"one card whose place is off by {shift:.2g} standard deviations on average")


def missing(deck: Deck, count: int, level: float) -> Detectable:
    """A cell of cards by positions that stays empty."""
    found = deck.n * (2 * deck.n - 1) * (1 - 1 / deck.n) ** count <= level
    return Detectable(1.0 if found else None, f"{'' if found else 'not even '}a card that never comes to some place")


def displaced(deck: Deck, count: int, level: float) -> Detectable:
    """Cards that move by one and the same number of places."""
    part = _deviations(level, 2 * deck.n) / (math.sqrt(count) * deck.n)
    return Detectable(part, f"cards that move by one number of places with chance {part:.2g} or more")


def correlated(deck: Deck, count: int, level: float) -> Detectable:
    """Good and bad decks that follow each other."""
    r = _deviations(level, 2) / math.sqrt(count)
    return Detectable(r, f"a correlation of {r:.2g} from deck to deck") if r < 1 else Detectable(None, "no correlation")


def stretch(deck: Deck, count: int, level: float) -> Detectable:
    """A machine that is bad for a quarter of the sample."""
    shift = _deviations(level, 8 * len(STRETCHES)) / math.sqrt(max(1, count // 4))
    return Detectable(shift, f"a shift by {shift:.2g} standard deviations of one shuffle in a quarter of them")


def few_seeds(deck: Deck, count: int, level: float) -> Detectable:
    """A generator is found when two decks are equal: the birthday problem."""
    different = count * (count - 1) / 2 / -math.log(1 - POWER)
    bits = int(math.log2(different)) if different >= 2 else None
    return Detectable(bits, f"a generator started from {bits} bits or fewer" if bits else "no repeated deck")


def now_and_then(deck: Deck, count: int, level: float) -> Detectable:
    """One deck that is left as it was suffices."""
    chance = -math.expm1(math.log(1 - POWER) / count)
    return Detectable(chance, f"a deck left unshuffled with chance {chance:.2g} or more")


RIFFLED = _most(riffles, RIFFLES, "riffle", "riffles")
SHELVED = _most(shelves, SHELVES, "shelf", "shelves")
GLUED = _least(glued, "neighbours glued together with chance {} or more")
STAYING = _least(stays, "a card that stays in place with chance {} or more")
STICKING = _least(sticks, "two cards that stick together with chance {} or more")
BOUND = _least(bound, "a card bound to an eighth of the deck with chance {} or more")
UNEVEN = _uneven(lambda n: (n - 1) ** 2, lambda n: n, "cards by positions off by {} of their due on average")
DIFFERENCES = _uneven(lambda n: n - 2, lambda n: n - 1, "differences of neighbours off by {} of their due on average")
DRIFTING = _uneven(lambda _: SMOOTH**2, lambda _: 1, "a drift of {} standard deviations of one shuffle")
BUMPS = _uneven(lambda _: FINE**2, lambda _: 1, "bumps of {} standard deviations of one shuffle")
