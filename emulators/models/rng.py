"""The model of a random number generator with its display."""

from functools import partial

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, UNLESS_FAULT, Commands, Device
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.mechanics import NumberMechanics, number, number_out
from feltrig.emulators.models.model import Model
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck
from feltrig.emulators.zoo import displays
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import FaultCode, State

SELECT_SECONDS = 2.0

NUMBERS = range(1, 8)
BLANK = 0


class RngMechanism:
    """Selects numbers and displays them; the display is blank while it selects."""

    places = ()

    def __init__(self, board: Board, mechanics: NumberMechanics) -> None:
        self.displayed = BLANK
        self._board = board
        self._mechanics = mechanics
        self._selected: int | None = None
        board.at_boot.append(self._booted)

    def select(self, _: Values) -> Reply:
        struck = self._board.struck("select")
        if "display_stale" not in struck:
            self.displayed = BLANK
        self._board.begin()
        self._board.after(SELECT_SECONDS, lambda: self._show(struck))
        return DONE

    def display(self, _: Values) -> Reply:
        return Reply(values={"number": self.displayed})

    def blank(self, _: Values) -> Reply:
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


_select = partial(FaultType, "select")

FAULTS: FaultTypes = {
    "stop": _select("stops with a fault, nothing selected", "unfit: refused", ("34.4(a)2",)),
    "out_of_range": _select("selects 0 or 8", "number not from 1 to 7: refused", ("34.4(a)2", "19:46-1.13W(e)")),
    "stuck": _select(
        "selects the previous number again",
        "the same again and again: refused, once chance cannot explain the run",
        ("34.4(a)2",),
        persistent=True,
    ),
    "selects_twice": _select("selects a second time by itself", "selected without a trigger: refused", ("34.11(c)",)),
    "display_differs": _select(
        "displays a different number from the one that it reports",
        "display and report differ: refused",
        ("34.11(c)", "19:46-1.13W(e)"),
    ),
    "display_stale": _select(
        "displays what it displayed before; while this lasts, the display is stuck",
        "display and report differ: refused, unless the number is by chance the same",
        ("34.11(c)", "19:46-1.13W(e)"),
        persistent=True,
    ),
    **EVERY_DEVICE,
}

COMMANDS: Commands[RngMechanism] = {
    "select": (AT_REST, RngMechanism.select),
    "display": (UNLESS_FAULT, RngMechanism.display),
    "blank": (AT_REST, RngMechanism.blank),
}


def rng(setup: Setup) -> Device[RngMechanism]:
    board = Board(RNG, setup, FAULTS)
    return Device(RNG, board, RngMechanism(board, setup.mechanics or number), COMMANDS, setup.identity)


MODEL = Model(RNG, rng, COMMANDS, FAULTS, takes_mechanics=True, specimens=displays.SPECIMENS)
