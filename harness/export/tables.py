"""Samples and findings of a run as tables, and the numbers among them as bits."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Sampler
from feltrig.harness.export.bits import SIDES, packed
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding
from feltrig.harness.judge.planned import samples

FINDINGS = "findings.csv"


def write_tables(folder: Path, evidence: Evidence, findings: Iterable[Finding]) -> list[Path]:
    """Write `findings.csv`, and for each machine of chance `samples-NAME.csv`, which `feltrig stats` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [_write(folder / FINDINGS, (finding.record() for finding in findings))]
    for device, _ in machines_of_chance(evidence):
        path = _write(folder / f"samples-{device}.csv", given(evidence, device))
        written.append(path)
    return written


def bits_of(evidence: Evidence, device: str | None) -> Iterator[bytes]:
    """The numbers of one machine as bits. Raises RigError when no machine, or more than one, can be meant."""
    known = {name: sampler for name, sampler in machines_of_chance(evidence) if sampler.samples in SIDES}
    chosen = [device] if device else list(known)
    if len(chosen) != 1 or chosen[0] not in known:
        there = f"expected one of {', '.join(known)}" if known else "no device of this run gives numbers"
        raise RigError(f"--device {device or 'is missing'}: {there}")
    sampler = known[chosen[0]]
    rows = (sampler.row(sample) for sample in given(evidence, chosen[0]))
    return packed((row for row in rows if row), SIDES[sampler.samples])


def machines_of_chance(evidence: Evidence) -> Iterator[tuple[str, Sampler]]:
    """The devices whose results are left to chance."""
    for name, device in evidence.devices.items():
        sampler = DEVICES[device.kind].sampler if device.kind in DEVICES else None
        if sampler is not None and (device.kind in evidence.run.uses or samples(evidence, name)):
            yield name, sampler


def given(evidence: Evidence, device: str) -> Sequence[Mapping[str, Any]]:
    """What a machine gave: the samples of the plan, or else what the rounds show."""
    taken = [seen for _, seen in samples(evidence, device)]
    sampler = DEVICES[evidence.devices[device].kind].sampler
    return taken or ([] if sampler is None else list(sampler.played(evidence)))


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """One line for each row; lists with spaces between."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer: csv.DictWriter[str] | None = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, [key for key in row if key != "is"], extrasaction="ignore")
                writer.writeheader()
            writer.writerow({key: _cell(value) for key, value in row.items()})
    return path


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value
