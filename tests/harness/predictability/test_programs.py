"""A deck is undone into the draws that made it, whatever program did."""

import random

import pytest
import weak_machines

from feltrig.harness.predictability.programs import PROGRAMS, VIEWS

WRITTEN = {
    "Fisher-Yates down": weak_machines.down,
    "Fisher-Yates up": weak_machines.up,
    "inside out": weak_machines.inside_out,
    "picking": weak_machines.picking,
    "insertion": weak_machines.insertion,
    "inside out by pairs": weak_machines.by_pairs,
}


@pytest.mark.parametrize("size", [52, 53])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_deck_is_undone_into_the_draws_of_the_program(program, size):
    drawn = []
    rng = random.Random(8)

    def below(bound):
        drawn.append((rng.randrange(bound), bound))
        return drawn[-1][0]

    order = WRITTEN[program.name](below, size)
    assert program.bounds(size) == tuple(bound for _, bound in drawn)
    assert program.undo(order) == [value for value, _ in drawn]
    assert tuple(program.deal([value for value, _ in drawn], size)) == order


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name or "as it is")
def test_every_view_of_a_deck_is_undone(view):
    order = tuple(random.Random(3).sample(range(52), 52))
    assert view.back(view.see(order)) == order


def test_no_two_views_are_the_same():
    order = tuple(random.Random(3).sample(range(52), 52))
    assert len({view.see(order) for view in VIEWS}) == len(VIEWS)
