"""The operator of a replayed run: the hands have done their work, and it shows in the devices' answers."""

from collections.abc import Iterable, Sequence


class ReplayedOperator:
    """Implements `Operator` without hands. `buttons` is where the button was seen, each time that it was looked for,
    and `spins` where a wheel came to rest and after how many turns."""

    def __init__(self, buttons: Iterable[int] = (), spins: Iterable[tuple[str, int]] = ()) -> None:
        self._buttons = iter(buttons)
        self._spins = iter(spins)
        self._placed = 0

    async def _done(self, *_: object, **__: object) -> None:
        """All that moves cards: it was done when the session was recorded."""

    bring_deck = show_deck = from_reader = load = unload = shuffle_by_hand = cut = show_card = show_stack = _done
    show_stub = move = gather = clear = block = take_card = return_card = add_card = remove_added_card = _done
    clear_layout = _done

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
