"""Where a deal begins: three dice, a number generator, or a button that moves around the table."""

from enum import Enum

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.table.play import Play
from feltrig.engine.table.positions import POSITIONS, start_position
from feltrig.engine.table.script import Script, heed

SHAKES = 3
"""The least number of shakes: 34.11(b), also where a game's own text is cut off."""


class Start(Enum):
    """How the starting position is found."""

    DICE = "dice"
    RNG = "rng"


DEVICES = {"dice": "shaker", "rng": "rng"}
"""The kind of device that each puts to use."""


def find_start(play: Play, start: Start, rules: Rules) -> Script[int]:
    """The starting position: counted counterclockwise with the dealer as number one, to the total of the dice or to
    the number displayed."""
    if start is Start.DICE:
        return start_position(sum((yield from roll(play, rules)).dice))
    return start_position((yield from select(play, rules)))


def read_button(play: Play, position: int, rules: Rules) -> Script[None]:
    """The button lies where it was moved to."""
    yield from heed(play, lambda: asks.ReadButton(position, rules))


def roll(play: Play, rules: Rules, by: str = "dealer") -> Script[tells.DiceRolled]:
    """Three dice that lie flat; until then it is no roll, and they are shaken again."""
    seen: tells.DiceRolled = yield from heed(play, lambda: asks.ShakeDice(by, SHAKES, rules))
    return seen


def select(play: Play, rules: Rules) -> Script[int]:
    """The number of a position, selected again until it is one."""
    seen: tells.NumberSelected = yield from heed(play, lambda: asks.SelectNumber(1, POSITIONS, rules))
    return seen.number
