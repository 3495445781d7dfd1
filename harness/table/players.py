"""The people at the felt, played by a script: what they stake and how they decide. Seeded."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game, Habits, Hand, Sample, house_of
from feltrig.engine.table.play import Wagers
from feltrig.engine.table.wagers import Bet
from feltrig.harness.rig.model import GameConfig


def players(config: GameConfig, record: Mapping[str, Any], rng: random.Random) -> "Players":
    """The players of a session."""
    stakes = {"main": config.wagers.main, "bonus": config.wagers.bonus}
    return Players(GAMES[config.name], config.players, record, rng, stakes)


class Players:
    """Players who bet what the game offers, and decide by chance among what is legal, as often as its habits say."""

    def __init__(
        self,
        game: Game,
        seats: int,
        record: Mapping[str, Any],
        rng: random.Random,
        stakes: Mapping[str, int],
        habits: Habits | None = None,
    ) -> None:
        self._game = game
        self._seats = min(seats, game.seats)
        self._house = house_of(record)
        self._options = game.options_of(record)
        self._rng = rng
        self._habits = habits or game.habits
        self._sample = Sample(rng, self._options, self._house, stakes, self._habits)

    def wagers(self) -> Wagers:
        """What is staked on the next round: at least one seat plays."""
        seats = [seat for seat in range(1, self._seats + 1) if not self._chance(self._habits.empty_seat)] or [1]
        if self._game.sample_wagers is not None:
            return self._game.sample_wagers(self._sample, seats)
        bets = self._game.bets(self._options)
        return {seat: self._bets(bets) for seat in seats}

    def _bets(self, bets: Sequence[Bet]) -> dict[str, int]:
        placed: dict[str, int] = {}
        for bet in bets:
            goes_alone = not bet.needs or any(name in placed for name in bet.needs)
            if goes_alone and (bet.required or self._chance(self._habits.bonus)):
                placed[bet.name] = self._amount(bet, placed)
        return placed or {bets[0].name: self._amount(bets[0], placed)}

    def _amount(self, bet: Bet, placed: Mapping[str, int]) -> int:
        if bet.fixed is not None:
            return bet.fixed
        if bet.equals is not None:
            return placed[bet.equals]
        least = self._house.table_minimum if bet.minimum is None else bet.minimum
        amount = least * self._rng.randint(1, 4)
        return amount if bet.maximum is None else min(amount, bet.maximum)

    def answer(self, ask: asks.Ask, wagers: Wagers) -> tells.Tell:
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
            case asks.Decide():
                return self._decide(ask, self._rng.choice(ask.choices))
            case asks.DecideExposed():
                return tells.HandVoided(ask.seat) if self.voids_exposed() else tells.PlayedOn(ask.seat)
            case asks.SetHands():
                if not ask.house_way and self.surrenders():
                    return tells.Surrendered(ask.position)
                return tells.HandSet(ask.position, *self.set_hands(ask.cards, ask.house_way))
        raise LookupError(f"players are not asked for {type(ask).__name__}")

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What they say when the rules refused the first answer."""
        match ask:
            case asks.Decide():
                return self._decide(ask, ask.choices[0])
            case asks.OfferBank():
                return tells.BankDeclined(ask.seat)
            case asks.SetHands():
                return tells.HandSet(ask.position, *self.set_hands(ask.cards, house_way=True))
        raise LookupError(f"nothing to do instead of {type(ask).__name__}")

    def takes_bank(self) -> bool:
        """Whether the seat that is offered the bank takes it."""
        return self._chance(self._habits.takes_bank)

    def dealer_wager(self, most: int) -> int:
        """What the bank lets the dealer stake."""
        return self._rng.choice((most, most // 2, 0))

    def cut(self, offer: Sequence[int], size: int) -> tuple[int, int]:
        """Who of those that are offered the cut takes it, the dealer (0) when nobody does, and how deep: at least ten
        cards from either end."""
        by = next((seat for seat in offer if seat and self._chance(self._habits.takes_cut)), 0)
        return by, self._rng.randint(10, size - 10)

    def chooses_stack(self, stacks: int) -> int:
        """Which stack the bank wants delivered first."""
        return self._rng.randint(1, stacks)

    def voids_exposed(self) -> bool:
        """Whether a player whose card was exposed voids the hand."""
        return self._chance(0.5)

    def surrenders(self) -> bool:
        """Whether a player gives up the wager."""
        return self._chance(self._habits.surrender)

    def set_hands(self, cards: Sequence[Card], house_way: bool) -> tuple[Hand, Hand]:
        """How a position's cards are set: as the house does, or in a way of the player's own, which can be foul."""
        habits = self._habits
        if house_way or not self._chance(habits.own_way + habits.foul):
            assert self._game.house_way is not None
            return self._game.house_way(self._options, cards)
        legal, foul = self._game.settings(self._options, cards)
        if foul and self._chance(habits.foul / (habits.own_way + habits.foul)):
            return self._rng.choice(foul)
        return self._rng.choice(legal)

    def _decide(self, ask: asks.Decide, choice: str) -> tells.Decided:
        if choice not in ask.amounts:
            return tells.Decided(ask.seat, choice)
        least, most = ask.amounts[choice]
        return tells.Decided(ask.seat, choice, self._rng.choice((least, most)))

    def _chance(self, probability: float) -> bool:
        return probability > 0 and self._rng.random() < probability


def chips(wagers: Wagers, bank: int) -> int:
    """Chips that cover all wagers of the others and a dealer's stake of the same size, with some to spare."""
    return 2 * sum(sum(bets.values()) for seat, bets in wagers.items() if seat != bank) + 100_000
