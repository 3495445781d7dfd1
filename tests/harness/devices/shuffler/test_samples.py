"""Shuffles as samples: which decks are judged, and by which order."""

import random

import pytest
from sample_plans import DECK, crew_of, shuffles, small

from feltrig.harness.judge.decision import decide
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


async def test_every_shuffle_starts_from_the_same_order(felt):
    made = felt()
    step = SamplingStep(small("shuffler", most=3), "shuffler", False, False)
    await step.next_segment().run(crew_of(made))
    before = [r["seen"]["before"] for r in made.noted("sample")]
    after = [tuple(r["seen"]["after"]) for r in made.noted("sample")]
    assert before[0] == before[1] == before[2]
    assert len(set(after)) == 3


def test_shuffles_are_judged_by_the_order_of_loading():
    """A deck loaded in any order and turned over once is always the same movement, whatever the faces."""
    rng = random.Random(4)
    loads = [rng.sample(DECK, len(DECK)) for _ in range(8)]
    turned = [{"before": load, "after": load[::-1]} for load in loads]
    assert decide(small("shuffler", most=8), False, turned).refused
