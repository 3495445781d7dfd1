"""What must be the same when a run is resumed: program, journal, rig, plan and devices."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from feltrig.errors import CertificateError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import DeviceChanged
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.certificate import journal_of, opened
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.checkpoints import Changed
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.connecting import WiredRig


def refuse(folder: Path, reasons: Iterable[str], done: str = "resumed") -> None:
    """Raise RunError with the first of the reasons, if there is one."""
    for reason in reasons:
        raise RunError(f"{folder}: cannot be {done}: {reason}")


def other_program_or_journal(folder: Path, evidence: Evidence) -> Iterator[str]:
    """Another program may come to another verdict by the same journal, and a journal that was cut after a failure to a
    better one. Neither must replace the first verdict."""
    if evidence.begun is None:
        yield "the journal of this run is empty"
        return
    begun, today = evidence.run.version, version("feltrig")
    if begun != today:
        yield f"it was begun by feltrig {begun}, and this is feltrig {today}"
    name = runs.VERDICT
    stated: list[tuple[str, int, str]] = []
    try:
        if (folder / name).exists():
            journal = json.loads((folder / name).read_bytes())["journal"]
            stated.append((name, journal["records"], journal["hash"]))
        name = runs.CERTIFICATE
        if (folder / name).exists():
            stated.append((name, *journal_of(opened((folder / name).read_bytes())[0])))
    except (OSError, ValueError, KeyError, TypeError, CertificateError) as error:
        yield f"{name} is not in the form that feltrig writes: {error}"
    for name, number, last in stated:
        if number not in range(1, len(evidence.all) + 1) or evidence.all[number - 1].hash != last:
            yield f"{runs.JOURNAL} has no record {number} as in {name}: the journal was cut or replaced"


def other_rig(rig: Rig, evidence: Evidence) -> Iterator[str]:
    """The rig file and the profiles must not have changed."""
    if rig.digest != evidence.run.digest:
        yield f"{rig.source} has changed since the run began"
    for name, device in rig.devices.items():
        known = evidence.devices[name].profile if name in evidence.devices else None
        if known is not None and (device.profile is None or known["digest"] != device.profile.digest):
            yield f"the profile of {name} has changed since the run began"


def require_same_devices(wired: WiredRig, before: Evidence, journal: Journal) -> None:
    """Go on only with the devices that were there when the run was interrupted. Raises Changed."""
    for driver in wired.devices.values():
        known = before.devices.get(driver.name)
        if known is None or driver.identity is None:
            continue
        was, now = known.identity, asdict(driver.identity)
        if was != now:
            journal.append(DeviceChanged(driver.name, was, now))
            differs = ", ".join(f"{key} {now[key]} instead of {was[key]}" for key in was if was[key] != now[key])
            raise Changed(f"{driver.name} is not the device that the run began with: {differs}")
