"""Every prompt that hands at a table can get: its words, and how it can be answered. docs/operator.md lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

OPERATOR = "operator"
"""The name on record when nobody answers a prompt."""

DONE = "done"
REDO = "redo"
CANNOT = "cannot"
WRONG = "wrong"

KEYS = {DONE: "Enter", REDO: "r", CANNOT: "x", WRONG: "w"}
"""What is typed on a terminal for each of these answers."""

MEANINGS = {
    DONE: "it is done",
    REDO: "go back and do the whole task again: what was seen of it does not count",
    CANNOT: "cannot be done with this machine: what needs it is not tested",
    WRONG: "something is wrong: stop the run, which can be resumed",
}


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a prompt, with the names of its values in braces."""

    text: str
    then: str = ""
    """What happens next."""
    asks: str = ""
    """For a question: what must be answered. Empty for something to do, which is answered when it is done."""
    optional: bool = False
    """Whether a machine may not allow it, so that `cannot` is an answer."""


READ = "The rig reads the cards."
STARTS = "The machine starts as soon as you answer."

PROMPTS: Mapping[str, Wording] = {
    # decks
    "bring_deck": Wording(
        "Lay the {deck} deck on the table in new-deck order, jokers last. Remove any other {deck} deck."
    ),
    "lay_deck": Wording("Lay the whole {deck} deck at its place, in any order, without cards of other decks."),
    "show_deck": Wording("Lay the {deck} deck on the reader's tray. Keep the order.", READ),
    "show_new_deck": Wording(
        "Lay the {deck} deck on the reader's tray in new-deck order, jokers last. Remove any other {deck} deck.", READ
    ),
    "from_reader": Wording("Move the cards from the reader's tray to {place}, face down."),
    "load": Wording("Put the {deck} deck into the {machine}{compartment}."),
    "unload": Wording("Take the {deck} deck out of the {machine}{compartment}. Keep the order."),
    "load_from_reader": Wording(
        "Move the cards from the reader's tray into the {machine}{compartment}, face down. Keep the order.", STARTS
    ),
    "unload_to_reader": Wording(
        "Take the cards out of the {machine}{compartment}. Lay them on the reader's tray. Keep the order.", READ
    ),
    "shuffle_by_hand": Wording("Shuffle the {deck} deck by hand."),
    "cut": Wording("Cut the {deck} deck: move the top {depth} cards to the bottom."),
    "gather": Wording("Gather all cards of the {deck} deck, wherever they are, at its place, face down."),
    "take_cards": Wording("Take {cards} out of the {deck} deck and set aside what you took."),
    "add_cards": Wording("Put {cards} of another deck into the middle of the {deck} deck."),
    "swap_card": Wording(
        "Set one card of the {deck} deck aside. Put a card of another deck in its place that is in the {deck} deck "
        "already."
    ),
    "restore_deck": Wording("Put what you set aside back into the {deck} deck. Take out the cards of another deck."),
    # cards on the table
    "show_card": Wording("Draw the next card of the {deck} deck onto the reader's tray.", READ),
    "show_stack": Wording("Move the stack from the exit of the {machine} to the reader's tray.", READ),
    "show_stub": Wording("Lay {left} on the reader's tray. Keep the order.", READ),
    "move": Wording("Move the cards from {place} to {to}, face down."),
    "clear_layout": Wording("Move every card on the layout to the discard rack. Keep the order."),
    "place_button": Wording("Put the button at {place}."),
    # machines
    "clear": Wording("{clear}", "The rig resets the machine."),
    "block": Wording("{block} Keep it so until told.", STARTS, optional=True),
    "power_off": Wording(
        "Switch the {machine} off, or pull its plug.", "The rig makes sure that it is silent.", optional=True
    ),
    "power_on": Wording("Switch the {machine} on again.", "The rig waits until it answers.", optional=True),
    "cut_power_at_work": Wording(
        "Get ready to switch the {machine} off. Answer, and switch it off half-way through its work. Leave it off.",
        STARTS,
        optional=True,
    ),
    "stop_at_work": Wording(
        "Get ready to press the stop button of the {machine}. Answer, and press it about half-way through its work.",
        STARTS,
        optional=True,
    ),
    "empty_at_work": Wording(
        "If the cards at the entry of the {machine} can be reached without danger while it works, get ready. Answer, "
        "and take them away half-way through its work.",
        STARTS,
        optional=True,
    ),
    "lift_lid": Wording("Lift the lid of the {machine} by hand, and leave it off.", optional=True),
    "lift_lid_at_work": Wording(
        "Get ready to lift the lid of the {machine}. Answer, and lift it by hand while it works. Leave it off.",
        STARTS,
        optional=True,
    ),
    "tilt_die": Wording("Lean one die of the {machine} against the wall, so that it does not lie flat.", optional=True),
    "remove_die": Wording("Take one die out of the {machine}.", optional=True),
    "return_die": Wording("Lay all three dice into the {machine}, flat.", optional=True),
    # questions
    "has_stop_button": Wording(
        "Does the {machine} have a button that stops its work?", asks="yes or no", optional=True
    ),
    "pressed_in_time": Wording(
        "No fault was reported. Did you press the stop button of the {machine} before its work had ended?",
        asks="yes or no",
        optional=True,
    ),
    "button": Wording("Where is the button? 0 is the dealer, 1 to 6 a betting position.", asks="a position"),
    "spin": Wording("Spin the wheel. Where did it stop?", asks="a place of the wheel"),
    "turns": Wording("How many full turns did the wheel make?", asks="a number from 0 to 99"),
    "hole_card": Wording("Put the dealer's cards into the card reader. Does it show blackjack?", asks="yes or no"),
    "sensors": Wording(
        "At which seats is the sensor of the {bet} wager lit?", asks="numbers with spaces between, nothing for none"
    ),
    "meter": Wording("What does the progressive meter show, in cents?", asks="a number"),
    "read_display": Wording(
        "Look at the display of the {machine}. Which number does it show?", asks="a number", optional=True
    ),
    "read_dice": Wording(
        "Look at the dice of the {machine}. Which faces lie on top?",
        asks="three numbers with spaces between",
        optional=True,
    ),
    "go_on": Wording("{why} This is a failure for certain. Go on with the samples, or stop?", asks="go on or stop"),
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt, as it is put to whoever has hands."""

    id: int
    what: str
    where: Mapping[str, str | int]
    """The values of the prompt: the kind of device, the deck, the compartment, the place."""
    text: str
    then: str
    asks: str
    choices: tuple[str, ...]
    task: str
    step: int
    of: int | None
    """How many prompts the task takes if all goes well; None if nobody can tell."""
    complaint: str = ""
    """What was wrong with the answer before, if the prompt comes again."""

    @property
    def heading(self) -> str:
        """The task, and how far it has come."""
        most = "" if self.of is None or self.step > self.of else f" of {self.of}"
        return f"{self.task}, step {self.step}{most}" if self.task else f"step {self.step}{most}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    answer: str
    who: str = ""
    note: str = ""


class Prompter(Protocol):
    """Puts prompts to whoever has hands."""

    async def ask(self, prompt: Prompt) -> Answer:
        """The answer to a prompt, which may be none of its choices. Raises Stalled when none comes."""

    def reject(self, prompt: Prompt, why: str) -> None:
        """Say what is wrong with an answer, before the prompt comes again."""
