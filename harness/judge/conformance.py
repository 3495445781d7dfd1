"""What is found of a device in conformance: one finding for each area of the requirements, and one that says whether
all was tried."""

from collections.abc import Iterator, Sequence

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import gone_through, left_out
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import DeviceConnected, NoiseBegun, Probed
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import SHOWN, Finding, Verdict
from feltrig.harness.judge.limits import excused
from feltrig.harness.judge.planned import planned
from feltrig.protocols.requirements import REQUIREMENTS

WHOLE = "protocol conformance: every command in every state"

NAMED = 3
"""Ids that a failure names, of those that the message tests."""


def area_check(area: str) -> str:
    """What the finding about an area is called."""
    return f"conformance: {area}"


def conformance_findings(evidence: Evidence) -> Iterator[Finding]:
    """What came of the probes of a plan. A device with a profile of its own is bound by another document."""
    chosen = planned(evidence)
    device = None if chosen is None else evidence.devices.get(chosen.device)
    if chosen is None or device is None or device.profile is not None:
        return
    probes = list(evidence.of(Probed, chosen.device))
    disturbed = any(evidence.of(NoiseBegun, chosen.device))
    yield _whole(evidence, device, chosen.plan.kind, probes, disturbed)
    yield from _areas(evidence, device, probes, disturbed)


def _whole(
    evidence: Evidence, device: DeviceConnected, kind: str, probes: Sequence[Record[Probed]], disturbed: bool
) -> Finding:
    """Whether all was tried. What cites no requirement has its failures here."""
    uncited = [record for record in probes if not _known(record.body)]
    wrong = [record for record in uncited if record.body.fault]
    untested = [record.body for record in uncited if record.body.untested]
    tried = (DEVICES[kind].states, device.looks, disturbed)
    if wrong:
        first = wrong[0].body
        verdict, detail = Verdict.FAIL, f"{first.state}: {first.command}: {first.fault}{_more(wrong)}"
    elif {record.body.state for record in probes} != set(gone_through(*tried)):
        verdict, detail = Verdict.NOT_TESTED, f"only {len(probes)} messages were tried"
    elif untested:
        why = f"{untested[0].state}: {untested[0].command}: {untested[0].untested}"
        verdict, detail = Verdict.NOT_TESTED, why + _more(untested)
    else:
        # What the rig file keeps from being tried is not a pass: one line of noise would be a way around it.
        verdict = Verdict.NOT_TESTED if disturbed else Verdict.PASS
        detail = f"{len(probes)} messages, in every state{left_out(*tried)}"
    seen = tuple(record.seq for record in (wrong or probes)[:SHOWN])
    return Finding(evidence.run.game, None, device.name, WHOLE, verdict, detail, seen)


def _areas(
    evidence: Evidence, device: DeviceConnected, probes: Sequence[Record[Probed]], disturbed: bool
) -> Iterator[Finding]:
    """One finding for each area that has probes, or should have had some."""
    tested = {each for record in probes for each in _known(record.body)}
    for area in dict.fromkeys(requirement.area for requirement in REQUIREMENTS.values()):
        here = [record for record in probes if area in {REQUIREMENTS[each].area for each in _known(record.body)}]
        planned_ids = [each for each in device.requirements if REQUIREMENTS[each].area == area]
        if here or planned_ids:
            yield _area(evidence, device, area, here, [each for each in planned_ids if each not in tested], disturbed)


def _area(
    evidence: Evidence,
    device: DeviceConnected,
    area: str,
    probes: Sequence[Record[Probed]],
    missing: Sequence[str],
    disturbed: bool,
) -> Finding:
    # A message that tests several areas fails in that of its first id only: one fault, one failure.
    wrong = [r for r in probes if r.body.fault and REQUIREMENTS[_known(r.body)[0]].area == area]
    lacks = {r.seq: _excuse(evidence, device, r.body) for r in probes if r.body.untested}
    untested = [r.body for r in probes if lacks.get(r.seq) == () and _mandatory(_known(r.body), area)]
    missing = [each for each in missing if REQUIREMENTS[each].mandatory]
    ids = _in_order(each for record in probes for each in _known(record.body) if REQUIREMENTS[each].area == area)
    if wrong:
        first = wrong[0].body
        named = ", ".join(_known(first)[:NAMED])
        verdict, detail = Verdict.FAIL, f"{named}: {first.state}: {first.command}: {first.fault}{_more(wrong)}"
        ids = _in_order(each for record in wrong for each in _known(record.body))
    elif untested:
        named = ", ".join(_mandatory(_known(untested[0]), area)[:NAMED])
        why = f"{named}: {untested[0].state}: {untested[0].command}: {untested[0].untested}"
        verdict, detail = Verdict.NOT_TESTED, why + _more(untested)
    elif missing:
        verdict, detail = Verdict.NOT_TESTED, f"nothing was tried for {', '.join(missing)}"
    else:
        said = (r.body.untested or r.body.note for r in probes)
        notes = "".join(f"; {note}" for note in dict.fromkeys(filter(None, said)))
        verdict = Verdict.NOT_TESTED if disturbed else Verdict.PASS
        detail = f"{len(probes)} messages{notes}" + ("; the rig disturbs its wire" if disturbed else "")
    seen = tuple(record.seq for record in (wrong or probes)[:SHOWN])
    return Finding(
        evidence.run.game,
        None,
        device.name,
        area_check(area),
        verdict,
        detail,
        seen,
        requirements=ids,
        lacks=tuple(dict.fromkeys(lack for each in lacks.values() for lack in each)),
    )


def _excuse(evidence: Evidence, device: DeviceConnected, body: Probed) -> tuple[str, ...]:
    """What the machine lacks, so that this could not be tried on it; empty if it is not excused."""
    return excused(evidence, device.name, body.during) if body.during else ()


def _known(body: Probed) -> tuple[str, ...]:
    """The ids that a message tests; a journal of another version may name some that are no more."""
    return tuple(each for each in body.requirements if each in REQUIREMENTS)


def _mandatory(ids: Sequence[str], area: str) -> list[str]:
    return [each for each in ids if REQUIREMENTS[each].mandatory and REQUIREMENTS[each].area == area]


def _in_order(ids: Iterator[str]) -> tuple[str, ...]:
    found = set(ids)
    return tuple(each for each in REQUIREMENTS if each in found)


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""
