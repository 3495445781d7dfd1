"""Faults that the rules name, from the emulator over the wire to the ruling: on each wire, and never certified."""

from dataclasses import dataclass, replace

import pytest

from feltrig.emulators.models import fault_types
from feltrig.emulators.models.faults import WIRE
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Order
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import CardsRead, Ruled
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run

GAME = "supreme_pai_gow"
KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
WIRES = ("serial", "modbus-rtu", "modbus-tcp", "mqtt-3.1.1", "mqtt-5")


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
    Case("shuffler", "double_feed", Order.REMOVE_DECK, "34.8(e)"),
    Case("shuffler", "jam_in", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "jam", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "jam_out", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "stop", Order.RESHUFFLE, "34.16(m)"),
    Case("shuffler", "incomplete", Order.RESHUFFLE, "34.16(m)"),
    Case("shoe", "jam_well", Order.VOID, "34.16(n)", void=1),
    Case("shoe", "jam", Order.VOID, "34.16(n)", void=1),
    Case("shoe", "jam_exit", Order.VOID, "34.16(n)", void=1, at=4),
    Case("shoe", "stop", Order.VOID, "34.16(n)", void=1, at=5),
    Case("shoe", "short_stack", Order.VOID, "34.16(h)", void=1, at=3),
    Case("shoe", "long_stack", Order.VOID, "34.16(h)", void=1, at=7),
    Case("shoe", "misfeed", Order.VOID, "34.16(h)", void=1),
    Case("shoe", "double_feed", Order.VOID, "34.16(h)", void=1),
    Case("shoe", "face_up_card", Order.VOID, "34.16(f)", void=1, at=2),
    Case("shaker", "cocked_die", Order.NO_ROLL, "34.16(a)"),
    Case("shaker", "die_out", Order.NO_ROLL, "34.16(b)"),
    Case("shaker", "few_shakes", Order.RESHAKE, "34.11(b)"),
    # The third shake of the shaker is the bank's: one round is played without a bank, with a roll and a parking shake.
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(j)1", at=3, bank="player"),
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(h)1", at=3, bank="player", deal="manual_shoe"),
    Case("shaker", "lid_lifted", Order.RESHAKE, "34.13(i)2", at=3, bank="player", deal="hand"),
)

NO_ROLLS = {"cocked_die", "die_out", "lid_lifted"}
"""What happens to a good shaker now and then: the dice are shaken again, and once is no failure."""


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.kind}-{c.what}-{c.rule}")
async def test_a_fault_ends_in_the_ruling_that_the_text_orders(make_rig, play, case, wire):
    rig = make_rig(wire, bank=(case.bank,), deal=(case.deal,), extra={case.kind: _fault(case.what, at=case.at)})
    finished = await play(rig, 3)

    expected = "no failure seen" if case.what in NO_ROLLS else "refused"
    assert finished.verdict["verdict"] == expected
    assert finished.verdict["devices"][case.kind]["verdict"] == expected
    assert finished.verdict["rounds"] == {"asked": 3, "played": 3, "void": case.void}
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    rulings = [(r.data["order"], r.data["rules"][0], r.seq) for r in evidence.of(Ruled)]
    machines = [r for r in rulings if r[0] not in (Order.WAGER_LOSES.value, Order.RESET_HANDS.value)]
    assert [r[:2] for r in machines] == [(case.order.value, case.rule)]
    failed = [
        f for f in finished.findings if f.verdict is Verdict.FAIL and f.clause == GAMES[GAME].cite(case.rule, "NJ")
    ]
    found = any(f.device == case.kind and machines[0][2] in f.evidence for f in failed)
    assert found is (case.what not in NO_ROLLS)


SUBTLE = (
    ("shuffler", "missing_card_unnoticed", {}, "reports the count that came out"),
    ("shuffler", "duplicate_card", {}, "gives out the cards that went in"),
    ("shuffler", "face_up_card", {}, "turns no card over"),
    ("shuffler", "unshuffled", {"at": 2, "every": 2}, "changes the order of the deck"),
    ("shuffler", "half_shuffled", {}, "lets no cards stay together"),
    ("shuffler", "repeated_shuffle", {"at": 3}, "never shuffles twice alike"),
    ("shuffler", "sort_mode", {"at": 2}, "does not sort the deck"),
    ("shoe", "early_dispense", {}, "dispenses only when told, after no more bets"),
    ("shoe", "bottom_card", {"at": 3}, "dispenses the deck from its top"),
    ("shaker", "die_missing", {}, "holds three dice"),
    ("shaker", "lid_sensor_dead", {"at": 2}, "says when its lid is off"),
    ("rng", "out_of_range", {}, "selects a number from 1 to 7"),
    ("rng", "display_differs", {}, "displays the number selected"),
    ("rng", "display_stale", {"at": 2}, "displays the number selected"),
    ("rng", "selects_twice", {}, "selects once for each trigger"),
)


@pytest.mark.parametrize(("kind", "what", "when", "check"), SUBTLE)
async def test_a_fault_that_the_machine_does_not_admit_is_found(make_rig, play, kind, what, when, check):
    finished = await play(make_rig(start=("dice", "rng"), extra={kind: _fault(what, **when)}), 4)
    _found(finished, kind, check)


UNFIT = (("rng", "stop"), ("shaker", "stop"), ("shaker", "lid_jam"), ("reader", "blind"))


@pytest.mark.parametrize(("kind", "what"), UNFIT)
async def test_a_machine_that_stops_where_the_rules_have_no_remedy_is_unfit(make_rig, play, kind, what):
    finished = await play(make_rig(start=("dice", "rng"), extra={kind: _fault(what)}), 4)
    assert finished.verdict["ended"] == "unfit"
    _found(finished, kind, "carries out its commands")


ELECTRONICS = {
    "slow": ({"at": 3, "seconds": 60.0}, "carries out its commands"),
    "hang": ({"at": 3}, "carries out its commands"),
    "restart": ({"event": 9}, "numbers its events without a gap"),
    "power_loss": ({"event": 9}, "does not restart during the run"),
    "power_loss_forgetful": ({"event": 9}, "does not restart during the run"),
    "counter_jump": ({"event": 9}, "numbers its events without a gap"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ELECTRONICS)
async def test_what_befalls_the_electronics_of_any_machine_is_found(make_rig, play, kind, what):
    when, check = ELECTRONICS[what]
    wire = WIRES[(KINDS.index(kind) + list(ELECTRONICS).index(what)) % len(WIRES)]
    start = "rng" if kind == "rng" else "dice"
    rig = make_rig(wire, start=(start,), extra={kind: _fault(what, **when)}, deadline=1.5)
    finished = await play(_impatient(rig, kind), 10 if kind == "rng" else 3)
    _found(finished, kind, check)


@pytest.mark.parametrize(
    ("what", "check"),
    [("power_loss", "does not restart during the run"), ("counter_jump", "numbers its events without a gap")],
)
async def test_what_befalls_the_electronics_in_a_drill_is_found_too(make_rig, play, what, check):
    """A round has three events of the shuffler."""
    rig = make_rig(extra={"shuffler": _fault(what, event=3 * 3 + 2)}, deadline=1.5)
    finished = await play(_impatient(rig, "shuffler"), 3)
    _found(finished, "shuffler", check)


async def test_a_count_that_never_comes_is_waited_for_in_vain(make_rig, play):
    finished = await play(_impatient(make_rig(extra={"shuffler": _fault("no_count")}), "shuffler"), 3)
    _found(finished, "shuffler", "counts the cards after each shuffle")
    failed = {f.check: f.detail for f in finished.findings if f.verdict is Verdict.FAIL}
    assert failed["carries out its commands"] == "shuffler: no event counted within 0.4 s"


UNSEEN = (("shaker", "few_shakes_unreported", {"times": 0}), ("shuffler", "slow", {"times": 0, "seconds": 0.001}))


@pytest.mark.parametrize(("kind", "what", "when"), UNSEEN)
async def test_what_no_wire_shows_is_not_found_as_the_catalogue_says(make_rig, play, kind, what, when):
    """A rig that claimed to see these would be guessing."""
    finished = await play(make_rig(extra={kind: _fault(what, **when)}), 3)
    assert finished.verdict["verdict"] == "no failure seen"
    assert "nothing" in fault_types()[kind][what].expected


async def test_a_round_that_a_jam_left_void_does_not_tell_against_the_other_devices(make_rig, play):
    """The lid is still off when the next table is opened."""
    rig = make_rig(deal=("automated_shoe", "manual_shoe"), extra={"shoe": _fault("jam", at=3)})
    finished = await play(rig, 4)
    assert (finished.verdict["ended"], finished.verdict["rounds"]["played"]) == ("finished", 4)
    assert {name for name, d in finished.verdict["devices"].items() if d["verdict"] == "refused"} == {"shoe"}


async def test_a_shuffler_that_calls_every_deck_full_is_found_by_the_drills(make_rig, play):
    finished = await play(make_rig(extra={"shuffler": _fault("blind_count", times=0)}), 3)
    failed = {f.check: f.detail for f in finished.findings if f.verdict is Verdict.FAIL}
    assert failed == {
        "reports a missing card": "54 cards reported where there were 53",
        "reports two missing cards": "54 cards reported where there were 52",
        "reports ten missing cards": "54 cards reported where there were 44",
        "reports an extra card": "54 cards reported where there were 55",
        "reports two extra cards": "54 cards reported where there were 56",
        "reports that cards were taken away while it worked": "DEV-82: 54 cards reported where 27 came out",
    }


@pytest.mark.parametrize(
    ("start", "kind", "what", "check"),
    [
        ("rng", "rng", "stuck", "does not select the same again and again"),
        ("dice", "shaker", "dice_stuck", "does not roll the same again and again"),
    ],
)
async def test_outcomes_that_stick_are_found_when_chance_cannot_explain_them(make_rig, play, start, kind, what, check):
    finished = await play(make_rig(start=(start,), extra={kind: _fault(what, at=2, times=0)}), 12)
    assert [f.check for f in finished.findings if f.verdict is Verdict.FAIL] == [check]


async def test_a_fault_by_chance_strikes_the_same_rounds_again_with_the_same_seed(make_rig, play):
    rig = make_rig(extra={"shaker": _fault("cocked_die", probability=0.3)})
    first, again = [await play(rig, 10) for _ in range(2)]
    rolls = []
    for finished in (first, again):
        evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
        rolls.append([tuple(r.data["values"]["flat"]) for r in evidence.events("shaker", "rolled")])
    assert rolls[0] == rolls[1]
    assert 0 < sum(0 in flat for flat in rolls[0]) < len(rolls[0])


@pytest.mark.parametrize(("kind", "what"), [("shuffler", "jam"), ("shaker", "cocked_die"), ("rng", "out_of_range")])
async def test_a_device_that_fails_for_ever_ends_the_run_as_unfit(make_rig, play, kind, what):
    start = "rng" if kind == "rng" else "dice"
    finished = await play(make_rig(start=(start,), extra={kind: _fault(what, times=0)}), 3)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("refused", "unfit")


def test_every_fault_of_the_catalogue_is_played_here():
    played = {(c.kind, c.what) for c in CASES} | {row[:2] for table in (SUBTLE, UNFIT, UNSEEN) for row in table}
    played |= {(kind, what) for kind in KINDS for what in ELECTRONICS}
    played |= {("rng", "stuck"), ("shaker", "dice_stuck"), ("shuffler", "blind_count"), ("shuffler", "no_count")}
    assert played == {(kind, what) for kind, faults in fault_types().items() for what in faults if what not in WIRE}


ROUNDS = 2
LAST = ROUNDS + 1
"""The shuffle that is begun while the last round is played with the other deck, and after which no round follows."""
SPOILS_A_DECK = (
    "double_feed",
    "wrong_count",
    "missing_card",
    "missing_card_unnoticed",
    "extra_card",
    "duplicate_card",
    "face_up_card",
    "unshuffled",
    "half_shuffled",
    "repeated_shuffle",
    "sort_mode",
)


@pytest.mark.parametrize("what", SPOILS_A_DECK)
async def test_the_last_shuffle_of_a_session_is_looked_at_too(make_rig, play, what):
    finished = await play(make_rig(decks=2, extra={"shuffler": _fault(what, at=LAST)}), ROUNDS)
    assert finished.verdict["devices"]["shuffler"]["verdict"] == "refused"
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    shuffled = list(evidence.events("shuffler", "shuffled"))
    looks = [record for record in evidence.of(CardsRead) if record.data["what"] == "deck after the shuffle"]
    assert len(shuffled) == len(looks) == LAST
    assert finished.verdict["rounds"]["void"] == 0


def _fault(what: str, **when: float) -> str:
    conditions = "".join(f", {key} = {value}" for key, value in when.items())
    return f'faults = [{{ what = "{what}"{conditions} }}]'


def _impatient(rig: Rig, kind: str) -> Rig:
    """The rig, with little patience for one of its devices."""
    return replace(rig, devices={**rig.devices, kind: replace(rig.devices[kind], patience=0.4)})


def _found(finished: Run, kind: str, check: str) -> None:
    """The machine was refused for this check, and no other machine for anything."""
    assert finished.verdict["verdict"] == "refused"
    failed = [f for f in finished.findings if f.verdict is Verdict.FAIL]
    assert check in [f.check for f in failed if f.device == kind]
    assert {f.device for f in failed} == {kind}
