"""Which spins count, and what a spin decides."""

from feltrig.engine.games.roulette.layout import Pocket, Wheel

LEAST_REVOLUTIONS = 4
"""Of the ball around the track: 19:47-5.3(a)."""


def is_void(result: Pocket, wheel: Wheel) -> bool:
    """Whether a valid spin is called off for its result and the wheel spun again: 19:47-5.2(d)2."""
    return wheel is Wheel.DOUBLE_ZERO_USED_AS_SINGLE and result == "00"
