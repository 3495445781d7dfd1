"""The technician's prompts, and what can be answered."""

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import CannotBeDone, Redo, SomethingWrong, Stalled
from feltrig.harness.journal import reader as journals
from feltrig.harness.table.prompts import CANNOT, DONE, REDO, WRONG, Answer, Prompt
from feltrig.harness.table.prompts import PROMPTS as WORDINGS
from feltrig.harness.table.technician import Technician

PROMPTS = (
    (
        "bring_deck",
        ("red",),
        "Lay the red deck on the table in new-deck order, jokers last. Remove any other red deck.",
    ),
    ("show_deck", ("red",), "Lay the red deck on the reader's tray. Keep the order."),
    ("from_reader", ("felt.0",), "Move the cards from the reader's tray to the dealer, face down."),
    ("from_reader", ("felt.3",), "Move the cards from the reader's tray to betting position 3, face down."),
    ("from_reader", ("deck.blue",), "Move the cards from the reader's tray to the place of the blue deck, face down."),
    ("load", ("shuffler", "blue"), "Put the blue deck into the shuffler (compartment 2, if it has two)."),
    ("load", ("shoe", "red"), "Put the red deck into the dealing shoe."),
    (
        "unload",
        ("shuffler", "blue"),
        "Take the blue deck out of the shuffler (compartment 2, if it has two). Keep the order.",
    ),
    ("shuffle_by_hand", ("red",), "Shuffle the red deck by hand."),
    ("cut", ("red", 20), "Cut the red deck: move the top 20 cards to the bottom."),
    ("show_card", ("red",), "Draw the next card of the red deck onto the reader's tray."),
    ("show_stack", ("shoe",), "Move the stack from the exit of the dealing shoe to the reader's tray."),
    ("show_stub", ("red", "shoe"), "Lay the cards left in the dealing shoe on the reader's tray. Keep the order."),
    ("show_stub", ("red", None), "Lay the rest of the red deck on the reader's tray. Keep the order."),
    (
        "move",
        ("stack.7", "felt.0"),
        "Move the cards from stack 7 (counted from the dealer's left) to the dealer, face down.",
    ),
    ("move", ("felt.6", "discard"), "Move the cards from betting position 6 to the discard rack, face down."),
    (
        "from_reader",
        ("area.community.2",),
        "Move the cards from the reader's tray to the place for community 2, face down.",
    ),
    ("gather", ("red",), "Gather all cards of the red deck, wherever they are, at its place, face down."),
    ("clear", ("shoe",), "Take all cards out of the dealing shoe. Remove whatever blocks it. Release its stop button."),
    ("block", ("shoe",), "Hold a card in the card path of the dealing shoe. Keep it so until told."),
    ("take_cards", ("red", 1), "Take one card out of the red deck and set aside what you took."),
    ("take_cards", ("red", 10), "Take 10 cards out of the red deck and set aside what you took."),
    ("add_cards", ("red", 2), "Put 2 cards of another deck into the middle of the red deck."),
    (
        "swap_card",
        ("red",),
        "Set one card of the red deck aside. Put a card of another deck in its place that is in the red deck already.",
    ),
    (
        "restore_deck",
        ("red",),
        "Put what you set aside back into the red deck. Take out the cards of another deck.",
    ),
    (
        "show_new_deck",
        ("red",),
        "Lay the red deck on the reader's tray in new-deck order, jokers last. Remove any other red deck.",
    ),
    (
        "load_from_reader",
        ("shuffler", 2),
        "Move the cards from the reader's tray into the shuffler (compartment 2, if it has two), face down. Keep the "
        "order.",
    ),
    (
        "unload_to_reader",
        ("shuffler", 1),
        "Take the cards out of the shuffler (compartment 1, if it has two). Lay them on the reader's tray. Keep the "
        "order.",
    ),
    ("block", ("shaker",), "Hold the lid of the shaker, so that it cannot move. Keep it so until told."),
    ("clear", ("shaker",), "Let go of the lid of the shaker. Remove whatever blocks it. Release its stop button."),
    ("lay_deck", ("red",), "Lay the whole red deck at its place, in any order, without cards of other decks."),
    (
        "empty_at_work",
        ("shuffler",),
        "If the cards at the entry of the shuffler can be reached without danger while it works, get ready. Answer, "
        "and take them away half-way through its work.",
    ),
    ("power_off", ("rng",), "Switch the rng off, or pull its plug."),
    ("power_on", ("rng",), "Switch the rng on again."),
    (
        "cut_power_at_work",
        ("shoe",),
        "Get ready to switch the dealing shoe off. Answer, and switch it off half-way through its work. Leave it off.",
    ),
    (
        "stop_at_work",
        ("shoe",),
        "Get ready to press the stop button of the dealing shoe. Answer, and press it about half-way through its work.",
    ),
    ("lift_lid", ("shaker",), "Lift the lid of the shaker by hand, and leave it off."),
    (
        "lift_lid_at_work",
        ("shaker",),
        "Get ready to lift the lid of the shaker. Answer, and lift it by hand while it works. Leave it off.",
    ),
    ("tilt_die", ("shaker",), "Lean one die of the shaker against the wall, so that it does not lie flat."),
    ("remove_die", ("shaker",), "Take one die out of the shaker."),
    ("return_die", ("shaker",), "Lay all three dice into the shaker, flat."),
    ("clear_layout", (), "Move every card on the layout to the discard rack. Keep the order."),
    ("place_button", (0,), "Put the button at the dealer."),
    ("place_button", (5,), "Put the button at betting position 5."),
)


class Person:
    """Answers prompts from a list, with Enter when it is empty."""

    def __init__(self, *answers: str) -> None:
        self.heard: list[str] = []
        self._answers = list(answers)

    async def __call__(self, prompt: str) -> str:
        self.heard.append(prompt)
        return self._answers.pop(0) if self._answers else ""


QUESTIONS = {"button", "spin", "hole_card", "sensors", "meter", "read_off", "go_on"}
QUESTIONS |= {"has_stop_button", "pressed_in_time"}
ASKS_NOTHING = {"begin", "reaction"}


class Scripted:
    """A prompter that answers from a list, and with `done` when it is empty."""

    def __init__(self, *answers: str | Answer) -> None:
        self.prompts: list[Prompt] = []
        self.rejected: list[str] = []
        self._answers = list(answers)

    async def ask(self, prompt: Prompt) -> Answer:
        self.prompts.append(prompt)
        answer = self._answers.pop(0) if self._answers else DONE
        return answer if isinstance(answer, Answer) else Answer(answer)

    def reject(self, prompt: Prompt, why: str) -> None:
        self.rejected.append(why)


@pytest.mark.parametrize(("method", "arguments", "words"), PROMPTS)
async def test_what_hands_must_do_is_said_in_plain_words(method, arguments, words):
    person = Scripted()
    await getattr(Technician(person), method)(*arguments)
    assert [prompt.text for prompt in person.prompts] == [words]
    assert person.prompts[0].what == method


def test_every_movement_has_a_prompt_here():
    methods = {name for name in vars(Technician) if not name.startswith("_")} - ASKS_NOTHING
    assert {method for method, _, _ in PROMPTS} == methods - QUESTIONS


def test_every_prompt_is_one_that_the_technician_can_get():
    methods = {name for name in vars(Technician) if not name.startswith("_")} - ASKS_NOTHING
    assert set(WORDINGS) == (methods - {"read_off"}) | {"turns", "read_display", "read_dice"}


@pytest.mark.parametrize(
    ("device", "what", "answers", "seen"),
    [("rng", "display", ("seven", "7"), "7"), ("shaker", "dice", ("6 1", "6 1 x", "6  1 3"), "1 3 6")],
)
async def test_a_person_reads_off_a_machine_until_it_makes_sense(device, what, answers, seen):
    person = Scripted(*answers)
    assert await Technician(person).read_off(device, what) == seen
    assert len(person.rejected) == len(answers) - 1
    assert person.prompts[0].what == f"read_{what}"
    assert device in person.prompts[0].text


@pytest.mark.parametrize("question", ["has_stop_button", "pressed_in_time"])
async def test_a_stop_button_is_asked_about(question):
    person = Scripted("perhaps", "yes", "no", CANNOT)
    ask = getattr(Technician(person), question)
    assert [await ask("rng"), await ask("rng")] == [True, False]
    assert "of the rng" in person.prompts[0].text or "the rng have" in person.prompts[0].text
    with pytest.raises(CannotBeDone):
        await ask("rng")


def test_a_person_needs_time_to_act_and_a_program_says_itself_whether_it_is_quick_enough():
    assert Technician(Person()).reaction("rng") == DEVICES["rng"].reaction > 0
    assert Technician(Scripted()).reaction("rng") == 0


async def test_what_nobody_can_see_cannot_be_read_off():
    with pytest.raises(CannotBeDone, match="read display cannot be done with this rng"):
        await Technician(Scripted(CANNOT)).read_off("rng", "display")


async def test_a_prompt_says_which_step_of_its_task_it_is():
    person = Scripted()
    technician = Technician(person)
    technician.begin("samples 3 to 4", 2)
    for _ in range(3):
        await technician.load_from_reader("shuffler", 1)
    assert [prompt.heading for prompt in person.prompts] == [
        "samples 3 to 4, step 1 of 2",
        "samples 3 to 4, step 2 of 2",
        "samples 3 to 4, step 3",  # something went wrong, and it takes longer
    ]
    assert [prompt.id for prompt in person.prompts] == [1, 2, 3]
    technician.begin("rounds 1")
    await technician.gather("red")
    assert person.prompts[-1].heading == "rounds 1, step 1"
    assert person.prompts[0].where == {"device": "shuffler", "compartment": 1}


async def test_hands_can_say_that_a_machine_does_not_allow_it():
    with pytest.raises(CannotBeDone, match="power off cannot be done with this rng") as refused:
        await Technician(Scripted(CANNOT)).power_off("rng")
    assert (refused.value.device, refused.value.what) == ("rng", "power_off")


async def test_a_deck_can_always_be_moved():
    person = Scripted(CANNOT)
    await Technician(person).gather("red")
    assert person.rejected == ["'cannot' is not one of done, redo, wrong"]


async def test_hands_can_go_back_to_the_beginning_of_a_task():
    technician = Technician(Scripted(REDO))
    technician.begin("drill: reports a jam")
    with pytest.raises(Redo, match="drill: reports a jam"):
        await technician.gather("red")


async def test_hands_can_say_that_something_is_wrong():
    with pytest.raises(SomethingWrong, match="something is wrong: the motor smokes") as wrong:
        await Technician(Scripted(Answer(WRONG, "Ann", "the motor smokes"))).power_off("rng")
    assert wrong.value.device == "operator"


async def test_a_machine_that_nobody_attends_cannot_be_switched_off_and_its_cards_are_not_moved():
    async def nobody(_: str) -> str:
        raise Stalled("operator", "answer", "before the terminal was closed")

    with pytest.raises(CannotBeDone, match="nobody is there to do it"):
        await Technician(nobody).power_off("rng")
    with pytest.raises(Stalled, match="no answer"):
        await Technician(nobody).gather("red")


async def test_every_prompt_and_its_answer_are_on_record(journal):
    technician = Technician(Scripted(Answer(DONE, "robot 3", "slowly")), journal)
    technician.begin("samples 1 to 2", 3)
    await technician.load_from_reader("shuffler", 2)
    journal.flush()
    record = list(journals.read(journal.path).records)[-1]
    assert record.kind == "prompt"
    assert record.data == {
        "id": 1,
        "what": "load_from_reader",
        "where": {"device": "shuffler", "compartment": 2},
        "task": "samples 1 to 2",
        "text": "Move the cards from the reader's tray into the shuffler (compartment 2, if it has two), face down. "
        "Keep the order.",
        "answer": "done",
        "who": "robot 3",
        "note": "slowly",
    }


async def test_the_button_is_asked_for_until_the_answer_is_a_position():
    person = Scripted("", "7", "-1", "three", "1 2", "3")
    assert await Technician(person).button() == 3
    assert len(person.prompts) == 6
    assert "0 is the dealer, 1 to 6 a betting position" in person.prompts[0].text
    assert person.rejected[1] == "'7' is not one of 0, …, 6"
    assert person.prompts[2].complaint == "'7' is not one of 0, …, 6."


async def test_what_hands_look_at_is_asked_for_until_the_answer_makes_sense():
    assert await Technician(Scripted("red", "17", "many", "5")).spin(("0", "17", "17"), 4) == ("17", 5)
    assert await Technician(Scripted("maybe", "no")).hole_card(True) is False
    assert await Technician(Scripted("1 and 3", "1 3")).sensors("bonus", (1,)) == (1, 3)
    assert await Technician(Scripted("")).sensors("bonus", (1,)) == ()
    assert await Technician(Scripted("a lot", "500")).meter(400) == 500


@pytest.mark.parametrize(("answer", "goes_on"), [("go on", True), ("stop", False)])
async def test_hands_decide_whether_to_go_on_with_a_machine_that_has_failed(answer, goes_on):
    person = Scripted("maybe", answer)
    assert await Technician(person).go_on("53 cards came out.") is goes_on
    assert person.prompts[0].text.startswith("53 cards came out. This is a failure for certain.")


async def test_a_place_that_is_none_of_the_table_is_the_callers_mistake():
    with pytest.raises(ValueError, match=r"'shoe\.well' is not a place on the table"):
        await Technician(Scripted()).move("shoe.well", "discard")
