"""The scripted operator of an emulated bench: moves cards between devices and felt, clears jams, moves the button."""

import random
from collections.abc import Mapping, Sequence

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Openings
from feltrig.harness.devices.hands import COMPARTMENTS
from feltrig.harness.table.bench_machines import BenchMachines
from feltrig.harness.table.technician import Technician

ASIDE = "aside"
STRANGE = "strange"
"""Where a card that is taken out of its deck lies, and the deck of a card that does not belong."""


class BenchOperator:
    """Implements `Operator` on an emulated bench, where `machines` are within reach. `feeds` has the kinds that hand
    their cards on to another one. A device that is not emulated is for the `technician`."""

    def __init__(
        self,
        machines: BenchMachines,
        codes: tuple[int, ...],
        feeds: Mapping[str, str],
        rng: random.Random,
        technician: Technician,
    ) -> None:
        self._bench = machines.bench
        self._machines = machines
        self._technician = technician
        self.codes = codes
        self._feeds = feeds
        self._rng = rng
        self._button = 0

    def begin(self, task: str, prompts: int | None = None) -> None:
        self._technician.begin(task, prompts)

    def reseed(self, seed: str) -> None:
        """Shuffle and spin by chance of this seed from now on."""
        self._rng = random.Random(f"operator {seed}")

    async def bring_deck(self, deck: str) -> None:
        for place in self._in_reach(deck):
            self._bench.remove(place, deck)
        self._bench.remove(_home(deck), deck)
        self._bench.put_new_deck(_home(deck), deck, self.codes)

    async def lay_deck(self, deck: str) -> None:
        await self.bring_deck(deck)

    async def show_deck(self, deck: str) -> None:
        self._bench.move_all(_home(deck), self._tray)

    async def from_reader(self, place: str) -> None:
        self._bench.move_all(self._tray, place)

    async def load(self, device: str, deck: str) -> None:
        self._bench.move_all(_home(deck), self._place(device, _openings(device).load, COMPARTMENTS[deck]))

    async def unload(self, device: str, deck: str) -> None:
        self._bench.move_all(self._place(device, _openings(device).unload, COMPARTMENTS[deck]), _home(deck))
        if device in self._feeds:
            fed = self._feeds[device]
            self._bench.move_all(self._place(fed, _openings(fed).stub, COMPARTMENTS[deck]), _home(deck))

    async def show_new_deck(self, deck: str) -> None:
        await self.bring_deck(deck)
        await self.show_deck(deck)

    async def load_from_reader(self, device: str, compartment: int) -> None:
        self._bench.move_all(self._tray, self._place(device, _openings(device).load, compartment))

    async def unload_to_reader(self, device: str, compartment: int) -> None:
        self._bench.move_all(self._place(device, _openings(device).unload, compartment), self._tray)
        if device in self._feeds:
            fed = self._feeds[device]
            self._bench.move_all(self._place(fed, _openings(fed).stub, compartment), self._tray)

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
        left = _home(deck) if device is None else self._place(device, _openings(device).stub, COMPARTMENTS[deck])
        self._bench.move_all(left, self._tray)

    async def move(self, place: str, to: str) -> None:
        self._bench.move_all(place, to)

    async def gather(self, deck: str) -> None:
        for place in self._in_reach(deck):
            self._bench.pick(place, deck, _home(deck))

    async def clear(self, device: str) -> None:
        await self._at(device).clear(device)

    async def block(self, device: str) -> None:
        await self._at(device).block(device)

    async def take_cards(self, deck: str, count: int) -> None:
        self._bench.move(_home(deck), ASIDE, count)

    async def add_cards(self, deck: str, count: int) -> None:
        for code in self._rng.choices(self.codes, k=count):
            self._bench.put_new_card(_home(deck), STRANGE, code, self._bench.count(_home(deck)) // 2)

    async def swap_card(self, deck: str) -> None:
        aside, copied = self._rng.sample(self._bench.peek(_home(deck)), 2)
        self._bench.put_new_card(_home(deck), STRANGE, copied.code, self._bench.count(_home(deck)) // 2)
        self._bench.move_card(_home(deck), ASIDE, self._bench.peek(_home(deck)).index(aside))

    async def restore_deck(self, deck: str) -> None:
        self._bench.remove(_home(deck), STRANGE)
        self._bench.move_all(ASIDE, _home(deck))

    async def power_off(self, device: str) -> None:
        await self._at(device).power_off(device)

    async def power_on(self, device: str) -> None:
        await self._at(device).power_on(device)

    async def cut_power_at_work(self, device: str) -> None:
        await self._at(device).cut_power_at_work(device)

    async def stop_at_work(self, device: str) -> None:
        await self._at(device).stop_at_work(device)

    async def empty_at_work(self, device: str) -> None:
        await self._at(device).empty_at_work(device)

    async def lift_lid(self, device: str) -> None:
        await self._at(device).lift_lid(device)

    async def lift_lid_at_work(self, device: str) -> None:
        await self._at(device).lift_lid_at_work(device)

    async def tilt_die(self, device: str) -> None:
        await self._at(device).tilt_die(device)

    async def remove_die(self, device: str) -> None:
        await self._at(device).remove_die(device)

    async def return_die(self, device: str) -> None:
        await self._at(device).return_die(device)

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

    def reaction(self, device: str) -> float:
        return self._at(device).reaction(device)

    async def has_stop_button(self, device: str) -> bool:
        return await self._at(device).has_stop_button(device)

    async def pressed_in_time(self, device: str) -> bool:
        return await self._at(device).pressed_in_time(device)

    async def read_off(self, device: str, what: str) -> str:
        return await self._technician.read_off(device, what)  # nobody asks of an emulated device

    async def go_on(self, why: str) -> bool:
        return False

    def _in_reach(self, deck: str) -> list[str]:
        """Where hands find cards away from the deck's own place: not inside a machine, which only `clear` opens."""
        return [place for place in self._bench.places() if place != _home(deck) and not place.endswith(".inside")]

    def _at(self, device: str) -> BenchMachines | Technician:
        """Whoever has hands at a device of this kind."""
        return self._machines if device in self._machines.machines else self._technician

    @property
    def _tray(self) -> str:
        reader = next(kind for kind in self._machines.machines if DEVICES[kind].read is not None)
        return self._place(reader, _openings(reader).tray)

    def _place(self, device: str, opening: str, compartment: int | None = None) -> str:
        """The place of the bench at which hands reach into a machine."""
        return f"{self._machines.machines[device].device.board.name}.{opening.format(compartment=compartment)}"


def _openings(device: str) -> Openings:
    openings = DEVICES[device].openings
    assert openings is not None
    return openings


def _home(deck: str) -> str:
    return f"deck.{deck}"
