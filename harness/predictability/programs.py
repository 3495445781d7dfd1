"""The programs that people write to shuffle with a generator, and how a deck is undone into their draws.

A permutation has at place j the place, in the order of loading, of the card that comes out at j.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A program that makes a permutation from draws, each below its bound. `undo` finds the draws of a permutation."""

    name: str
    bounds: Callable[[int], tuple[int, ...]]
    deal: Callable[[Sequence[int], int], list[int]]
    undo: Callable[[Order], list[int]]


def _falling(size: int) -> tuple[int, ...]:
    return tuple(range(size, 1, -1))


def _rising(size: int) -> tuple[int, ...]:
    return tuple(range(2, size + 1))


def _down(draws: Sequence[int], size: int) -> list[int]:
    cards = list(range(size))
    for place, other in zip(range(size - 1, 0, -1), draws, strict=True):
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _undo_down(order: Order) -> list[int]:
    cards, draws = list(range(len(order))), []
    at = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = at[order[place]]
        draws.append(other)
        _swap(cards, at, place, other)
    return draws


def _up(draws: Sequence[int], size: int) -> list[int]:
    cards = list(range(size))
    for place, draw in enumerate(draws):
        cards[place], cards[place + draw] = cards[place + draw], cards[place]
    return cards


def _undo_up(order: Order) -> list[int]:
    cards, draws = list(range(len(order))), []
    at = list(cards)
    for place in range(len(order) - 1):
        other = at[order[place]]
        draws.append(other - place)
        _swap(cards, at, place, other)
    return draws


def _swap(cards: list[int], at: list[int], one: int, other: int) -> None:
    cards[one], cards[other] = cards[other], cards[one]
    at[cards[one]], at[cards[other]] = one, other


def _inside_out(draws: Sequence[int], size: int) -> list[int]:
    cards = list(range(size))
    for place, other in enumerate(draws, 1):
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _undo_inside_out(order: Order) -> list[int]:
    cards, draws = list(order), []
    at = [0] * len(order)
    for place, card in enumerate(cards):
        at[card] = place
    for place in range(len(order) - 1, 0, -1):
        other = at[place]
        draws.append(other)
        _swap(cards, at, place, other)
    return draws[::-1]


def _insertion(draws: Sequence[int], size: int) -> list[int]:
    cards = [0]
    for card, place in enumerate(draws, 1):
        cards.insert(place, card)
    assert len(cards) == size
    return cards


def _undo_insertion(order: Order) -> list[int]:
    cards, draws = list(order), []
    for card in range(len(order) - 1, 0, -1):
        draws.append(cards.index(card))
        cards.pop(draws[-1])
    return draws[::-1]


def _picking(draws: Sequence[int], size: int) -> list[int]:
    left = list(range(size))
    return [left.pop(draw) for draw in draws] + left


def _undo_picking(order: Order) -> list[int]:
    left, draws = list(range(len(order))), []
    for card in order[:-1]:
        draws.append(left.index(card))
        left.pop(draws[-1])
    return draws


def _paired_bounds(size: int) -> tuple[int, ...]:
    """One output for two cards: a single one first if the number of cards is even."""
    odd = 2 - size % 2
    return (*(range(2, odd + 1)), *((card + 1) * (card + 2) for card in range(odd, size, 2)))


def _pairs(draws: Sequence[int], size: int) -> list[int]:
    single = list(draws[: 1 - size % 2])
    for card, draw in zip(range(2 - size % 2, size, 2), draws[len(single) :], strict=True):
        single += divmod(draw, card + 2)
    return _inside_out(single, size)


def _undo_pairs(order: Order) -> list[int]:
    size = len(order)
    single = _undo_inside_out(order)
    odd = 1 - size % 2
    cards = range(2 - size % 2, size, 2)
    return single[:odd] + [single[card - 1] * (card + 2) + single[card] for card in cards]


PROGRAMS = (
    Program("Fisher-Yates down", _falling, _down, _undo_down),
    Program("Fisher-Yates up", _falling, _up, _undo_up),
    Program("inside out", _rising, _inside_out, _undo_inside_out),
    Program("picking", _falling, _picking, _undo_picking),
    Program("insertion", _rising, _insertion, _undo_insertion),
    Program("inside out by pairs", _paired_bounds, _pairs, _undo_pairs),
)
"""The likely ones first."""


@dataclass(frozen=True, slots=True)
class View:
    """A way to look at a deck: from the other end, or as where each card went. Each is undone by `back`."""

    name: str
    see: Callable[[Order], Order]
    back: Callable[[Order], Order]


def _same(order: Order) -> Order:
    return order


def _inverse(order: Order) -> Order:
    places = [0] * len(order)
    for place, card in enumerate(order):
        places[card] = place
    return tuple(places)


def _out_reversed(order: Order) -> Order:
    return order[::-1]


def _in_reversed(order: Order) -> Order:
    return tuple(len(order) - 1 - card for card in order)


def _both_reversed(order: Order) -> Order:
    return _in_reversed(order[::-1])


def _view(name: str, *steps: Callable[[Order], Order]) -> View:
    def see(order: Order) -> Order:
        for step in steps:
            order = step(order)
        return order

    def back(order: Order) -> Order:
        for step in reversed(steps):
            order = step(order)
        return order

    return View(name, see, back)


VIEWS = (
    _view("", _same),
    _view("inverse", _inverse),
    _view("from the bottom", _both_reversed),
    _view("dealt from the bottom", _out_reversed),
    _view("loaded from the bottom", _in_reversed),
    _view("inverse from the bottom", _inverse, _both_reversed),
    _view("inverse, dealt from the bottom", _inverse, _out_reversed),
    _view("inverse, loaded from the bottom", _inverse, _in_reversed),
)
"""Each step is its own inverse."""
