"""All checks: those of every device, those in the records of the kinds, and those of installed packages."""

from collections.abc import Iterator

from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.records import Challenged, DeviceConnected, EventSeen, GapSeen, Replied, Restarted, Trouble
from feltrig.harness.judge.check import Check, Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.registry import Registry

CHECKS: Registry[Check] = Registry(
    "feltrig.checks",
    {
        "identity": f"{__name__}:identity_as_submitted",
        "firmware": f"{__name__}:proves_its_firmware",
        "event_numbers": f"{__name__}:events_without_gap",
        "stays_on": f"{__name__}:stays_on",
        "obeys": f"{__name__}:completes",
    },
    Check,
)
"""The checks that stand in no record of a kind."""


def all_checks() -> Iterator[tuple[str | None, Check]]:
    """Every check, with the kind of device that it is about; None for every device."""
    for each in CHECKS.values():
        yield each.kind, each
    for kind, device in DEVICES.items():
        for each in device.checks:
            yield kind, each


@check("is the device that was submitted")
def identity_as_submitted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device says that it is of the kind expected, and every part of its identity that was submitted agrees. What a
    profile's label says is not the device's word: it proves nothing either way."""
    for record in evidence.of(DeviceConnected):
        if record.body.name == device:
            submitted = {"kind": record.body.kind, **record.body.submitted}
            said, lacks = record.body.identity, (record.body.profile or {}).get("lacks", ())
            unsaid = [key for key in submitted if f"identity.{key}" in lacks]
            wrong = [key for key, value in submitted.items() if said[key] != value]
            detail = "; ".join(f"{key} is {said[key]!r}, submitted {submitted[key]!r}" for key in wrong)
            note = "" if wrong or record.body.submitted else "nothing was submitted: only its kind was compared"
            by_label = unsaid and set(wrong) <= set(unsaid)
            label = f"the device does not say its {', '.join(unsaid)}: known from its label only" if by_label else ""
            yield Sighting(not wrong, (record.seq,), detail, note, label)


@check(
    "proves its firmware with a salted challenge",
    rests_on=("command challenge",),
    required=False,  # of a device whose image was submitted, no run ends without it
    limits="this shows that the device has the image, but not that it runs it",
    absent="no firmware image was submitted",
)
def proves_its_firmware(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The proof that the device gives for a nonce of the rig's is that of the image submitted."""
    for record in evidence.of(Challenged, device):
        error, proof = record.body.error, record.body.proof
        wrong = f"answered {error}" if error != "ok" else f"the proof {proof} is not that of the image submitted"
        yield Sighting(proof == record.body.expected, (record.seq,), wrong)


@check("numbers its events without a gap", rests_on=("numbers",), catches=("counter_jump",))
def events_without_gap(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Event numbers rise by one and never start over, in the drills neither: none of them is about this."""
    for record in evidence.throughout(EventSeen, device):
        yield Sighting(True, (record.seq,))
    for gap in evidence.throughout(GapSeen, device):
        yield Sighting(False, (gap.seq,), f"event {gap.body.next} follows event {gap.body.seen}")
    for restart in evidence.throughout(Restarted, device):
        yield Sighting(False, (restart.seq,), "the device restarted during the run")


@check("does not restart during the run", catches=("restart", "power_loss", "power_loss_forgetful"))
def stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device does not restart while in use, nor in a drill. The driver begins after the events of the past."""
    for record in evidence.throughout(EventSeen, device):
        good = record.body.event != "started"
        yield Sighting(good, (record.seq,), "the device restarted during the run")


@check("carries out its commands", rests_on=("answers",), catches=("slow", "hang", "restart", "power_loss_forgetful"))
def completes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Whatever the device was told to do, it did, without a fault, a refusal or a stop."""
    for reply in evidence.of(Replied, device):
        yield Sighting(reply.body.error == "ok", (reply.seq,), f"{reply.body.command}: {reply.body.error}")
    for event in evidence.events(device, "faulted"):
        yield Sighting(False, (event.seq,), "stopped with a fault")
    for trouble in evidence.of(Trouble, device):
        if trouble.body.what in ("stalled", "unfit"):
            yield Sighting(False, (trouble.seq,), trouble.body.detail)
