"""Two hands, set out of the cards or tiles that a position was dealt."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True)
class Hands(Generic[Piece]):
    """As they were set: of the sizes that the game asks for, unless the setting is foul."""

    high: tuple[Piece, ...]
    low: tuple[Piece, ...]
