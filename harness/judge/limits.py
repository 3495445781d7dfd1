"""The limits of a certificate: what could not be tested of the device under test, and is no fault of it. Each is named
in the verdict, the report and the certificate."""

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import STOP_BUTTON
from feltrig.harness.journal.records import DeviceConnected, HandsRefused
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.planned import late, planned, times
from feltrig.harness.judge.profile_findings import words
from feltrig.protocols.kinds.shoe import STACK_SIZES

TIME_AT_WORK = "time at work"
"""What a machine lacks whose work is over before hands can act in the middle of it."""

SIZES = "stack sizes"


def excused(evidence: Evidence, device: str, during: str, refused: HandsRefused | None = None) -> tuple[str, ...]:
    """What the machine lacks, so that hands could not do something in the middle of its work on a command; empty if
    they could have, and the machine is not excused. Its work is timed by the rig: nobody's word counts for it."""
    if refused is not None and refused.lacks:
        return (refused.lacks,)
    seconds = _usual(evidence, device, during)
    quick = seconds is not None and seconds < DEVICES[evidence.devices[device].kind].reaction
    return (TIME_AT_WORK,) if quick else ()


def _usual(evidence: Evidence, device: str, command: str) -> float | None:
    """How long a work usually takes; None if that was not seen."""
    _, operations = times(evidence, device)
    delays = late(evidence)
    taken = [measured.without(delays) for measured in operations.get(command, ())]
    return median(taken) if taken else None


def limits(evidence: Evidence, found: Iterable[Finding]) -> list[dict[str, Any]]:
    """The limits of the certificate, each with what is not tested for it."""
    chosen = planned(evidence)
    device = None if chosen is None else evidence.devices.get(chosen.device)
    if device is None:
        return []
    own = [finding for finding in found if finding.device == device.name]
    lacks = dict.fromkeys((*(device.profile or {}).get("lacks", ()), *(lack for f in own for lack in f.lacks)))
    known = [
        {"lacks": lack, "words": _sentence(evidence, device, lack), "not_tested": list(_not_tested(own, lack))}
        for lack in lacks
    ]
    return [*known, *_sizes(device)]


def _not_tested(own: Iterable[Finding], lack: str) -> Iterator[str]:
    for finding in own:
        if lack in finding.lacks:
            yield finding.check if finding.verdict is Verdict.NOT_TESTED else f"a part of {finding.check}"


def _sentence(evidence: Evidence, device: DeviceConnected, lack: str) -> str:
    if lack == STOP_BUTTON:
        return "This machine has no stop button."
    if lack == TIME_AT_WORK:
        kind = DEVICES[device.kind]
        taken = [(command, _usual(evidence, device.name, command)) for command in kind.operations]
        works = ", ".join(f"{seconds:.2g} s to {command}" for command, seconds in taken if seconds is not None)
        return f"This machine takes {works}: hands need {kind.reaction:g} s to act in the middle of that."
    return f"The protocol of this machine does not carry {words(lack)}."


def _sizes(device: DeviceConnected) -> Iterator[dict[str, Any]]:
    others = [str(size) for size in STACK_SIZES if size not in device.stack_sizes]
    if device.stack_sizes and others:
        sizes = " or ".join(map(str, sorted(device.stack_sizes)))
        stated = f"This machine was submitted for stacks of {sizes} cards."
        yield {"lacks": SIZES, "words": stated, "not_tested": [f"stacks of {' or '.join(others)} cards"]}


def limit_words(limit: Mapping[str, Any]) -> str:
    """A limit of a certificate in words, from its entry in `verdict.json`."""
    return f"{limit['words']} Not tested: {'; '.join(limit['not_tested']) or 'nothing'}."
