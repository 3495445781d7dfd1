"""The operator on hardware: a technician at the terminal, told in plain words what only hands can do."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.devices.hands import COMPARTMENTS

Ask = Callable[[str], Awaitable[str]]
"""Shows a prompt and returns the line that was typed."""

OPERATOR = "operator"
"""Who has stalled, when nobody answers a prompt."""

DONE = "then press Enter"
ENTER = "and press Enter now: the machine starts after that"


class Technician:
    """Implements `Operator` by prompts. `ask` is the terminal; tests put a script in its place."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def bring_deck(self, deck: str) -> None:
        await self._do(f"lay the {deck} deck on the table in new-deck order, jokers last; remove any other {deck} deck")

    async def show_deck(self, deck: str) -> None:
        await self._do(f"lay the {deck} deck on the reader's tray, order unchanged")

    async def from_reader(self, place: str) -> None:
        await self._do(f"move the cards from the reader's tray to {_words(place)}, face down")

    async def load_shuffler(self, deck: str) -> None:
        await self._do(f"put the {deck} deck into the shuffler{_compartment(deck)}")

    async def unload_shuffler(self, deck: str) -> None:
        await self._do(f"take the {deck} deck out of the shuffler{_compartment(deck)}, order unchanged")

    async def shuffle_by_hand(self, deck: str) -> None:
        await self._do(f"shuffle the {deck} deck by hand")

    async def cut(self, deck: str, depth: int) -> None:
        await self._do(f"cut the {deck} deck: move the top {depth} cards to the bottom")

    async def load_shoe(self, deck: str) -> None:
        await self._do(f"put the {deck} deck into the dealing shoe")

    async def show_card(self, deck: str) -> None:
        await self._do(f"draw the next card of the {deck} deck onto the reader's tray")

    async def show_stack(self) -> None:
        await self._do("take the stack from the shoe's exit to the reader's tray")

    async def show_stub(self, deck: str, automated: bool) -> None:
        where = "out of the dealing shoe" if automated else f"that are left of the {deck} deck"
        await self._do(f"lay the cards {where} on the reader's tray, order unchanged")

    async def move(self, place: str, to: str) -> None:
        await self._do(f"move the cards from {_words(place)} to {_words(to)}, face down")

    async def gather(self, deck: str) -> None:
        await self._do(f"gather all cards of the {deck} deck, wherever they lie, on its place, face down")

    async def clear(self, device: str) -> None:
        await self._do(f"take all cards out of the {device} and remove what blocks it")

    async def block(self, device: str) -> None:
        await self._do(f"hold a card in the way of the {device}'s cards and keep it there until you are told", ENTER)

    async def take_card(self, deck: str) -> None:
        await self._do(f"take one card out of the {deck} deck and lay it aside")

    async def return_card(self, deck: str) -> None:
        await self._do(f"put the card that you laid aside back into the {deck} deck")

    async def add_card(self, deck: str) -> None:
        await self._do(f"put one card of another deck into the {deck} deck")

    async def remove_added_card(self, deck: str) -> None:
        await self._do(f"take the card of the other deck out of the {deck} deck again")

    async def button(self) -> int:
        while True:
            answer = await self._ask("where does the button lie? 0 the dealer, 1 to 6 the betting positions: ")
            if answer.strip() in {"0", "1", "2", "3", "4", "5", "6"}:
                return int(answer)

    async def place_button(self, position: int) -> None:
        await self._do(f"put the button at {_position(position)}")

    async def clear_layout(self) -> None:
        await self._do("move every card that lies on the layout to the discard rack, order unchanged")

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        result = await self._choose("spin the wheel; where did it come to rest? ", tuple(dict.fromkeys(places)))
        return result, int(await self._choose("how many full turns? ", tuple(map(str, range(100)))))

    async def hole_card(self, blackjack: bool) -> bool:
        question = "put the dealer's cards into the card reader; does it say blackjack? yes or no: "
        return await self._choose(question, ("yes", "no")) == "yes"

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        while True:
            answer = await self._ask(f"which seats' sensors of the {bet} wager are lit? numbers, or nothing: ")
            if all(seat.isdecimal() for seat in answer.split()):
                return tuple(int(seat) for seat in answer.split())

    async def meter(self, amount: int) -> int:
        while True:
            answer = await self._ask("what does the progressive meter show, in cents? ")
            if answer.strip().isdecimal():
                return int(answer)

    async def _choose(self, question: str, answers: Sequence[str]) -> str:
        while True:
            answer = (await self._ask(question)).strip()
            if answer in answers:
                return answer
            question = f"{answer!r} is not {answers[0]}, …, {answers[-1]}: "

    async def _do(self, what: str, end: str = DONE) -> None:
        await self._ask(f"{what}, {end} ")


def terminal(patience: float) -> Ask:
    """Prompts on this process's terminal. A technician who does not answer within the patience stalls the run."""
    typed = bytearray()  # what came after the line that was asked for, as when answers are piped in

    async def ask(prompt: str) -> str:
        print(prompt, end="", flush=True)
        try:
            async with asyncio.timeout(patience):
                while b"\n" not in typed:
                    typed.extend(await _keyboard())
        except TimeoutError:
            raise Stalled(OPERATOR, "answer", f"within {patience:g} s") from None
        line, _, rest = bytes(typed).partition(b"\n")
        typed[:] = rest
        return line.decode(errors="replace")

    return ask


async def _keyboard() -> bytes:
    """The next bytes from standard input, read without blocking anything else."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    keyboard = sys.stdin.fileno()

    def typed() -> None:
        if not ready.done():
            ready.set_result(None)

    try:
        loop.add_reader(keyboard, typed)
    except PermissionError:
        pass  # a regular file is always ready, and cannot be watched
    else:
        try:
            await ready
        finally:
            loop.remove_reader(keyboard)
    data = os.read(keyboard, 4096)
    if not data:
        raise Stalled(OPERATOR, "answer", "before the terminal was closed")
    return data


def _compartment(deck: str) -> str:
    """A machine for two decks does with each what it is told by number."""
    return f" (compartment {COMPARTMENTS[deck]}, if it has two)"


def _position(position: int) -> str:
    return "the dealer" if position == 0 else f"betting position {position}"


def _words(place: str) -> str:
    kind, _, number = place.partition(".")
    match kind:
        case "felt":
            return _position(int(number))
        case "stack":
            return f"stack {number} (counted from the dealer's left)"
        case "area":
            return f"the place for {number.replace('.', ' ').replace('_', ' ')}"
        case "deck":
            return f"the place of the {number} deck"
        case "discard":
            return "the discard rack"
    raise ValueError(f"{place!r} is no place of the table")
