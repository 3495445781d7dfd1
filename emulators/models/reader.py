"""The model of the card reader, the rig's own instrument. It reads what lies on its tray, always correctly."""

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device, integer
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.model import Model
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import FACE_UP, FaultCode, State

SCAN_SECONDS = 1.0


class ReaderMechanism:
    """Reads the pile at `<name>.tray`, top card first."""

    def __init__(self, board: Board, bench: Bench) -> None:
        self.tray = f"{board.name}.tray"
        self.places = (self.tray,)
        self._board = board
        self._bench = bench
        self._seen: tuple[int, ...] = ()
        board.at_boot.append(self._booted)

    def scan(self, _: Values) -> Reply:
        """Begin to read the cards on the tray; an empty tray is read as no cards."""
        struck = self._board.struck("scan")
        self._board.begin()
        self._board.after(SCAN_SECONDS, lambda: self._see(struck))
        return DONE

    def faces(self, values: Values) -> Reply:
        """A part of what the last scan saw."""
        offset = integer(values, "offset")
        return Reply(values={"cards": self._seen[offset : offset + integer(values, "limit")]})

    def _see(self, struck: Struck) -> None:
        if "blind" in struck:
            self._board.fail(FaultCode.SENSOR)
            return
        cards = self._bench.peek(self.tray)
        self._seen = tuple(card.code | FACE_UP if card.face_up else card.code for card in cards)
        self._board.become(State.READY)
        self._board.emit("scanned", count=len(self._seen))

    def _booted(self, _: bool) -> None:
        self._seen = ()


FAULTS: FaultTypes = {
    "blind": FaultType("scan", "stops with a fault of its sensor", "the rig's own reader fails: unfit, refused"),
    **EVERY_DEVICE,
}

COMMANDS: Commands[ReaderMechanism] = {
    "scan": (AT_REST, ReaderMechanism.scan),
    "faces": (AT_REST, ReaderMechanism.faces),
}


def reader(setup: Setup) -> Device[ReaderMechanism]:
    board = Board(READER, setup, FAULTS)
    return Device(READER, board, ReaderMechanism(board, setup.bench), COMMANDS, setup.identity)


MODEL = Model(READER, reader, COMMANDS, FAULTS)
