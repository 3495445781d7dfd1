"""The model of a random number generator with its display."""

from collections.abc import Iterable

from feltrig.emulators.board import Board
from feltrig.emulators.device import ANY, AT_REST, DONE, Commands, Device
from feltrig.emulators.faults import Fault
from feltrig.emulators.mechanics import NumberMechanics, number, number_out
from feltrig.protocols.messages import Identity, Reply, Values
from feltrig.protocols.vocabulary import RNG, State

SELECT_SECONDS = 2.0

NUMBERS = range(1, 8)
BLANK = 0


class Generator:
    """Selects numbers and displays them; the display is blank while it selects."""

    def __init__(self, board: Board, mechanics: NumberMechanics) -> None:
        self.displayed = BLANK
        self._board = board
        self._mechanics = mechanics
        self._selected: int | None = None

    def select(self, _: Values) -> Reply:
        """Begin to select."""
        self.displayed = BLANK
        self._board.become(State.BUSY)
        self._board.after(SELECT_SECONDS, self._show)
        return DONE

    def display(self, _: Values) -> Reply:
        """What the display shows."""
        return Reply(values={"number": self.displayed})

    def blank(self, _: Values) -> Reply:
        """Clear the display."""
        self.displayed = BLANK
        self._board.become(State.IDLE)
        return DONE

    def _show(self) -> None:
        struck = self._board.strikes.next("select")
        mishaps = self._board.mishaps
        selected = number_out(self._mechanics, self._board.random)
        if "stuck" in struck and self._selected is not None:
            selected = self._selected
        if "out_of_range" in struck:
            selected = mishaps.choice((NUMBERS.start - 1, NUMBERS.stop))
        self._selected = self.displayed = selected
        if "display_differs" in struck:
            self.displayed = mishaps.choice([n for n in NUMBERS if n != selected])
        self._board.become(State.READY)
        self._board.emit("selected", number=selected)


COMMANDS: Commands[Generator] = {
    "select": (AT_REST, Generator.select),
    "display": (ANY, Generator.display),
    "blank": (AT_REST, Generator.blank),
}


def rng(
    name: str,
    seed: int | str,
    *,
    speed: float = 0.0,
    mechanics: NumberMechanics | None = None,
    faults: Iterable[Fault] = (),
    identity: Identity | None = None,
) -> Device[Generator]:
    """An emulated random number generator."""
    board = Board(RNG, name, seed, speed, faults)
    return Device(RNG, board, Generator(board, mechanics or number), COMMANDS, identity)
