"""A plan that asks less than the one that it is made from is a rehearsal, and says what it leaves out."""

from dataclasses import replace

import pytest

from feltrig.harness.plan.plan import NamedTest, plan, plans
from feltrig.harness.plan.shortened import shortened

RNG, SHUFFLER, SHOE = plan("rng-nj"), plan("shuffler-nj"), plan("shoe-nj")


def sampling(whole, **changes):
    return {"sampling": replace(whole.sampling, **changes)}


@pytest.mark.parametrize("name", plans())
def test_no_plan_of_the_list_is_shortened(name):
    assert shortened(plan(name)) == ()


@pytest.mark.parametrize(
    ("whole", "changes", "words"),
    [
        (SHUFFLER, {"jurisdiction": "MA"}, "the rules of MA, not of NJ"),
        (SHUFFLER, {"jurisdiction": None}, "the rules of any rig, not of NJ"),
        (SHUFFLER, {"level": 0.001}, "level 0.001 instead of 0.01"),
        (SHUFFLER, {"rounds": 1}, "1 rounds of each way instead of 2"),
        (SHUFFLER, {"least_rounds": 2}, "2 rounds in all instead of 12"),
        (SHOE, {"least": ()}, "0 times dispensed instead of 24"),
        (SHUFFLER, {"drills": False}, "no irregularities"),
        (SHUFFLER, {"steps": SHUFFLER.steps[1:]}, "without rounds"),
        (SHUFFLER, {"needs": replace(SHUFFLER.needs, identity=())}, "no identity that was submitted"),
        (SHUFFLER, {"needs": replace(SHUFFLER.needs, checklist=False)}, "no checklist"),
        (RNG, {"needs": replace(RNG.needs, eye=())}, "nobody reads off its display 8 times"),
        (SHUFFLER, {"sampling": None}, "no statistics"),
        (SHUFFLER, sampling(SHUFFLER, most=1279), "1279 shuffles instead of 1280"),
        (RNG, sampling(RNG, tests=RNG.sampling.tests[1:]), "not the test that the standard names: chi-square"),
        (
            RNG,
            sampling(RNG, tests=(NamedTest("chi-square", ("pairs",)), RNG.sampling.tests[1])),
            "not the test that the standard names: chi-square",
        ),
        (SHUFFLER, {"limits": SHUFFLER.limits[1:]}, "no limit for: answers a request"),
        (
            SHUFFLER,
            {"limits": (replace(SHUFFLER.limits[0], most=2.0), *SHUFFLER.limits[1:])},
            "answers a request within 2 s instead of 1",
        ),
        (SHUFFLER, {"base": "wheel-nv"}, "made from no plan of `feltrig plan list` for a shuffler"),
        (SHUFFLER, {"base": ""}, "made from no plan of `feltrig plan list` for a shuffler"),
        (SHUFFLER, {"base": "rng-nj"}, "made from no plan of `feltrig plan list` for a shuffler"),
    ],
)
def test_what_a_plan_asks_less_is_named(whole, changes, words):
    assert shortened(replace(whole, name="ours", **changes)) == (words,)


def test_a_plan_that_asks_more_is_whole():
    more = replace(SHUFFLER, name="ours", level=0.05, rounds=9, **sampling(SHUFFLER, most=5000))
    assert shortened(more) == ()
