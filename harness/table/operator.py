"""Whoever has hands at the table: moves cards between devices and felt, clears jams, moves the button.

On an emulated bench it is a script; on hardware a technician is asked in plain words.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Protocol

from feltrig.emulators.bench import Bench


class Operator(Protocol):
    """What hands do. Each returns when it is done."""

    async def bring_deck(self, deck: str) -> None:
        """Put a new deck, in new-deck order, at its place on the table; an old one of that name leaves the table."""

    async def show_deck(self, deck: str) -> None:
        """Lay the deck on the reader's tray; `from_reader` takes it back."""

    async def from_reader(self, place: str) -> None:
        """Move what lies on the reader's tray to a place."""

    async def load_shuffler(self, deck: str) -> None:
        """Put the deck into the shuffler."""

    async def unload_shuffler(self, deck: str) -> None:
        """Take the shuffled deck out of the shuffler to its place on the table."""

    async def shuffle_by_hand(self, deck: str) -> None:
        """Shuffle the deck by hand."""

    async def cut(self, deck: str, depth: int) -> None:
        """Move so many cards from the top of the deck to its bottom."""

    async def load_shoe(self, deck: str) -> None:
        """Put the deck into the automated shoe."""

    async def show_card(self, deck: str) -> None:
        """Draw the top card of the deck onto the reader's tray."""

    async def show_stack(self) -> None:
        """Take the stack from the automated shoe's exit to the reader's tray."""

    async def show_stub(self, deck: str, automated: bool) -> None:
        """Lay the undealt cards on the reader's tray."""

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


ASIDE = "aside"
STRANGE = "strange"
"""Where a card that is taken out of its deck lies, and the deck of a card that does not belong."""


class BenchOperator:
    """The scripted operator of an emulated bench; `machines` has the name of the device of each kind."""

    def __init__(
        self,
        bench: Bench,
        machines: Mapping[str, str],
        compartments: Mapping[str, int],
        codes: tuple[int, ...],
        feeds_shoe: bool,
        rng: random.Random,
    ) -> None:
        self._bench = bench
        self._machines = machines
        self._compartments = compartments
        self.codes = codes
        self._feeds_shoe = feeds_shoe
        self._rng = rng
        self._button = 0

    def reseed(self, seed: str) -> None:
        """Shuffle and spin by chance of this seed from now on."""
        self._rng = random.Random(f"operator {seed}")

    async def bring_deck(self, deck: str) -> None:
        for place in self._in_reach(deck):
            self._bench.remove(place, deck)
        self._bench.remove(_home(deck), deck)
        self._bench.put_new_deck(_home(deck), deck, self.codes)

    async def show_deck(self, deck: str) -> None:
        self._bench.move_all(_home(deck), self._tray)

    async def from_reader(self, place: str) -> None:
        self._bench.move_all(self._tray, place)

    async def load_shuffler(self, deck: str) -> None:
        self._bench.move_all(_home(deck), f"{self._machines['shuffler']}.in.{self._compartments[deck]}")

    async def unload_shuffler(self, deck: str) -> None:
        self._bench.move_all(f"{self._machines['shuffler']}.out.{self._compartments[deck]}", _home(deck))
        if self._feeds_shoe:
            self._bench.move_all(f"{self._machines['shoe']}.well", _home(deck))

    async def shuffle_by_hand(self, deck: str) -> None:
        self._bench.shuffle(_home(deck), self._rng)

    async def cut(self, deck: str, depth: int) -> None:
        self._bench.move(_home(deck), "cut", depth)
        self._bench.move_all("cut", _home(deck), to_bottom=True)

    async def load_shoe(self, deck: str) -> None:
        self._bench.move_all(_home(deck), f"{self._machines['shoe']}.well")

    async def show_card(self, deck: str) -> None:
        # A shuffler that does not count may have kept cards: then there is none to draw, and the reader sees that.
        self._bench.move(_home(deck), self._tray, min(1, self._bench.count(_home(deck))))

    async def show_stack(self) -> None:
        self._bench.move_all(f"{self._machines['shoe']}.exit", self._tray)

    async def show_stub(self, deck: str, automated: bool) -> None:
        self._bench.move_all(f"{self._machines['shoe']}.well" if automated else _home(deck), self._tray)

    async def move(self, place: str, to: str) -> None:
        self._bench.move_all(place, to)

    async def gather(self, deck: str) -> None:
        for place in self._in_reach(deck):
            self._bench.pick(place, deck, _home(deck))

    async def clear(self, device: str) -> None:
        self._bench.clear(self._machines[device])

    async def block(self, device: str) -> None:
        self._bench.obstruct(f"{self._machines[device]}.inside")

    async def take_card(self, deck: str) -> None:
        self._bench.move(_home(deck), ASIDE, 1)

    async def return_card(self, deck: str) -> None:
        self._bench.move_all(ASIDE, _home(deck))

    async def add_card(self, deck: str) -> None:
        middle = self._bench.count(_home(deck)) // 2
        self._bench.put_new_card(_home(deck), STRANGE, self._rng.choice(self.codes), middle)

    async def remove_added_card(self, deck: str) -> None:
        self._bench.remove(_home(deck), STRANGE)

    async def button(self) -> int:
        return self._button

    async def place_button(self, position: int) -> None:
        self._button = position

    async def clear_layout(self) -> None:
        for place in self._bench.places():
            if place.startswith(("felt.", "stack.", "area.")):
                self._bench.move_all(place, "discard")

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        return self._rng.choice(places), turns + self._rng.randint(0, 4)

    async def hole_card(self, blackjack: bool) -> bool:
        return blackjack

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        return tuple(seats)

    async def meter(self, amount: int) -> int:
        return amount

    def _in_reach(self, deck: str) -> list[str]:
        """Where hands find cards away from the deck's own place: not inside a machine, which only `clear` opens."""
        return [place for place in self._bench.places() if place != _home(deck) and not place.endswith(".inside")]

    @property
    def _tray(self) -> str:
        return f"{self._machines['reader']}.tray"


def _home(deck: str) -> str:
    return f"deck.{deck}"
