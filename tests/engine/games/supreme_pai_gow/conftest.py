"""A dealer for the tests: answers every ask correctly, from a deck shuffled with a given seed."""

import random
from collections.abc import Callable, Mapping
from itertools import combinations

import pytest
from supreme_pai_gow_table import Options, SupremeTable, Wager

from feltrig.engine import asks, tells
from feltrig.engine.asks import Ask
from feltrig.engine.cards import Card, deck
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.result import Result
from feltrig.engine.rulings import Ruling
from feltrig.engine.table.round import Round
from feltrig.engine.tells import Tell

CHIPS = 10_000_000


class FairDealer:
    """Plays rounds at one table by the rules."""

    def __init__(self, options: Options, seed: int = 1) -> None:
        self.options = options
        self.table = SupremeTable(options)
        self.chance = random.Random(seed)
        self.packs: dict[str, list[Card]] = {name: [] for name in options.decks}
        self.takes_bank: Callable[[int], bool] = lambda seat: False
        self.co_banks = False
        self.asked: list[Ask] = []

    @property
    def cards(self) -> list[Card]:
        """What is undealt of the deck in play."""
        return self.packs[self.table.deck]

    def open(self, wagers: Mapping[int, Wager] | None = None) -> Round:
        """A round with these wagers, or with one at seat 3."""
        self.asked = []
        return self.table.open_round({3: Wager(1000)} if wagers is None else wagers)

    def until(self, game: Round, kind: type[Ask], nth: int = 1) -> Ask:
        """Play until the round asks for this the nth time, and leave it unanswered."""
        while game.ask is not None:
            if isinstance(game.ask, kind):
                nth -= 1
                if nth == 0:
                    return game.ask
            self.step(game)
        raise AssertionError(f"the round ended without {kind.__name__}")

    def step(self, game: Round) -> tuple[Ruling, ...]:
        """Answer one ask."""
        assert game.ask is not None
        self.asked.append(game.ask)
        return game.tell(self.answer(game.ask))

    def finish(self, game: Round) -> Result:
        """Play to the end."""
        while game.ask is not None:
            self.step(game)
        assert game.result is not None
        return game.result

    def play(self, wagers: Mapping[int, Wager] | None = None) -> Result:
        """A whole round."""
        return self.finish(self.open(wagers))

    def answer(self, ask: Ask) -> Tell:
        """What a table without faults shows."""
        match ask:
            case asks.OfferBank():
                if self.takes_bank(ask.seat):
                    return tells.BankAccepted(ask.seat, CHIPS, ask.co_bank and self.co_banks)
                return tells.BankDeclined(ask.seat)
            case asks.StartShuffle():
                return tells.ShuffleStarted(ask.deck)
            case asks.FinishShuffle():
                self.shuffle(ask.deck)
                counts = ask.by == "machine" and self.options.shuffler_counts
                return tells.Shuffled(ask.deck, ask.expect if counts else None)
            case asks.Cut():
                depth = self.chance.randint(10, 44)
                self.cards[:] = self.cards[depth:] + self.cards[:depth]
                return tells.DeckCut(self.chance.choice((*ask.offer, 0)), depth)
            case asks.PlaceDealerWager():
                return tells.DealerWagered(self.chance.choice((0, ask.most)))
            case asks.LoadShoe():
                return tells.ShoeLoaded(ask.deck)
            case asks.CallNoMoreBets():
                return tells.NoMoreBets()
            case asks.ShakeDice():
                dice = tuple(self.chance.randint(1, 6) for _ in range(3))
                return tells.DiceRolled(dice, (True,) * 3, ask.shakes, "dealer", sum(dice))
            case asks.SelectNumber():
                return tells.NumberSelected(self.chance.randint(ask.low, ask.high))
            case asks.ReadButton():
                return tells.ButtonSeen(ask.expect)
            case asks.DealCard():
                return tells.CardDealt(self.cards.pop(0))
            case asks.Dispense():
                return tells.StackDispensed(tuple(self.cards.pop(0) for _ in range(ask.size)))
            case asks.RackStub():
                stub = tuple(self.cards)
                return tells.StubRacked(len(stub) if ask.count else None, stub)
            case asks.ChooseStack():
                return tells.StackChosen(self.chance.randint(1, ask.stacks))
            case asks.DeliverStack():
                return tells.StackDelivered(ask.stack, ask.position)
            case asks.CollectUnbet():
                return tells.UnbetCollected()
            case asks.ParkShaker():
                return tells.ShakerParked()
            case asks.DecideExposed():
                return tells.PlayedOn(ask.seat)
            case asks.SetHands():
                return self.set_hands(ask)
            case asks.Expose():
                return tells.Exposed(ask.position)
            case asks.CollectCards():
                return tells.CardsCollected(ask.deck)
            case asks.ClearDevice():
                return tells.DeviceCleared(ask.device)
            case asks.ReplaceDeck():
                return tells.DeckReplaced(ask.deck)

    def shuffle(self, name: str) -> None:
        """Put a whole deck in a random order."""
        self.packs[name] = list(deck(jokers=2))
        self.chance.shuffle(self.packs[name])

    def set_hands(self, ask: asks.SetHands) -> Tell:
        """By the house way where it must be, else in any legal way."""
        if ask.house_way:
            hands = self.options.house_way.set(ask.cards)
            return tells.HandSet(ask.position, tuple(hands.high), tuple(hands.low))
        splits = [(high, tuple(card for card in ask.cards if card not in high)) for high in combinations(ask.cards, 2)]
        legal = [split for split in splits if set_fault(*split, self.options.equal_is_legal) is None]
        return tells.HandSet(ask.position, *self.chance.choice(legal))


@pytest.fixture
def fair_dealer() -> type[FairDealer]:
    """A dealer that makes no mistakes: `fair_dealer(options, seed)`."""
    return FairDealer
