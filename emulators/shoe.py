"""The model of an automated dealing shoe."""

from collections.abc import Iterable

from feltrig.emulators.bench import Bench
from feltrig.emulators.board import Board
from feltrig.emulators.device import AT_REST, DONE, Commands, Device, integer, refuse
from feltrig.emulators.faults import Fault
from feltrig.protocols.messages import Identity, Reply, Values
from feltrig.protocols.vocabulary import SHOE, STACK_SIZES, Error, State
from feltrig.protocols.vocabulary import Fault as FaultCode

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

    def dispense(self, values: Values) -> Reply:
        """Begin to dispense a stack."""
        size = integer(values, "size")
        if size not in STACK_SIZES:
            return refuse(Error.BAD_ARGUMENT)
        if not self._bench.count(self.well):
            return refuse(Error.EMPTY)
        self._size = size
        struck = self._board.strikes.next("dispense")
        self._board.become(State.BUSY)
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
        if "early_dispense" in self._board.strikes.next("load"):
            self._board.after(DISPENSE_SECONDS, self._slip)
            self._board.advance(self._board.now)

    def _slip(self) -> None:
        """A stack comes out though nobody asked for it; unless that jams, the state is as it was."""
        size, state = min(self._size, self._bench.count(self.well)), self._board.state
        if not size or state is State.FAULT:
            return
        self._dispensed(size, frozenset())
        if self._board.state is State.READY:
            self._board.become(state)

    def _dispensed(self, size: int, struck: frozenset[str]) -> None:
        bench, board = self._bench, self._board
        if "jam" in struck or any(bench.obstructed(place) for place in (self.well, self.inside, self.exit)):
            self._break_off(size, FaultCode.JAM)
            return
        if "stop" in struck:
            self._break_off(size, FaultCode.STOPPED)
            return
        out = size - ("short_stack" in struck) + ("long_stack" in struck) + ("extra_card_unreported" in struck)
        there = bench.count(self.well)
        bench.move(self.well, self.exit, min(out, there))
        if there < size:
            board.fail(FaultCode.INCOMPLETE)
            return
        out = min(out, there)
        if "face_up_card" in struck:
            bench.turn(self.exit, board.mishaps.randrange(out))
        self._stack += 1
        board.become(State.READY)
        board.emit("dispensed", stack=self._stack, size=size if "extra_card_unreported" in struck else out)

    def _break_off(self, size: int, fault: FaultCode) -> None:
        """Half of the stack is out; in a jam, the next card is stuck inside."""
        bench = self._bench
        bench.move(self.well, self.exit, min(size // 2, bench.count(self.well)))
        if fault is FaultCode.JAM and bench.count(self.well):
            bench.move(self.well, self.inside, 1)
        self._board.fail(fault)


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
