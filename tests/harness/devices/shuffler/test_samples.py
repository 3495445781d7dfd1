"""Shuffles as samples: which decks are judged, and by which order."""

import random
from itertools import pairwise

import pytest
from sample_plans import DECK, crew_of, shuffles, small

from feltrig.harness.devices.shuffler.checks import shuffles as shuffles_of
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.decision import decide
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.sampling import SamplingStep


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


@pytest.fixture
async def twenty(felt):
    """Twenty samples."""
    made = felt()
    step = SamplingStep(small("shuffler", most=20, batch=20), "shuffler", False, False)
    await step.next_segment().run(crew_of(made))
    return made, [record["seen"] for record in made.noted("sample")]


async def test_a_deck_is_loaded_as_the_last_one_came_out_and_now_and_then_in_new_deck_order(twenty):
    _, seen = twenty
    anew = [number for number, sample in enumerate(seen, 1) if sample["loaded"] == "in new-deck order"]
    assert anew == [1, 17]
    assert all(seen[number - 1]["before"] == DECK for number in anew)
    for last, sample in pairwise(seen):
        if sample["loaded"] == "as it came out":
            assert sample["before"] == last["after"]
            assert sample["reads"][0] == last["reads"][1]
    assert len({tuple(sample["after"]) for sample in seen}) == 20


async def test_both_compartments_take_turns(twenty):
    made, seen = twenty
    assert [sample["compartment"] for sample in seen] == [1, 2] * 10
    assert [call["values"]["deck"] for call in made.noted("call") if call["command"] == "shuffle"] == [1, 2] * 10


async def test_every_sample_is_a_shuffle_for_the_checks(twenty):
    made, seen = twenty
    looked = list(shuffles_of(Evidence(journals.read(made.journal.path).records)))
    assert [(list(b.body.cards), list(a.body.cards)) for b, a in looked] == [(s["before"], s["after"]) for s in seen]


async def test_a_machine_that_counts_is_waited_for_until_it_has(felt):
    """It is busy until then: who opened it before would be in its way."""
    made = felt()
    step = SamplingStep(small("shuffler", most=1), "shuffler", False, False)
    await step.next_segment().run(crew_of(made))
    calls = [call["command"] for call in made.noted("call") if call["device"] == "shuffler"]
    assert calls == ["shuffle", "status"]


@pytest.mark.parametrize("sequential", [False, True])
def test_a_machine_that_gives_out_cards_by_their_faces_is_found_whatever_it_is_loaded_with(sequential):
    """Aces that come early: relative to a deck that was shuffled before, nothing shows."""
    rng = random.Random(1)
    before, taken = DECK, []
    for _ in range(256):
        aces = [card for card in DECK if card % 13 == 12]
        after = rng.sample([card for card in DECK if card not in aces], 50)
        for ace in aces:
            after.insert(rng.randrange(30), ace)
        taken.append({"before": before, "after": after, "loaded": "as it came out"})
        before = after
    plan_of = small("shuffler", most=256)
    assert decide(plan_of, sequential, taken).refused


@pytest.mark.parametrize("sequential", [False, True])
def test_a_fair_machine_loaded_as_the_last_deck_came_out_passes(sequential):
    rng, before, taken = random.Random(2), DECK, []
    for _ in range(128):
        after = rng.sample(before, len(before))
        taken.append({"before": before, "after": after, "loaded": "as it came out"})
        before = after
    assert not decide(small("shuffler", most=128), sequential, taken).refused


def test_shuffles_are_judged_by_the_order_of_loading():
    """A deck loaded in any order and turned over once is always the same movement, whatever the faces."""
    rng = random.Random(4)
    loads = [rng.sample(DECK, len(DECK)) for _ in range(8)]
    turned = [{"before": load, "after": load[::-1]} for load in loads]
    assert decide(small("shuffler", most=8), False, turned).refused
