"""How programs make a draw below a bound from an output of a generator."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Uints = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


class Outputs(NamedTuple):
    """Outputs at equal steps: all that give one draw."""

    first: int
    step: int
    many: int


class Seen(NamedTuple):
    """Which outputs give a draw, and which are drawn again."""

    match: Mask
    again: Mask | None = None


@dataclass(frozen=True, slots=True)
class Scaling:
    """One scaling. `span` is the number of outputs that a generator has, from 0."""

    name: str
    draw: Callable[[Iterator[int], int, int], int]
    """The draw below a bound from the next outputs: `draw(outputs, bound, span)`."""
    giving: Callable[[int, int, int], Outputs]
    """The outputs that give a draw: `giving(draw, bound, span)`."""
    see: Callable[[Uints, int, int, int], Seen]
    """Which of many outputs give a draw: `see(outputs, draw, bound, span)`."""
    bits: Callable[[int, int, int], tuple[tuple[int, int], ...]]
    """The bits of the output that a draw tells for certain, as (place from the top or, if negative, from the bottom
    minus one; value)."""
    rejects: bool = False
    intervals: bool = False
    """Whether a draw tells the size of the output, and nothing of its low bits."""


def _bounds(draw: int, bound: int, span: int) -> tuple[int, int]:
    """The first output that gives the draw, and the first that gives the next one."""
    return -(-draw * span // bound), -(-(draw + 1) * span // bound)


def _multiplied(outputs: Iterator[int], bound: int, span: int) -> int:
    return next(outputs) * bound // span


def _giving_multiplied(draw: int, bound: int, span: int) -> Outputs:
    low, high = _bounds(draw, bound, span)
    return Outputs(low, 1, high - low)


def _see_multiplied(outputs: Uints, draw: int, bound: int, span: int) -> Seen:
    low, high = _bounds(draw, bound, span)
    return Seen((outputs - outputs.dtype.type(low)) < outputs.dtype.type(high - low))


def _top_bits(draw: int, bound: int, span: int) -> tuple[tuple[int, int], ...]:
    """The bits that the least and the greatest output have in common, from the top."""
    low, high = _bounds(draw, bound, span)
    return _common_bits(low, high - 1, span)


def _common_bits(low: int, high: int, span: int) -> tuple[tuple[int, int], ...]:
    width = (span - 1).bit_length()
    known = width - (low ^ high).bit_length()
    return tuple((place, low >> (width - 1 - place) & 1) for place in range(known))


def _modulo(outputs: Iterator[int], bound: int, _: int) -> int:
    return next(outputs) % bound


def _giving_modulo(draw: int, bound: int, span: int) -> Outputs:
    return Outputs(draw, bound, (span - draw + bound - 1) // bound)


def _see_modulo(outputs: Uints, draw: int, bound: int, _: int) -> Seen:
    divisor = outputs.dtype.type(bound)
    return Seen(outputs - outputs // divisor * divisor == outputs.dtype.type(draw))


def _low_bits(draw: int, bound: int, _: int) -> tuple[tuple[int, int], ...]:
    known = (bound & -bound).bit_length() - 1
    return tuple((-1 - place, draw >> place & 1) for place in range(known))


def _is_power(bound: int) -> bool:
    return bound & (bound - 1) == 0


def _java(outputs: Iterator[int], bound: int, span: int) -> int:
    return _multiplied(outputs, bound, span) if _is_power(bound) else _modulo(outputs, bound, span)


def _giving_java(draw: int, bound: int, span: int) -> Outputs:
    return (_giving_multiplied if _is_power(bound) else _giving_modulo)(draw, bound, span)


def _see_java(outputs: Uints, draw: int, bound: int, span: int) -> Seen:
    return (_see_multiplied if _is_power(bound) else _see_modulo)(outputs, draw, bound, span)


def _java_bits(draw: int, bound: int, span: int) -> tuple[tuple[int, int], ...]:
    return (_top_bits if _is_power(bound) else _low_bits)(draw, bound, span)


def _rejection(name: str, width: Callable[[int], int], *, high: bool) -> Scaling:
    """As many bits as the bound has, again while they are too large."""

    def shift(bound: int, span: int) -> int:
        return (span - 1).bit_length() - width(bound) if high else 0

    def value(output: int, bound: int, span: int) -> int:
        return (output >> shift(bound, span)) & ((1 << width(bound)) - 1)

    def draw(outputs: Iterator[int], bound: int, span: int) -> int:
        while (found := value(next(outputs), bound, span)) >= bound:
            pass
        return found

    def giving(wanted: int, bound: int, span: int) -> Outputs:
        count = span >> width(bound)
        return Outputs(wanted << shift(bound, span), 1, count) if high else Outputs(wanted, 1 << width(bound), count)

    def see(outputs: Uints, wanted: int, bound: int, span: int) -> Seen:
        kind = outputs.dtype.type
        found = (outputs >> kind(shift(bound, span))) & kind((1 << width(bound)) - 1)
        return Seen(found == kind(wanted), found >= kind(bound))

    def bits(wanted: int, bound: int, _: int) -> tuple[tuple[int, int], ...]:
        top = width(bound) - 1
        places = range(width(bound))
        return tuple((p, wanted >> (top - p) & 1) if high else (-1 - p, wanted >> p & 1) for p in places)

    return Scaling(name, draw, giving, see, bits, rejects=True)


def _divisor(bound: int, span: int) -> int:
    return span // bound


def _divided(outputs: Iterator[int], bound: int, span: int) -> int:
    while (found := next(outputs) // _divisor(bound, span)) >= bound:
        pass
    return found


def _giving_divided(draw: int, bound: int, span: int) -> Outputs:
    return Outputs(draw * _divisor(bound, span), 1, _divisor(bound, span))


def _see_divided(outputs: Uints, draw: int, bound: int, span: int) -> Seen:
    kind, each = outputs.dtype.type, _divisor(bound, span)
    beyond = each * bound
    again = outputs >= kind(beyond) if beyond < span else np.zeros(len(outputs), dtype=np.bool_)
    return Seen((outputs - kind(draw * each)) < kind(each), again)


def _divided_bits(draw: int, bound: int, span: int) -> tuple[tuple[int, int], ...]:
    each = _divisor(bound, span)
    return _common_bits(draw * each, (draw + 1) * each - 1, span)


MULTIPLIED = Scaling("multiplied", _multiplied, _giving_multiplied, _see_multiplied, _top_bits, intervals=True)
MODULO = Scaling("modulo", _modulo, _giving_modulo, _see_modulo, _low_bits)
DIVIDED = Scaling(
    "divided, drawn again", _divided, _giving_divided, _see_divided, _divided_bits, rejects=True, intervals=True
)
JAVA = Scaling("nextInt of Java", _java, _giving_java, _see_java, _java_bits)
HIGH_BITS = _rejection("high bits, drawn again", lambda bound: (bound - 1).bit_length(), high=True)
LOW_BITS = _rejection("low bits, drawn again", lambda bound: (bound - 1).bit_length(), high=False)
GETRANDBITS = _rejection("randrange of Python", lambda bound: bound.bit_length(), high=True)

SCALINGS = (MODULO, MULTIPLIED, JAVA, DIVIDED, HIGH_BITS, LOW_BITS, GETRANDBITS)
"""The likely ones first. `multiplied` is multiply-shift as well as a floating-point number times the bound."""
