"""Which requirement a device breaks that did not do what it was told."""

import pytest

from feltrig.harness import demands
from feltrig.harness.journal.records import Called, Replied
from feltrig.harness.judge.blame import blamed, refused

SELECT = "DEV-33"


def test_a_refusal_breaks_the_row_of_its_command_and_the_wrong_state_also_the_status():
    assert refused("rng", "select", "bad_argument") == (SELECT,)
    assert refused("rng", "select", "wrong_state") == (SELECT, demands.STATUS)
    assert refused("rng", "reset", "bad_argument") == demands.OF_COMMON["reset"]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([Called("rng", "select", {}), Replied("rng", "select", "empty", {})], (SELECT,)),
        ([Called("rng", "select", {}), Replied("rng", "select", "ok", {})], (SELECT, demands.EVENTS_IN_ORDER)),
        ([Called("rng", "select", {}), Called("rng", "status", {})], (SELECT, demands.EVENTS_IN_ORDER)),
        ([Called("rng", "status", {})], ()),
        ([], ()),
    ],
)
def test_the_last_thing_that_was_asked_of_a_device_is_what_it_is_blamed_for(records, expected):
    assert blamed("rng", records) == expected
