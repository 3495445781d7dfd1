"""What drills, samples, conformance cases and rounds work with: a device's driver, and hands that move cards."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from feltrig.engine.cards import Card
from feltrig.engine.decks import DECKS
from feltrig.harness.devices.failures import STOP_BUTTON, CannotBeDone
from feltrig.harness.journal.records import PowerSwitched
from feltrig.harness.journal.writer import Journal
from feltrig.protocols.errors import Garbage
from feltrig.protocols.messages import Event, Status, Value, Values
from feltrig.protocols.vocabulary import Kind

COMPARTMENTS = {name: number for number, name in enumerate(DECKS, start=1)}
"""The compartment of each deck in a machine that holds two."""


TRIES = 3
"""How often hands are asked for something that may not have worked."""


class Driver(Protocol):
    """What a kind of device needs of its driver; `harness.table.driver` has the real one."""

    @property
    def name(self) -> str:
        """The device's name in the rig file."""

    @property
    def kind(self) -> Kind:
        """What it can be told and can say."""

    @property
    def disturbed(self) -> bool:
        """Whether the rig makes noise on its wire."""

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

    async def rest(self) -> Status:
        """The status once the device is at rest. Raises Stalled."""

    def usual(self, command: str) -> float | None:
        """Seconds that a command usually takes until the event that ends it; None if that was not seen yet."""

    async def launch(self, command: str, **values: Value) -> None:
        """Send a command whose answer may never come, as the power is about to be cut."""

    async def lost(self) -> bool:
        """Wait until the device rests or gives no answer; whether it gives none. That is no trouble on record."""

    async def gone(self) -> bool:
        """Wait until the device gives no answer; whether it gives none. That is no trouble on record."""

    async def back(self) -> None:
        """Wait until the device answers again. Raises Stalled."""

    def garbage(self, detail: str) -> Garbage:
        """What to raise when an answer makes no sense. It goes on record."""


class Operator(Protocol):
    """Whoever has hands at the table: a script on an emulated bench, a technician on hardware. Each returns when it is
    done."""

    def begin(self, task: str, prompts: int | None = None) -> None:
        """What follows belongs to this task, and takes so many prompts if all goes well."""

    async def bring_deck(self, deck: str) -> None:
        """Put a new deck, in new-deck order, at its place on the table; an old one of that name leaves the table."""

    async def lay_deck(self, deck: str) -> None:
        """Put a whole deck, in any order, at its place on the table."""

    async def show_deck(self, deck: str) -> None:
        """Lay the deck on the reader's tray; `from_reader` takes it back."""

    async def from_reader(self, place: str) -> None:
        """Move what lies on the reader's tray to a place."""

    async def load(self, device: str, deck: str) -> None:
        """Put the deck into a machine of this kind."""

    async def unload(self, device: str, deck: str) -> None:
        """Take the deck out of a machine of this kind, to its place on the table."""

    async def show_new_deck(self, deck: str) -> None:
        """Lay a new deck, in new-deck order, on the reader's tray; an old one of that name leaves the table."""

    async def load_from_reader(self, device: str, compartment: int) -> None:
        """Put what lies on the reader's tray into a machine of this kind."""

    async def unload_to_reader(self, device: str, compartment: int) -> None:
        """Take the cards out of a machine of this kind, and lay them on the reader's tray."""

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
        """Take the cards out of a device, and remove what blocks it."""

    async def block(self, device: str) -> None:
        """Hold a card in the way of a device, or its lid, so that it jams; `clear` takes it away. Raises
        CannotBeDone."""

    async def take_cards(self, deck: str, count: int) -> None:
        """Take cards out of the deck and lay them aside; `restore_deck` puts them back."""

    async def add_cards(self, deck: str, count: int) -> None:
        """Put cards of another deck into the deck; `restore_deck` takes them out."""

    async def swap_card(self, deck: str) -> None:
        """Lay one card of the deck aside, and put a second copy of another card of it in its place: the number of
        cards is right, the deck is not. `restore_deck` undoes it."""

    async def restore_deck(self, deck: str) -> None:
        """Put back what was laid aside, and take out what does not belong: the deck is whole again."""

    async def power_off(self, device: str) -> None:
        """Take the power from a device of this kind until `power_on`. Raises CannotBeDone, as does everything below
        that hands do to a machine."""

    async def power_on(self, device: str) -> None:
        """Give a device of this kind its power back."""

    async def cut_power_at_work(self, device: str) -> None:
        """Be ready: when the device next works, its power is cut half-way, and stays off until `power_on`."""

    async def stop_at_work(self, device: str) -> None:
        """Be ready: when the device next works, its stop button is pressed half-way."""

    async def empty_at_work(self, device: str) -> None:
        """Be ready: when the device next works, the cards at its entry are taken away half-way."""

    async def lift_lid(self, device: str) -> None:
        """Lift the lid of a device that rests."""

    async def lift_lid_at_work(self, device: str) -> None:
        """Be ready: when the device next works, its lid is lifted half-way."""

    async def tilt_die(self, device: str) -> None:
        """With the lid off, lean a die against the wall, so that it does not lie flat."""

    async def remove_die(self, device: str) -> None:
        """With the lid off, take a die out; `return_die` puts it back."""

    async def return_die(self, device: str) -> None:
        """With the lid off, lay all dice into the device, flat."""

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

    def reaction(self, device: str) -> float:
        """Seconds that a work of the device must last for these hands to act in the middle of it."""

    async def has_stop_button(self, device: str) -> bool:
        """Whether the device has a button that stops its work."""

    async def pressed_in_time(self, device: str) -> bool:
        """Whether the stop button was pressed, as `stop_at_work` asked, before the device had done its work."""

    async def read_off(self, device: str, what: str) -> str:
        """What a person sees on a machine of this kind: the number on its `display`, or the faces of its `dice` in
        ascending order. Raises CannotBeDone."""

    async def go_on(self, why: str) -> bool:
        """Whether to take more samples of a device that has failed for certain."""


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
    compartments: int = 1
    """How many decks the machines of this rig hold."""
    sizes: tuple[int, ...] = ()
    """The sizes of stack that were submitted; none for all of them."""
    stop_button: bool | None = None
    """Whether it was submitted with a button that stops its work; None if nothing was said."""

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

    @property
    def kind(self) -> str:
        """The kind of the device."""
        return self.driver.kind.name

    async def need_stop_button(self) -> None:
        """Raise CannotBeDone if the device has no button that stops its work."""
        has = self.stop_button
        if has is None:
            has = await self.operator.has_stop_button(self.kind)
        if not has:
            raise CannotBeDone(self.kind, "stop_at_work", "it has no stop button", STOP_BUTTON)

    def need_time(self, what: str, command: str) -> None:
        """Raise CannotBeDone if a work is over before hands can act in the middle of it. A hand that acts too late
        would act in the middle of something else."""
        usual, needed = self.driver.usual(command), self.operator.reaction(self.kind)
        if usual is not None and usual < needed:
            raise CannotBeDone(self.kind, what, f"its work takes {usual:.2g} s, and hands need {needed:g} s")

    async def recover(self) -> None:
        """Clear the device after a fault and reset it."""
        await self.operator.clear(self.kind)
        await self.driver.perform("reset", "cleared")

    async def power_off(self) -> None:
        """Take the power from the device, and make sure that it is silent. Raises CannotBeDone."""
        for _ in range(TRIES):
            await self.operator.power_off(self.kind)
            if await self.driver.lost():
                self.powerless()
                return
        raise CannotBeDone(self.kind, "power_off", "it still answers")

    def powerless(self) -> None:
        """Put on record that the device is without power, as it was told to be."""
        self.tray.journal.append(PowerSwitched(self.driver.name, False))

    async def power_on(self) -> None:
        """Give the device its power back, and wait until it answers. Raises CannotBeDone or Stalled."""
        await self.operator.power_on(self.kind)
        self.tray.journal.append(PowerSwitched(self.driver.name, True))
        await self.driver.back()

    async def load(self) -> None:
        """Put the deck into the device."""
        await self.operator.load(self.driver.kind.name, self.deck)

    async def unload(self) -> None:
        """Take the deck out of the device."""
        await self.operator.unload(self.driver.kind.name, self.deck)
