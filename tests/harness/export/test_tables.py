"""Samples and findings as tables, and numbers as bits."""

import csv
from pathlib import Path

import pytest

from feltrig.errors import RigError
from feltrig.harness.export.tables import bits_of, given, machines_of_chance, write_tables
from feltrig.harness.journal.reader import read
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import Judgement, judge
from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.shuffles.recorded import decks


@pytest.fixture(scope="module")
def judged(judged_run: Path) -> Judgement:
    return judge(Evidence(read(judged_run / "journal.jsonl").records))


def test_findings_and_the_samples_of_each_machine_of_chance(judged: Judgement, tmp_path: Path) -> None:
    written = write_tables(tmp_path / "new" / "folder", judged.evidence, judged.findings)
    assert sorted(path.name for path in written) == [
        "findings.csv",
        *(f"samples-{name}.csv" for name in sorted(["rng", "shaker", "shuffler"])),
    ]
    with written[0].open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["device"], row["check"], row["verdict"]) for row in rows] == [
        (finding.device, finding.check, finding.verdict.value) for finding in judged.findings
    ]
    assert [int(seq) for seq in rows[0]["evidence"].split()] == list(judged.findings[0].evidence)


def test_statistics_read_the_samples(judged: Judgement, tmp_path: Path) -> None:
    write_tables(tmp_path, judged.evidence, ())
    shuffles = given(judged.evidence, "shuffler")
    assert decks(tmp_path / "samples-shuffler.csv").after.tolist() == [list(one["after"]) for one in shuffles]
    for device, sort in {"rng": "numbers", "shaker": "rolls"}.items():
        if samples := given(judged.evidence, device):
            assert len(SAMPLES[sort].read(tmp_path / f"samples-{device}.csv")) == len(samples)


def test_bits_are_of_one_machine_that_gives_numbers(judged: Judgement) -> None:
    assert {name for name, _ in machines_of_chance(judged.evidence)} == {"rng", "shaker", "shuffler"}
    for device in ("shuffler", "nobody", None):
        with pytest.raises(RigError, match=r"--device .*: expected one of shaker, rng"):
            bits_of(judged.evidence, device)
    assert isinstance(b"".join(bits_of(judged.evidence, "shaker")), bytes)
