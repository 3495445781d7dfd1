"""Samples are taken in batches, recalled after a break, and looked at as they come."""

import math
import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import EventSeen, SampleTaken
from feltrig.harness.judge.decision import decide, running_test
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.plan import Sampling, plan
from feltrig.harness.plan.sampling import SamplingStep
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.statistics.core.planned import LAST_LOOK

DECK = list(range(54))


def small(kind, most=10, batch=4):
    chosen = plan(f"{kind}-nj")
    return replace(chosen, sampling=replace(chosen.sampling, most=most, batch=batch, attended_batch=3))


def crew_of(felt):
    wired = SimpleNamespace(devices=felt.devices, operator=felt.operator, use_cards=lambda codes: None)
    return RunContext(rigfile.embedded(), wired, felt.journal, 1, random.Random(1))


def numbers(*values):
    return [{"number": value} for value in values]


def fair_numbers(count, seed=1):
    rng = random.Random(seed)
    return numbers(*(rng.randint(1, 7) for _ in range(count)))


def shuffles(count, seed=1, after=None):
    rng = random.Random(seed)
    return [{"before": DECK, "after": after or rng.sample(DECK, len(DECK))} for _ in range(count)]


def rolls(count, seed=1):
    rng = random.Random(seed)
    return [{"dice": [rng.randint(1, 6) for _ in range(3)], "flat": [1, 1, 1]} for _ in range(count)]


FAIR = {"rng": fair_numbers, "shuffler": shuffles, "shaker": rolls}


def as_records(samples):
    taken = [Record(n, "", 0.0, SampleTaken("d", n, seen)) for n, seen in enumerate(samples, 1)]
    return [*taken, Record(99, "", 0.0, EventSeen("d", 1, "selected", {}))]


def riffled(count, riffles, deck=DECK, seed=1):
    """Decks cut and riffled so often, each card from the heap that has more cards left, in proportion."""
    rng = random.Random(seed)

    def riffle(cards):
        cut = sum(rng.random() < 0.5 for _ in cards)
        heaps = [cards[:cut], cards[cut:]]
        return [heaps[rng.random() * sum(map(len, heaps)) >= len(heaps[0])].pop(0) for _ in cards]

    def shuffled():
        cards = list(deck)
        for _ in range(riffles):
            cards = riffle(cards)
        return cards

    return [{"before": list(deck), "after": shuffled()} for _ in range(count)]


@pytest.mark.parametrize("sequential", [False, True])
def test_decks_of_which_a_face_has_several_copies_are_judged_like_any(sequential):
    six = [card for _ in range(6) for card in range(52)]
    chosen = small("shuffler", 3)
    good = [{"before": six, "after": random.Random(n).sample(six, len(six))} for n in range(3)]
    assert not decide(chosen, sequential, good).refused
    assert decide(chosen, sequential, riffled(3, 4, six)).refused


@pytest.mark.parametrize("sequential", [False, True])
def test_decks_of_another_size_or_with_faces_more_often_than_others_are_no_sample(sequential):
    chosen = small("shuffler")
    odd = [*DECK, DECK[0]]
    assert decide(chosen, sequential, [{"before": odd, "after": odd}]) is None
    mixed = [*shuffles(2), {"before": DECK[:52], "after": DECK[:52]}]
    decided = decide(chosen, sequential, mixed)
    assert (decided and decided.sample) == (2 if sequential else None)


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


async def test_every_shuffle_starts_from_the_same_order(felt):
    made = felt()
    step = SamplingStep(small("shuffler", most=3), "shuffler", False, False)
    await step.next_segment().run(crew_of(made))
    before = [r["seen"]["before"] for r in made.noted("sample")]
    after = [tuple(r["seen"]["after"]) for r in made.noted("sample")]
    assert before[0] == before[1] == before[2]
    assert len(set(after)) == 3


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


def test_what_was_seen_before_a_sample_that_is_none_is_not_a_pass():
    decided = decide(small("rng", most=50), True, [*fair_numbers(20), {"number": 9}, *fair_numbers(29)])
    assert decided is not None
    assert (decided.sample, decided.refused, decided.finished) == (20, False, False)


@pytest.mark.parametrize("kind", FAIR)
@pytest.mark.parametrize("sequential", [False, True])
def test_a_good_machine_is_not_refused(kind, sequential):
    decided = decide(small(kind, most=30), sequential, FAIR[kind](30))
    assert (decided.refused, decided.finished, decided.sample) == (False, True, 30)
    assert decided.level == 0.01


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        ("rng", numbers(*[1, 2, 3] * 40)),
        ("shaker", [{"dice": [2, 5, 5], "flat": [1, 1, 1]}] * 120),
        ("shuffler", shuffles(120, after=DECK[1:] + DECK[:1])),
    ],
)
def test_a_bad_machine_is_refused(kind, bad, sequential):
    decided = decide(small(kind, most=120), sequential, bad)
    assert decided.refused
    assert (decided.sample < 60) == sequential


def renamed_after_fifty(count, seed=1):
    """In every other draw the number that came fifty draws before, under another name: no bettor looks for that."""
    rng, drawn = random.Random(seed), []
    for at in range(count):
        copied = at >= 50 and rng.random() < 0.5
        drawn.append((3 * drawn[at - 50] + 1) % 7 + 1 if copied else rng.randint(1, 7))
    return numbers(*drawn)


def test_what_no_bettor_sees_is_seen_when_all_planned_samples_are_looked_at_together():
    bad = renamed_after_fifty(2000)
    decided = decide(small("rng", most=2000), True, bad)
    assert (decided.refused, decided.finished, decided.sample, decided.level) == (True, True, 2000, 0.01)
    assert decided.log_e < math.log(100), "it was refused before the last look"
    assert decided.reason.startswith("the planned 2000 draws, looked at together: a number that depends on one ")
    assert decided.decided_by in {outcome.name for outcome in decided.outcomes if outcome.p_value is not None}


def test_there_is_no_last_look_before_the_planned_samples():
    decided = decide(small("rng", most=2001), True, renamed_after_fifty(2000))
    assert (decided.refused, decided.finished) == (False, False)
    assert all(outcome.p_value is None for outcome in decided.outcomes)


def test_bettors_and_last_look_share_the_level():
    decided = decide(small("rng", most=300), True, fair_numbers(300))
    whole = decide(small("rng", most=300), False, fair_numbers(300))
    assert running_test(small("rng"))._test.level + LAST_LOOK * 0.01 == pytest.approx(0.01)
    assert decided.p_value <= whole.p_value / LAST_LOOK
    assert "then, for 0.1 of the level, " in decided.method


def test_without_samples_nothing_is_decided():
    assert decide(small("rng"), False, []) is None
    assert decide(small("rng"), True, []) is None


def test_shuffles_are_judged_by_the_order_of_loading():
    """A deck loaded in any order and turned over once is always the same movement, whatever the faces."""
    rng = random.Random(4)
    loads = [rng.sample(DECK, len(DECK)) for _ in range(8)]
    turned = [{"before": load, "after": load[::-1]} for load in loads]
    assert decide(small("shuffler", most=8), False, turned).refused


def test_the_sampling_of_a_plan_is_data():
    assert plan("shuffler-nj").sampling == Sampling(1280, 64, 2, 45.0, "shuffles")
