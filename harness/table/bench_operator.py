"""The scripted operator of an emulated bench: moves cards between devices and felt, clears jams, moves the button."""

import random
from collections.abc import Mapping, Sequence

from feltrig.emulators.bench import Bench
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Openings
from feltrig.harness.devices.hands import COMPARTMENTS

ASIDE = "aside"
STRANGE = "strange"
"""Where a card that is taken out of its deck lies, and the deck of a card that does not belong."""


class BenchOperator:
    """Implements `Operator` on an emulated bench. `machines` has the name of the device of each kind; `feeds` the kinds
    that hand their cards on to another one."""

    def __init__(
        self,
        bench: Bench,
        machines: Mapping[str, str],
        codes: tuple[int, ...],
        feeds: Mapping[str, str],
        rng: random.Random,
    ) -> None:
        self._bench = bench
        self._machines = machines
        self.codes = codes
        self._feeds = feeds
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

    async def load(self, device: str, deck: str) -> None:
        self._bench.move_all(_home(deck), self._place(device, _openings(device).load, deck))

    async def unload(self, device: str, deck: str) -> None:
        self._bench.move_all(self._place(device, _openings(device).unload, deck), _home(deck))
        if device in self._feeds:
            fed = self._feeds[device]
            self._bench.move_all(self._place(fed, _openings(fed).stub, deck), _home(deck))

    async def shuffle_by_hand(self, deck: str) -> None:
        self._bench.shuffle(_home(deck), self._rng)

    async def cut(self, deck: str, depth: int) -> None:
        self._bench.move(_home(deck), "cut", depth)
        self._bench.move_all("cut", _home(deck), to_bottom=True)

    async def show_card(self, deck: str) -> None:
        # A shuffler that does not count may have kept cards: then there is none to draw, and the reader sees that.
        self._bench.move(_home(deck), self._tray, min(1, self._bench.count(_home(deck))))

    async def show_stack(self, device: str) -> None:
        self._bench.move_all(self._place(device, _openings(device).stack), self._tray)

    async def show_stub(self, deck: str, device: str | None) -> None:
        left = _home(deck) if device is None else self._place(device, _openings(device).stub, deck)
        self._bench.move_all(left, self._tray)

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
        reader = next(kind for kind in self._machines if DEVICES[kind].read is not None)
        return self._place(reader, _openings(reader).tray)

    def _place(self, device: str, opening: str, deck: str | None = None) -> str:
        """The place of the bench at which hands reach into a machine."""
        return f"{self._machines[device]}.{opening.format(compartment=deck and COMPARTMENTS[deck])}"


def _openings(device: str) -> Openings:
    openings = DEVICES[device].openings
    assert openings is not None
    return openings


def _home(deck: str) -> str:
    return f"deck.{deck}"
