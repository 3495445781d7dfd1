"""The technician's prompts, and the terminal that shows them."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.table.technician import Technician, terminal

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
    ("clear", ("shoe",), "Take all cards out of the dealing shoe. Remove whatever blocks it."),
    ("block", ("shoe",), "Hold a card in the card path of the dealing shoe. Keep it there until told."),
    ("take_card", ("red",), "Take one card out of the red deck and set it aside."),
    ("return_card", ("red",), "Put the card that you set aside back into the red deck."),
    ("add_card", ("red",), "Put one card of another deck into the red deck."),
    ("remove_added_card", ("red",), "Take the card of the other deck out of the red deck."),
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


@pytest.mark.parametrize(("method", "arguments", "words"), PROMPTS)
async def test_what_hands_must_do_is_said_in_plain_words(method, arguments, words):
    person = Person()
    await getattr(Technician(person), method)(*arguments)
    end = "now, while you hold it: then the machine starts." if method == "block" else "when done."
    assert person.heard == [f"{words} Press Enter {end} "]


def test_every_movement_has_a_prompt_here():
    methods = {name for name in vars(Technician) if not name.startswith("_")}
    assert {method for method, _, _ in PROMPTS} == methods - {"button", "spin", "hole_card", "sensors", "meter"}


async def test_the_button_is_asked_for_until_the_answer_is_a_position():
    person = Person("", "7", "-1", "three", "1 2", " 3 ")
    assert await Technician(person).button() == 3
    assert len(person.heard) == 6
    assert "0: dealer, 1 to 6: betting position" in person.heard[0]


async def test_what_hands_look_at_is_asked_for_until_the_answer_makes_sense():
    assert await Technician(Person("red", "17", "many", "5")).spin(("0", "17", "17"), 4) == ("17", 5)
    assert await Technician(Person("maybe", "no")).hole_card(True) is False
    assert await Technician(Person("1 and 3", "1 3")).sensors("bonus", (1,)) == (1, 3)
    assert await Technician(Person("")).sensors("bonus", (1,)) == ()
    assert await Technician(Person("a lot", " 500 ")).meter(400) == 500


async def test_a_place_that_is_none_of_the_table_is_the_callers_mistake():
    with pytest.raises(ValueError, match=r"'shoe\.well' is not a place on the table"):
        await Technician(Person()).move("shoe.well", "discard")


@pytest.fixture
def keyboard(monkeypatch):
    """The writing end of a pipe that is standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stdin, os.fdopen(writing, "wb", buffering=0) as keys:
        monkeypatch.setattr("sys.stdin", stdin)
        yield keys


async def test_a_prompt_is_shown_and_the_line_typed_is_returned(keyboard, capsys):
    answer = asyncio.create_task(terminal(5)("where? "))
    await asyncio.sleep(0)
    keyboard.write(b"the")
    keyboard.write("re, á\n".encode())
    assert await answer == "there, á"
    assert capsys.readouterr().out == "where? "


async def test_answers_that_are_piped_in_at_once_answer_one_prompt_each(keyboard):
    ask = terminal(5)
    keyboard.write(b"1\n2\n\n4")
    assert [await ask("?") for _ in range(3)] == ["1", "2", ""]
    keyboard.write(b"5\n")
    assert await ask("?") == "45"


async def test_a_technician_who_does_not_answer_stalls_the_run(keyboard):
    with pytest.raises(Stalled, match=r"operator: no answer within 0\.001 s") as stalled:
        await terminal(0.001)("?")
    assert stalled.value.device == "operator"


async def test_after_a_silence_the_keyboard_is_no_longer_watched(keyboard):
    with pytest.raises(Stalled):
        await terminal(0.001)("?")
    assert asyncio.get_running_loop().remove_reader(sys.stdin.fileno()) is False


async def test_a_closed_terminal_stalls_the_run_at_once(keyboard):
    keyboard.close()
    with pytest.raises(Stalled, match="operator: no answer before the terminal was closed"):
        await terminal(60)("?")


async def test_answers_can_come_from_a_file(monkeypatch, tmp_path: Path):
    answers = tmp_path / "answers"
    answers.write_text("1\n2\n")
    with answers.open("rb") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        ask = terminal(5)
        assert [await ask("?") for _ in range(2)] == ["1", "2"]
        with pytest.raises(Stalled, match="operator: no answer before the terminal was closed"):
            await ask("?")
