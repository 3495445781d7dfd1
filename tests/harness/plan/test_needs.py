"""What a certificate of a physical machine needs besides, as data of the plan."""

import json
from dataclasses import asdict

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.needs import NO_NEEDS, Needs, from_record
from feltrig.harness.plan.plan import plan, plans

SOME = Needs((("digest",), ("serial", "firmware")), True, ("display",), 8)


def test_needs_come_back_from_their_record_the_same():
    assert from_record(json.loads(json.dumps(asdict(SOME)))) == SOME


def test_needs_are_told_in_words():
    assert SOME.words == (
        "its identity was submitted: digest or serial and firmware",
        "the inspector's checklist, every item",
        "a person reads off its display, 8 times",
    )
    assert (NO_NEEDS.words, bool(NO_NEEDS), bool(SOME)) == ((), False, True)


@pytest.mark.parametrize("name", plans())
def test_every_plan_of_the_list_needs_an_identity_a_checklist_and_an_eye_for_what_only_an_eye_sees(name):
    needs = plan(name).needs
    assert needs.identity == SOME.identity
    assert needs.checklist
    assert needs.eye == tuple(eye.name for eye in DEVICES[plan(name).kind].eyes)
    assert bool(needs.looks) == bool(needs.eye)
