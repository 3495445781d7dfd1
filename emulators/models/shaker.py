"""The model of a dice shaker with its lid."""

from collections.abc import Mapping
from functools import partial

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device, integer, refuse
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.mechanics import DiceMechanics, dice, dice_out
from feltrig.emulators.models.model import HandAction, Model
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck
from feltrig.emulators.zoo import dice as zoo
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import Error, FaultCode, State

SECONDS = {"shake": 0.5, "uncover": 1.0, "cover": 1.0}
"""How long each takes; `shake` for each single shake."""


class ShakerMechanism:
    """Dice under a lid. Whenever the lid comes off, by command or by a hand, the machine reads the dice."""

    places = ()

    def __init__(self, board: Board, mechanics: DiceMechanics) -> None:
        self.covered = True
        self._board = board
        self._mechanics = mechanics
        self._dice = dice_out(mechanics, board.random)
        self._gone = 0
        self._held = False
        """Whether a hand keeps the lid from moving."""
        self._lying: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    def shake(self, values: Values) -> Reply:
        """Begin to shake; the lid must be closed."""
        times = integer(values, "times")
        if times == 0:
            return refuse(Error.BAD_ARGUMENT)
        if not self.covered:
            return refuse(Error.WRONG_STATE)
        struck = self._board.struck("shake")
        shakes = times - 1 if "few_shakes" in struck or "few_shakes_unreported" in struck else times
        self._board.begin()
        if "stop" in struck:
            self._board.after(shakes * SECONDS["shake"] / 2, lambda: self._board.fail(FaultCode.STOPPED))
        else:
            counted = times if "few_shakes_unreported" in struck else shakes
            self._board.after(shakes * SECONDS["shake"], lambda: self._shaken(shakes, counted, struck))
        return DONE

    def uncover(self, _: Values) -> Reply:
        """Begin to lift the lid. If it is off already, the dice are only read again."""
        self._board.begin()
        self._board.after(SECONDS["uncover"], lambda: self._open(commanded=True))
        return DONE

    def cover(self, _: Values) -> Reply:
        """Begin to close the lid. If it is closed already, it stays so."""
        self._board.begin()
        self._board.after(SECONDS["cover"], self._close)
        return DONE

    def lift_lid(self, now: float) -> Mapping[str, object]:
        """A hand lifts the lid. A shake under way ends uncounted; a lid that is off already changes nothing."""
        self._board.advance(now)
        if self.covered:
            self._board.cancel()
            self._open(commanded=False)
        return {"covered": self.covered}

    def hold_lid(self, now: float) -> Mapping[str, object]:
        """A hand keeps the lid from moving: the next time that it should, it jams."""
        self._board.advance(now)
        self._held = True
        return {"held": True}

    def release_lid(self, now: float) -> Mapping[str, object]:
        """The hand lets go of the lid."""
        self._board.advance(now)
        self._held = False
        return {"held": False}

    def tilt_die(self, now: float) -> Mapping[str, object]:
        """With the lid off, a hand leans the first die against the wall: it no longer lies flat."""
        self._board.advance(now)
        faces, flat = self._lying
        if not self.covered and flat:
            self._lying = faces, (0, *flat[1:])
        return {"flat": list(self._lying[1])}

    def remove_die(self, now: float) -> Mapping[str, object]:
        """With the lid off, a hand takes the first die out."""
        self._board.advance(now)
        if not self.covered:
            self._lying = self._lying[0][1:], self._lying[1][1:]
        return {"dice": len(self._lying[0])}

    def return_die(self, now: float) -> Mapping[str, object]:
        """With the lid off, a hand puts all dice back, flat."""
        self._board.advance(now)
        if not self.covered:
            self._lying = self._dice, (1,) * len(self._dice)
        return {"dice": len(self._lying[0])}

    def _shaken(self, shakes: int, counted: int, struck: Struck) -> None:
        if shakes:
            moved = dice_out(self._mechanics, self._board.random)
            self._dice = self._dice if "dice_stuck" in struck else moved
        self._board.become(State.READY)
        self._board.emit("shaken", times=counted)
        if "lid_lifted" in struck:
            self._open(commanded=False)

    def _open(self, commanded: bool) -> None:
        if self.covered:
            struck = self._board.struck("uncover")
            if "lid_jam" in struck or (self._held and commanded):
                self._board.fail(FaultCode.JAM)
                return
            self.covered = False
            self._lying = self._fall(struck)
            if "lid_sensor_dead" not in struck:
                self._board.emit("uncovered", commanded=commanded)
        self._board.become(State.READY)
        self._board.emit("rolled", dice=self._lying[0], flat=self._lying[1])

    def _fall(self, struck: Struck) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The dice inside as they lie when the lid comes off, and which of them lie flat."""
        inside = list(self._dice)
        # On the wire a die that fell out and a die that is gone look alike: it is not among those inside.
        self._gone += "die_missing" in struck
        for _ in range(min(self._gone + ("die_out" in struck), len(inside))):
            del inside[self._board.mishaps.randrange(len(inside))]
        flat = [1] * len(inside)
        if "cocked_die" in struck and inside:
            flat[self._board.mishaps.randrange(len(inside))] = 0
        return tuple(inside), tuple(flat)

    def _close(self) -> None:
        if self._held and not self.covered:
            self._board.fail(FaultCode.JAM)
            return
        self.covered = True
        self._board.become(State.IDLE)
        self._board.emit("covered")


_shake = partial(FaultType, "shake")
_uncover = partial(FaultType, "uncover")

FAULTS: FaultTypes = {
    "stop": _shake("stops in mid-shake with a fault", "unfit: refused", ("34.11(b)",)),
    "few_shakes": _shake("shakes once less than told, and reports that", "too few shakes: shake again", ("34.11(b)",)),
    "few_shakes_unreported": _shake(
        "shakes once less than told, but reports as many as told",
        "nothing: no wire shows it",
        ("34.11(b)",),
        unobservable=True,
    ),
    "dice_stuck": _shake(
        "the dice do not move",
        "the same again and again: refused, once chance cannot explain the run",
        ("34.11(b)",),
        persistent=True,
    ),
    "lid_lifted": _shake(
        "a hand lifts the lid as soon as the dice have been shaken",
        "cover and shake again",
        ("34.13(h)1",),
        persistent=True,
    ),
    "lid_jam": _uncover("the lid does not come off, and a fault says so", "unfit: refused", ("34.11(b)1",)),
    "lid_sensor_dead": _uncover(
        "the lid comes off, and no event says so", "dice read under a closed lid: refused", ("34.11(b)1",)
    ),
    "cocked_die": _uncover("one die does not lie flat", "no roll: shake again", ("34.16(a)",), persistent=True),
    "die_out": _uncover(
        "one die falls out until the lid is closed", "no roll: shake again", ("34.16(b)",), persistent=True
    ),
    "die_missing": _uncover(
        "one die is gone and never comes back",
        "not three dice, no roll again and again: unfit, refused",
        ("34.4(a)1i", "34.16(b)"),
    ),
    **EVERY_DEVICE,
}

COMMANDS: Commands[ShakerMechanism] = {
    "shake": (AT_REST, ShakerMechanism.shake),
    "uncover": (AT_REST, ShakerMechanism.uncover),
    "cover": (AT_REST, ShakerMechanism.cover),
}


def shaker(setup: Setup) -> Device[ShakerMechanism]:
    board = Board(SHAKER, setup, FAULTS)
    return Device(SHAKER, board, ShakerMechanism(board, setup.mechanics or dice), COMMANDS, setup.identity)


MODEL = Model(
    SHAKER,
    shaker,
    COMMANDS,
    FAULTS,
    takes_mechanics=True,
    by_hand={
        "lift-lid": HandAction("lid", "a hand lifts the lid of a shaker", ShakerMechanism.lift_lid),
        "hold-lid": HandAction("lid", "a hand keeps the lid of a shaker from moving", ShakerMechanism.hold_lid),
        "release-lid": HandAction("lid", "the hand lets go of the lid", ShakerMechanism.release_lid),
        "tilt-die": HandAction("dice", "with the lid off, a hand tilts a die", ShakerMechanism.tilt_die),
        "remove-die": HandAction("dice", "with the lid off, a hand takes a die out", ShakerMechanism.remove_die),
        "return-die": HandAction("dice", "with the lid off, a hand lays all dice flat", ShakerMechanism.return_die),
    },
    specimens=zoo.SPECIMENS,
)
