"""What is checked of every device."""

from collections.abc import Iterator

from feltrig.harness.judge.checks.check import Sighting
from feltrig.harness.judge.evidence import Evidence


def identity_as_submitted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device says that it is of the kind expected, and every part of its identity that was submitted agrees."""
    for record in evidence.of("device"):
        if record.data["name"] == device:
            submitted = {"kind": record.data["kind"], **record.data["submitted"]}
            said = record.data["identity"]
            wrong = [
                f"{key} is {said[key]!r}, submitted {value!r}" for key, value in submitted.items() if said[key] != value
            ]
            note = "" if wrong or record.data["submitted"] else "nothing was submitted: only its kind was compared"
            yield Sighting(not wrong, (record.seq,), "; ".join(wrong), note)


def proves_its_firmware(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The proof that the device gives for a nonce of the rig's is that of the image submitted."""
    for record in evidence.of("challenge", device):
        error, proof = record.data["error"], record.data["proof"]
        wrong = f"answered {error}" if error != "ok" else f"the proof {proof} is not that of the image submitted"
        yield Sighting(proof == record.data["expected"], (record.seq,), wrong)


def events_without_gap(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Event numbers rise by one and never start over, in the drills neither: none of them is about this."""
    for record in evidence.throughout("event", device):
        yield Sighting(True, (record.seq,))
    for record in evidence.throughout("gap", device):
        detail = f"event {record.data['next']} follows event {record.data['seen']}"
        yield Sighting(False, (record.seq,), detail)
    for record in evidence.throughout("restart", device):
        yield Sighting(False, (record.seq,), "the device started over in the middle of the run")


def stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device does not start over while it is in use, nor while it or another one is drilled. Whoever drives it
    begins behind the events of the past."""
    for record in evidence.throughout("event", device):
        good = record.data["event"] != "started"
        yield Sighting(good, (record.seq,), "the device started over in the middle of the run")


def completes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Whatever the device was told to do, it did, without a fault, a refusal or a stop."""
    for record in evidence.of("reply", device):
        yield Sighting(record.data["error"] == "ok", (record.seq,), f"{record.data['command']}: {record.data['error']}")
    for record in evidence.events(device, "faulted"):
        yield Sighting(False, (record.seq,), "stopped with a fault")
    for record in evidence.of("trouble", device):
        if record.data["what"] in ("stalled", "unfit"):
            yield Sighting(False, (record.seq,), record.data["detail"])
