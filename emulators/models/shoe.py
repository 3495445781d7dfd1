"""The model of an automated dealing shoe."""

from functools import partial

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device, integer, refuse
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.model import Model
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck
from feltrig.emulators.zoo.specimen import Specimen
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import Error, FaultCode, State

DISPENSE_SECONDS = 1.0

EARLY_SIZE = 4
"""Cards in a stack that comes out before any size was asked for."""


class ShoeMechanism:
    """Dispenses stacks from the top of `<name>.well` to `<name>.exit`, onto whatever still lies there.

    Cards that arrive in an empty well are a new load: the stacks are numbered from 1 again.
    """

    def __init__(self, board: Board, bench: Bench, sizes: tuple[int, ...]) -> None:
        self.well = f"{board.name}.well"
        self.inside = f"{board.name}.inside"
        self.exit = f"{board.name}.exit"
        self.places = (self.well, self.inside, self.exit)
        self._board = board
        self._bench = bench
        self._sizes = sizes
        self._stack = 0
        self._size = EARLY_SIZE
        bench.watch(self.well, self._well_changed)
        board.at_boot.append(self._booted)

    def dispense(self, values: Values) -> Reply:
        size = integer(values, "size")
        if size not in self._sizes:
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


_dispense = partial(FaultType, "dispense")
_fails = partial(_dispense, expected="shoe failed: void the round", rules=("34.16(n)",))
_miscounts = partial(_dispense, expected="wrong hand size: void the round", rules=("34.16(h)",))
_load = partial(FaultType, "load")

FAULTS: FaultTypes = {
    "jam_well": _fails("jams at the well, no card moved"),
    "jam": _fails("jams in mid-stack, one card inside"),
    "jam_exit": _fails("jams at the exit, the stack inside"),
    "stop": _fails("stops in mid-stack"),
    "short_stack": _miscounts("dispenses one card too few and says so"),
    "long_stack": _miscounts("dispenses one card too many and says so"),
    "misfeed": _miscounts("one card stays behind, but the size that was asked for is reported"),
    "double_feed": _miscounts("two cards leave as one, but the size that was asked for is reported"),
    "bottom_card": _dispense(
        "takes the last card of the stack from the bottom", "not the next cards: refused", ("34.10(d)",)
    ),
    "face_up_card": _dispense("turns one card face up", "face-up card: discard it or void", ("34.16(f)",)),
    "early_dispense": _load(
        "dispenses a stack by itself as soon as it is loaded", "dispensed before told: refused", ("34.10(b)2",)
    ),
    **EVERY_DEVICE,
}

COMMANDS: Commands[ShoeMechanism] = {
    "dispense": (AT_REST, ShoeMechanism.dispense),
    "unlock": (AT_REST | {State.LOCKED}, ShoeMechanism.unlock),
    "lock": (AT_REST | {State.LOCKED}, ShoeMechanism.lock),
}


def shoe(setup: Setup) -> Device[ShoeMechanism]:
    board = Board(SHOE, setup, FAULTS)
    return Device(SHOE, board, ShoeMechanism(board, setup.bench, setup.stack_sizes), COMMANDS, setup.identity)


MODEL = Model(
    SHOE, shoe, COMMANDS, FAULTS, moves_cards=True, specimens=(Specimen("good", "works as it should", good=True),)
)
