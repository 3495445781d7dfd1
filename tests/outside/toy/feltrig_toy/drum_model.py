"""An emulated drum."""

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.model import Model
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import State
from feltrig_toy.drum import DRUM

DRAW_SECONDS = 1.0


class DrumMechanism:
    """Ten balls."""

    places = ()

    def __init__(self, board: Board) -> None:
        self._board = board

    def draw(self, _: Values) -> Reply:
        struck = self._board.struck("draw")
        self._board.begin()
        self._board.after(DRAW_SECONDS, lambda: self._drawn("eleven" in struck))
        return DONE

    def _drawn(self, eleven: bool) -> None:
        self._board.become(State.READY)
        self._board.emit("drawn", ball=11 if eleven else self._board.random.randint(1, 10))


FAULTS: FaultTypes = {
    "eleven": FaultType("draw", "draws a ball that is not in it", "ball not from 1 to 10: refused", ("drum 1",)),
    **EVERY_DEVICE,
}
COMMANDS: Commands[DrumMechanism] = {"draw": (AT_REST, DrumMechanism.draw)}


def drum(setup: Setup) -> Device[DrumMechanism]:
    board = Board(DRUM, setup, FAULTS)
    return Device(DRUM, board, DrumMechanism(board), COMMANDS, setup.identity)


MODEL = Model(DRUM, drum, COMMANDS, FAULTS)
