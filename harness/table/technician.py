"""The operator on hardware: a technician who is told what to do with cards and machines, prompt by prompt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import CannotBeDone, Redo, SomethingWrong, Stalled
from feltrig.harness.devices.hands import COMPARTMENTS
from feltrig.harness.journal.records import Prompted
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.prompts import CANNOT, DONE, OPERATOR, PROMPTS, REDO, WRONG, Prompt, Prompter
from feltrig.harness.table.terminal import Ask, Words

ANYTIME = (REDO, WRONG)
"""The answers that every prompt can get."""

GO_ON, STOP = "go on", "stop"
YES_OR_NO = YES, NO = "yes", "no"

READINGS: Mapping[str, Callable[[str], bool]] = {
    "display": str.isdecimal,
    "dice": lambda said: len(said.split()) == 3 and all(die.isdecimal() for die in said.split()),
}
"""What makes sense for an answer, by what a person reads off a machine."""

TRIES = 20
"""How often a prompt is put until its answer makes sense. A program that does not know it must not go on for ever."""


class Technician:
    """Implements `Operator` by prompts, which `ask` puts: a terminal, or a program that reads JSON. Every prompt and
    its answer go into the journal, if there is one."""

    def __init__(self, ask: Ask | Prompter, journal: Journal | None = None) -> None:
        self._prompter: Prompter = Words(ask) if callable(ask) else ask
        self._person = callable(ask)
        """Whether a person reads the prompts. A program may be as quick as it likes."""
        self._journal = journal
        self._asked = 0
        self._task = ""
        self._step = 0
        self._of: int | None = None

    def begin(self, task: str, prompts: int | None = None) -> None:
        self._task, self._step, self._of = task, 0, prompts

    async def bring_deck(self, deck: str) -> None:
        await self._do("bring_deck", deck=deck)

    async def lay_deck(self, deck: str) -> None:
        await self._do("lay_deck", deck=deck)

    async def show_deck(self, deck: str) -> None:
        await self._do("show_deck", deck=deck)

    async def show_new_deck(self, deck: str) -> None:
        await self._do("show_new_deck", deck=deck)

    async def from_reader(self, place: str) -> None:
        await self._do("from_reader", place=place)

    async def load(self, device: str, deck: str) -> None:
        await self._do("load", device=device, deck=deck, compartment=COMPARTMENTS[deck])

    async def unload(self, device: str, deck: str) -> None:
        await self._do("unload", device=device, deck=deck, compartment=COMPARTMENTS[deck])

    async def load_from_reader(self, device: str, compartment: int) -> None:
        await self._do("load_from_reader", device=device, compartment=compartment)

    async def unload_to_reader(self, device: str, compartment: int) -> None:
        await self._do("unload_to_reader", device=device, compartment=compartment)

    async def shuffle_by_hand(self, deck: str) -> None:
        await self._do("shuffle_by_hand", deck=deck)

    async def cut(self, deck: str, depth: int) -> None:
        await self._do("cut", deck=deck, depth=depth)

    async def show_card(self, deck: str) -> None:
        await self._do("show_card", deck=deck)

    async def show_stack(self, device: str) -> None:
        await self._do("show_stack", device=device)

    async def show_stub(self, deck: str, device: str | None) -> None:
        held = {} if device is None else {"device": device}
        await self._do("show_stub", deck=deck, **held)

    async def move(self, place: str, to: str) -> None:
        await self._do("move", place=place, to=to)

    async def gather(self, deck: str) -> None:
        await self._do("gather", deck=deck)

    async def clear(self, device: str) -> None:
        await self._do("clear", device=device)

    async def block(self, device: str) -> None:
        await self._do("block", device=device)

    async def take_cards(self, deck: str, count: int) -> None:
        await self._do("take_cards", deck=deck, count=count)

    async def add_cards(self, deck: str, count: int) -> None:
        await self._do("add_cards", deck=deck, count=count)

    async def swap_card(self, deck: str) -> None:
        await self._do("swap_card", deck=deck)

    async def restore_deck(self, deck: str) -> None:
        await self._do("restore_deck", deck=deck)

    async def power_off(self, device: str) -> None:
        await self._do("power_off", device=device)

    async def power_on(self, device: str) -> None:
        await self._do("power_on", device=device)

    async def cut_power_at_work(self, device: str) -> None:
        await self._do("cut_power_at_work", device=device)

    async def stop_at_work(self, device: str) -> None:
        await self._do("stop_at_work", device=device)

    async def empty_at_work(self, device: str) -> None:
        await self._do("empty_at_work", device=device)

    async def lift_lid(self, device: str) -> None:
        await self._do("lift_lid", device=device)

    async def lift_lid_at_work(self, device: str) -> None:
        await self._do("lift_lid_at_work", device=device)

    async def tilt_die(self, device: str) -> None:
        await self._do("tilt_die", device=device)

    async def remove_die(self, device: str) -> None:
        await self._do("remove_die", device=device)

    async def return_die(self, device: str) -> None:
        await self._do("return_die", device=device)

    async def clear_layout(self) -> None:
        await self._do("clear_layout")

    async def place_button(self, position: int) -> None:
        await self._do("place_button", place=f"felt.{position}")

    async def button(self) -> int:
        return int(await self._choose("button", tuple(map(str, range(7)))))

    async def spin(self, places: Sequence[str], turns: int) -> tuple[str, int]:
        result = await self._choose("spin", tuple(dict.fromkeys(places)))
        return result, int(await self._choose("turns", tuple(map(str, range(100)))))

    async def hole_card(self, blackjack: bool) -> bool:
        return await self._choose("hole_card", YES_OR_NO) == YES

    async def sensors(self, bet: str, seats: Sequence[int]) -> tuple[int, ...]:
        lit = await self._ask("sensors", lambda said: all(seat.isdecimal() for seat in said.split()), bet=bet)
        return tuple(int(seat) for seat in lit.split())

    async def meter(self, amount: int) -> int:
        return int(await self._ask("meter", str.isdecimal))

    def reaction(self, device: str) -> float:
        return DEVICES[device].reaction if self._person else 0.0

    async def has_stop_button(self, device: str) -> bool:
        return await self._told("has_stop_button", YES_OR_NO.__contains__, device, YES_OR_NO) == YES

    async def pressed_in_time(self, device: str) -> bool:
        return await self._told("pressed_in_time", YES_OR_NO.__contains__, device, YES_OR_NO) == YES

    async def read_off(self, device: str, what: str) -> str:
        return " ".join(sorted((await self._told(f"read_{what}", READINGS[what], device)).split()))

    async def go_on(self, why: str) -> bool:
        return await self._choose("go_on", (GO_ON, STOP), why=why) == GO_ON

    async def _told(self, what: str, good: Callable[[str], bool], device: str, answers: tuple[str, ...] = ()) -> str:
        """What a person sees or knows of a device. Raises CannotBeDone."""
        try:
            answer = await self._ask(what, good, (*answers, CANNOT, *ANYTIME), device=device)
        except SomethingWrong:
            raise
        except Stalled as nobody:
            raise CannotBeDone(device, what, "nobody is there to look") from nobody
        if answer == CANNOT:
            raise CannotBeDone(device, what)
        return answer

    async def _do(self, what: str, **where: str | int) -> None:
        """Have something done. Raises CannotBeDone."""
        choices = (DONE, REDO, CANNOT, WRONG) if PROMPTS[what].optional else (DONE, REDO, WRONG)
        try:
            answer = await self._ask(what, choices.__contains__, choices, **where)
        except Stalled as nobody:
            if not PROMPTS[what].optional or isinstance(nobody, SomethingWrong):
                raise
            raise CannotBeDone(str(where["device"]), what, "nobody is there to do it") from nobody
        if answer == CANNOT:
            raise CannotBeDone(str(where["device"]), what)

    async def _choose(self, what: str, answers: Sequence[str], **where: str | int) -> str:
        return await self._ask(what, answers.__contains__, (*answers, *ANYTIME), **where)

    async def _ask(
        self, what: str, good: Callable[[str], bool], choices: tuple[str, ...] = ANYTIME, **where: str | int
    ) -> str:
        """The answer to a prompt, which is put until it makes sense. Raises Redo, SomethingWrong or Stalled."""
        self._asked, self._step = self._asked + 1, self._step + 1
        prompt = Prompt(
            id=self._asked,
            what=what,
            where=where,
            text=PROMPTS[what].text.format(**_words(where)),
            then=PROMPTS[what].then,
            asks=PROMPTS[what].asks,
            choices=choices,
            task=self._task,
            step=self._step,
            of=self._of,
        )
        for _ in range(TRIES):
            answer = await self._prompter.ask(prompt)
            if answer.answer in choices or good(answer.answer):
                break
            why = f"{answer.answer!r} is not {_expected(prompt)}"
            self._prompter.reject(prompt, why)
            prompt = replace(prompt, complaint=f"{why}.")
        else:
            raise SomethingWrong(OPERATOR, f"{what}: {TRIES} answers that are not allowed; the last one: {why}")
        if self._journal is not None:
            record = Prompted(prompt.id, what, where, prompt.task, prompt.text, answer.answer, answer.who, answer.note)
            self._journal.append(record)
        if answer.answer == REDO:
            raise Redo(f"{self._task or what}: done again")
        if answer.answer == WRONG:
            raise SomethingWrong(OPERATOR, answer.note)
        return answer.answer


def _expected(prompt: Prompt) -> str:
    if not prompt.asks:
        return f"one of {', '.join(prompt.choices)}"
    known = [choice for choice in prompt.choices if choice not in ANYTIME]
    return f"one of {known[0]}, …, {known[-1]}" if known else prompt.asks


def _words(where: dict[str, str | int]) -> dict[str, str]:
    """The values of a prompt as people say them."""
    words = {name: str(value) for name, value in where.items()}
    device = words.get("device")
    if device is not None:
        kind = DEVICES[device]
        machine = kind.words or device
        words |= {"machine": machine, "compartment": _compartment(device, where.get("compartment"))}
        words |= {"block": kind.blocked.format(machine=machine), "clear": kind.cleared.format(machine=machine)}
    if "deck" in words:
        rest = f"the rest of the {words['deck']} deck"
        words["left"] = rest if device is None else f"the cards left in the {words['machine']}"
    if "count" in words:
        words["cards"] = "one card" if where["count"] == 1 else f"{where['count']} cards"
    for key in ("place", "to"):
        if key in words:
            words[key] = place_words(words[key])
    return words


def _compartment(device: str, compartment: str | int | None) -> str:
    """A machine for two decks does with each what it is told by number."""
    openings = DEVICES[device].openings
    several = openings is not None and "compartment" in openings.load
    return f" (compartment {compartment}, if it has two)" if several and compartment is not None else ""


def _position(position: int) -> str:
    return "the dealer" if position == 0 else f"betting position {position}"


def place_words(place: str) -> str:
    """A place on the table as people call it. Raises ValueError when it is none."""
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
