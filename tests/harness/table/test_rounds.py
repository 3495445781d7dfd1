"""Rounds on devices: their progress, and what ends them."""

from played_rounds import of, play

from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.harness.table.rounds import ENOUGH, RoundProgress


async def test_progress_is_told_after_every_round(felt):
    told = []
    await play(felt(), 3, on_progress=told.append, start=("dice", "rng"))
    dice, rng = "dice · automated shoe · no bank", "rng · automated shoe · no bank"
    assert told == [RoundProgress(1, 3, dice, False), RoundProgress(2, 3, dice, False), RoundProgress(3, 3, rng, False)]


async def test_a_void_round_is_told_as_void_and_the_next_is_played(felt):
    told = []
    reason, _ = await play(felt({"shoe": Fault("jam")}), 2, on_progress=told.append)
    assert (reason, [progress.void for progress in told]) == ("finished", [True, False])


async def test_the_button_is_put_where_the_table_wants_it_after_each_round(felt):
    _, records = await play(felt(), 4, start=("button",))
    seen = [r["position"] for r in of(records, "tell") if r["is"] == "ButtonSeen"]
    assert seen == [r["expect"] for r in of(records, "ask") if r["is"] == "ReadButton"]
    assert len(set(seen)) == 4


async def test_what_the_rules_refuse_is_on_record_and_something_legal_is_done_instead(felt, monkeypatch):
    monkeypatch.setattr("feltrig.harness.table.players.chips", lambda wagers, seat: 0)
    reason, records = await play(felt(), 3, bank=("player",))
    assert reason == "finished"
    refused = next(i for i, r in enumerate(records) if r.kind == "illegal")
    before, _, after = records[refused - 1 : refused + 2]
    assert (before.data["is"], after.data["is"]) == ("BankAccepted", "BankDeclined")
    assert records[refused].data["rules"]


async def test_a_device_that_needs_too_many_rulings_in_one_round_is_unfit(felt):
    reason, records = await play(felt({"shaker": Fault("cocked_die", times=FOR_EVER)}), 3)
    assert reason == "unfit"
    assert len(of(records, "ruling")) == ENOUGH
    assert of(records, "result") == []
    (trouble,) = of(records, "trouble")
    assert (trouble["device"], trouble["what"]) == ("shaker", "unfit")
    assert trouble["detail"].startswith("5 rulings in one round, the last: ")
    assert records[-1].data == {"reason": "unfit", "rounds": 1}


async def test_rulings_of_different_rounds_do_not_add_up(felt):
    faults = {"shaker": Fault("cocked_die", at=1, times=ENOUGH - 1)}
    reason, records = await play(felt(faults), 2)
    assert (reason, len(of(records, "result"))) == ("finished", 2)
