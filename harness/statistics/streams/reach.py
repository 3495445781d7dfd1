"""The least effect that a sample of a given size would have shown: printed beside every pass."""

import math

from feltrig.harness.statistics.core.results import Detectable
from feltrig.harness.statistics.core.tails import noncentrality, normal_point
from feltrig.harness.statistics.streams.passages import longest_law
from feltrig.harness.statistics.streams.recurrence import BLOCKS
from feltrig.harness.statistics.streams.symbols import SymbolSource

POWER = 0.9


def least_excess(n: int, k: int, level: float = 0.01, power: float = POWER) -> float:
    """The least excess of one of k symbols, as a share of its due, that the chi-square of n draws finds."""
    return math.sqrt(noncentrality(k - 1, level, power) * (k - 1) / n)


def least_copying(n: int, k: int, level: float = 0.01, power: float = POWER) -> float | None:
    """The least share of copies of an earlier draw that the count of matches among n finds; None if 1 is not found."""
    base = 1 / k
    margin = normal_point(level / 2) * math.sqrt(base * (1 - base))

    def shown(share: float) -> bool:
        chance = base + share * (1 - base)
        return math.sqrt(n) * (chance - base) >= margin + normal_point(1 - power) * math.sqrt(chance * (1 - chance))

    if not shown(1.0):
        return None
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high


def excess(what: str, source: SymbolSource, n: int, level: float) -> Detectable:
    """One of the symbols that comes too often among n draws."""
    found = least_excess(n, source.k, level)
    if found > source.k - 1:
        return Detectable(None, "no excess of one symbol, however large")
    return Detectable(found, f"{what} {100 * found:.3g} % too often, {_odds(level)}")


def copying(what: str, source: SymbolSource, n: int, level: float) -> Detectable:
    """Copies of the sample before, in n samples."""
    found = least_copying(max(n - 1, 1), source.k, level)
    if found is None:
        return Detectable(None, "not even copies every time")
    return Detectable(found, f"{what} with probability {found:.2g}, {_odds(level)}")


def passage(what: str, source: SymbolSource, n: int, level: float) -> Detectable:
    """The shortest passage of n draws that shows when it comes twice."""
    found = next((length for length in range(1, n) if longest_law(n, source.k, length) <= level), None)
    if found is None:
        return Detectable(None, "no repeated passage")
    return Detectable(found, f"a passage of {found} {what} that comes twice, at level {level:g}")


def recurrence(what: str, source: SymbolSource, n: int, level: float) -> Detectable:
    """The longest linear recurrence that shows in n draws."""
    found = math.floor((min(n, BLOCKS[-1]) + math.log(level) / math.log(source.k)) / 2)
    if found < 1:
        return Detectable(None, "no linear recurrence")
    return Detectable(found, f"every {what} made from up to {found} before it by a linear rule, at level {level:g}")


def _odds(level: float) -> str:
    return f"with power {POWER:g} at level {level:.2g}"
