"""Where a deal begins: three dice, a number generator, or a button that moves around the table."""

from enum import Enum

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.play import Play
from feltrig.engine.table.positions import POSITIONS, start_position
from feltrig.engine.table.script import Script, hear, obey

DICE = 3
SHAKES = 3
"""At least so often: as 34.11(b) has it, where a game's own text is cut off."""


class Start(Enum):
    """How the starting position is found."""

    DICE = "dice"
    RNG = "rng"


DEVICES = {Start.DICE: "shaker", Start.RNG: "rng"}
"""The kind of device that each puts to use."""


def find_start(play: Play, start: Start, rules: Rules) -> Script[int]:
    """The starting position: counted counterclockwise with the dealer as number one, to the total of the dice or to
    the number displayed."""
    if start is Start.DICE:
        return start_position((yield from _roll(play, rules)))
    return start_position((yield from _select(play, rules)))


def read_button(play: Play, position: int, rules: Rules) -> Script[None]:
    """The button lies where it was moved to."""
    while True:
        seen = yield from hear(asks.ReadButton(position, rules))
        assert isinstance(seen, tells.ButtonSeen)
        if seen.position == position:
            return
        obey(play, play.rule(Irregularity.BUTTON_ASTRAY, seen.position, rules))


def _roll(play: Play, rules: Rules) -> Script[int]:
    """The total of three dice that lie flat; until then it is no roll, and they are shaken again."""
    while True:
        seen = yield from hear(asks.ShakeDice("dealer", SHAKES, rules))
        assert isinstance(seen, tells.DiceRolled)
        wrong = dice_fault(seen)
        if wrong is None:
            return sum(seen.dice)
        obey(play, play.rule(wrong, rules=rules))


def _select(play: Play, rules: Rules) -> Script[int]:
    while True:
        seen = yield from hear(asks.SelectNumber(1, POSITIONS, rules))
        assert isinstance(seen, tells.NumberSelected)
        if 1 <= seen.number <= POSITIONS:
            return seen.number
        obey(play, play.rule(Irregularity.NUMBER_OUT_OF_RANGE, rules=rules))


def dice_fault(seen: tells.DiceRolled) -> Irregularity | None:
    """What is wrong with a roll, None when it counts."""
    if seen.lid_by != "dealer":
        return Irregularity.LID_BY_ANOTHER
    if len(seen.dice) < DICE:
        return Irregularity.DIE_FELL_OUT
    if len(seen.dice) > DICE or not all(1 <= die <= 6 for die in seen.dice):
        return Irregularity.NOT_THREE_DICE
    if len(seen.flat) != DICE or not all(seen.flat):
        return Irregularity.DIE_NOT_FLAT
    if seen.shakes < SHAKES:
        return Irregularity.SHAKEN_TOO_LITTLE
    return None
