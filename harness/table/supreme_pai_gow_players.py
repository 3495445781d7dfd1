"""The people at a table of Supreme Pai Gow: what they stake and how they decide. Seeded."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.houseway import HouseWay
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.wagers import Wager
from feltrig.engine.table.hands import Hands
from feltrig.engine.table.positions import SEATS


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
        self._seats = SEATS[:seats]
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

    def answer(self, ask: asks.Ask, wagers: Mapping[int, Wager]) -> tells.Tell:
        """What they say to an ask that is put to them."""
        match ask:
            case asks.OfferBank():
                if self.takes_bank():
                    return tells.BankAccepted(ask.seat, chips(wagers, ask.seat), ask.co_bank)
                return tells.BankDeclined(ask.seat)
            case asks.Cut():
                return tells.DeckCut(*self.cut(ask.offer, ask.size))
            case asks.PlaceDealerWager():
                return tells.DealerWagered(self.dealer_wager(ask.most))
            case asks.ChooseStack():
                return tells.StackChosen(self.chooses_stack(ask.stacks))
            case asks.DecideExposed():
                return tells.HandVoided(ask.seat) if self.voids_exposed() else tells.PlayedOn(ask.seat)
            case asks.SetHands():
                if not ask.house_way and self.surrenders():
                    return tells.Surrendered(ask.position)
                return self._set(ask, ask.house_way)
        raise LookupError(f"players are not asked for {type(ask).__name__}")

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What is told when the rules refused what a player wanted."""
        match ask:
            case asks.OfferBank():
                return tells.BankDeclined(ask.seat)
            case asks.SetHands():
                return self._set(ask, house_way=True)
        raise LookupError(f"nothing to do instead of {type(ask).__name__}")

    def _set(self, ask: asks.SetHands, house_way: bool) -> tells.HandSet:
        hands = self.set_hands(ask.cards, house_way)
        return tells.HandSet(ask.position, hands.high, hands.low)

    def takes_bank(self) -> bool:
        """Whether the seat that is offered the bank takes it."""
        return self._chance(self._habits.takes_bank)

    def dealer_wager(self, most: int) -> int:
        """What the bank lets the dealer stake."""
        return self._rng.choice((most, most // 2, 0))

    def cut(self, offer: Sequence[int], size: int) -> tuple[int, int]:
        """Who cuts and how deep: at least ten cards from either end. The dealer, 0, when all decline."""
        return cut(self._rng, offer, size, self._habits.takes_cut)

    def chooses_stack(self, stacks: int) -> int:
        """Which stack the bank wants delivered first."""
        return self._rng.randint(1, stacks)

    def voids_exposed(self) -> bool:
        """Whether a player whose card was exposed voids the hand."""
        return self._chance(0.5)

    def surrenders(self) -> bool:
        """Whether a player gives up the main wager."""
        return self._chance(self._habits.surrender)

    def set_hands(self, cards: Sequence[Card], house_way: bool) -> Hands[Card]:
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


def cut(rng: random.Random, offer: Sequence[int], size: int, takes: float = USUAL.takes_cut) -> tuple[int, int]:
    """Who of those that are offered the cut takes it, the dealer (0) when nobody does, and how deep."""
    by = next((seat for seat in offer if seat and rng.random() < takes), 0)
    return by, rng.randint(10, size - 10)


def _splits(cards: Sequence[Card]) -> list[tuple[tuple[Card, Card], tuple[Card, Card]]]:
    """Every way to make a high and a low hand of four cards."""
    a, b, c, d = cards
    halves = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return [*halves, *((low, high) for high, low in halves)]


def chips(wagers: Mapping[int, Wager], bank: int) -> int:
    """Chips that cover all wagers of the others and a dealer's stake of the same size, with some to spare."""
    return 2 * sum(wager.main for seat, wager in wagers.items() if seat != bank) + 100_000
