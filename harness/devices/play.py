"""A device's part in the rounds: which asks of the engine it fulfils, and how."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine import tells
from feltrig.harness.devices.failures import word
from feltrig.harness.devices.hands import Driver, Operator, Tray
from feltrig.harness.journal.records import Trouble
from feltrig.harness.journal.writer import Journal


@dataclass(slots=True)
class Dealing:
    """What the dealer and the machines of a session share: the hands, the reader, and the deck in play."""

    operator: Operator
    tray: Tray
    journal: Journal
    session: Mapping[str, Any]
    """The record of the session."""
    deck: str = ""
    """The deck in play."""
    left: int = 0
    """Its cards that have not been drawn."""
    stub_in: str | None = None
    """The kind of machine that holds them; None when the dealer does."""

    async def read_deck(self, what: str, deck: str) -> None:
        """Show a deck to the reader, and put it back."""
        await self.operator.show_deck(deck)
        await self.tray.read(what, deck)
        await self.operator.from_reader(f"deck.{deck}")

    def failed(self, failure: Exception) -> str:
        """Put the failure of a device on record; its name in one word."""
        device = getattr(failure, "device", "")
        self.journal.append(Trouble(device, word(failure), str(failure)))
        return word(failure)


Action = Callable[[Any, Any], Awaitable[tells.Tell | None]]
"""Does what is asked and tells what was seen. None leaves the ask to the next one: another device, the dealer's hands
or the players."""


@dataclass(frozen=True, slots=True)
class Play:
    """A kind of device in the rounds."""

    sit: Callable[[Driver, Dealing], Any]
    """Takes a device into a session. What it returns is the first argument of every action."""
    asks: Mapping[type, Action]
    """By the type of ask."""
    put_away: Callable[[Any], Awaitable[None]] | None = None
    """What is done when the session is over."""


def place_of(position: int | None, area: str | None, stack: int | None = None) -> str:
    """Where on the table cards go: to a position, to an area of the layout, or onto a stack."""
    if position is not None:
        return f"felt.{position}"
    return f"area.{area}" if area is not None else f"stack.{stack}"
