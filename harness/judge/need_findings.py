"""What a plan needs besides what the rig tests: enough to judge by, and of a physical machine its identity, the
inspector's checklist and a person's eye."""

from collections.abc import Iterator

from feltrig.engine.games import GAMES
from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.reader import is_a
from feltrig.harness.journal.records import Attested, EventSeen, Looked
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import SHOWN, Finding, Verdict, clause_served, often
from feltrig.harness.judge.planned import Planned


def least_findings(evidence: Evidence, chosen: Planned | None) -> Iterator[Finding]:
    """Whether the rounds showed as much as the plan wants, however few ways to play the rig file names."""
    if chosen is None or chosen.device not in evidence.devices:
        return
    for event, least in chosen.plan.least:
        seen = [
            record.seq
            for round_ in evidence.rounds
            for record in round_.records
            if is_a(record, EventSeen) and record.device == chosen.device and record.body.event == event
        ]
        verdict = Verdict.PASS if len(seen) >= least else Verdict.NOT_TESTED
        check = f"{event} at least {least} times in the rounds"
        yield _finding(evidence, chosen, check, verdict, often(len(seen)), tuple(seen[:SHOWN]))


def need_findings(evidence: Evidence, chosen: Planned | None) -> Iterator[Finding]:
    """One finding for each need of the plan. An emulated device needs none of them: its certificate says so."""
    if chosen is None or chosen.device not in evidence.devices or evidence.devices[chosen.device].emulated:
        return
    if chosen.plan.needs.identity:
        yield _identity(evidence, chosen)
    if chosen.plan.needs.checklist:
        yield _checklist(evidence, chosen)
    for eye in DEVICES[chosen.plan.kind].eyes:
        if eye.name in chosen.plan.needs.eye:
            yield _eye(evidence, chosen, eye.name, eye.role)


def _identity(evidence: Evidence, chosen: Planned) -> Finding:
    submitted = evidence.devices[chosen.device].submitted
    whole = [group for group in chosen.plan.needs.identity if set(group) <= set(submitted)]
    if whole:
        verdict, detail = Verdict.PASS, f"submitted: {', '.join(submitted)}"
    else:
        wanted = ", or ".join(" and ".join(group) for group in chosen.plan.needs.identity)
        given = f"only {', '.join(submitted)}" if submitted else "nothing"
        verdict = Verdict.NOT_TESTED
        detail = f"{given} was submitted: give {wanted} in [devices.{chosen.device}.identity] of the rig file"
    return _finding(evidence, chosen, "its identity was submitted", verdict, detail)


def _checklist(evidence: Evidence, chosen: Planned) -> Finding:
    answered = {record.body.item: record for record in evidence.of(Attested)}
    items = GAMES[evidence.run.game].checklist_of(evidence.run.jurisdiction)
    missing = [item for item in items if item not in answered]
    denied = [item for item in items if item in answered and answered[item].body.answer == "no"]
    if denied:
        verdict, detail = Verdict.FAIL, f"answered with no: {', '.join(denied)}"
    elif missing:
        verdict = Verdict.NOT_TESTED
        given = f"{len(missing)} of {len(items)} items are not answered" if answered else "there is none"
        detail = f"{given}: `feltrig checklist --save` asks for the answers, --checklist gives them"
    else:
        verdict, detail = Verdict.PASS, f"{len(items)} items"
    seen = tuple(answered[item].seq for item in (denied or answered))[:SHOWN]
    return _finding(evidence, chosen, "the inspector's checklist is complete", verdict, detail, seen)


def _eye(evidence: Evidence, chosen: Planned, name: str, role: str) -> Finding:
    looks = [record for record in evidence.of(Looked, chosen.device) if record.body.what == name]
    read = [record for record in looks if record.body.shown is not None]
    wrong = [record for record in read if record.body.shown != record.body.claimed]
    wanted = chosen.plan.needs.looks
    if wrong:
        first = wrong[0].body
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        verdict, detail = Verdict.FAIL, f"a person saw {first.shown}, the device said {first.claimed}{more}"
    elif len(read) >= wanted:
        verdict, detail = Verdict.PASS, often(len(read))
    else:
        verdict = Verdict.NOT_TESTED
        detail = f"{often(len(read))} of {wanted}" if read else f"nobody looked at the {name}"
    clause = clause_served(evidence, role)
    seen = tuple(record.seq for record in (wrong or looks)[:SHOWN])
    return _finding(evidence, chosen, f"a person reads off its {name} what it says", verdict, detail, seen, clause)


def _finding(
    evidence: Evidence,
    chosen: Planned,
    check: str,
    verdict: Verdict,
    detail: str,
    seen: tuple[int, ...] = (),
    clause: str | None = None,
) -> Finding:
    return Finding(evidence.run.game, clause, chosen.device, check, verdict, detail, seen)
