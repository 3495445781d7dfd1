"""A finding: its evidence, and how it is written."""

import pytest
from found import found_at

from feltrig.harness.judge.finding import Finding, Verdict

GAME = "supreme_pai_gow"


@pytest.mark.parametrize(("dice", "shown"), [([1, 2, 3], 10), ([1, 2], 100)])
def test_a_finding_names_a_handful_of_what_passed_and_more_of_what_failed(rig, dice, shown):
    for _ in range(120):
        rig.event("cup", "rolled", dice=dice, flat=[1] * len(dice))
    (three,) = found_at(rig, "holds three dice")
    assert len(three.evidence) == shown


def test_a_finding_is_written_in_plain_values():
    written = Finding(GAME, "19:47-34.2(a)", "box", "is whole", Verdict.FAIL, "it is not", (3, 4)).record()
    assert written == {
        "game": GAME,
        "clause": "19:47-34.2(a)",
        "device": "box",
        "check": "is whole",
        "verdict": "fail",
        "basis": "seen",
        "detail": "it is not",
        "evidence": [3, 4],
        "requirements": [],
        "lacks": [],
    }
