"""The operator on hardware: a technician at the terminal, who is told what to do with the cards."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import Stalled
from feltrig.harness.devices.hands import COMPARTMENTS

Ask = Callable[[str], Awaitable[str]]
"""Shows a prompt and returns the line that was typed."""

OPERATOR = "operator"
"""The name on record when nobody answers a prompt."""

DONE = "Press Enter when done."
NOW = "Press Enter now, while you hold it: then the machine starts."


class Technician:
    """Implements `Operator` by prompts. `ask` is the terminal; tests put a script in its place."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def bring_deck(self, deck: str) -> None:
        await self._do(
            f"Lay the {deck} deck on the table in new-deck order, jokers last. Remove any other {deck} deck."
        )

    async def show_deck(self, deck: str) -> None:
        await self._do(f"Lay the {deck} deck on the reader's tray. Keep the order.")

    async def from_reader(self, place: str) -> None:
        await self._do(f"Move the cards from the reader's tray to {_words(place)}, face down.")

    async def load(self, device: str, deck: str) -> None:
        await self._do(f"Put the {deck} deck into the {_machine(device)}{_compartment(device, deck)}.")

    async def unload(self, device: str, deck: str) -> None:
        out_of = f"{_machine(device)}{_compartment(device, deck)}"
        await self._do(f"Take the {deck} deck out of the {out_of}. Keep the order.")

    async def shuffle_by_hand(self, deck: str) -> None:
        await self._do(f"Shuffle the {deck} deck by hand.")

    async def cut(self, deck: str, depth: int) -> None:
        await self._do(f"Cut the {deck} deck: move the top {depth} cards to the bottom.")

    async def show_card(self, deck: str) -> None:
        await self._do(f"Draw the next card of the {deck} deck onto the reader's tray.")

    async def show_stack(self, device: str) -> None:
        await self._do(f"Move the stack from the exit of the {_machine(device)} to the reader's tray.")

    async def show_stub(self, deck: str, device: str | None) -> None:
        left = f"the rest of the {deck} deck" if device is None else f"the cards left in the {_machine(device)}"
        await self._do(f"Lay {left} on the reader's tray. Keep the order.")

    async def move(self, place: str, to: str) -> None:
        await self._do(f"Move the cards from {_words(place)} to {_words(to)}, face down.")

    async def gather(self, deck: str) -> None:
        await self._do(f"Gather all cards of the {deck} deck, wherever they are, at its place, face down.")

    async def clear(self, device: str) -> None:
        await self._do(f"Take all cards out of the {_machine(device)}. Remove whatever blocks it.")

    async def block(self, device: str) -> None:
        await self._do(f"Hold a card in the card path of the {_machine(device)}. Keep it there until told.", NOW)

    async def take_card(self, deck: str) -> None:
        await self._do(f"Take one card out of the {deck} deck and set it aside.")

    async def return_card(self, deck: str) -> None:
        await self._do(f"Put the card that you set aside back into the {deck} deck.")

    async def add_card(self, deck: str) -> None:
        await self._do(f"Put one card of another deck into the {deck} deck.")

    async def remove_added_card(self, deck: str) -> None:
        await self._do(f"Take the card of the other deck out of the {deck} deck.")

    async def button(self) -> int:
        positions = tuple(map(str, range(7)))
        return int(await self._choose("Where is the button? 0: dealer, 1 to 6: betting position: ", positions))

    async def place_button(self, position: int) -> None:
        await self._do(f"Put the button at {_position(position)}.")

    async def clear_layout(self) -> None:
        await self._do("Move every card on the layout to the discard rack. Keep the order.")

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        result = await self._choose("Spin the wheel. Where did it stop? ", tuple(dict.fromkeys(places)))
        return result, int(await self._choose("How many full turns? ", tuple(map(str, range(100)))))

    async def hole_card(self, blackjack: bool) -> bool:
        question = "Put the dealer's cards into the card reader. Does it show blackjack? yes or no: "
        return await self._choose(question, ("yes", "no")) == "yes"

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        while True:
            answer = await self._ask(
                f"At which seats is the sensor of the {bet} wager lit? Numbers, or Enter for none: "
            )
            if all(seat.isdecimal() for seat in answer.split()):
                return tuple(int(seat) for seat in answer.split())

    async def meter(self, amount: int) -> int:
        while True:
            answer = await self._ask("What does the progressive meter show, in cents? ")
            if answer.strip().isdecimal():
                return int(answer)

    async def _choose(self, question: str, answers: Sequence[str]) -> str:
        while True:
            answer = (await self._ask(question)).strip()
            if answer in answers:
                return answer
            question = f"{answer!r} is not one of {answers[0]}, …, {answers[-1]}: "

    async def _do(self, what: str, end: str = DONE) -> None:
        await self._ask(f"{what} {end} ")


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


def _machine(device: str) -> str:
    """What people call a kind of device."""
    return DEVICES[device].words or device


def _compartment(device: str, deck: str) -> str:
    """A machine for two decks does with each what it is told by number."""
    openings = DEVICES[device].openings
    several = openings is not None and "compartment" in openings.load
    return f" (compartment {COMPARTMENTS[deck]}, if it has two)" if several else ""


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
    raise ValueError(f"{place!r} is not a place on the table")
