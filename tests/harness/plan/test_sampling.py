"""Samples are taken in batches, recalled after a break, and looked at as they come."""

from dataclasses import asdict, replace

import pytest
from sample_plans import DECK, FAIR, crew_of, fair_numbers, numbers, shuffles, small

from feltrig.emulators.models.faults import Fault
from feltrig.harness.devices.failures import Redo
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import EventSeen, Prompted, SampleTaken, SegmentBegun
from feltrig.harness.judge.decision import decide, running_test
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.plan import Sampling, from_record, plan
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
    expected = Sampling(1280, 64, 2, 28.0, "shuffles", anew_every=16, prompts=2)
    assert plan("shuffler-nj").sampling == expected


def test_a_journal_of_before_has_every_deck_in_new_deck_order():
    record = asdict(plan("shuffler-nj"))
    del record["sampling"]["anew_every"], record["sampling"]["prompts"]
    assert from_record(record).sampling.anew_every == 1


class Deciding:
    """An operator of the felt who decides whether to go on."""

    def __init__(self, operator, goes_on):
        self._operator, self._goes_on, self.why = operator, goes_on, []

    def __getattr__(self, name):
        return getattr(self._operator, name)

    async def go_on(self, why):
        self.why.append(why)
        return self._goes_on


@pytest.mark.parametrize(("goes_on", "taken"), [(False, 3), (True, 12)])
async def test_when_a_card_is_lost_for_certain_hands_decide_once_whether_to_go_on(felt, goes_on, taken):
    made = felt({"shuffler": Fault("missing_card", at=2)})
    operator = Deciding(made.operator, goes_on)
    step = SamplingStep(small("shuffler", most=12, batch=3), "shuffler", False, False)
    context = crew_of(replace(made, operator=operator))
    batches = []
    while (segment := step.next_segment()) is not None:
        await segment.run(context)
        batches.append(segment)
        if len(batches) == 1:
            assert operator.why == ["Sample 2 is one that no good shuffler gives."]
    assert len(operator.why) == 1
    assert len(made.noted("sample")) == taken


def test_a_resumed_run_goes_on_only_if_that_was_wanted(felt):
    bad = [*shuffles(2), {"before": DECK, "after": DECK[1:]}]
    asked = Record(98, "", 0.0, Prompted(1, "go_on", {}, "", "", "go on"))
    for records, goes_on in ((as_records(bad), False), ([*as_records(bad), asked], True)):
        step = SamplingStep(small("shuffler", most=6, batch=3), "shuffler", False, False)
        step.recall(step.next_segment().name, records)
        assert (step.next_segment() is not None) is goes_on


async def test_a_sample_that_is_done_again_begins_with_a_new_deck_and_counts_once(felt):
    made = felt()
    for driver in made.devices.values():
        await driver.open()

    class Clumsy(Deciding):
        async def unload_to_reader(self, device, compartment):
            if made.bench.count("shuffler.out.1") and not made.noted("redone") and len(made.noted("sample")) == 2:
                raise Redo("dropped")
            await self._operator.unload_to_reader(device, compartment)

    step = SamplingStep(small("shuffler", most=4, batch=4), "shuffler", False, False)
    made.journal.append(SegmentBegun("samples 1 to 4", ""))
    await step.next_segment().run(crew_of(replace(made, operator=Clumsy(made.operator, False))))
    assert [record["what"] for record in made.noted("redone")] == ["sample 3"]
    assert [record["seen"]["loaded"] == "in new-deck order" for record in made.noted("sample")] == [
        True, False, True, False,
    ]  # fmt: skip
    evidence = Evidence(journals.read(made.journal.path).records)
    assert len(list(evidence.events("shuffler", "shuffled"))) == 4
    assert len(made.noted("sample")) == 4


async def test_a_no_roll_is_shaken_again_and_is_no_sample(felt):
    made = felt({"shaker": Fault("cocked_die", at=2)})
    step = SamplingStep(small("shaker", most=4, batch=4), "shaker", False, False)
    await step.next_segment().run(crew_of(made))
    assert all(all(record["seen"]["flat"]) for record in made.noted("sample"))
    assert len([event for event in made.noted("event") if event["event"] == "rolled"]) == 5
