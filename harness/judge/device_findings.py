"""What is found of each device: on its wire, by the checks of its kind, in the drills, and by the demands of a plan."""

import re
from collections.abc import Iterable, Iterator

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.drill_records import NotProvoked
from feltrig.harness.journal.records import (
    Called,
    DrillBegun,
    DrillEnded,
    EventSeen,
    HandsRefused,
    NoiseBegun,
    Recovered,
    Repeated,
    Replied,
    Trouble,
)
from feltrig.harness.judge.blame import blamed
from feltrig.harness.judge.check import Check, Sighting
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.decision import sampler_of
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import SHOWN, Finding, Verdict, clause_served, often
from feltrig.harness.judge.limits import excused
from feltrig.harness.judge.planned import Planned, Timed, samples
from feltrig.harness.judge.profile_findings import limited
from feltrig.harness.plan.shortened import shortened
from feltrig.harness.statistics.core.results import Decision
from feltrig.protocols.requirements import REQUIREMENTS


def wire_findings(evidence: Evidence) -> Iterator[Finding]:
    """What the wire did, apart from what the device did: a missing answer is not a broken rule, and an answer that came
    whole and is wrong is. A device that never said who it is has only its trouble on record."""
    troubled = [r.body.device for r in evidence.every if isinstance(r.body, Trouble) and r.body.what in WIRE_TROUBLES]
    for name in dict.fromkeys([*evidence.devices, *troubled]):
        troubles = [r.seq for r in evidence.throughout(Trouble, name) if r.body.what in WIRE_TROUBLES]
        lasting, recovered = _recovered(evidence, name)
        unseen = [r.seq for r in evidence.of(NoiseBegun, name) if r.body.unseen]
        calls = [r.seq for r in evidence.throughout(Replied, name)]
        repeated = list(evidence.throughout(Repeated, name))
        again = f", {often(sum(r.body.times for r in repeated))} only when asked again" if repeated else ""
        wrong = [r for r in evidence.throughout(Trouble, name) if r.body.what in WRONG]
        broken: tuple[str, ...] = ()
        if wrong and not any(evidence.of(NoiseBegun, name)):
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            broken = tuple(dict.fromkeys(each for r in wrong for each in r.body.requirements))
            cited = f"{', '.join(broken)}: " if broken else ""
            detail, seen, verdict = cited + wrong[0].body.detail + more, tuple(r.seq for r in wrong), Verdict.FAIL
        elif lasting:
            detail, seen, verdict = lasting[0][1], tuple(troubles), Verdict.NOT_TESTED
        elif unseen:
            detail, seen, verdict = "noise may have changed bytes undetected", tuple(unseen), Verdict.NOT_TESTED
        elif recovered:
            detail = f"{len(calls)} requests answered{again}; line lost and recovered {often(len(recovered))}"
            seen, verdict = tuple(recovered[: 10 * SHOWN]), Verdict.PASS
        elif calls:
            seen = tuple(r.seq for r in repeated[: 10 * SHOWN]) or tuple(calls[:SHOWN])
            detail, verdict = f"{len(calls)} requests answered{again}", Verdict.PASS
        else:
            detail, seen, verdict = "no command was sent to it", (), Verdict.NOT_TESTED
        yield Finding(evidence.run.game, None, name, "answers on its wire", verdict, detail, seen, requirements=broken)


WRONG = {"wrong answer", "unasked"}
"""Troubles with what arrived whole and is not as documented, or was not asked for. They are the device's, unless the
rig disturbs its wire."""

WIRE_TROUBLES = {"no answer", "line lost", "garbage", "breakdown", "unidentified", "wrong answer"}


def _recovered(evidence: Evidence, device: str) -> tuple[list[tuple[int, str]], list[int]]:
    """The troubles of a device's wire that lasted, by number and detail, and the numbers of those after which it was
    heard again."""
    lasting: list[tuple[int, str]] = []
    recovered: list[int] = []
    for record in evidence.every:
        match record.body:
            case Trouble(name, what, detail) if name == device and what in WIRE_TROUBLES:
                lasting.append((record.seq, detail))
            case Recovered(name) if name == device and lasting:
                recovered.append(lasting.pop()[0])
    return lasting, recovered


def device_findings(evidence: Evidence) -> Iterator[Finding]:
    """What came of every check of each device."""
    for kind, check in all_checks():
        for name, device in evidence.devices.items():
            if kind in (None, device.kind):
                yield limited(evidence, *_judge(evidence, check, name))


def _judge(evidence: Evidence, check: Check, device: str) -> tuple[Finding, tuple[str, ...]]:
    """What came of a check, and what it rests on."""
    sightings = list(check.look(evidence, device))
    broken = [s for s in sightings if not s.good and not s.unproven]
    unproven = next((s.unproven for s in sightings if s.unproven), None)
    if unproven is not None and not broken:
        verdict, detail, seen = Verdict.NOT_TESTED, unproven, _numbers(sightings, SHOWN)
    elif broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        verdict, detail, seen = Verdict.FAIL, broken[0].detail + more, _numbers(broken, 10 * SHOWN)
    elif sightings:
        detail = "; ".join(filter(None, (often(len(sightings)), sightings[0].note, check.limits)))
        verdict, seen = Verdict.PASS, _numbers(sightings, SHOWN)
    else:
        verdict, detail, seen = Verdict.NOT_TESTED, check.absent, ()
    clause = clause_served(evidence, check.role) if check.role else None
    lacks = dict.fromkeys(what for s in sightings for what in s.lacks)
    where = evidence.devices[device]
    closely = dict.fromkeys(each for s in broken for each in s.requirements)
    ids = tuple(each for each in closely or check.requirements if REQUIREMENTS[each].holds(where.kind, where.wire))
    about = (check.required, check.basis, ids)
    finding = Finding(evidence.run.game, clause, device, check.name, verdict, detail, seen, *about)
    return finding, (*check.rests_on, *lacks)


def _numbers(sightings: Iterable[Sighting], most: int) -> tuple[int, ...]:
    return tuple(sorted({number for s in sightings for number in s.evidence}))[:most]


REQUIREMENT = re.compile(r"\b[A-Z]{3}-\d+")
"""The id of a requirement, as what was wrong in a drill names it."""

SHOWN_OF_DRILLS = (DrillBegun, Called, EventSeen, Trouble, DrillEnded)


def drill_findings(evidence: Evidence) -> Iterator[Finding]:
    """What came of each drill, and which ones are missing."""
    done = {drill.name: drill.records for drill in evidence.drills}
    held = ((kind, drill) for kind in DEVICES if kind in evidence.run.drills for drill in DEVICES[kind].drills)
    for kind, drill in held:
        name = evidence.name_of(kind)
        if name is None:
            continue
        verdict, detail, records = Verdict.NOT_TESTED, "the drill was not held", done.get(drill.name, [])
        required = True
        lacks: tuple[str, ...] = ()
        troubles = [r.body for r in records if isinstance(r.body, Trouble) and r.body.device == name]
        unfit = next((trouble for trouble in troubles if trouble.what == "unfit"), None)
        if unfit is not None:
            verdict, detail = Verdict.FAIL, unfit.detail
        elif impossible := [r.body for r in records if isinstance(r.body, HandsRefused)]:
            detail, lacks = impossible[0].why, excused(evidence, name, drill.during, impossible[0])
            required = drill.required and not lacks
        elif records and isinstance(records[-1].body, DrillEnded):
            try:
                fault = drill.fault(records, evidence.run.deck_size)
                verdict, detail = (Verdict.FAIL, fault) if fault else (Verdict.PASS, "provoked once")
            except NotProvoked as why:
                detail, required = str(why), drill.required
        seen = tuple(r.seq for r in records if isinstance(r.body, SHOWN_OF_DRILLS))
        clause = clause_served(evidence, drill.role)
        broken = tuple(REQUIREMENT.findall(detail)) if verdict is Verdict.FAIL else ()
        if unfit is not None:
            broken = unfit.requirements or broken or blamed(kind, [r.body for r in records if r.device == name])
        about = (required, drill.basis, broken or drill.requirements, lacks)
        finding = Finding(evidence.run.game, clause, name, drill.name, verdict, detail, seen, *about)
        yield limited(evidence, finding, drill.rests_on)


def statistical_findings(evidence: Evidence, chosen: Planned | None, decided: Decision | None) -> Iterator[Finding]:
    """One finding for the family-wise decision of a plan. What a pass does not show stands beside it."""
    if chosen is None or chosen.plan.sampling is None:
        return
    taken = samples(evidence, chosen.device)
    clause = clause_served(evidence, sampler_of(chosen.plan).role)
    wanted, required = chosen.plan.sampling, True
    if decided is None:
        verdict, detail = Verdict.NOT_TESTED, "no sample that could be judged"
    elif decided.refused:
        verdict, detail = Verdict.FAIL, _reason(chosen, decided)
    elif decided.finished and (chosen.sequential or decided.sample >= wanted.most):
        made = {outcome.name for outcome in decided.outcomes if outcome.p_value is not None}
        lacking = [test.name for test in wanted.tests if not made.issuperset(test.by)]
        verdict, detail = Verdict.PASS, _reason(chosen, decided)
        if lacking:
            verdict, detail = Verdict.NOT_TESTED, f"the sample is too small for {', '.join(lacking)}"
            required = not shortened(chosen.plan)
    else:
        verdict, detail = Verdict.NOT_TESTED, f"{decided.sample} {wanted.unit} of {wanted.most}"
    seen = tuple(seq for seq, _ in taken[-SHOWN:])
    sampler = sampler_of(chosen.plan)
    about = (required, sampler.basis, sampler.requirements)
    yield Finding(evidence.run.game, clause, chosen.device, "its results are random", verdict, detail, seen, *about)


def _reason(chosen: Planned, decided: Decision) -> str:
    """Why it was decided so; a test that looks as it goes says itself after how many samples."""
    return decided.reason if chosen.sequential else f"{decided.sample} {decided.unit}: {decided.reason}"


def timing_findings(evidence: Evidence, chosen: Planned | None, timings: Iterable[Timed]) -> Iterator[Finding]:
    """The times that a plan limits. A pass near the limit says so."""
    for timed in timings:
        assert chosen is not None
        limit = timed.limit
        delayed = f"; {often(timed.delayed)} the rig's own computer was late" if timed.delayed else ""
        if not timed.seconds:
            verdict, detail = Verdict.NOT_TESTED, f"did not occur in this run{delayed}"
        else:
            disturbed = any(evidence.of(NoiseBegun, chosen.device))
            late = Verdict.NOT_TESTED if disturbed else Verdict.FAIL
            verdict = Verdict.PASS if timed.longest <= limit.most else late
            near = ", marginal" if limit.margin * limit.most < timed.longest <= limit.most else ""
            near = ", but the rig disturbs its wire" if verdict is Verdict.NOT_TESTED else near
            detail = f"{timed.longest:.3g} {limit.unit} at most, {limit.most:g} {limit.unit} allowed{near}{delayed}"
        seen = timed.evidence[timed.seconds.index(timed.longest) :][:1] if timed.seconds else ()
        check = f"{limit.name} within {limit.most:g} {limit.unit}"
        where = evidence.devices.get(chosen.device)
        ids = tuple(i for i in limit.requirements if where and REQUIREMENTS[i].holds(where.kind, where.wire))
        yield Finding(evidence.run.game, None, chosen.device, check, verdict, detail, seen, requirements=ids)
