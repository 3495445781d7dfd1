"""One round as a machine that says what it wants and is told what was seen."""

from feltrig.engine.asks import Ask
from feltrig.engine.games.supreme_pai_gow.effects import carry_out, do
from feltrig.engine.games.supreme_pai_gow.irregularities import STILL_DONE, irregularities
from feltrig.engine.games.supreme_pai_gow.legality import verify
from feltrig.engine.games.supreme_pai_gow.play import Play
from feltrig.engine.games.supreme_pai_gow.result import Result, settle
from feltrig.engine.games.supreme_pai_gow.sequence import next_ask
from feltrig.engine.rulings import Illegal, OutOfTurn, Ruling
from feltrig.engine.tells import Tell


class Round:
    """Ask what comes next, tell what was seen, until `ask` is None; then `result` says how it ended.

    Where no clause decides, the rig does: the button moves only after a completed round, and a banked round starts at
    the button; a surrender stands in a round that becomes void later; cards at wrong positions are noted unless a
    clause voids the round; a deck replaced before the deal does not take the bank from who has it.
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._result: Result | None = None
        play.ask = next_ask(play)

    @property
    def ask(self) -> Ask | None:
        """What must happen next, None when the round is over."""
        return self._play.ask

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """All orders given so far."""
        return tuple(self._play.rulings)

    @property
    def result(self) -> Result | None:
        """How the round ended, None until it has."""
        return self._result

    @property
    def deck(self) -> str:
        """The deck of this round."""
        return self._play.deck

    @property
    def bank(self) -> int | None:
        """The seat that banks, None for the house."""
        return self._play.bank

    def verify(self, seen: Tell) -> None:
        """Raise Illegal when the rules forbid it, OutOfTurn when it does not fit the moment."""
        verify(self._play, seen)

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
        rows = tuple(irregularities(play, seen))
        rulings = tuple(row.ruling(play, seen) for row in rows)
        if all(row.order in STILL_DONE for row in rows):
            do(play, seen)
        for row, ruling in zip(rows, rulings, strict=True):
            carry_out(play, seen, row, ruling)
        play.rulings += rulings
        play.ask = next_ask(play)
        if play.ask is None:
            self._result = settle(play)
            play.round_over()
        return rulings
