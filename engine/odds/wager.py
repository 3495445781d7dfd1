"""The exact odds of a wager: every way that the cards, dice or wheel can fall is counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

Net = int | Fraction

Progress = Callable[[str, int, int], None]
"""Called with what is being counted, how much of it is done, and how much there is."""


def silent(what: str, done: int, total: int) -> None:
    """Reports no progress."""


@dataclass(frozen=True, slots=True)
class Wager:
    """One wager by one pay table: in how many of all equally likely ways it ends how, and what it gains then."""

    bet: str
    table: str
    outcomes: Mapping[str, int]
    nets: Mapping[str, Net] | None
    """By outcome, the gain in units of the first stake, without the stake; None where the text gives no payout."""
    of_meter: Fraction | None = None
    """The share of the progressive meter that the wager gets on average, beside the nets; None without a meter."""

    @property
    def total(self) -> int:
        """How many ways there are."""
        return sum(self.outcomes.values())

    @property
    def expected(self) -> Fraction | None:
        """What one unit staked gains on average, a meter aside."""
        if self.nets is None:
            return None
        return (
            sum((count * Fraction(self.nets[name]) for name, count in self.outcomes.items()), Fraction()) / self.total
        )

    @property
    def returned(self) -> Fraction | None:
        """What comes back of one unit staked, the stake included."""
        return None if self.expected is None else 1 + self.expected

    @property
    def house_edge(self) -> Fraction | None:
        """What the house keeps of one unit of the first stake, even where more is staked later."""
        return None if self.expected is None else -self.expected


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A wager whose return is not computed, and why."""

    bet: str
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where some wagers of a game come from."""

    bets: str
    wagers: Callable[[Progress], Iterator[Wager]]
    minutes: bool = False
    """Takes minutes of a processor rather than seconds."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel whose stops the rule text leaves open: its symbols, and the wagers on a wheel with given stops."""

    symbols: tuple[str, ...]
    wagers: Callable[[Mapping[str, int], str], Iterator[Wager]]
    """Given the stops by symbol, and the name of the wheel."""


@dataclass(frozen=True, slots=True)
class GameOdds:
    """What is counted of a game, and what is not."""

    sources: tuple[Source, ...]
    left_out: tuple[LeftOut, ...] = ()
    wheel: Wheel | None = None


SET_HANDS = "depends on how dealer and players set their hands, and the text leaves the house way to the licensee"
"""Why the main wager of a game of two hands is left out."""


def paid(bet: str, table: str, outcomes: Mapping[str, int], odds: Mapping[str, Net]) -> Wager:
    """A wager that is paid by odds to 1. An outcome without odds loses."""
    nets = {name: odds.get(name, -1) for name in outcomes}
    return Wager(bet, table, dict(outcomes), nets)


def gathered(bet: str, table: str, ends: Iterable[tuple[str, Net, int]]) -> Wager:
    """A wager from its ends: a name, the net it always has, and in how many ways."""
    outcomes: Counter[str] = Counter()
    nets: dict[str, Net] = {}
    for name, net, ways in ends:
        if nets.setdefault(name, net) != net:
            raise ValueError(f"{bet}: {name} gains both {nets[name]} and {net}")
        outcomes[name] += ways
    best_first = sorted(outcomes, key=lambda name: nets[name], reverse=True)
    return Wager(bet, table, {name: outcomes[name] for name in best_first}, nets)
