"""The runner at a felt without wires: what is on record, in which order, and how a run ends."""

import platform

import pytest
from played_rounds import EMBEDDED, Unmoved, of, play, rig_for

from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.journal.records import RunBegun
from feltrig.harness.judge.checks import stays_on
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.table.runner import Runner, run_record
from feltrig.harness.wires.connecting import WiredRig
from feltrig.protocols.errors import NoAnswer
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import State


async def test_every_ask_is_on_record_before_it_is_acted_on_and_its_answer_after(felt):
    reason, records = await play(felt(), 2)
    assert reason == "finished"
    assert of(records, "end") == [{"reason": "finished", "rounds": 2}]
    kinds = [r.kind for r in records if r.kind in ("session", "round", "ask", "tell", "result", "end")]
    played = [kinds[: kinds.index("result") + 1], kinds[kinds.index("result") + 1 : -1]]
    assert played[0][:2] == ["session", "round"]
    assert played[1][0] == "round"
    for rounds in (played[0][2:-1], played[1][1:-1]):
        assert rounds == ["ask", "tell"] * (len(rounds) // 2)
        assert len(rounds) > 20


async def test_no_device_acts_before_somebody_asked(felt):
    _, records = await play(felt(), 1)
    asked = next(r.seq for r in records if r.kind == "ask")
    assert all(r.seq > asked for r in records if r.kind in ("call", "event", "read"))


@pytest.mark.parametrize(("kind", "at"), [("shuffler", 1), ("shaker", 3)])
async def test_a_power_loss_between_two_operations_or_after_the_last_one_is_found(felt, kind, at):
    table = felt()

    def pull_the_plug(progress):
        if progress.done == at:
            table.machines[kind].inject(Fault("power_loss", after=1e-9), 0.0)
            table.machines[kind].advance(1.0)

    await table.devices[kind].open()
    reason, records = await play(table, 3, on_progress=pull_the_plug)
    assert reason == "finished"
    assert [sighting.good for sighting in stays_on.look(Evidence(records), kind)].count(False) == 1


async def test_a_device_that_stalls_where_the_rules_know_no_remedy_is_unfit(felt):
    reason, records = await play(felt(slow=["shaker"], patience=0.001), 2)
    assert reason == "unfit"
    assert of(records, "trouble") == [
        {"device": "shaker", "what": "unfit", "detail": "shaker: no event shaken within 0.001 s", "requirements": []}
    ]


async def test_a_device_that_refuses_where_the_rules_know_no_remedy_is_unfit(felt):
    table = felt()
    table.machines["shaker"].mechanism.lift_lid(0.0)
    reason, records = await play(table, 2)
    assert reason == "unfit"
    assert of(records, "trouble")[-1]["detail"] == "shaker: shake: refused: wrong_state"


async def test_a_wire_that_fails_ends_the_run_as_such_and_is_on_record_once(felt, monkeypatch):
    table = felt()

    def silent(request, now):
        raise NoAnswer("silent for 2 s")

    monkeypatch.setattr(table.machines["shaker"], "handle", silent)
    reason, records = await play(table, 2)
    assert reason == "wire"
    assert of(records, "trouble") == [
        {"device": "shaker", "what": "no answer", "detail": "silent for 2 s", "requirements": []}
    ]
    assert records[-1].data == {"reason": "wire", "rounds": 1}


@pytest.mark.parametrize("drills", [True, False])
async def test_drills_come_after_the_rounds_when_they_are_wanted(felt, drills):
    reason, records = await play(felt(), 1, drills=drills)
    assert reason == "finished"
    assert [r["name"] for r in of(records, "drill")] == (
        [d.name for kind, device in DEVICES.items() if kind != "rng" for d in device.drills] if drills else []
    )
    result = next(r.seq for r in records if r.kind == "result")
    assert all(r.seq > result for r in records if r.kind == "drill")


async def test_a_machine_that_is_unfit_is_not_drilled(felt):
    faults = {"shuffler": Fault("jam", times=FOR_EVER)}
    reason, records = await play(felt(faults), 1, drills=True)
    assert (reason, of(records, "drill")) == ("unfit", [])


def test_the_first_record_of_a_run_says_what_will_be_played_on_what():
    assert run_record(rig_for(start=("rng",), deal=("hand",)), "0.1.0", 7, 40) == RunBegun(
        version="0.1.0",
        computer=f"Python {platform.python_version()}, {platform.platform()}",
        rig="embedded",
        digest=EMBEDDED.digest,
        source=None,
        seed=7,
        rounds=40,
        game="supreme_pai_gow",
        jurisdiction="NJ",
        deck_size=54,
        uses=("reader", "rng", "shuffler"),
        drills=("rng", "shuffler"),
    )


async def play_on(made):
    runner = Runner(rig_for(), WiredRig(made.devices, made.operator, Unmoved()), made.journal, 1, lambda _: None)
    reason = await runner.play(2, drills=False)
    return reason, [reply["error"] for reply in made.noted("reply")]


async def test_a_shaker_that_was_left_without_its_lid_is_covered_before_the_rounds(felt):
    made = felt()
    await made.devices["shaker"].perform("uncover", "rolled")
    await made.devices["shaker"].open()
    reason, errors = await play_on(made)
    assert (reason, set(errors)) == ("finished", {"ok"})


async def test_a_shoe_that_was_left_jammed_is_cleared_and_reset_before_the_rounds(felt):
    made = felt()
    shoe = made.devices["shoe"]
    await made.operator.bring_deck("red")
    await made.operator.load("shoe", "red")
    await shoe.call("unlock")
    await made.operator.block("shoe")
    with pytest.raises(Faulted):
        await shoe.perform("dispense", "dispensed", size=4)
    await shoe.open()
    reason, errors = await play_on(made)
    assert (reason, set(errors)) == ("finished", {"ok"})


async def test_a_device_that_is_still_at_work_is_waited_for(felt):
    made = felt()
    machine = made.machines["shaker"]
    handle, looks = machine.handle, iter((True, True))

    def busy(request, now):
        reply = handle(request, now)
        if request.command == "status" and next(looks, False):
            return Reply(values={**reply.values, "state": State.BUSY})
        return reply

    machine.handle = busy
    await made.devices["shaker"].open()
    reason, errors = await play_on(made)
    assert (reason, set(errors)) == ("finished", {"ok"})
    assert next(looks, None) is None
