"""Faults that the rules name, from the emulator over the wire to the ruling: on each wire, and never certified."""

from dataclasses import dataclass

import pytest

from feltrig.emulators.faults import CATALOGUE, WIRE
from feltrig.engine.clauses import cite
from feltrig.engine.rulings import Order
from feltrig.harness import journal
from feltrig.harness.evidence import Evidence
from feltrig.harness.findings import Verdict


@dataclass(frozen=True)
class Case:
    """A fault of a kind of device, the ruling that the text orders, and the rule."""

    kind: str
    what: str
    order: Order
    rule: str
    void: int = 0
    at: int = 1
    bank: str = "none"
    deal: str = "automated_shoe"


CASES = (
    Case("shuffler", "wrong_count", Order.REMOVE_DECK, "34.8(e)"),
    Case("shuffler", "missing_card", Order.REMOVE_DECK, "34.8(e)"),
    Case("shuffler", "extra_card", Order.REMOVE_DECK, "34.8(e)"),
    Case("shuffler", "jam", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "stop", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "incomplete", Order.RESHUFFLE, "34.16(m)"),
    Case("shoe", "jam", Order.VOID, "34.16(n)", void=1),
    Case("shoe", "stop", Order.VOID, "34.16(n)", void=1, at=5),
    Case("shoe", "short_stack", Order.VOID, "34.16(h)", void=1, at=3),
    Case("shoe", "long_stack", Order.VOID, "34.16(h)", void=1, at=7),
    Case("shoe", "extra_card_unreported", Order.VOID, "34.16(h)", void=1),
    Case("shoe", "face_up_card", Order.VOID, "34.16(f)", void=1, at=2),
    Case("shaker", "cocked_die", Order.NO_ROLL, "34.16(a)"),
    Case("shaker", "die_out", Order.NO_ROLL, "34.16(b)"),
    Case("shaker", "few_shakes", Order.RESHAKE, "34.11(b)"),
    # The third shake of the shaker is the bank's: one round is played without a bank, with a roll and a parking shake.
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(j)1", at=3, bank="player"),
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(h)1", at=3, bank="player", deal="manual_shoe"),
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(i)2", at=3, bank="player", deal="hand"),
)


@pytest.mark.parametrize("wire", ["serial", "modbus-rtu", "modbus-tcp", "mqtt-3.1.1", "mqtt-5"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.kind}-{c.what}-{c.rule}")
async def test_a_fault_ends_in_the_ruling_that_the_text_orders(make_rig, play, case, wire):
    rig = make_rig(wire, bank=(case.bank,), deal=(case.deal,), extra={case.kind: _fault(case.what, case.at)})
    finished = await play(rig, 3)

    assert finished.verdict["verdict"] == "refused"
    assert finished.verdict["devices"][case.kind]["verdict"] == "refused"
    assert finished.verdict["rounds"] == {"asked": 3, "played": 3, "void": case.void}
    evidence = Evidence(journal.read(finished.folder / "journal.jsonl").records)
    rulings = [(r.data["order"], r.data["rules"][0], r.seq) for r in evidence.of("ruling")]
    machines = [r for r in rulings if r[0] not in (Order.WAGER_LOSES.value, Order.RESET_HANDS.value)]
    assert [r[:2] for r in machines] == [(case.order.value, case.rule)]
    failed = [f for f in finished.findings if f.verdict is Verdict.FAIL and f.clause == cite(case.rule, "NJ")]
    assert any(f.device == case.kind and machines[0][2] in f.evidence for f in failed)


SUBTLE = (
    ("shuffler", "missing_card_unnoticed", "reports the count that came out"),
    ("shuffler", "duplicate_card", "gives out the cards that went in"),
    ("shuffler", "face_up_card", "turns no card over"),
    ("shoe", "early_dispense", "dispenses only when told, after no more bets"),
    ("shaker", "die_missing", "holds three dice"),
    ("rng", "out_of_range", "selects a number from 1 to 7"),
    ("rng", "display_differs", "displays the number selected"),
)


@pytest.mark.parametrize(("kind", "what", "check"), SUBTLE)
async def test_a_fault_that_the_machine_does_not_admit_is_found(make_rig, play, kind, what, check):
    finished = await play(make_rig(start=("dice", "rng"), extra={kind: _fault(what)}), 4)
    assert finished.verdict["verdict"] == "refused"
    failed = [f for f in finished.findings if f.verdict is Verdict.FAIL]
    assert check in [f.check for f in failed if f.device == kind]
    assert {f.device for f in failed} == {kind}


async def test_a_shuffler_that_calls_every_deck_full_is_found_by_the_drills(make_rig, play):
    finished = await play(make_rig(extra={"shuffler": _fault("blind_count", times=9999)}), 3)
    failed = {f.check: f.detail for f in finished.findings if f.verdict is Verdict.FAIL}
    assert failed == {
        "reports a missing card": "54 cards reported where there were 53",
        "reports an extra card": "54 cards reported where there were 55",
    }


async def test_a_display_that_sticks_is_found_when_chance_cannot_explain_it(make_rig, play):
    finished = await play(make_rig(start=("rng",), extra={"rng": _fault("stuck", at=2, times=99)}), 12)
    assert [f.check for f in finished.findings if f.verdict is Verdict.FAIL] == [
        "does not select the same again and again"
    ]


@pytest.mark.parametrize(("kind", "what"), [("shuffler", "jam"), ("shaker", "cocked_die"), ("rng", "out_of_range")])
async def test_a_device_that_fails_for_ever_ends_the_run_as_unfit(make_rig, play, kind, what):
    start = "rng" if kind == "rng" else "dice"
    finished = await play(make_rig(start=(start,), extra={kind: _fault(what, times=9999)}), 3)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("refused", "unfit")


def test_every_fault_of_the_catalogue_is_played_here():
    played = {(c.kind, c.what) for c in CASES} | {(kind, what) for kind, what, _ in SUBTLE} | {("rng", "stuck")}
    played |= {("shuffler", "blind_count")}
    assert played == {(kind, what) for kind, faults in CATALOGUE.items() for what in faults if what not in WIRE}


def _fault(what: str, at: int = 1, times: int = 1) -> str:
    return f'faults = [{{ what = "{what}", at = {at}, times = {times} }}]'
