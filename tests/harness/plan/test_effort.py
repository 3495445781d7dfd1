"""What a plan asks of hands."""

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.effort import PROMPT_SECONDS, drill_prompts, sample_prompts, sample_seconds
from feltrig.harness.plan.plan import plan


def test_a_shuffle_takes_two_prompts_and_every_sixteenth_three():
    sampling = plan("shuffler-nj").sampling
    assert sample_prompts(sampling) == 1280 * 2 + 80
    assert sample_prompts(sampling) <= 3 * 1280
    assert sample_seconds(sampling) == 1280 * 28.0 + 2640 * PROMPT_SECONDS


@pytest.mark.parametrize("kind", ["rng", "shaker"])
def test_a_machine_that_handles_no_cards_needs_no_hands(kind):
    sampling = plan(f"{kind}-nj").sampling
    assert sample_prompts(sampling) == 0
    assert sample_seconds(sampling) == sampling.most * sampling.seconds


@pytest.mark.parametrize(("kind", "laid"), [("rng", 0), ("shaker", 0), ("shuffler", 1), ("shoe", 1)])
def test_a_deck_is_laid_before_each_drill_of_a_machine_that_handles_cards(kind, laid):
    for drill in DEVICES[kind].drills:
        assert drill_prompts(DEVICES[kind], drill) == drill.prompts + laid
