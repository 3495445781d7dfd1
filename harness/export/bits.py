"""Numbers of a machine as raw bits, for the programs that test streams of bits: PractRand, dieharder and others.

A number from 1 to 7, or the face of a die, is not a whole count of bits. Of equally likely numbers, the lowest four
give two bits, the next two give one bit, and a last one gives none: each bit is as likely 0 as 1 and does not depend on
the others, if the machine is fair. Nothing else is done to them.
"""

from collections.abc import Iterable, Iterator, Mapping

SIDES = {"numbers": 7, "rolls": 6}
"""How many equally likely numbers a sort of sample has in each place. Shuffles are not numbers."""


def codes(sides: int) -> Mapping[int, str]:
    """The bits of each number from 1: blocks as large as the powers of two of which `sides` is the sum."""
    found: dict[int, str] = {}
    first = 1
    for length in reversed(range(sides.bit_length())):
        if sides >> length & 1:
            for place in range(1 << length):
                found[first + place] = f"{place:0{length}b}" if length else ""
            first += 1 << length
    return found


def packed(rows: Iterable[tuple[int, ...]], sides: int) -> Iterator[bytes]:
    """The bits of numbers in their order, eight to a byte, the first in the highest place; a last byte that is not full
    is left out."""
    table, waiting = codes(sides), ""
    for row in rows:
        waiting += "".join(table[number] for number in row)
        whole = len(waiting) // 8
        if whole:
            yield int(waiting[: 8 * whole], 2).to_bytes(whole, "big")
            waiting = waiting[8 * whole :]
