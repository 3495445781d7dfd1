"""Generators whose whole state can be searched: a step and an output that shows most of the state."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from feltrig.harness.predictability.scalings import Uints


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator. Its output is the state without its `shift` lowest bits, below `span`."""

    name: str
    step: Callable[[Any], Any]
    """The next state, of a number or of an array of the width of `kind`."""
    kind: type[np.unsignedinteger[Any]]
    shift: int
    span: int
    family: str
    linear: bool = False
    """Whether it is linear over bits."""

    @property
    def states(self) -> int:
        """How many states there are that tell on the outputs."""
        return self.span << self.shift

    def output(self, states: Uints) -> Uints:
        """The outputs of states."""
        shown = states >> self.kind(self.shift) if self.shift else states
        return shown & self.kind(self.span - 1) if self.power and self.span <= self.largest >> self.shift else shown

    @property
    def largest(self) -> int:
        """The largest number of the width."""
        return int(np.iinfo(self.kind).max)

    def outputs(self, state: int) -> Iterator[int]:
        """The outputs that follow a state."""
        while True:
            state = self.step(state)
            yield (state >> self.shift) % self.span if self.power else state

    @property
    def power(self) -> bool:
        """Whether there are as many outputs as a power of two."""
        return self.span & (self.span - 1) == 0


@dataclass(frozen=True, slots=True)
class Congruence:
    """x → a x + c mod m, of the library or book that made it known."""

    name: str
    a: int
    c: int
    m: int
    shift: int
    span: int
    """What the library shows: the state without so many low bits, below `span`."""

    def generator(self, shift: int | None = None, span: int | None = None) -> Generator:
        """The generator, with its own outputs or others."""
        shift, span = self.shift if shift is None else shift, span or self.span
        return Generator(self.name, _congruential(self.a, self.c, self.m), _width(self.a, self.m), shift, span, "LCG")


def _width(a: int, m: int) -> type[np.unsignedinteger[Any]]:
    return np.uint32 if m == 1 << 32 else np.uint64


def _congruential(a: int, c: int, m: int) -> Callable[[Any], Any]:
    if m == 1 << 32:

        def step(state: Any) -> Any:
            if isinstance(state, int):
                return (state * a + c) % m
            return state * np.uint32(a) + np.uint32(c)

    else:

        def step(state: Any) -> Any:
            if isinstance(state, int):
                return (state * a + c) % m
            following = state * np.uint64(a) + np.uint64(c)
            return following & np.uint64(m - 1) if m & (m - 1) == 0 else following % np.uint64(m)

    return step


def xorshift(name: str, left: int, right: int, last: int) -> Generator:
    """Marsaglia's generator of 32 bits."""

    def step(state: Any) -> Any:
        if isinstance(state, int):
            state ^= state << left & 0xFFFFFFFF
            state ^= state >> right
            return state ^ (state << last & 0xFFFFFFFF)
        state = state ^ (state << np.uint32(left))
        state = state ^ (state >> np.uint32(right))
        return state ^ (state << np.uint32(last))

    return Generator(name, step, np.uint32, 0, 1 << 32, "xorshift", linear=True)


FULL, RAND15, RAND16 = 1 << 32, 1 << 15, 1 << 16
MERSENNE = 2**31 - 1
JAVA = 0x5DEECE66D

CONGRUENCES = (
    Congruence("Numerical Recipes", 1664525, 1013904223, FULL, 0, FULL),
    Congruence("MSVC rand", 214013, 2531011, FULL, 16, RAND15),
    Congruence("ANSI C and Watcom rand", 1103515245, 12345, FULL, 16, RAND15),
    Congruence("Borland rand", 22695477, 1, FULL, 16, RAND15),
    Congruence("glibc rand TYPE_0", 1103515245, 12345, FULL, 0, 1 << 31),
    Congruence("MINSTD 16807", 16807, 0, MERSENNE, 0, MERSENNE),
    Congruence("MINSTD 48271", 48271, 0, MERSENNE, 0, MERSENNE),
    Congruence("Delphi Random", 134775813, 1, FULL, 0, FULL),
    Congruence("VAX MTH$RANDOM", 69069, 1, FULL, 0, FULL),
    Congruence("Knuth and Lewis", 1664525, 1, FULL, 0, FULL),
    Congruence("Super-Duper", 69069, 0, FULL, 0, FULL),
    Congruence("L'Ecuyer 32310901", 32310901, 1, FULL, 0, FULL),
    Congruence("L'Ecuyer 2891336453", 2891336453, 1, FULL, 0, FULL),
    Congruence("Steele and Vigna 0x915f77f5", 0x915F77F5, 1, FULL, 0, FULL),
    Congruence("L'Ecuyer 40692", 40692, 0, 2147483399, 0, 2147483399),
    Congruence("L'Ecuyer 40014", 40014, 0, 2147483563, 0, 2147483563),
    Congruence("Fishman and Moore 950706376", 950706376, 0, MERSENNE, 0, MERSENNE),
    Congruence("MINSTD 69621", 69621, 0, MERSENNE, 0, MERSENNE),
    Congruence("RANDU", 65539, 0, 1 << 31, 0, 1 << 31),
    Congruence("ZX81", 75, 74, 65537, 0, 65537),
    Congruence("Visual Basic Rnd", 1140671485, 12820163, 1 << 24, 0, 1 << 24),
)
"""Those whose whole state is searched, the likely ones first. A row adds one."""

LONG_CONGRUENCES = (
    Congruence("java.util.Random and drand48", JAVA, 11, 1 << 48, 17, 1 << 31),
    Congruence("java.util.Random, two outputs a draw", JAVA**2 % 2**48, 11 * (JAVA + 1) % 2**48, 1 << 48, 22, 1 << 26),
    Congruence("newlib rand", 6364136223846793005, 1, 1 << 64, 32, 1 << 31),
    Congruence("MMIX", 6364136223846793005, 1442695040888963407, 1 << 64, 32, FULL),
    Congruence("PCG multiplier, plain", 6364136223846793005, 1442695040888963407, 1 << 64, 33, 1 << 31),
    Congruence("musl rand", 6364136223846793005, 1, 1 << 64, 33, 1 << 31),
    Congruence("L'Ecuyer 2862933555777941757", 2862933555777941757, 3037000493, 1 << 64, 32, FULL),
    Congruence("L'Ecuyer 3202034522624059733", 3202034522624059733, 1, 1 << 64, 32, FULL),
    Congruence("Cray RANF", 44485709377909, 0, 1 << 48, 16, FULL),
    Congruence("Knuth 3935559000370003845", 3935559000370003845, 2691343689449507681, 1 << 64, 32, FULL),
)
"""Those of more than 32 bits, which algebra solves. A row adds one."""

XORSHIFTS = (
    xorshift("xorshift32 13 17 5", 13, 17, 5),
    xorshift("xorshift32 5 17 13", 5, 17, 13),
    xorshift("xorshift32 1 3 10", 1, 3, 10),
)

FORMS = ((0, FULL), (16, RAND15), (0, 1 << 31), (16, RAND16), (1, 1 << 31), (8, 1 << 24))
"""Other outputs that programs take of a state of 32 bits: low bits dropped, and how many are left."""
