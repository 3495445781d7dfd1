"""The operator of a replayed run: the hands have done their work, and it shows in the devices' answers."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Protocol

from feltrig.harness.devices.failures import CannotBeDone


def _by_hand(what: str) -> Callable[["ReplayedOperator", str], Awaitable[None]]:
    """Something that may not have been possible when the session was recorded."""

    async def act(operator: "ReplayedOperator", device: str) -> None:
        operator.require(device, what)

    return act


class Switches(Protocol):
    """The power of the devices that are replayed, by kind of device."""

    def power_off(self, kind: str) -> None:
        """Switch it off."""

    def cut_power_at_work(self, kind: str) -> None:
        """Let it go off while it works."""

    def power_on(self, kind: str) -> None:
        """Switch it on."""


class ReplayedOperator:
    """Implements `Operator` without hands, but for the power of the devices: they are off until they are switched on.
    `buttons` is where the button was seen, each time that it was looked for, and `spins` where a wheel came to rest and
    after how many turns. `refused` is what hands could not do: the kind of device, and what it was."""

    def __init__(
        self,
        switches: Switches,
        buttons: Iterable[int] = (),
        spins: Iterable[tuple[str, int]] = (),
        refused: Collection[tuple[str, str]] = (),
    ) -> None:
        self._switches = switches
        self._buttons = iter(buttons)
        self._spins = iter(spins)
        self._placed = 0
        self.refused = refused

    async def _done(self, *_: object, **__: object) -> None:
        """All that moves cards: it was done when the session was recorded."""

    bring_deck = lay_deck = show_deck = show_new_deck = from_reader = load = unload = load_from_reader = _done
    unload_to_reader = shuffle_by_hand = cut = show_card = show_stack = show_stub = move = gather = clear = _done
    take_cards = add_cards = swap_card = restore_deck = clear_layout = remove_die = return_die = _done

    block, tilt_die = _by_hand("block"), _by_hand("tilt_die")
    stop_at_work, empty_at_work = _by_hand("stop_at_work"), _by_hand("empty_at_work")
    lift_lid, lift_lid_at_work = _by_hand("lift_lid"), _by_hand("lift_lid_at_work")

    def require(self, device: str, what: str) -> None:
        """Raise CannotBeDone if hands could not do it."""
        if (device, what) in self.refused:
            raise CannotBeDone(device, what)

    def reaction(self, device: str) -> float:
        """Whether hands were quick enough, the recording shows."""
        return 0.0

    async def has_stop_button(self, device: str) -> bool:
        """Whether it was pressed in the recording."""
        return (device, "stop_at_work") not in self.refused

    async def pressed_in_time(self, device: str) -> bool:
        """As the recording shows, which has no fault where this is asked."""
        return True

    def begin(self, task: str, prompts: int | None = None) -> None:
        """Nobody is told."""

    async def power_off(self, device: str) -> None:
        """Switch a replayed device off, where it was off in the recording."""
        self.require(device, "power_off")
        self._switches.power_off(device)

    async def cut_power_at_work(self, device: str) -> None:
        """Let a replayed device go off where it did in the recording."""
        self.require(device, "cut_power_at_work")
        self._switches.cut_power_at_work(device)

    async def power_on(self, device: str) -> None:
        """Switch a replayed device on again."""
        self._switches.power_on(device)

    async def read_off(self, device: str, what: str) -> str:
        """Nobody can look at a machine that is not there."""
        raise CannotBeDone(device, f"read_{what}", "the run is replayed")

    async def go_on(self, why: str) -> bool:
        """The recording goes as far as it goes."""
        return True

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        """Where the wheel came to rest in the recording; after that, at its first place."""
        return next(self._spins, (places[0], turns))

    async def hole_card(self, blackjack: bool) -> bool:
        """What the cards make of it."""
        return blackjack

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        """As the chips lie."""
        return tuple(seats)

    async def meter(self, amount: int) -> int:
        """What it should show."""
        return amount

    async def button(self) -> int:
        """Where it was seen in the recording; after that, where it was put."""
        return next(self._buttons, self._placed)

    async def place_button(self, position: int) -> None:
        """Remember where the rules want it."""
        self._placed = position
