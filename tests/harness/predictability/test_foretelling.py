"""The deck that was kept aside must be foretold, by a generator that runs on or starts anew."""

from itertools import islice

from weak_machines import down, modulo, msvc

from feltrig.harness.predictability.foretelling import Candidate, each_anew, goes_on
from feltrig.harness.predictability.scalings import MODULO
from feltrig.harness.predictability.targets import deck_targets

CANDIDATE = Candidate("MSVC rand", MODULO, 1 << 15)


def machine(*gaps):
    outputs = msvc(99)
    decks = [down(modulo(outputs))]
    for gap in gaps:
        list(islice(outputs, gap))
        decks.append(down(modulo(outputs)))
    return next(deck_targets(decks))


def anew(seeds, known):
    """Decks from seeds, of which `known` can be found."""
    target = next(deck_targets([down(modulo(msvc(seed))) for seed in seeds]))
    starts = {tuple(unit.values[:10]): seed for unit, seed in zip(target.units, seeds, strict=True) if seed in known}
    return each_anew(CANDIDATE, lambda draws: starts.get(tuple(draws.values[:10])), msvc, seeds[0], 0, target)


def test_a_generator_that_runs_on_foretells_the_deck_kept_aside():
    for gaps, how in (((0, 0), "runs on"), ((3, 3), "runs on, 3 and then 3 outputs between"), ((1, 9), "1 and then 9")):
        target = machine(*gaps)
        found = goes_on(CANDIDATE, "seed 99", msvc(99), 0, target)
        assert found is not None
        assert how in found.how
        assert found.foretold == found.dealt == target.show(target.units[2].values)


def test_a_deck_of_another_machine_is_not_foretold():
    target = machine(0, 0)
    other = next(deck_targets([*(target.show(unit.values) for unit in target.units[:2]), down(modulo(msvc(7)))]))
    assert goes_on(CANDIDATE, "seed 99", msvc(99), 0, other) is None


def test_a_seed_that_counts_up_or_stays_foretells_the_whole_deck():
    for seeds, how in (((5, 5, 5), "from the same state"), ((5, 35, 65), "counts up by 30")):
        found = anew(seeds, seeds[:2])
        assert found is not None
        assert how in found.how
        assert found.foretold == found.dealt == down(modulo(msvc(seeds[2])))


def test_any_seed_foretells_the_rest_of_the_deck_from_its_first_draws():
    found = anew((5, 1000, 77), (5, 1000, 77))
    assert found is not None
    assert "14 draws of the deck kept aside told the rest" in found.how


def test_a_seed_that_cannot_be_found_foretells_nothing():
    assert anew((5, 1000, 77), (5, 1000)) is None
    assert anew((5, 1000, 77), (5,)) is None
