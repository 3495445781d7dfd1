"""Which spins count, and what a spin decides."""

from dataclasses import dataclass

from feltrig.engine.games.roulette.layout import Pocket, Wheel

LEAST_REVOLUTIONS = 4
"""Of the ball around the track: 19:47-5.3(a)."""


@dataclass(frozen=True, slots=True)
class Spin:
    """One spin as it was seen."""

    same_direction: bool
    """The ball ran as the wheel turned."""
    revolutions: float
    """Around the track, before the ball left it."""
    foreign_object: bool = False
    """Something fell into the wheel before the ball came to rest."""


def faults(spin: Spin) -> tuple[str, ...]:
    """The rules by which the dealer calls no spin; none when the spin is valid."""
    found = (
        (spin.same_direction, "19:47-5.4(a)"),
        (spin.revolutions < LEAST_REVOLUTIONS, "19:47-5.4(b)"),
        (spin.foreign_object, "19:47-5.4(c)"),
    )
    return tuple(rule for broken, rule in found if broken)


def is_void(result: Pocket, wheel: Wheel) -> bool:
    """Whether a valid spin is called off for its result and the wheel spun again: 19:47-5.2(d)2."""
    return wheel is Wheel.DOUBLE_ZERO_USED_AS_SINGLE and result == "00"
