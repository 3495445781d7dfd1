"""The model of a random number generator with its display."""

from collections.abc import Iterable

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, UNLESS_FAULT, Commands, Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.mechanics import NumberMechanics, number, number_out
from feltrig.emulators.models.triggers import Struck
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Identity, Reply, Values
from feltrig.protocols.vocabulary import FaultCode, State

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
        board.at_boot.append(self._booted)

    def select(self, _: Values) -> Reply:
        """Begin to select."""
        struck = self._board.struck("select")
        if "display_stale" not in struck:
            self.displayed = BLANK
        self._board.begin()
        self._board.after(SELECT_SECONDS, lambda: self._show(struck))
        return DONE

    def display(self, _: Values) -> Reply:
        """What the display shows."""
        return Reply(values={"number": self.displayed})

    def blank(self, _: Values) -> Reply:
        """Clear the display."""
        self.displayed = BLANK
        self._board.become(State.IDLE)
        return DONE

    def _show(self, struck: Struck) -> None:
        if "stop" in struck:
            self._board.fail(FaultCode.STOPPED)
            return
        self._select(struck)
        if "selects_twice" in struck:
            self._select(struck)

    def _select(self, struck: Struck) -> None:
        mishaps = self._board.mishaps
        selected = number_out(self._mechanics, self._board.random)
        if "stuck" in struck and self._selected is not None:
            selected = self._selected
        if "out_of_range" in struck:
            selected = mishaps.choice((NUMBERS.start - 1, NUMBERS.stop))
        self._selected = selected
        if "display_differs" in struck:
            self.displayed = mishaps.choice([n for n in NUMBERS if n != selected])
        elif "display_stale" not in struck:
            self.displayed = selected
        self._board.become(State.READY)
        self._board.emit("selected", number=selected)

    def _booted(self, _: bool) -> None:
        self.displayed = BLANK


COMMANDS: Commands[Generator] = {
    "select": (AT_REST, Generator.select),
    "display": (UNLESS_FAULT, Generator.display),
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
