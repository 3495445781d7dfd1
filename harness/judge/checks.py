"""All checks: those of every device, those in the records of the kinds, and those of installed packages."""

from collections.abc import Iterator

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import OK
from feltrig.harness.journal.records import (
    Body,
    Challenged,
    DeviceConnected,
    EventSeen,
    GapSeen,
    NoiseBegun,
    PowerSwitched,
    Replied,
    Restarted,
    Trouble,
    UnreadSeen,
)
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.blame import blamed, refused
from feltrig.harness.judge.check import Check, Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.protocols.messages import WRONG_CHECK
from feltrig.registry import Registry

CHECKS: Registry[Check] = Registry(
    "feltrig.checks",
    {
        "identity": f"{__name__}:identity_as_submitted",
        "firmware": f"{__name__}:proves_its_firmware",
        "event_numbers": f"{__name__}:events_without_gap",
        "stays_on": f"{__name__}:stays_on",
        "obeys": f"{__name__}:completes",
        "checksums": f"{__name__}:right_checks",
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


@check(
    "is the device that was submitted", requirements=("DEV-94", "DEV-95"), required=False
)  # a plan says whether anything must be submitted
def identity_as_submitted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device says that it is of the kind expected, and every part of its identity that was submitted agrees. Where
    nothing was submitted, nothing is proved. By a profile of its own a device need not say what kind it is. What a
    profile's label says is not the device's word: it proves nothing either way."""
    for record in evidence.of(DeviceConnected):
        if record.body.name == device:
            own = record.body.profile
            submitted = {**({"kind": record.body.kind} if own is None else {}), **record.body.submitted}
            said, lacks = record.body.identity, () if own is None else own["lacks"]
            unsaid = [key for key in submitted if f"identity.{key}" in lacks]
            wrong = [key for key, value in submitted.items() if key not in unsaid and said[key] != value]
            detail = "; ".join(f"{key} is {said[key]!r}, submitted {submitted[key]!r}" for key in wrong)
            compared = "only its kind was compared" if own is None else "nothing was compared"
            unproven = "" if wrong or record.body.submitted else f"nothing was submitted: {compared}"
            missing = tuple(f"identity.{key}" for key in unsaid)
            yield Sighting(not wrong, (record.seq,), detail, unproven=unproven, lacks=missing)


@check(
    "proves its firmware with a salted challenge",
    requirements=("DEV-96",),
    rests_on=("command challenge",),
    required=False,  # of a device whose image was submitted, no run ends without it
    limits="this shows that the device has the image, but not that it runs it",
    absent="no firmware image was submitted",
    basis=Basis.SEEN,
)
def proves_its_firmware(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The proof that the device gives for a nonce of the rig's is that of the image submitted."""
    for record in evidence.of(Challenged, device):
        error, proof = record.body.error, record.body.proof
        wrong = f"answered {error}" if error != "ok" else f"the proof {proof} is not that of the image submitted"
        yield Sighting(proof == record.body.expected, (record.seq,), wrong)


LEFT_OUT = ("DEV-9", "DEV-11")
GIVEN_AGAIN = ("DEV-11", "DEV-12")
GONE_BACK = ("DEV-9", "DEV-14")
"""What a device breaks whose next event is too high, or one that was there before, or whose latest is too low."""


@check(
    "numbers its events without a gap",
    requirements=("DEV-9", "DEV-11", "DEV-12", "DEV-14"),
    rests_on=("numbers",),
    catches=("counter_jump",),
    basis=Basis.SEEN,
)
def events_without_gap(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Event numbers rise by one and never start over, in the drills neither: none of them is about this."""
    expected = ordered_starts(evidence, device)
    for record in evidence.throughout(EventSeen, device):
        yield Sighting(True, (record.seq,))
    for gap in evidence.throughout(GapSeen, device):
        detail = f"event {gap.body.next} follows event {gap.body.seen}"
        ids = GIVEN_AGAIN if gap.body.next <= gap.body.seen else LEFT_OUT
        yield Sighting(gap.seq in expected, (gap.seq,), detail, requirements=ids)
    for restart in evidence.throughout(Restarted, device):
        detail = f"event {restart.body.latest} is the latest, but event {restart.body.seen} was there before"
        yield Sighting(restart.seq in expected, (restart.seq,), detail, requirements=GONE_BACK)


@check("does not restart during the run", catches=("restart", "power_loss", "power_loss_forgetful"))
def stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device does not restart while in use, nor in a drill, unless its power was cut on purpose. The driver begins
    after the events of the past."""
    expected = ordered_starts(evidence, device)
    for record in evidence.throughout(EventSeen, device):
        good = record.body.event != "started" or record.seq in expected
        yield Sighting(good, (record.seq,), "the device restarted during the run")
    for restart in evidence.throughout(Restarted, device):
        yield Sighting(restart.seq in expected, (restart.seq,), "the device restarted during the run")


def ordered_starts(evidence: Evidence, device: str) -> set[int]:
    """The records of starts, and of the gaps before them, that follow from a power cut which hands were asked for. The
    number of a start may go on from an event that was lost with the power."""
    pardoned: set[int] = set()
    cut = False
    for record in evidence.every:
        if record.device != device:
            continue
        match record.body:
            case PowerSwitched(on=False):
                cut = True
            case Restarted() | GapSeen() if cut:
                pardoned.add(record.seq)
            case EventSeen(event="started") if cut:
                pardoned.add(record.seq)
                cut = False
    return pardoned


ROWS = tuple(f"DEV-{number}" for number in range(32, 43))
"""The rows of the table that says what each command does."""


@check(
    "carries out its commands",
    requirements=("DEV-24", "DEV-31", *ROWS),
    rests_on=("answers",),
    catches=("slow", "hang", "restart", "power_loss_forgetful"),
)
def completes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Whatever the device was told to do, it did, without a fault, a refusal or a stop."""
    kind = evidence.devices[device].kind if device in evidence.devices else ""
    before = list[Body]()
    for record in evidence.records:
        if record.device != device:
            continue
        match record.body:
            case Replied(command=command, error=error):
                ids = () if error == OK else refused(kind, command, error)
                yield Sighting(error == OK, (record.seq,), f"{command}: {error}", requirements=ids)
            case EventSeen(event="faulted"):
                yield Sighting(False, (record.seq,), "stopped with a fault", requirements=blamed(kind, before))
            case Trouble(what="stalled" | "unfit", detail=detail, requirements=ids):
                yield Sighting(False, (record.seq,), detail, requirements=ids or blamed(kind, before))
        before.append(record.body)


@check(
    "sends its messages with a right check",
    required=False,
    absent="its protocol has no check, or nothing was heard",
    basis=Basis.SEEN,
)
def right_checks(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """By a profile whose frames have a check, no message has a wrong one where nothing disturbs the line. The open
    protocols have a check that the rig cannot read past."""
    known = evidence.devices.get(device)
    if known is None or known.profile is None or not known.profile.get("checked", False):
        return
    disturbed = "the rig disturbs its wire" if any(evidence.of(NoiseBegun, device)) else ""
    for record in evidence.throughout(EventSeen, device):
        yield Sighting(True, (record.seq,))
    for unread in evidence.throughout(UnreadSeen, device):
        if unread.body.why == WRONG_CHECK:
            yield Sighting(False, (unread.seq,), f"a wrong check on {unread.body.shown}", unproven=disturbed)
