"""What drills, samples, conformance cases and rounds work with: a device's driver, and hands that move cards."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from feltrig.engine.cards import Card
from feltrig.engine.decks import DECKS
from feltrig.harness.journal.writer import Journal
from feltrig.protocols.errors import Garbage
from feltrig.protocols.messages import Event, Status, Value, Values
from feltrig.protocols.vocabulary import Kind

COMPARTMENTS = {name: number for number, name in enumerate(DECKS, start=1)}
"""The compartment of each deck in a machine that holds two."""


class Driver(Protocol):
    """What a kind of device needs of its driver; `harness.table.driver` has the real one."""

    @property
    def name(self) -> str:
        """The device's name in the rig file."""

    @property
    def kind(self) -> Kind:
        """What it can be told and can say."""

    async def call(self, command: str, **values: Value) -> Values:
        """Send a command and return the values of its reply. Raises Refused."""

    async def perform(self, command: str, *names: str, **values: Value) -> Event:
        """Send a command and wait for an event of one of these names. Raises Refused, Faulted or Stalled."""

    async def until(self, *names: str) -> Event:
        """Wait for an event of one of these names. Raises Faulted or Stalled."""

    async def pending(self) -> list[Event]:
        """The events that nobody waited for. Raises Faulted."""

    async def status(self) -> Status:
        """What the device is doing now."""

    def garbage(self, detail: str) -> Garbage:
        """What to raise when an answer makes no sense. It goes on record."""


class Operator(Protocol):
    """Whoever has hands at the table: a script on an emulated bench, a technician on hardware. Each returns when it is
    done."""

    async def bring_deck(self, deck: str) -> None:
        """Put a new deck, in new-deck order, at its place on the table; an old one of that name leaves the table."""

    async def show_deck(self, deck: str) -> None:
        """Lay the deck on the reader's tray; `from_reader` takes it back."""

    async def from_reader(self, place: str) -> None:
        """Move what lies on the reader's tray to a place."""

    async def load(self, device: str, deck: str) -> None:
        """Put the deck into a machine of this kind."""

    async def unload(self, device: str, deck: str) -> None:
        """Take the deck out of a machine of this kind, to its place on the table."""

    async def shuffle_by_hand(self, deck: str) -> None:
        """Shuffle the deck by hand."""

    async def cut(self, deck: str, depth: int) -> None:
        """Move this many cards from the top of the deck to its bottom."""

    async def show_card(self, deck: str) -> None:
        """Draw the top card of the deck onto the reader's tray."""

    async def show_stack(self, device: str) -> None:
        """Take the stack from the exit of a machine of this kind to the reader's tray."""

    async def show_stub(self, deck: str, device: str | None) -> None:
        """Lay the undealt cards on the reader's tray, from a machine of this kind or from the dealer's hand."""

    async def move(self, place: str, to: str) -> None:
        """Move all cards from a place of the table to another: felt.0 … felt.6, stack.1 … stack.7, discard."""

    async def gather(self, deck: str) -> None:
        """Gather every card of the deck, wherever it lies, at its place on the table."""

    async def clear(self, device: str) -> None:
        """Take the cards out of a device that failed, and remove what blocks it."""

    async def block(self, device: str) -> None:
        """Hold a card in the way of a device, so that it jams; `clear` takes it away."""

    async def take_card(self, deck: str) -> None:
        """Take one card out of the deck and lay it aside."""

    async def return_card(self, deck: str) -> None:
        """Put the card that was laid aside back into the deck."""

    async def add_card(self, deck: str) -> None:
        """Put a card of another deck into the deck."""

    async def remove_added_card(self, deck: str) -> None:
        """Take that card out of the deck again."""

    async def clear_layout(self) -> None:
        """Move every card that lies on the layout to the discard rack."""

    async def button(self) -> int:
        """The position at which the button lies."""

    async def place_button(self, position: int) -> None:
        """Put the button at a position."""

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        """Spin the wheel; where it came to rest, and after how many turns."""

    async def hole_card(self, blackjack: bool) -> bool:
        """What the table's card reader says of the dealer's hand, which is one or is not."""

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        """The seats whose sensors of a bet are lit; these have chips there."""

    async def meter(self, amount: int) -> int:
        """What the progressive meter shows, which should be this, in cents."""


class Seen(NamedTuple):
    """The cards on the reader's tray."""

    cards: tuple[Card, ...]
    face_up: tuple[Card, ...]
    """Those of them that lie face up."""
    seq: int
    """The number of the record that says so."""


Look = Callable[[Driver, Journal, str, str], Awaitable[Seen]]
"""Reads the cards on a reader's tray: what they are, and the deck that they belong to."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray of the rig's reader: what hands lay on it is read and put on record."""

    readers: tuple[tuple[Driver, Look], ...]
    """The devices that read cards, each with how; a rig for a game without cards has none."""
    journal: Journal

    async def read(self, what: str, deck: str) -> Seen:
        """The cards on the tray: what they are, and the deck that they belong to."""
        driver, look = self.readers[0]
        return await look(driver, self.journal, what, deck)

    async def read_one(self, what: str, deck: str) -> tuple[Card, bool]:
        """The one card on the tray, and whether it lies face up. Raises Garbage."""
        seen = await self.read(what, deck)
        if len(seen.cards) != 1:
            raise self.readers[0][0].garbage(f"{len(seen.cards)} cards on the tray where one was drawn")
        return seen.cards[0], bool(seen.face_up)


@dataclass(frozen=True, slots=True)
class Hands:
    """A device, with hands to move its cards and a reader to see them."""

    driver: Driver
    operator: Operator
    tray: Tray
    deck: str = DECKS[0]

    @property
    def compartment(self) -> int:
        """The compartment of the deck."""
        return COMPARTMENTS[self.deck]

    async def read_deck(self, what: str) -> Seen:
        """Show the deck to the reader, and put it back."""
        await self.operator.show_deck(self.deck)
        seen = await self.tray.read(what, self.deck)
        await self.operator.from_reader(f"deck.{self.deck}")
        return seen

    async def recover(self) -> None:
        """Clear the device after a fault and reset it."""
        await self.operator.clear(self.driver.kind.name)
        await self.driver.perform("reset", "cleared")

    async def load(self) -> None:
        """Put the deck into the device."""
        await self.operator.load(self.driver.kind.name, self.deck)

    async def unload(self) -> None:
        """Take the deck out of the device."""
        await self.operator.unload(self.driver.kind.name, self.deck)
