"""Every finding says whose word it is."""

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.check import Check
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import TABLE, Verdict
from feltrig.harness.judge.judgement import judge


def test_a_check_that_does_not_say_otherwise_rests_on_the_devices_word():
    assert Check("is good", lambda evidence, device: iter(())).basis is Basis.CLAIMED


@pytest.mark.parametrize(
    ("check", "basis"),
    [
        ("displays the number selected", Basis.CLAIMED),
        ("holds three dice", Basis.CLAIMED),
        ("completes its shuffle cycle", Basis.CLAIMED),
        ("is the device that was submitted", Basis.CLAIMED),
        ("gives out the cards that went in", Basis.SEEN),
        ("dispenses stacks of the size asked for", Basis.SEEN),
        ("alternates two decks", Basis.PLAYED),
    ],
)
def test_the_basis_of_a_check_stands_beside_it(check, basis):
    assert {each.basis for _, each in all_checks() if each.name == check} == {basis}


def test_what_a_generator_and_a_shaker_give_is_their_own_word_and_a_shuffle_is_seen():
    samplers = {kind: device.sampler.basis for kind, device in DEVICES.items() if device.sampler is not None}
    assert samplers == {"rng": Basis.CLAIMED, "shaker": Basis.CLAIMED, "shuffler": Basis.SEEN}


def test_what_the_table_did_is_played_by_the_rig_and_passes_for_no_device(played):
    found = judge(Evidence(played)).findings
    passed = {f.basis for f in found if f.device == TABLE and f.verdict is Verdict.PASS}
    assert passed == {Basis.PLAYED}
    assert {f.basis for f in found if f.device != TABLE} == set(Basis)
    assert all(f.record()["basis"] in ("seen", "claimed", "played") for f in found)


def test_people_read_who_played():
    assert [basis.words for basis in Basis] == ["seen", "claimed", "played by the rig"]
