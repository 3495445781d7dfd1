"""A plan with fewer samples or steps goes by a name of its own, and says what it leaves out."""

import pytest

from feltrig.errors import RigError
from feltrig.harness.plan.plan import STEPS, plan
from feltrig.harness.plan.rehearsal import rehearsal
from feltrig.harness.plan.shortened import shortened

SHUFFLER = plan("shuffler-nj")


def test_fewer_samples_make_a_rehearsal():
    short = rehearsal(SHUFFLER, samples=16)
    assert (short.name, short.base, short.sampling.most) == ("shuffler-nj-rehearsal", "shuffler-nj", 16)
    assert shortened(short) == ("16 shuffles instead of 1280",)


def test_fewer_steps_make_a_rehearsal_in_the_order_of_the_plan():
    short = rehearsal(SHUFFLER, steps=["conformance", "rounds"])
    assert short.steps == ("rounds", "conformance")
    assert shortened(short) == ("without irregularities", "without statistics")


@pytest.mark.parametrize("arguments", [{}, {"samples": 1280}, {"steps": STEPS}, {"samples": 1280, "steps": STEPS}])
def test_what_leaves_nothing_out_is_the_plan_itself(arguments):
    assert rehearsal(SHUFFLER, **arguments) is SHUFFLER


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("shuffler-nj", {"samples": 0}, "--samples: 0 is not from 1 to 1280, the number in plan shuffler-nj"),
        ("shuffler-nj", {"samples": 1281}, "--samples: 1281 is not from 1 to 1280"),
        ("shoe-nj", {"samples": 5}, "--samples: plan shoe-nj takes no samples"),
        ("shoe-nj", {"steps": ["times"]}, "--steps: 'times' is not a step; expected some of rounds, irregularities"),
        ("shoe-nj", {"steps": []}, "--steps: names no step"),
    ],
)
def test_what_cannot_be_rehearsed_is_said_in_one_line(name, arguments, words):
    with pytest.raises(RigError) as error:
        rehearsal(plan(name), **arguments)
    assert str(error.value).startswith(words)


def test_a_rehearsal_cannot_be_given_a_step_that_its_plan_leaves_out():
    short = rehearsal(SHUFFLER, steps=["rounds"])
    with pytest.raises(RigError, match="has no step conformance; it has rounds"):
        rehearsal(short, steps=["conformance"])
