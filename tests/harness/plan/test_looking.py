"""A person reads off a physical machine what it shows, and is not told what it should be."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.harness.devices.hands import Hands, Tray
from feltrig.harness.journal.records import Looked
from feltrig.harness.plan.looking import segments
from feltrig.harness.plan.plan import plan


class Person:
    """Reads off what it is told to see, answer by answer; None for who cannot look."""

    def __init__(self, *sees):
        self.sees = list(sees)
        self.tasks = []

    def begin(self, task, prompts=None):
        self.tasks.append((task, prompts))

    async def read_off(self, device, what):
        seen = self.sees.pop(0)
        if seen is None:
            raise CannotBeDone(device, what)
        return seen


@pytest.fixture
def look():
    async def looked(kind, person, says, looks=3):
        shown, away = iter(says), []

        async def show(hands):
            return next(shown)

        async def put_away(hands):
            away.append(hands)

        chosen = replace(plan(f"{kind}-nj"), needs=replace(plan(f"{kind}-nj").needs, looks=looks))
        records = []
        hands = Hands(SimpleNamespace(), person, Tray((), None))
        context = SimpleNamespace(
            hands=lambda _: hands,
            wired=SimpleNamespace(operator=person),
            journal=SimpleNamespace(append=records.append),
            rng=random.Random(1),
        )
        (segment,) = segments(chosen, "box")
        eye = replace(segment.run.keywords["eye"], show=show, put_away=put_away)
        await segment.run.func(context, **{**segment.run.keywords, "eye": eye})
        assert len(away) == len(records)
        return records

    return looked


async def test_each_look_goes_on_record_with_what_the_device_says(look):
    person = Person("3", "5", "7")
    assert await look("rng", person, "357") == [Looked("box", "display", seen, seen) for seen in "357"]
    assert person.tasks == [("what its display shows", 3)]


async def test_a_slip_of_the_pen_is_asked_again_and_the_second_reading_counts(look):
    assert await look("rng", Person("8", "3", "4", "4"), "35", looks=2) == [
        Looked("box", "display", "3", "3"),
        Looked("box", "display", "4", "5"),
    ]


async def test_who_cannot_look_is_not_asked_again(look):
    assert await look("shaker", Person(None), ["1 2 3"]) == [Looked("box", "dice", None, "1 2 3")]


@pytest.mark.parametrize("kind", ["shuffler", "shoe"])
def test_there_is_nothing_to_read_off_a_machine_whose_cards_the_reader_sees(kind):
    assert list(segments(plan(f"{kind}-nj"), "box")) == []
    assert DEVICES[kind].eyes == ()
