"""The people at the felt, played by a script: what they stake and how they decide. Seeded."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game, house_of
from feltrig.engine.table.play import Wagers
from feltrig.engine.table.wagers import Bet
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table import supreme_pai_gow_players
from feltrig.harness.table.supreme_pai_gow_players import cut


class Players(Protocol):
    """The people at the felt."""

    def wagers(self) -> Mapping[int, Any]:
        """What is staked on the next round."""

    def answer(self, ask: asks.Ask, wagers: Mapping[int, Any]) -> tells.Tell:
        """What they say to an ask that is put to them."""

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What they say when the rules refused the first answer."""


def players(config: GameConfig, record: Mapping[str, Any], rng: random.Random) -> Players:
    """The players of a session."""
    game = GAMES[config.name]
    if config.name == "supreme_pai_gow":
        house_way = game.options_of(record).house_way
        stakes = config.wagers
        return supreme_pai_gow_players.Players(config.players, house_way, rng, stakes.main, stakes.bonus)
    return ScriptedPlayers(game, config.players, record, rng)


class ScriptedPlayers:
    """Players who bet what the game offers, and decide by chance among what is legal."""

    def __init__(self, game: Game, seats: int, record: Mapping[str, Any], rng: random.Random) -> None:
        self._game = game
        self._seats = min(seats, game.seats)
        self._house = house_of(record)
        self._options = game.options_of(record)
        self._rng = rng

    def wagers(self) -> Wagers:
        """What is staked on the next round: at least one seat plays."""
        seats = [seat for seat in range(1, self._seats + 1) if self._rng.random() > 0.1] or [1]
        if self._game.sample_wagers is not None:
            return self._game.sample_wagers(self._rng, self._options, self._house, seats)
        bets = self._game.bets(self._options)
        return {seat: self._bets(bets) for seat in seats}

    def _bets(self, bets: Sequence[Bet]) -> dict[str, int]:
        placed: dict[str, int] = {}
        for bet in bets:
            goes_alone = not bet.needs or any(name in placed for name in bet.needs)
            if goes_alone and (bet.required or self._rng.random() < 0.5):
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

    def answer(self, ask: asks.Ask, wagers: Mapping[int, Any]) -> tells.Tell:
        """What they say to an ask that is put to them."""
        match ask:
            case asks.Cut():
                return tells.DeckCut(*cut(self._rng, ask.offer, ask.size))
            case asks.Decide():
                return self._decide(ask, self._rng.choice(ask.choices))
            case asks.SetHands() if self._game.house_way is not None:
                high, low = self._game.house_way(self._options, ask.cards)
                return tells.HandSet(ask.position, high, low)
            case asks.DecideExposed():
                voids = self._rng.random() < 0.5
                return tells.HandVoided(ask.seat) if voids else tells.PlayedOn(ask.seat)
            case asks.OfferBank():
                return tells.BankDeclined(ask.seat)
        raise LookupError(f"players are not asked for {type(ask).__name__}")

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What they say when the rules refused the first answer."""
        if isinstance(ask, asks.Decide):
            return self._decide(ask, ask.choices[0])
        raise LookupError(f"nothing to do instead of {type(ask).__name__}")

    def _decide(self, ask: asks.Decide, choice: str) -> tells.Decided:
        if choice not in ask.amounts:
            return tells.Decided(ask.seat, choice)
        least, most = ask.amounts[choice]
        return tells.Decided(ask.seat, choice, self._rng.choice((least, most)))
