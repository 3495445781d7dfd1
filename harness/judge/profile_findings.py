"""What is found of a device that talks by a profile of its own: it is bound by that profile, not by the open protocol.

What its protocol does not carry limits the certificate by name. It does not forbid one, unless it is the outcome itself
(`DeviceKind.outcome`)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.records import NoiseBegun, Probed
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import SHOWN, Finding, Verdict
from feltrig.harness.judge.planned import planned
from feltrig.protocols.vocabulary import COMMON

COMMANDS, MALFORMED = "commands by its profile", "malformed frames by its profile"
"""The scenes in which a device is held to its profile."""

REPEATS = "repeats"
"""What no profile carries: a token by which a device knows a command that it has done already."""

IDENTIFY = next(command for command in COMMON if command.name == "identify")

REPEATED = "runs a repeated command once"

WORDS: Mapping[str, str] = {
    "numbers": "event numbers",
    "answers": "an answer to each command",
    REPEATS: "tokens, by which a repeated command would run once",
}


def words(lack: str) -> str:
    """Something that a protocol does not carry, as people read it."""
    group, dot, field = lack.partition(".")
    if group == "identity":
        doc = next(each.doc for each in IDENTIFY.reply if each.name == field)
        return f"its {doc if doc.startswith(field) else field}"
    return f"{field} of {group}" if dot else WORDS.get(lack, f"the {lack}")


def limited(evidence: Evidence, finding: Finding, lacks: Iterable[str]) -> Finding:
    """The finding, or that nothing was tested where the device's protocol does not carry what it rests on. A failure
    stays one."""
    known = evidence.devices[finding.device]
    missing = tuple(what for what in lacks if what in (known.profile or {}).get("lacks", ()))
    if not missing or finding.verdict is Verdict.FAIL:
        return finding
    detail = f"the protocol of this machine does not carry {', '.join(map(words, missing))}"
    needed = finding.required and not DEVICES[known.kind].outcome.isdisjoint(missing)
    return replace(finding, verdict=Verdict.NOT_TESTED, detail=detail, required=needed, lacks=missing)


def profile_findings(evidence: Evidence) -> Iterator[Finding]:
    """How the device under test keeps its own profile, and what nobody can know of it by that."""
    chosen = planned(evidence)
    device = None if chosen is None else evidence.devices.get(chosen.device)
    if chosen is None or device is None or device.profile is None:
        return
    disturbed = any(evidence.of(NoiseBegun, chosen.device))
    for scene in (COMMANDS, MALFORMED):
        probes = [record for record in evidence.of(Probed, chosen.device) if record.body.state == scene]
        wrong = [record for record in probes if record.body.fault]
        untested = [record.body for record in probes if record.body.untested]
        if wrong:
            first, more = wrong[0].body, f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            verdict, detail = Verdict.FAIL, f"{first.command}: {first.fault}{more}"
        elif not probes:
            why = "the rig disturbs its wire" if disturbed else "was not tried"
            verdict, detail = Verdict.NOT_TESTED, why
        elif len(untested) == len(probes):
            verdict, detail = Verdict.NOT_TESTED, untested[0].untested
        else:
            left = f"; without {untested[0].command}: {untested[0].untested}" if untested else ""
            verdict, detail = Verdict.PASS, f"{len(probes) - len(untested)} messages{left}"
        seen = tuple(record.seq for record in (wrong or probes)[:SHOWN])
        name = f"conformance by its profile: {scene.removesuffix(' by its profile')}"
        yield Finding(evidence.run.game, None, chosen.device, name, verdict, detail, seen)
    repeated = Finding(evidence.run.game, None, chosen.device, REPEATED, Verdict.NOT_TESTED, "", required=False)
    yield limited(evidence, repeated, (REPEATS,))
