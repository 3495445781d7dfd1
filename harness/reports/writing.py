"""Writes the reports of a run beside its journal, or elsewhere."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feltrig.errors import CertificateError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.verify import signer
from feltrig.harness.reports import FORMATS
from feltrig.harness.reports.contents import Source, report
from feltrig.harness.reports.lab import Lab


def source(folder: Path, lab: Lab | None = None) -> Source:
    """What the report of a run is made of. Raises RunError and JournalError."""
    reading = journals.read(runs.journal_path(folder))
    evidence = Evidence(reading.records)
    if evidence.begun is None:
        raise RunError(f"{folder}: the journal of this run is empty")
    judgement = judge(evidence)
    written = judgement.verdict
    kept = folder / runs.VERDICT
    contradicted = kept.is_file() and kept.read_bytes() != runs.verdict_bytes(written)
    key, wrong = _certificate(folder / runs.CERTIFICATE, written)
    return Source(judgement, lab or Lab(), key, reading.torn is not None, contradicted, wrong)


def _certificate(path: Path, written: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The id of the key that signed this verdict, or what is wrong with the certificate; neither when there is none."""
    try:
        return signer(path.read_bytes(), written), None
    except FileNotFoundError:
        return None, None
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"
    except CertificateError as error:
        return None, str(error)


def write(folder: Path, out: Path, lab: Lab | None = None, *, pdf: bool = True) -> list[Path]:
    """Write a report in every format, and verdict.json, into a folder; returns the files. A verdict.json that the run
    has is evidence and stays as it is. Without `pdf`, which takes longest, there is no report.pdf."""
    made_of = source(folder, lab)
    contents = report(made_of)
    wanted = [FORMATS[name] for name in FORMATS if pdf or name != "pdf"]
    files = {each.file: each.make(made_of, contents) for each in wanted}
    if not (folder / runs.VERDICT).is_file() or out.resolve() != folder.resolve():
        files[runs.VERDICT] = runs.verdict_bytes(made_of.judgement.verdict)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out}: cannot hold a report: {error.strerror or error}") from error
    for name, data in files.items():
        runs.write_whole(out / name, data)
    return [out / name for name in files]
