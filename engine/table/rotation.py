"""Offers that go around the table: the bank, the cut."""

from collections.abc import Iterable
from dataclasses import dataclass

from feltrig.engine.table.house import DEALER


def around(seats: Iterable[int], first: int) -> tuple[int, ...]:
    """The seats counterclockwise, beginning at `first` or the next one that is taken."""
    return tuple(sorted(seats, key=lambda seat: (seat < first, seat)))


@dataclass(slots=True)
class Rotation:
    """An offer whose first seat moves on counterclockwise from time to time, and returns to the dealer's far right."""

    after: int = DEALER
    """The seat that had the first offer last time; the dealer's far right comes after the dealer."""

    def order(self, seats: Iterable[int]) -> tuple[int, ...]:
        """The seats in the order of this round's offer."""
        return around(seats, self.after + 1)

    def pass_on(self, seat: int) -> None:
        """The seat had the first offer: next time it is the turn of the one after it."""
        self.after = seat

    def restart(self) -> None:
        """Next time the offer begins at the dealer's far right."""
        self.after = DEALER
