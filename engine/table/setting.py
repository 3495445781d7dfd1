"""Games of two hands: the holder of a position parts the cards into a high and a low hand."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.irregular import STILL_DONE, Irregularity
from feltrig.engine.table.play import Play
from feltrig.engine.table.script import Script, hear, obey
from feltrig.engine.tells import Tell

Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True)
class Hands(Generic[Piece]):
    """As they were set: of the sizes that the game asks for, unless the setting is foul."""

    high: tuple[Piece, ...]
    low: tuple[Piece, ...]


Judge = Callable[[tells.HandSet], Irregularity | None]
"""What is wrong with a setting, None when it is a good one."""


def set_hands(
    play: Play, position: int, rules: Rules, judge: Judge, *, house_way: bool = False
) -> Script[tells.HandSet]:
    """The hands as they stand in the end: those that must be set again are asked for again."""
    ask = asks.SetHands(position, play.hand(position), house_way, rules)
    while True:
        seen: tells.HandSet = yield from hear(ask, lambda seen: _check_cards(ask, seen))
        wrong = judge(seen)
        if wrong is None:
            return seen
        ruling = play.rule(wrong, position, rules)
        obey(play, ruling)
        if ruling.order in STILL_DONE:
            return seen


def _check_cards(ask: asks.SetHands, seen: Tell) -> None:
    expect(isinstance(seen, tells.HandSet), ask, seen)
    assert isinstance(seen, tells.HandSet)
    expect(seen.position == ask.position, ask, seen)
    if Counter((*seen.high, *seen.low)) != Counter(ask.cards):
        raise Illegal(f"position {ask.position}: not the cards that were dealt there", *ask.rules)
