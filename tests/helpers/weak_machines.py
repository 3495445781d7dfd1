"""Machines with weak generators, written as their programs are, and not from the tables of the search."""

from collections.abc import Callable, Iterator

Below = Callable[[int], int]


def congruential(a: int, c: int, m: int, state: int, shift: int = 0, mask: int = -1) -> Iterator[int]:
    while True:
        state = (state * a + c) % m
        yield (state >> shift) & mask


def msvc(seed: int) -> Iterator[int]:
    return congruential(214013, 2531011, 1 << 32, seed, 16, 0x7FFF)


def recipes(seed: int) -> Iterator[int]:
    return congruential(1664525, 1013904223, 1 << 32, seed)


def minstd(seed: int) -> Iterator[int]:
    return congruential(16807, 0, 2**31 - 1, seed)


def java(state: int) -> Iterator[int]:
    """next(31) of java.util.Random."""
    return congruential(0x5DEECE66D, 11, 1 << 48, state, 17, 0x7FFFFFFF)


def xorshift32(state: int) -> Iterator[int]:
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        yield state


def modulo(outputs: Iterator[int]) -> Below:
    return lambda bound: next(outputs) % bound


def multiplied(outputs: Iterator[int], span: int = 1 << 32) -> Below:
    return lambda bound: int(next(outputs) / span * bound)


def next_int(outputs: Iterator[int]) -> Below:
    """nextInt(bound), without the outputs that it hardly ever draws again."""
    return lambda bound: next(outputs) * bound >> 31 if bound & -bound == bound else next(outputs) % bound


def down(below: Below, size: int = 52) -> tuple[int, ...]:
    cards = list(range(size))
    for place in range(size - 1, 0, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def up(below: Below, size: int = 52) -> tuple[int, ...]:
    cards = list(range(size))
    for place in range(size - 1):
        other = place + below(size - place)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def inside_out(below: Below, size: int = 52) -> tuple[int, ...]:
    cards: list[int] = []
    for card in range(size):
        other = below(card + 1) if card else 0
        cards.append(card)
        cards[card], cards[other] = cards[other], card
    return tuple(cards)


def picking(below: Below, size: int = 52) -> tuple[int, ...]:
    left = list(range(size))
    return (*(left.pop(below(len(left))) for _ in range(size - 1)), left[0])


def insertion(below: Below, size: int = 52) -> tuple[int, ...]:
    cards = [0]
    for card in range(1, size):
        cards.insert(below(card + 1), card)
    return tuple(cards)


def by_pairs(below: Below, size: int = 52) -> tuple[int, ...]:
    """As std::shuffle of libstdc++ does if the generator is wide enough for two draws."""
    cards = list(range(size))
    place = 1
    if size % 2 == 0:
        other = below(2)
        cards[1], cards[other] = cards[other], cards[1]
        place = 2
    while place < size:
        both = below((place + 1) * (place + 2))
        for other in (both // (place + 2), both % (place + 2)):
            cards[place], cards[other] = cards[other], cards[place]
            place += 1
    return tuple(cards)
