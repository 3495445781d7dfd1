"""The people at the emulated felt: what they stake and how they decide. Seeded, so that a run can be played again."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feltrig.engine.cards import Card
from feltrig.engine.supreme_pai_gow.houseway import Hands, HouseWay
from feltrig.engine.supreme_pai_gow.ranking import set_fault
from feltrig.engine.supreme_pai_gow.wagers import Wager


@dataclass(frozen=True, slots=True)
class Habits:
    """How often a player does what, as probabilities."""

    empty_seat: float = 0.1
    bonus: float = 0.5
    own_way: float = 0.3
    """Sets the hands in some legal way other than the house's."""
    foul: float = 0.02
    surrender: float = 0.04
    takes_cut: float = 0.7
    takes_bank: float = 0.8


USUAL = Habits()


class Players:
    """All players of a table."""

    def __init__(
        self,
        seats: int,
        house_way: HouseWay,
        rng: random.Random,
        main: int,
        bonus: int,
        habits: Habits = USUAL,
    ) -> None:
        self._seats = range(1, seats + 1)
        self._house_way = house_way
        self._rng = rng
        self._main = main
        self._bonus = bonus
        self._habits = habits

    def wagers(self) -> dict[int, Wager]:
        """What is staked on the next round: at least one seat plays."""
        seats = [seat for seat in self._seats if not self._chance(self._habits.empty_seat)] or [self._seats[0]]
        return {
            seat: Wager(
                main=self._main * self._rng.randint(1, 4),
                bonus=self._bonus if self._chance(self._habits.bonus) else 0,
                player=f"player {seat}",
            )
            for seat in seats
        }

    def takes_bank(self) -> bool:
        """Whether the seat that is offered the bank takes it."""
        return self._chance(self._habits.takes_bank)

    def dealer_wager(self, most: int) -> int:
        """What the bank lets the dealer stake."""
        return self._rng.choice((most, most // 2, 0))

    def cut(self, offer: Sequence[int], size: int) -> tuple[int, int]:
        """Who cuts and how deep: at least ten cards from either end. The dealer, 0, when all decline."""
        by = next((seat for seat in offer if seat and self._chance(self._habits.takes_cut)), 0)
        return by, self._rng.randint(10, size - 10)

    def chooses_stack(self, stacks: int) -> int:
        """Which stack the bank wants delivered first."""
        return self._rng.randint(1, stacks)

    def voids_exposed(self) -> bool:
        """Whether a player whose card was exposed voids the hand."""
        return self._chance(0.5)

    def surrenders(self) -> bool:
        """Whether a player gives up the main wager."""
        return self._chance(self._habits.surrender)

    def set_hands(self, cards: Sequence[Card], house_way: bool) -> Hands:
        """How a position's four cards are set."""
        if house_way or not self._chance(self._habits.own_way + self._habits.foul):
            return self._house_way.set(cards)
        splits = [Hands(high, low) for high, low in _splits(cards)]
        fouls = [hands for hands in splits if set_fault(hands.high, hands.low) is not None]
        if fouls and self._chance(self._habits.foul / (self._habits.own_way + self._habits.foul)):
            return self._rng.choice(fouls)
        return self._rng.choice([hands for hands in splits if hands not in fouls])

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability


def _splits(cards: Sequence[Card]) -> list[tuple[tuple[Card, Card], tuple[Card, Card]]]:
    """Every way to make a high and a low hand of four cards."""
    a, b, c, d = cards
    halves = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return [*halves, *((low, high) for high, low in halves)]


def chips(wagers: Mapping[int, Wager], bank: int) -> int:
    """Chips that cover all wagers of the others and a dealer's stake of the same size, with some to spare."""
    return 2 * sum(wager.main for seat, wager in wagers.items() if seat != bank) + 100_000
