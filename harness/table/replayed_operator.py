"""The operator of a replayed session: the hands have done their work, and it shows in the devices' answers."""

from collections.abc import Iterable, Sequence


class ReplayedOperator:
    """Implements `Operator` without hands. `buttons` is where the button was seen, each time that it was looked for,
    and `spins` where a wheel came to rest and after how many turns."""

    def __init__(self, buttons: Iterable[int] = (), spins: Iterable[tuple[str, int]] = ()) -> None:
        self._buttons = iter(buttons)
        self._spins = iter(spins)
        self._placed = 0

    async def bring_deck(self, deck: str) -> None: ...

    async def show_deck(self, deck: str) -> None: ...

    async def from_reader(self, place: str) -> None: ...

    async def load(self, device: str, deck: str) -> None: ...

    async def unload(self, device: str, deck: str) -> None: ...

    async def shuffle_by_hand(self, deck: str) -> None: ...

    async def cut(self, deck: str, depth: int) -> None: ...

    async def show_card(self, deck: str) -> None: ...

    async def show_stack(self, device: str) -> None: ...

    async def show_stub(self, deck: str, device: str | None) -> None: ...

    async def move(self, place: str, to: str) -> None: ...

    async def gather(self, deck: str) -> None: ...

    async def clear(self, device: str) -> None: ...

    async def block(self, device: str) -> None: ...

    async def take_card(self, deck: str) -> None: ...

    async def return_card(self, deck: str) -> None: ...

    async def add_card(self, deck: str) -> None: ...

    async def remove_added_card(self, deck: str) -> None: ...

    async def clear_layout(self) -> None: ...

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
