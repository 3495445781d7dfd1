"""A table: its devices, and what lasts from round to round."""

from collections.abc import Mapping

from feltrig.engine.decks import Decks
from feltrig.engine.games.supreme_pai_gow.options import Deal, Options, Start
from feltrig.engine.games.supreme_pai_gow.play import Memory, opened
from feltrig.engine.games.supreme_pai_gow.round import Round
from feltrig.engine.games.supreme_pai_gow.wagers import Wager, check
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import DEALER


class Table:
    """Opens one round after the other. A game has just started: the cards are washed, the button is at the dealer."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._memory = Memory(Decks(options.decks))
        self._devices = _devices(options)
        self._round: Round | None = None

    @property
    def options(self) -> Options:
        """The licensee's choices in force."""
        return self._options

    @property
    def devices(self) -> frozenset[str]:
        """The devices of 34.16(o) that stand at the table: `shuffler`, `shoe`."""
        return self._devices

    @property
    def deck(self) -> str:
        """The deck that is in play, or is next."""
        return self._memory.decks.in_play

    @property
    def button(self) -> int:
        """Where the button lies."""
        return self._memory.button

    @property
    def start_of_game(self) -> bool:
        """Whether the next round is the first one after a wash, which nobody banks: 34.13(b)."""
        return self._memory.banks.start_of_game

    def open_round(self, wagers: Mapping[int, Wager]) -> Round:
        """Begin a round with these wagers by seat, of which the first is that of the first player to the table.

        Wagers can be made and changed until the betting is closed. Illegal ones raise Illegal.
        """
        self._between_rounds()
        absent = _devices(self._options) - self._devices
        if absent:
            raise Illegal(f"the {', '.join(sorted(absent))} was removed: choose another method", "34.16(o)")
        if not wagers:
            raise Illegal("nobody plays", "34.6(g)")
        check(self._options, wagers)
        self._round = Round(opened(self._options, self._memory, wagers))
        return self._round

    def idle(self) -> None:
        """Nobody played for a while: the cards were spread, inspected and washed, and a new game starts: 34.6(g)."""
        self._between_rounds()
        self._memory.wash()

    def remove_device(self, device: str) -> None:
        """Take the `shuffler` or the `shoe` off the table."""
        self._between_rounds()
        if device not in self._devices:
            raise ValueError(f"device {device!r}: expected one of {', '.join(sorted(self._devices)) or 'none'}")
        self._devices -= {device}

    def change(self, options: Options) -> None:
        """Go on with other choices. A device that they do not use must have left the table: 34.16(o)."""
        self._between_rounds()
        unused = self._devices - _devices(options)
        if unused:
            raise Illegal(f"the {', '.join(sorted(unused))} is still at the table", "34.16(o)")
        if options.start is Start.BUTTON and self._options.start is not Start.BUTTON:
            self._memory.button = DEALER
        if options.decks != self._options.decks:
            # Decks that come to the table are inspected and washed, 34.5.
            self._memory.decks = Decks(options.decks)
            self._memory.wash()
        elif not options.machine_shuffle:
            # What lay in the shuffler is shuffled by hand now.
            for name in options.decks:
                self._memory.decks.use(name)
        self._options = options
        self._devices = _devices(options)

    def _between_rounds(self) -> None:
        if self._round is not None and self._round.ask is not None:
            raise OutOfTurn(f"a round is open and wants {self._round.ask}")


def _devices(options: Options) -> frozenset[str]:
    used = {"shuffler": options.machine_shuffle, "shoe": options.deal is Deal.AUTOMATED_SHOE}
    return frozenset(device for device, is_used in used.items() if is_used)
