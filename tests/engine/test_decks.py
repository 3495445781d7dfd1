"""Decks that alternate, stubs that are counted."""

from feltrig.engine.decks import Decks, Stage, StubCount


def test_two_decks_alternate_and_the_used_one_must_be_shuffled():
    decks = Decks(("red", "blue"))
    decks.start("red")
    decks.finish("red", counted=True)
    assert (decks.in_play, decks.waiting, decks.counted) == ("red", "blue", {"red"})
    decks.alternate()
    assert (decks.in_play, decks.waiting) == ("blue", "red")
    assert decks.stages["red"] is Stage.USED
    assert not decks.counted


def test_a_single_deck_is_always_in_play():
    decks = Decks(("red",))
    decks.alternate()
    assert (decks.in_play, decks.waiting) == ("red", None)


def test_a_removed_deck_is_gone_until_it_is_replaced_and_then_unshuffled():
    decks = Decks(("red",))
    decks.start("red")
    decks.finish("red", counted=False)
    decks.remove("red", ("34.8(e)",))
    assert decks.removed == {"red": ("34.8(e)",)}
    decks.replace("red")
    assert not decks.removed
    assert decks.stages["red"] is Stage.USED


def test_stub_count_is_due_in_the_last_of_so_many_rounds_and_starts_anew_with_a_count():
    stub = StubCount(every=3)
    assert stub.uncounted == 0
    due = []
    for counted in (False, False, True, False, True, False, False, False):
        due.append(stub.due)
        stub.round_over(counted)
    assert due == [False, False, True, False, False, False, False, True]
