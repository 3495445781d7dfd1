"""How a round ended: every wager settled, or void; and in which order the dealer settles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.money import Cents
from feltrig.engine.rulings import Order, Ruling

if TYPE_CHECKING:
    from feltrig.engine.table.play import Play


class Outcome(Enum):
    """What becomes of a wager. Games that know more than these have a class of their own."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    SURRENDER = "surrender"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager of one seat: what lay there, what became of it, and the player's gain (+) or loss (-) in cents."""

    seat: int
    bet: str
    stake: int
    outcome: str
    """`win`, `lose`, `push`, `void`, or the game's own word."""
    net: Cents
    rules: Rules
    hand: str | None = None
    """The class of hand that decided, by name."""


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round. A void one names the order that ended it and the rules of that order."""

    void: bool
    order: Order | None
    rules: Rules
    settlements: tuple[Settlement, ...]
    """In the order in which the dealer settles."""
    rulings: tuple[Ruling, ...]
    hands: Mapping[str, tuple[Card, ...]]
    """The cards of each place: `0` for the dealer, `1` and so on for the seats, shared ones by name."""

    @staticmethod
    def of(play: "Play", settlements: Iterable[Settlement]) -> "Result":
        """The result of a round that is over."""
        return Result(
            void=play.void is not None,
            order=play.void.order if play.void else None,
            rules=play.void.rules if play.void else (),
            settlements=tuple(settlements),
            rulings=tuple(play.rulings),
            hands={str(place): tuple(cards) for place, cards in sorted(play.hands.items(), key=lambda h: str(h[0]))},
        )


def returned(play: "Play", ruling: Ruling) -> tuple[Settlement, ...]:
    """All wagers go back to the players, unless they were settled before."""
    done = {(settled.seat, settled.bet) for settled in play.settled}
    back = (
        Settlement(seat, bet, stake, "void", 0, ruling.rules)
        for seat in play.counterclockwise
        for bet, stake in play.wagers[seat].items()
        if (seat, bet) not in done
    )
    return (*play.settled, *back)


def losers_first(settlements: Iterable[Settlement]) -> tuple[Settlement, ...]:
    """All losing wagers are collected first, then those that push are left, then winners are paid; otherwise the
    order stays."""
    return tuple(sorted(settlements, key=lambda settled: (settled.net >= 0) + (settled.net > 0)))
