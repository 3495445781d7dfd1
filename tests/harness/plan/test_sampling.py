"""Samples are taken in batches, recalled after a break, and looked at as they come."""

from dataclasses import replace

import pytest
from sample_plans import DECK, FAIR, crew_of, fair_numbers, numbers, small

from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import EventSeen, SampleTaken
from feltrig.harness.judge.decision import decide, running_test
from feltrig.harness.plan.plan import Sampling, plan
from feltrig.harness.plan.sampling import SamplingStep


def as_records(samples):
    taken = [Record(n, "", 0.0, SampleTaken("d", n, seen)) for n, seen in enumerate(samples, 1)]
    return [*taken, Record(99, "", 0.0, EventSeen("d", 1, "selected", {}))]


@pytest.mark.parametrize(("attended", "counts"), [(False, [4, 4, 2]), (True, [3, 3, 3, 1])])
def test_batches_add_up_to_what_the_plan_asks(attended, counts):
    step = SamplingStep(small("rng"), "rng", False, attended)
    segments = list(iter(step.next_segment, None))
    assert [segment.definition["count"] for segment in segments] == counts
    assert [segment.definition["first"] for segment in segments] == [1 + sum(counts[:n]) for n in range(len(counts))]
    assert len({segment.name for segment in segments}) == len(segments)


def test_a_plan_without_samples_has_no_legs():
    assert SamplingStep(replace(small("rng"), sampling=None), "rng", False, False).next_segment() is None


@pytest.mark.parametrize("kind", FAIR)
async def test_each_sample_is_taken_from_the_device_and_recorded_with_its_number(felt, kind):
    made, told = felt(), []
    step = SamplingStep(small(kind, most=5, batch=3), kind, False, False, told.append)
    while (segment := step.next_segment()) is not None:
        await segment.run(crew_of(made))
    recorded = made.noted("sample")
    assert [(r["device"], r["number"]) for r in recorded] == [(kind, n) for n in range(1, 6)]
    assert [(p.taken, p.most, p.evidence) for p in told] == [(3, 5, None), (5, 5, None)]
    for seen in (r["seen"] for r in recorded):
        match kind:
            case "rng":
                assert seen["number"] in range(1, 8)
            case "shaker":
                assert len(seen["dice"]) == len(seen["flat"]) == 3
            case "shuffler":
                assert sorted(seen["before"]) == sorted(seen["after"])
                assert seen["before"] != seen["after"]


def test_a_sequential_test_stops_asking_when_it_has_refused():
    told = []
    step = SamplingStep(small("rng", most=1000, batch=64), "rng", True, False, told.append)
    batches = 0
    while (segment := step.next_segment()) is not None:
        step.recall(segment.name, as_records(numbers(*[3] * segment.definition["count"])))
        batches += 1
    assert batches == 1
    assert told[-1].evidence >= 100


def test_a_sequential_test_of_a_good_machine_takes_all_samples():
    step = SamplingStep(small("rng", most=100, batch=40), "rng", True, False)
    good, taken = fair_numbers(100), 0
    while (segment := step.next_segment()) is not None:
        step.recall(segment.name, as_records(good[taken : taken + segment.definition["count"]]))
        taken += segment.definition["count"]
    assert taken == 100


async def test_what_is_recalled_weighs_as_much_as_what_is_taken(felt):
    plan_of, made = small("rng", most=12, batch=6), felt()
    taken, recalled = [], []
    one = SamplingStep(plan_of, "rng", True, False, taken.append)
    await one.next_segment().run(crew_of(made))
    other = SamplingStep(plan_of, "rng", True, False, recalled.append)
    other.recall(other.next_segment().name, as_records([r["seen"] for r in made.noted("sample")]))
    assert recalled == taken
    assert one.next_segment() == other.next_segment()


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        ("rng", {"number": 8}),
        ("rng", {"number": 0}),
        ("shaker", {"dice": [1, 2], "flat": [1, 1]}),
        ("shaker", {"dice": [1, 2, 7], "flat": [1, 1, 1]}),
        ("shuffler", {"before": DECK, "after": DECK[1:]}),
    ],
)
def test_a_sample_that_is_none_ends_a_sequential_test_and_leaves_nothing_to_judge(kind, bad):
    running = running_test(small(kind, most=50))
    running.add([bad])
    assert running.finished
    assert decide(small(kind, most=50), True, [bad]) is None
    assert decide(small(kind, most=50), False, [*FAIR[kind](20), bad]) is None


def test_the_sampling_of_a_plan_is_data():
    assert plan("shuffler-nj").sampling == Sampling(1280, 64, 2, 45.0, "shuffles")
