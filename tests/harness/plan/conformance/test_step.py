"""Every command is tried, legal or not: what is refused must not be acted on, and a machine that errs is found."""

import random
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest

from feltrig.emulators.models.board import Board
from feltrig.harness.devices import DEVICES, tray
from feltrig.harness.devices.cases import ANY, FAULT, MALFORMED, OK, gone_through, left_out
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance import step
from feltrig.harness.plan.conformance.step import conformance, play_scene
from feltrig.harness.plan.plan import plan
from feltrig.harness.scene import Tried
from feltrig.harness.wires import WIRES
from feltrig.protocols.errors import NoAnswer
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.requirements import REQUIREMENTS
from feltrig.protocols.vocabulary import Error, FaultCode, State

TRIED = [kind for kind, device in DEVICES.items() if device.states]
CHECK = "protocol conformance: every command in every state"


def states_of(kind, looks, disturbed):
    return gone_through(DEVICES[kind].states, looks, disturbed)


async def probe(felt, kind, sizes=()):
    """What is on record of the probes of a device. There is no wire on which a message could be unusual."""
    device = SimpleNamespace(name=kind, kind=kind, patience=5.0, noise=("some",), stack_sizes=sizes, stop_button=None)
    wired = SimpleNamespace(devices=felt.devices, operator=felt.operator)
    context = RunContext(
        SimpleNamespace(device={kind: device}.get, game=SimpleNamespace(decks=2)),
        wired,
        felt.journal,
        1,
        random.Random(1),
    )
    step = conformance(kind, device)
    while (segment := step.next_segment()) is not None:
        await segment.run(context)
    return felt.noted("probe")


def command(record):
    """The command of a probe, without what was looked at: its answer, its events, the state, a repeat."""
    return record["command"].partition(":")[0]


def faults(records):
    return [(command(r), r["values"], r["fault"]) for r in records if r["fault"]]


WAY = "the way there"
OTHERS = {WAY, "no other event", "no other event than faulted", "still in the state fault"}


@pytest.mark.parametrize("kind", TRIED)
async def test_a_good_device_passes(felt, kind):
    assert faults(await probe(felt(), kind)) == []


async def test_a_shoe_owes_the_stacks_for_which_it_was_submitted_and_refuses_the_others(felt):
    table = felt()
    table.machines["shoe"].mechanism._sizes = (4,)
    assert faults(await probe(table, "shoe", (4,))) == []
    assert ("dispense", {"size": 3}, "answered ok, expected bad_argument") in faults(await probe(felt(), "shoe", (4,)))


@pytest.mark.parametrize("kind", TRIED)
async def test_every_command_is_tried_and_something_of_each_that_takes_arguments_is_refused(felt, kind):
    records = await probe(felt(), kind)
    assert {command(r) for r in records} - OTHERS == set(KINDS[kind].commands) - {"events"}  # asked all the time
    arguable = {name for name, command in KINDS[kind].commands.items() if command.args and name != "events"}
    assert {command(r) for r in records if r["expected"] != OK and r["state"] != FAULT} == arguable


@pytest.mark.parametrize("kind", TRIED)
async def test_every_probe_names_the_requirements_that_it_tests(felt, kind):
    for record in await probe(felt(), kind):
        way = record["command"] == WAY and record["state"] != FAULT
        assert way or record["requirements"], record
        assert all(REQUIREMENTS[each].holds(kind, "serial") for each in record["requirements"])


@pytest.mark.parametrize("kind", TRIED)
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
    assert ("shake", {"times": 0}, "refused, but acted on it: covered") in found
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


@pytest.mark.parametrize(
    ("kind", "command", "acted"),
    [
        ("rng", "select", "selected"),
        ("shaker", "shake", "shaken"),
        ("shuffler", "reset", "cleared"),
        ("shoe", "dispense", "dispensed"),
    ],
)
async def test_a_machine_that_forgets_its_tokens_and_acts_twice_is_found(felt, kind, command, acted):
    made = felt()
    machine = made.machines[kind]
    handle = machine.handle
    machine.handle = lambda request, now: handle(Request(request.command, request.values), now)
    found = [(name, fault) for name, _, fault in faults(await probe(made, kind))]
    assert (command, f"a repeat with the same token was acted on: {acted}") in found
    assert all("repeat" in fault for _, fault in found)


async def test_a_machine_that_refuses_a_token_that_it_knows_is_found(felt):
    made = felt()
    known = set()

    def forgets(request, reply):
        again = request.token in known
        known.update({request.token} if KINDS["rng"].commands[request.command].acts else ())
        return Reply(Error.WRONG_STATE) if again else reply

    spoil(made.machines["rng"], forgets)
    said = "a repeat with the same token was answered wrong_state, expected the same answer again"
    assert {fault for _, _, fault in faults(await probe(made, "rng"))} == {said}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("blank", "in the state ready afterwards, expected idle"),
        ("select", "in the state idle afterwards, expected ready"),
    ],
)
async def test_a_machine_that_comes_to_rest_in_another_state_is_found(felt, command, said):
    made = felt()
    machine = made.machines["rng"]

    def other(request, reply):
        if request.command == command and reply.error is Error.OK:
            machine.board.become(State.READY if command == "blank" else State.IDLE)
        return reply

    spoil(machine, other)
    found = faults(await probe(made, "rng"))
    assert {(tried, fault) for tried, _, fault in found} == {(command, said)}


async def test_a_display_that_is_not_dark_after_blank_is_found(felt):
    made = felt()

    def bright(request, reply):
        return Reply(values={"number": 5}) if request.command == "display" else reply

    spoil(made.machines["rng"], bright)
    found = faults(await probe(made, "rng"))
    assert {(tried, fault) for tried, _, fault in found} == {
        ("display", "answered {'number': 5}, expected {'number': 0}")
    }


CARD_MACHINES = ("shuffler", "shoe")


@pytest.mark.parametrize("kind", CARD_MACHINES)
async def test_in_the_state_fault_all_is_refused_but_what_every_device_answers(felt, kind):
    made = felt()
    records = [r for r in await probe(made, kind) if r["state"] == FAULT]
    own = set(KINDS[kind].commands) - {"identify", "status", "events", "reset", "challenge"}
    assert {command(r) for r in records if r["expected"] != OK} - {"challenge"} == own
    assert (made.machines[kind].board.fault, made.bench.obstacles) == (FaultCode.NONE, ())


def of_state(records, state):
    return {(command(r), r["fault"]) for r in records if r["fault"] and r["state"] == state}


@pytest.mark.parametrize("kind", CARD_MACHINES)
async def test_a_machine_that_does_not_jam_does_not_reach_the_state_fault(felt, kind):
    made = felt()
    made.bench.obstruct = lambda place: None
    records = await probe(made, kind)
    assert of_state(records, FAULT) == {("the way there", "something blocked its path, but no fault was reported")}
    assert {fault for _, _, fault in faults(records)} == {"something blocked its path, but no fault was reported"}


async def test_a_status_that_knows_nothing_of_the_fault_is_found(felt):
    made = felt()
    spoil(
        made.machines["shuffler"],
        lambda request, reply: Reply(values={**reply.values, "fault": 0}) if request.command == "status" else reply,
    )
    wrong = "the event reports the fault jam, the status says fault and none"
    assert of_state(await probe(made, "shuffler"), FAULT) == {("the way there", wrong)}


async def test_a_shoe_that_unlocks_in_the_state_fault_is_found(felt):
    made = felt()
    board = made.machines["shoe"].board

    def unlocks(request, reply):
        return Reply() if request.command == "unlock" and board.fault else reply

    spoil(made.machines["shoe"], unlocks)
    assert of_state(await probe(made, "shoe"), FAULT) == {("unlock", "answered ok, expected wrong_state")}


async def test_a_machine_that_says_cleared_and_stays_in_the_state_fault_is_found(felt, monkeypatch):
    made = felt()
    clears = Board.clear

    def clear(board):
        if board.fault:
            board.emit("cleared")
        else:
            clears(board)

    monkeypatch.setattr(Board, "clear", clear)
    stays = ("reset", "in the state fault afterwards, expected idle or locked")
    assert stays in of_state(await probe(made, "shuffler"), "cleared")


async def test_a_jam_in_which_the_run_was_broken_off_is_left_first(felt):
    made = felt()
    await made.operator.bring_deck("red")
    await made.operator.load("shuffler", "red")
    await made.operator.block("shuffler")
    with pytest.raises(Faulted):
        await made.devices["shuffler"].perform("shuffle", "shuffled", deck=1)
    prober = made.devices["shuffler"].apart(made.journal)
    await prober.open()
    jam = next(cases.enter for cases in DEVICES["shuffler"].states if cases.state == FAULT)
    assert await jam(Hands(prober, made.operator, tray(made.devices, made.journal))) is None
    assert made.machines["shuffler"].board.fault is FaultCode.JAM


def judged(log, kind, fault=None, gone=None, profile=False, noise=False, untested=""):
    log.run(kind, plan={"plan": asdict(plan(f"{kind}-nj")), "device": kind, "sequential": False})
    log.device(kind)
    if profile:
        device = replace(log.records[-1].body, profile={"name": "own", "lacks": []})
        log.records[-1] = replace(log.records[-1], body=device)
    if noise:
        log.add("noise", device=kind, where="", unseen=False, disturbances=[])
    for state in gone if gone is not None else states_of(kind, ["memory"], noise):
        log.add("probe", device=kind, state=state, command="status", expected=OK, fault=fault, untested=untested)
    return next(f for f in judge(log.evidence).findings if f.check == CHECK)


def scene_of(*tried):
    async def play(stage):
        assert stage.prober is not stage.context.wired.devices["rng"]
        for each in tried:
            yield each

    return SimpleNamespace(name="a scene", requirements=("DEV-1",), load=lambda: play)


async def test_what_a_scene_tries_goes_on_record_with_its_requirements(felt):
    made = felt()
    tried = (
        Tried("one thing"),
        Tried("another", "was wrong", ("DEV-2",), "refused", {"n": 1}, note="seen once"),
        Tried("a third", untested="cannot be done"),
    )
    context = RunContext(None, SimpleNamespace(devices=made.devices), made.journal, 1, random.Random(1))
    await play_scene(context, device=SimpleNamespace(kind="rng"), scene=scene_of(*tried), taken=())
    first, second, third = made.noted("probe")
    assert (first["state"], first["command"], first["fault"], first["requirements"]) == (
        "a scene",
        "one thing",
        None,
        ["DEV-1"],
    )
    assert (second["fault"], second["requirements"], second["expected"]) == ("was wrong", ["DEV-2"], "refused")
    assert (second["values"], second["note"], third["untested"]) == ({"n": 1}, "seen once", "cannot be done")


def test_what_could_not_be_tried_is_not_passed(log):
    finding = judged(log, "rng", untested="nobody can cut its power")
    assert (finding.verdict, "nobody can cut its power" in finding.detail) == (Verdict.NOT_TESTED, True)


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("shoe", "11 messages, in every state"),
        ("rng", "5 messages, in every state; without the state fault, which hands cannot cause"),
    ],
)
def test_all_states_without_a_fault_are_a_pass_that_says_what_is_left_out(log, kind, detail):
    finding = judged(log, kind)
    assert (finding.verdict, finding.detail) == (Verdict.PASS, detail)


def test_noise_that_keeps_messages_from_being_tried_is_no_way_to_a_certificate(log):
    finding = judged(log, "shoe", noise=True)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, True)
    assert finding.detail.endswith("; without malformed messages and memory, as the rig disturbs its wire")


@pytest.mark.parametrize(
    ("wire", "more"),
    [
        ("mqtt", ("requests", "publications", "presence at the broker")),
        ("modbus-rtu", ("the registers", "identification", "the functions")),
        ("modbus-tls", ("the registers", "identification", "the functions")),
    ],
)
def test_noise_keeps_what_a_wire_allows_to_look_at_from_being_looked_at_too(wire, more):
    all_but_last = ", ".join(("malformed messages", "memory", *more[:-1]))
    said = f"; without {all_but_last} and {more[-1]}, as the rig disturbs its wire"
    looks = ["memory", *(scene.name for scene in WIRES[wire].scenes)]
    assert left_out(DEVICES["shoe"].states, looks, disturbed=True) == said
    assert left_out(DEVICES["shoe"].states, looks, disturbed=False) == ""
    assert [*states_of("shoe", looks, disturbed=True), MALFORMED, "memory", *more] == states_of(
        "shoe", looks, disturbed=False
    )


def test_without_the_unusual_messages_not_all_was_tested(log):
    finding = judged(log, "shoe", gone=[state for state in states_of("shoe", ["memory"], False) if state != MALFORMED])
    assert (finding.verdict, finding.detail) == (Verdict.NOT_TESTED, "only 10 messages were tried")


def test_a_fault_is_a_failure_with_its_state_and_command(log):
    finding = judged(log, "shoe", fault="answered ok, expected bad_argument", gone=["locked"])
    assert finding.verdict is Verdict.FAIL
    assert finding.detail == "locked: status: answered ok, expected bad_argument"


@pytest.mark.parametrize("gone", [[], ["locked"]])
def test_what_was_not_gone_through_is_not_tested(log, gone):
    finding = judged(log, "shoe", gone=gone)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, True)


def test_a_device_with_a_profile_of_its_own_is_bound_by_another_document(log):
    with pytest.raises(StopIteration):
        judged(log, "shoe", gone=[], profile=True)


@pytest.mark.parametrize(("noise", "faults"), [((), ["silent"]), (("some",), [])])
async def test_a_device_is_not_blamed_for_an_answer_that_noise_of_the_rig_keeps_back(felt, noise, faults):
    made = felt()
    device = SimpleNamespace(name="rng", kind="rng", patience=5.0, noise=noise)
    wired = SimpleNamespace(devices=made.devices, operator=made.operator)
    rig = SimpleNamespace(devices={"rng": device}, game=SimpleNamespace(decks=1))
    context = RunContext(rig, wired, made.journal, 1, random.Random(1))

    async def unheard(stage):
        yield Tried("one thing", None, ("DEV-1",))
        raise NoAnswer("silent")

    with pytest.raises(NoAnswer):
        await step._play(context, device, "a scene", unheard)
    assert [record["fault"] for record in made.noted("probe") if record["fault"]] == faults
