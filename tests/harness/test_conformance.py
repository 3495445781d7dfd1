"""Every command is tried, legal or not: what is refused must not be acted on, and a machine that errs is found."""

import random
from dataclasses import asdict
from types import SimpleNamespace

import pytest

from feltrig.harness.conformance import ANY, OK, SCENES, conformance
from feltrig.harness.findings import Verdict, findings
from feltrig.harness.journal import Record
from feltrig.harness.legs import Crew
from feltrig.harness.plans.plan import plan
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import KINDS, Error

CHECK = "answers every command, legal or not, as documented"


async def probe(felt, kind):
    """What is on record of the probes of a device."""
    rig = SimpleNamespace(devices={kind: SimpleNamespace(patience=5.0)})
    wired = SimpleNamespace(devices=felt.devices, operator=felt.operator)
    crew = Crew(rig, wired, felt.journal, 1, random.Random(1))
    step = conformance(kind, kind)
    while (leg := step.next_leg()) is not None:
        await leg.run(crew)
    return felt.noted("probe")


def faults(records):
    return [(r["command"], r["values"], r["fault"]) for r in records if r["fault"]]


@pytest.mark.parametrize("kind", SCENES)
async def test_a_good_device_passes(felt, kind):
    assert faults(await probe(felt(), kind)) == []


@pytest.mark.parametrize("kind", SCENES)
async def test_every_command_is_tried_and_something_of_each_that_takes_arguments_is_refused(felt, kind):
    records = await probe(felt(), kind)
    assert {r["command"] for r in records} == set(KINDS[kind].commands) - {"events"}  # asked all the time
    arguable = {name for name, command in KINDS[kind].commands.items() if command.args and name != "events"}
    assert {r["command"] for r in records if r["expected"] != OK} == arguable


@pytest.mark.parametrize("kind", SCENES)
async def test_what_is_probed_does_not_count_for_the_other_checks(felt, kind):
    made = felt()
    await probe(made, kind)
    assert {r["error"] for r in made.noted("reply")} == {"ok"}
    assert made.noted("event") == []
    assert any(r["error"] != "ok" for r in made.noted("probe reply"))


async def test_the_driver_goes_on_behind_the_events_of_the_probes(felt):
    made = felt()
    await probe(made, "rng")
    assert await made.devices["rng"].pending() == []
    await made.devices["rng"].perform("select", "selected")
    assert made.noted("gap") == []
    assert len(made.noted("event")) == 1


def spoil(machine, change):
    """Let a change be made to what a machine answers."""
    handle = machine.handle
    machine.handle = lambda request, now: change(request, handle(request, now))


async def test_a_shoe_that_does_not_look_at_the_size_is_found(felt):
    made = felt()
    spoil(made.machines["shoe"], lambda _, reply: Reply() if reply.error is Error.BAD_ARGUMENT else reply)
    found = faults(await probe(made, "shoe"))
    assert ("dispense", {"size": 6}, "answered ok, expected bad_argument") in found


async def test_a_machine_that_refuses_and_acts_all_the_same_is_found(felt):
    made = felt()
    board = made.machines["shaker"].board

    def acts(request, reply):
        if reply.error and request.command == "shake":
            board.emit("covered")
        return reply

    spoil(made.machines["shaker"], acts)
    found = faults(await probe(made, "shaker"))
    assert ("shake", {"times": 0}, "refused, and acted on: covered") in found
    assert {command for command, _, _ in found} == {"shake"}


async def test_a_machine_that_refuses_what_it_should_do_is_found(felt):
    made = felt()
    refusal = Reply(Error.WRONG_STATE)
    spoil(made.machines["rng"], lambda request, reply: refusal if request.command == "display" else reply)
    assert {fault for _, _, fault in faults(await probe(made, "rng"))} == {"answered wrong_state, expected ok"}


async def test_the_wrong_reason_is_found_where_only_one_is_right(felt):
    made = felt()
    spoil(made.machines["shoe"], lambda _, reply: Reply(Error.EMPTY) if reply.error else reply)
    found = faults(await probe(made, "shoe"))
    assert found
    assert not any(r["fault"] for r in made.noted("probe") if r["expected"] == ANY)


async def test_a_proof_that_is_too_short_is_found(felt):
    made = felt()
    short = Reply(values={"proof": (1, 2, 3)})
    spoil(made.machines["rng"], lambda request, reply: short if request.command == "challenge" else reply)
    found = faults(await probe(made, "rng"))
    assert {fault for _, _, fault in found} == {"a proof of 3 bytes", "answered ok, expected bad_argument"}


class Working:
    """A generator that stays busy for some looks at its events, and takes what it is told in between or not."""

    def __init__(self, machine, takes):
        self._handle, self._takes = machine.handle, takes
        self.left = 0
        machine.handle = self.handle

    def handle(self, request, now):
        if request.command == "status" and self.left:
            self.left -= 1
            reply = self._handle(request, now)
            return Reply(values={**reply.values, "state": 1})
        if request.command == "select":
            if self.left:
                return Reply() if self._takes else Reply(Error.WRONG_STATE)
            self.left = 2
        return self._handle(request, now)


@pytest.mark.parametrize("takes", [False, True])
async def test_a_machine_that_takes_a_second_command_while_busy_is_found(felt, takes):
    made = felt()
    Working(made.machines["rng"], takes)
    found = {fault for _, _, fault in faults(await probe(made, "rng"))}
    assert found == ({"accepted once more while busy"} if takes else set())


def judged(log, kind, fault=None, states=None, profile=False):
    log.run(kind)
    log.records[-1].data["plan"] = {"plan": asdict(plan(f"{kind}-nj")), "device": kind, "sequential": False}
    log.device(kind)
    if profile:
        log.records[-1].data["profile"] = {"name": "own", "lacks": []}
    for state in states if states is not None else [scene.state for scene in SCENES[kind]]:
        data = {"device": kind, "state": state, "command": "status", "values": {}, "expected": OK, "fault": fault}
        log.records.append(Record(len(log.records) + 1, "", 0.0, "probe", data, "", ""))
    return next(f for f in findings(log.evidence) if f.check == CHECK)


def test_all_states_without_a_fault_are_a_pass_that_says_what_is_left_out(log):
    finding = judged(log, "shoe")
    assert finding.verdict is Verdict.PASS
    assert "malformed frames" in finding.detail


def test_a_fault_is_a_failure_with_its_state_and_command(log):
    finding = judged(log, "shoe", fault="answered ok, expected bad_argument", states=["locked"])
    assert finding.verdict is Verdict.FAIL
    assert finding.detail == "locked: status: answered ok, expected bad_argument"


@pytest.mark.parametrize("states", [[], ["locked"]])
def test_what_was_not_gone_through_is_not_tested(log, states):
    finding = judged(log, "shoe", states=states)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, True)


def test_a_device_with_a_profile_of_its_own_is_bound_by_another_document(log):
    finding = judged(log, "shoe", states=[], profile=True)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, False)
