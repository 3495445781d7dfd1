"""Which two of four cards the dealer keeps: the fourteen house ways of 21.8(i)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from feltrig.engine.cards import ACE, JACK, TEN, TWO, Card, rank, suit
from feltrig.engine.rulings import Illegal

DEALT = 4
"""Cards that each player and the dealer receive: 21.7(c)."""


@dataclass(frozen=True, slots=True)
class Way:
    """What two cards must be. None where it does not matter; `least` is the rank of the lower card."""

    pair: bool = False
    suited: bool | None = None
    running: bool | None = None
    ace: bool = False
    least: int = TWO


HOUSE_WAYS = (
    Way(pair=True, suited=True),
    Way(pair=True),
    Way(ace=True, suited=True, least=TEN),
    Way(suited=True, running=True, least=TEN),
    Way(ace=True, least=TEN),
    Way(suited=False, running=True, least=JACK),
    Way(ace=True, suited=True),
    Way(suited=True, least=TEN),
    Way(least=JACK),
    Way(ace=True),
    Way(suited=True, running=True),
    Way(suited=True, running=False),
    Way(running=True),
    Way(),
)
"""From highest to lowest preference, as numbered: 21.8(i)1 to 14."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A dealer's hand, set."""

    way: int
    """The number of the house way, 1 to 14."""
    kept: tuple[Card, ...]
    """The higher card first."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The house way, and that there is one."""
        return ("19:47-21.8(i)", f"19:47-21.8(i){self.way}")


def is_natural(cards: Sequence[Card]) -> bool:
    """Whether four cards as dealt are four of a kind: 21.1."""
    if len(cards) != DEALT:
        raise ValueError(f"cards {tuple(cards)}: expected four")
    return len({rank(card) for card in cards}) == 1


def house_way(cards: Sequence[Card]) -> Setting:
    """The dealer's hand set by the first way that two of the four cards meet. A natural is not set: Illegal."""
    if is_natural(cards):
        raise Illegal("a natural is not set", "19:47-21.8(h)")
    pairs = [_higher_first(*two) for two in combinations(cards, 2)]
    for number, way in enumerate(HOUSE_WAYS, start=1):
        fitting = [two for two in pairs if _fits(two, way)]
        if fitting:  # of several the highest card decides, then the second: FAH-03
            return Setting(number, max(fitting, key=lambda two: (rank(two[0]), rank(two[1]))))
    raise AssertionError("the last way fits any two cards")


def _higher_first(one: Card, other: Card) -> tuple[Card, Card]:
    return (one, other) if rank(one) >= rank(other) else (other, one)


def _fits(two: tuple[Card, Card], way: Way) -> bool:
    high, low = two
    suited = suit(high) == suit(low)
    running = rank(high) - rank(low) == 1  # an ace next to a two never comes so far: FAH-03
    return (
        (not way.pair or rank(high) == rank(low))
        and (not way.ace or rank(high) == ACE)
        and way.suited in (None, suited)
        and way.running in (None, running)
        and rank(low) >= way.least
    )
