"""What the findings of a run come to, for the run and for each device."""

from collections.abc import Iterable
from enum import Enum

from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.records import Called, NoiseBegun
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.planned import Planned, planned
from feltrig.harness.plan.shortened import shortened


class Outcome(Enum):
    """The outcome of a run, or of one device in it."""

    CERTIFIED = "certified"
    """Of the device under test only, by a whole plan: nothing failed, and nothing that the plan requires is missing."""
    REFUSED = "refused"
    INCONCLUSIVE = "inconclusive"
    REHEARSED = "rehearsed"
    """Nothing failed in a plan with fewer samples or steps than its own."""
    NO_FAILURE = "no failure seen"
    """Nothing failed in rounds without a plan."""


NOT_UNDER_TEST = "not under test"
"""What stands in the place of a verdict for a device that is not judged."""


def outcome(evidence: Evidence, found: Iterable[Finding], device: str | None = None) -> Outcome:
    """What the findings come to, for one device or for the run. A failure outweighs an unfinished run. A device that
    is not judged does not hold up the others. Where noise could have changed bytes unseen, nothing is proved."""
    idle, chosen = not_judged(evidence), planned(evidence)
    if chosen is not None and device == chosen.device:
        device = None  # a plan's run is about this device and no other
    if device in idle or any(record.body.unseen for record in evidence.of(NoiseBegun)):
        return Outcome.INCONCLUSIVE
    relevant = [f for f in found if (f.device == device if device else f.device not in idle)]
    failed = [f for f in relevant if f.verdict is Verdict.FAIL]
    if any(f.basis is not Basis.PLAYED for f in failed):
        return Outcome.REFUSED
    finished = evidence.run.judged and evidence.end is not None and evidence.end.reason == "finished"
    missing = any(f.verdict is Verdict.NOT_TESTED and f.required for f in relevant)
    if failed or missing or not finished:  # a failure of the rig's own part is no device's fault, and proves nothing
        return Outcome.INCONCLUSIVE
    return _best(evidence, chosen)


def _best(evidence: Evidence, chosen: Planned | None) -> Outcome:
    """What a run comes to in which nothing failed and nothing is missing."""
    if chosen is None:
        return Outcome.NO_FAILURE
    if shortened(chosen.plan):
        return Outcome.REHEARSED
    return Outcome.CERTIFIED if took_part(evidence, chosen.device) else Outcome.INCONCLUSIVE


def not_judged(evidence: Evidence) -> set[str]:
    """The devices that the run does not judge: those that the game does not use, or that a plan only needs as help."""
    chosen = planned(evidence)
    return {
        name
        for name, device in evidence.devices.items()
        if device.kind not in evidence.run.uses or (chosen is not None and chosen.device != name)
    }


def device_verdict(evidence: Evidence, found: Iterable[Finding], device: str) -> str:
    """The outcome of a device that the run judges, or that it is not under test, as no instrument of the rig is."""
    if device in not_judged(evidence) or not DEVICES[evidence.devices[device].kind].planned:
        return NOT_UNDER_TEST
    return outcome(evidence, found, device).value


def took_part(evidence: Evidence, device: str) -> bool:
    """Whether a device was there, is one that can be judged, and was told to do anything."""
    known = evidence.devices.get(device)
    return known is not None and DEVICES[known.kind].planned and next(evidence.of(Called, device), None) is not None
