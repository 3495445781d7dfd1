"""One round as a machine that says what it wants and is told what was seen."""

from collections.abc import Callable
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.answers import ANSWERS, expect
from feltrig.engine.asks import Ask
from feltrig.engine.rulings import Illegal, OutOfTurn, Ruling
from feltrig.engine.table.interjections import Interjection, interjection
from feltrig.engine.table.play import Play
from feltrig.engine.table.script import Again, Pending, Voided, accept, whole_round
from feltrig.engine.table.steps import check_shuffle, do_shuffle, to_shuffle_waiting
from feltrig.engine.tells import Tell


class Round:
    """Ask what comes next, tell what was seen, until `ask` is None; then `result` says how it ended.

    What is told either answers the present ask, or interjects: it may come at any moment. After an interjection the
    script looks again at what it wants. Some matters come before anything that the script wants: a failed device, a
    player who must decide, a shuffle that was interrupted. The round asks for these itself.
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._script = whole_round(play)
        self._pending: Pending | None = None
        self._pressing: Ask | None = None
        self._result: Any = None
        self._advance(lambda: next(self._script))

    @property
    def ask(self) -> Ask | None:
        """What must happen next, None when the round is over."""
        return self._play.ask

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """All orders given so far."""
        return tuple(self._play.rulings)

    @property
    def result(self) -> Any:
        """How the round ended, None until it has."""
        return self._result

    @property
    def deck(self) -> str:
        """The deck of this round."""
        return self._play.deck

    def verify(self, seen: Tell) -> None:
        """Raise Illegal when the rules forbid it, OutOfTurn when it does not fit the moment."""
        play, ask = self._play, self._play.ask
        if ask is None or self._pending is None:
            raise OutOfTurn("the round is over")
        interjected = interjection(play, seen)
        if interjected is not None:
            if interjected.in_play and play.void:
                raise OutOfTurn(f"{seen}: the round is void")
            interjected.check(play, seen)
            return
        play.procedure.refuse(play, seen)
        fits = isinstance(seen, ANSWERS[type(ask)])
        stacking = isinstance(ask, asks.DealCard) and ask.stack is not None and fits
        if not play.bets_closed and not stacking and isinstance(seen, tells.CardDealt | tells.StackDispensed):
            raise Illegal("cards came out before the betting was closed", *play.method.close)
        expect(fits, ask, seen)
        if self._pressing is None:
            self._pending.check(seen)
        else:
            _check_pressing(play, ask, seen)

    def can(self, seen: Tell) -> bool:
        """Whether this can be told now."""
        try:
            self.verify(seen)
        except (Illegal, OutOfTurn):
            return False
        return True

    def tell(self, seen: Tell) -> tuple[Ruling, ...]:
        """Take an observation and return the orders that it leads to. What cannot be told changes nothing."""
        self.verify(seen)
        play = self._play
        before = len(play.rulings)
        interjected = interjection(play, seen)
        if interjected is not None:
            self._interject(interjected, seen)
        elif self._pressing is not None:
            _do_pressing(play, seen)
            self._advance(lambda: self._script.send(None))
        else:
            self._advance(lambda: self._script.send(seen))
        return tuple(play.rulings[before:])

    def _interject(self, interjected: Interjection, seen: Tell) -> None:
        try:
            accept(self._play, seen, lambda seen: interjected.do(self._play, seen))
        except (Voided, Again) as order:
            # Named here: `except` forgets its variable before the script is thrown at.
            thrown = order
            self._advance(lambda: self._script.throw(thrown))
        else:
            self._advance(lambda: self._script.send(None))

    def _advance(self, step: Callable[[], Pending]) -> None:
        play = self._play
        try:
            self._pending = step()
            self._pressing = _pressing(play)
            play.ask = self._pressing or self._pending.ask
        except StopIteration as over:
            self._pending = self._pressing = play.ask = None
            self._result = over.value
            play.round_over()


# What comes before anything that a script wants: it can become due between any two asks


def _pressing(play: Play) -> Ask | None:
    """A failed device is cleared first. Then a player whose card was exposed decides. Then the shuffle of the other
    deck starts again, if it was interrupted."""
    if play.jammed:
        return asks.ClearDevice(*next(iter(play.jammed.items())))
    if play.undecided:
        return asks.DecideExposed(*next(iter(play.undecided.items())))
    return to_shuffle_waiting(play) if play.waiting_begun and not play.over else None


def _check_pressing(play: Play, ask: Ask, seen: Tell) -> None:
    match ask, seen:
        case asks.ClearDevice(), tells.DeviceCleared():
            expect(seen.device == ask.device, ask, seen)
        case asks.DecideExposed(), tells.PlayedOn() | tells.HandVoided():
            expect(seen.seat == ask.seat, ask, seen)
        case _:
            check_shuffle(play, ask, seen)


def _do_pressing(play: Play, seen: Tell) -> None:
    match seen:
        case tells.DeviceCleared():
            del play.jammed[seen.device]
        case tells.PlayedOn():
            del play.undecided[seen.seat]
        case tells.HandVoided():
            del play.undecided[seen.seat]
            play.voided.add(seen.seat)
        case _:
            do_shuffle(play, seen)
