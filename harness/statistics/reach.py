"""What a sample of shuffles could have shown: the weakest defect that the battery finds with the stated power."""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache

from scipy import special

from feltrig.harness.statistics import battery, laws, models
from feltrig.harness.statistics.laws import Law
from feltrig.harness.statistics.outcome import Detectable, counted
from feltrig.harness.statistics.tails import binomial_above, noncentrality, normal_point
from feltrig.harness.statistics.wholes import FINE, SMOOTH, STRETCHES

POWER = 0.9
Finder = Callable[[int, int, float], Detectable]
"""For a deck of n, so many shuffles, and the part of the level that a test has."""
RIFFLES, SHELVES = range(1, 13), (*range(1, 20), *range(20, 60, 2), *range(60, 160, 5))
CHANCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SHARES = {test.name: test.share for test in battery.TESTS}


@lru_cache(maxsize=1024)
def detectable(test: str, n: int, count: int, level: float) -> Detectable:
    """The weakest defect of the kind this test looks for that so many shuffles of n cards would have shown."""
    finder = FINDERS.get(test, _shift)
    return finder(n, count, level * SHARES[test])


def sentence(n: int, count: int, level: float) -> str:
    """What the whole sample could have shown, for a report; and what no sample of such a size can."""
    words = [detectable(test, n, count, level).words for test in ("RIS", "TPO", "AD+", "PCW", "SUW", "RUN", "WRX")]
    return (
        f"{counted(count, 'shuffles')} would show, with power {POWER:g}: {'; '.join(words)}. "
        "No such sample shows a generator of 32 bits used well, or two passes of ten shelves"
    )


def power(test: str, n: int, count: int, level: float, size: float) -> float:
    """Power of so many shuffles against a machine of `size` riffles (RIS) or shelves (TPO), or one that does wrong with
    this chance (PCW a card that stays, SUW two cards that stick, AD+ neighbours that are glued)."""
    return POWERS[test](n, count, level * SHARES[test], size)


def shuffles_needed(test: str, n: int, level: float, size: float, wanted: float = POWER) -> int | None:
    """The least number of shuffles with that power against such a machine, to within a twentieth; None beyond 10^6."""
    count = 1
    while power(test, n, count, level, size) < wanted:
        count = math.ceil(count * 1.05)
        if count > 10**6:
            return None
    return count


def _sum_power(fair: Law, machine: Law, count: int, level: float, lean: int) -> float:
    """Power of the sum of a statistic whose law under the machine is known, by normal laws."""
    critical = fair.mean * count + lean * normal_point(level * laws.LEAN) * math.sqrt(count * fair.variance)
    distance = lean * (machine.mean * count - critical)
    spread = math.sqrt(count * machine.variance)
    return float(special.ndtr(distance / spread)) if spread else float(distance > 0)


def _riffles(n: int, count: int, level: float, size: float) -> float:
    model = models.riffled(n, 2 ** int(size))
    return _sum_power(model.fair, model.law, count, level, -1)


def _shelves(n: int, count: int, level: float, size: float) -> float:
    # Turning points are valleys and about as many peaks, so valleys stand for them.
    model = models.shelved(n, int(size))
    return _sum_power(model.fair, model.law, count, level, -1)


def _glued(n: int, count: int, level: float, size: float) -> float:
    """Adjacencies of packets that are glued at each gap with a chance: about Poisson."""
    fair, mean = laws.adjacencies(n), (n - 1) * size + 1
    critical = fair.mean * count + normal_point(level * laws.LEAN) * math.sqrt(count)
    return float(special.ndtr((mean * count - critical) / math.sqrt(mean * count)))


def _cell(looks: int, fair: float, count: int, level: float, size: float) -> float:
    """Power against a thing with this fair chance, one of so many looked at, that happens anyway with chance `size`."""
    low, high = 0, count + 1
    while low < high:
        middle = (low + high) // 2
        if looks * float(binomial_above(count, fair, middle)) <= level:
            high = middle
        else:
            low = middle + 1
    return float(binomial_above(count, size + (1 - size) * fair, low)) if low <= count else 0.0


def _stays(n: int, count: int, level: float, size: float) -> float:
    return _cell(3 * n, 1 / n, count, level, size)


def _sticks(n: int, count: int, level: float, size: float) -> float:
    return _cell(2 * (n - 1), 1 / n, count, level, size)


def _bound(n: int, count: int, level: float, size: float) -> float:
    """One card bound to an eighth of the deck; the windows that are looked at are about 200 n."""
    return _cell(200 * n, 1 / 8, count, level, size)


Power = Callable[[int, int, float, float], float]
POWERS: dict[str, Power] = {"RIS": _riffles, "TPO": _shelves, "AD+": _glued, "PCW": _stays, "SUW": _sticks}


def _most(of: Power, sizes: range | tuple[int, ...], words: str) -> Finder:
    """The machine with the most riffles or shelves that is still found."""

    def find(n: int, count: int, level: float) -> Detectable:
        weaker = bisect_left(sizes, True, key=lambda size: of(n, count, level, size) < POWER)
        found = sizes[weaker - 1] if weaker else 0
        return Detectable(found or None, words.format(found) if found else f"not even {words.format(1)}")

    return find


def _least(of: Power, words: str) -> Finder:
    """The smallest chance of doing wrong that is still found."""

    def find(n: int, count: int, level: float) -> Detectable:
        for size in CHANCES:
            if of(n, count, level, size) >= POWER:
                return Detectable(size, words.format(f"{size:.1%}".replace(".0%", "%")))
        return Detectable(None, f"no chance of {words.partition(' with chance')[0]}")

    return find


def _deviations(level: float, looks: float) -> float:
    """Standard errors by which one of so many normal statistics must be off to be found."""
    return normal_point(level / looks) + normal_point(1 - POWER)


def _shift(n: int, count: int, level: float) -> Detectable:
    """What holds for any sum of a statistic of one deck."""
    shift = _deviations(level, 2) / math.sqrt(count)
    return Detectable(shift, f"a shift of the statistic by {shift:.2g} standard deviations of one shuffle")


def _uneven(freedom: Callable[[int], int], cells: Callable[[int], int], words: str) -> Finder:
    """So many cells, each due once per shuffle, that are off by a part of their due on average."""

    def find(n: int, count: int, level: float) -> Detectable:
        off = math.sqrt(noncentrality(freedom(n), level, POWER) / (count * cells(n)))
        return Detectable(off, words.format(f"{off:.2g}"))

    return find


def _precedence(n: int, count: int, level: float) -> Detectable:
    share = 0.5 + _deviations(level, n * (n - 1)) / (2 * math.sqrt(count))
    words = f"two cards of which one comes first in a share of {share:.2g} or more"
    return Detectable(share, words) if share <= 1 else Detectable(None, "no order of two cards")


def _drifting(n: int, count: int, level: float) -> Detectable:
    shift = _deviations(level, 16 * n) / math.sqrt(count)
    return Detectable(shift, f"one card whose place is off by {shift:.2g} standard deviations on average")


def _missing(n: int, count: int, level: float) -> Detectable:
    found = n * (2 * n - 1) * (1 - 1 / n) ** count <= level
    return Detectable(1.0 if found else None, f"{'' if found else 'not even '}a card that never comes to some place")


def _displaced(n: int, count: int, level: float) -> Detectable:
    part = _deviations(level, 2 * n) / (math.sqrt(count) * n)
    return Detectable(part, f"cards that move by one number of places with chance {part:.2g} or more")


def _correlated(n: int, count: int, level: float) -> Detectable:
    r = _deviations(level, 2) / math.sqrt(count)
    return Detectable(r, f"a correlation of {r:.2g} from deck to deck") if r < 1 else Detectable(None, "no correlation")


def _stretch(n: int, count: int, level: float) -> Detectable:
    shift = _deviations(level, 8 * len(STRETCHES)) / math.sqrt(max(1, count // 4))
    return Detectable(shift, f"a shift by {shift:.2g} standard deviations of one shuffle in a quarter of them")


def _seeds(n: int, count: int, level: float) -> Detectable:
    """A generator is found when two decks are equal: the birthday problem."""
    different = count * (count - 1) / 2 / -math.log(1 - POWER)
    bits = int(math.log2(different)) if different >= 2 else None
    return Detectable(bits, f"a generator started from {bits} bits or fewer" if bits else "no repeated deck")


def _now_and_then(n: int, count: int, level: float) -> Detectable:
    """One deck that is left as it was suffices."""
    chance = -math.expm1(math.log(1 - POWER) / count)
    return Detectable(chance, f"a deck left unshuffled with chance {chance:.2g} or more")


FINDERS: dict[str, Finder] = {
    "RIS": _most(_riffles, RIFFLES, "{} riffles or fewer"),
    "TPO": _most(_shelves, SHELVES, "{} shelves or fewer"),
    "AD+": _least(_glued, "neighbours glued together with chance {} or more"),
    "PCW": _least(_stays, "a card that stays in place with chance {} or more"),
    "SUW": _least(_sticks, "two cards that stick together with chance {} or more"),
    "WIN": _least(_bound, "a card bound to an eighth of the deck with chance {} or more"),
    "PCQ": _uneven(lambda n: (n - 1) ** 2, lambda n: n, "cards by positions off by {} of their due on average"),
    "DFQ": _uneven(lambda n: n - 2, lambda n: n - 1, "differences of neighbours off by {} of their due on average"),
    "SM3": _uneven(lambda _: SMOOTH**2, lambda _: 1, "a drift of {} standard deviations of one shuffle"),
    "SMF": _uneven(lambda _: FINE**2, lambda _: 1, "bumps of {} standard deviations of one shuffle"),
    "RWX": _drifting,
    "PRX": _precedence,
    "PCL": _missing,
    "DSW": _displaced,
    "ACI": _correlated,
    "STR": _stretch,
    "RUN": _seeds,
    "WRX": _now_and_then,
}
