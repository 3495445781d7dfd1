"""How the moving parts behave: the fair defaults, and functions of the user's in their place.

A user's function may be wrong, and that is for the rig to find: a number out of range or a fourth die goes to the wire
as it is. Only what no wire could carry is an error here, and it names the function.
"""

import importlib
import random
from collections.abc import Callable
from typing import Any

CardMechanics = Callable[[list[int], random.Random], list[int]]
"""From the cards as they go in, top first, to the cards as they come out."""
NumberMechanics = Callable[[random.Random], int]
DiceMechanics = Callable[[random.Random], tuple[int, int, int]]

BYTE = range(256)
CARD = range(128)


def shuffle(cards: list[int], rng: random.Random) -> list[int]:
    """Every order equally likely."""
    shuffled = list(cards)
    rng.shuffle(shuffled)
    return shuffled


def number(rng: random.Random) -> int:
    """Each of 1 to 7 equally likely."""
    return rng.randint(1, 7)


def dice(rng: random.Random) -> tuple[int, int, int]:
    """Three fair dice."""
    return (rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6))


def load(reference: str) -> Callable[..., Any]:
    """The function that `module:function` names. Raises ValueError saying which part of it fails."""
    module_name, _, function_name = reference.partition(":")
    if not module_name or module_name.startswith(".") or not function_name:
        raise ValueError(f"mechanics {reference!r}: expected module:function")
    try:
        module = importlib.import_module(module_name)
    except (ImportError, SyntaxError) as error:
        raise ValueError(f"mechanics {reference!r}: cannot import {module_name}: {error}") from error
    found: object = module
    for part in function_name.split("."):
        found = getattr(found, part, None)
        if found is None:
            raise ValueError(f"mechanics {reference!r}: no {part} in {module_name}")
    if not callable(found):
        raise ValueError(f"mechanics {reference!r}: {function_name} is not callable")
    return found


def cards_out(mechanics: CardMechanics, cards: list[int], rng: random.Random) -> list[int]:
    """The cards as the function lets them out."""
    return list(_numbers(mechanics, mechanics(list(cards), rng), CARD))


def number_out(mechanics: NumberMechanics, rng: random.Random) -> int:
    """The number as the function selects it."""
    return _numbers(mechanics, (mechanics(rng),), BYTE)[0]


def dice_out(mechanics: DiceMechanics, rng: random.Random) -> tuple[int, ...]:
    """The dice as the function rolls them; perhaps not three."""
    return _numbers(mechanics, mechanics(rng), BYTE)


def _numbers(function: Callable[..., object], returned: object, carried: range) -> tuple[int, ...]:
    name = f"{function.__module__}:{getattr(function, '__qualname__', type(function).__name__)}"
    if not isinstance(returned, list | tuple):
        raise TypeError(f"mechanics {name} returned {returned!r}: expected a list of whole numbers")
    for value in returned:
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"mechanics {name} returned {value!r}: expected a whole number")
        if value not in carried:
            raise ValueError(f"mechanics {name} returned {value}: the wire carries 0 to {carried[-1]}")
    return tuple(returned)
