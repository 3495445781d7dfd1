"""The model of an automated dealing shoe."""

from collections.abc import Iterable

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device, integer, refuse
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.triggers import Struck
from feltrig.protocols.kinds.shoe import SHOE, STACK_SIZES
from feltrig.protocols.messages import Identity, Reply, Values
from feltrig.protocols.vocabulary import Error, FaultCode, State

DISPENSE_SECONDS = 1.0

EARLY_SIZE = 4
"""Cards in a stack that comes out before any size was asked for."""


class Chute:
    """Dispenses stacks from the top of `<name>.well` to `<name>.exit`, onto whatever still lies there.

    Cards that arrive in an empty well are a new load: the stacks are numbered from 1 again.
    """

    def __init__(self, board: Board, bench: Bench) -> None:
        self.well = f"{board.name}.well"
        self.inside = f"{board.name}.inside"
        self.exit = f"{board.name}.exit"
        self._board = board
        self._bench = bench
        self._stack = 0
        self._size = EARLY_SIZE
        bench.watch(self.well, self._well_changed)
        board.at_boot.append(self._booted)

    def dispense(self, values: Values) -> Reply:
        """Begin to dispense a stack."""
        size = integer(values, "size")
        if size not in STACK_SIZES:
            return refuse(Error.BAD_ARGUMENT)
        if not self._bench.count(self.well):
            return refuse(Error.EMPTY)
        self._size = size
        struck = self._board.struck("dispense")
        self._board.begin()
        self._board.after(DISPENSE_SECONDS, lambda: self._dispensed(size, struck))
        return DONE

    def unlock(self, _: Values) -> Reply:
        """Allow dispensing."""
        if self._board.state is State.LOCKED:
            self._board.become(State.IDLE)
        return DONE

    def lock(self, _: Values) -> Reply:
        """Forbid dispensing."""
        self._board.become(State.LOCKED)
        return DONE

    def obstruct(self, place: str) -> None:
        """Put something in the way at `well`, `inside` or `exit`: the shoe jams until it is removed."""
        self._bench.obstruct(self._place(place))

    def unobstruct(self, place: str) -> None:
        """Remove it."""
        self._bench.unobstruct(self._place(place))

    def _place(self, place: str) -> str:
        places = {"well": self.well, "inside": self.inside, "exit": self.exit}
        if place not in places:
            raise ValueError(f"{self._board.name}: no place {place!r}: expected {', '.join(places)}")
        return places[place]

    def _well_changed(self, before: int, after: int) -> None:
        if before or not after:
            return
        self._stack = 0
        if "early_dispense" in self._board.struck("load"):
            self._board.after(DISPENSE_SECONDS, self._slip)
            self._board.advance(self._board.now)

    def _slip(self) -> None:
        """A stack comes out though nobody asked for it; unless that jams, the state is as it was."""
        size, state = min(self._size, self._bench.count(self.well)), self._board.state
        if not size or state is State.FAULT:
            return
        self._dispensed(size, {})
        if self._board.state is State.READY:
            self._board.become(state)

    def _dispensed(self, size: int, struck: Struck) -> None:
        if self._breaks_off(size, struck):
            return
        bench, board = self._bench, self._board
        there = bench.count(self.well)
        counted = min(there, size - ("short_stack" in struck) + ("long_stack" in struck))
        out = min(there, counted - ("misfeed" in struck) + ("double_feed" in struck))
        if "bottom_card" in struck and 0 < out < there:
            bench.move(self.well, self.exit, 1, from_top=False)
            bench.move(self.well, self.exit, out - 1)
        else:
            bench.move(self.well, self.exit, out)
        if there < size:
            board.fail(FaultCode.INCOMPLETE)
            return
        if "face_up_card" in struck and out:
            bench.turn(self.exit, board.mishaps.randrange(out))
        self._stack += 1
        board.become(State.READY)
        board.emit("dispensed", stack=self._stack, size=counted)

    def _breaks_off(self, size: int, struck: Struck) -> bool:
        """Whether the stack does not come out: the shoe jams where something is in the way, or stops half-way."""
        bench, most = self._bench, min(size, self._bench.count(self.well))
        if "jam_well" in struck or bench.obstructed(self.well):
            self._board.fail(FaultCode.JAM)
        elif "jam_exit" in struck or bench.obstructed(self.exit):
            bench.move(self.well, self.inside, most)
            self._board.fail(FaultCode.JAM)
        elif "jam" in struck or bench.obstructed(self.inside):
            bench.move(self.well, self.exit, most // 2)
            bench.move(self.well, self.inside, min(1, bench.count(self.well)))
            self._board.fail(FaultCode.JAM)
        elif "stop" in struck:
            bench.move(self.well, self.exit, most // 2)
            self._board.fail(FaultCode.STOPPED)
        else:
            return False
        return True

    def _booted(self, remembers: bool) -> None:
        if not remembers:
            self._stack = 0


COMMANDS: Commands[Chute] = {
    "dispense": (AT_REST, Chute.dispense),
    "unlock": (AT_REST | {State.LOCKED}, Chute.unlock),
    "lock": (AT_REST | {State.LOCKED}, Chute.lock),
}


def shoe(
    name: str,
    seed: int | str,
    *,
    speed: float = 0.0,
    faults: Iterable[Fault] = (),
    bench: Bench | None = None,
    identity: Identity | None = None,
    locked: bool = False,
) -> Device[Chute]:
    """An emulated dealing shoe."""
    board = Board(SHOE, name, seed, speed, faults)
    if locked:
        board.become(State.LOCKED)
    return Device(SHOE, board, Chute(board, bench or Bench()), COMMANDS, identity)
