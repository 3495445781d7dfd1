"""Whether a run's folder is what it was when the run ended: chain, verdict, certificate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from feltrig.errors import CertificateError, JournalError, KeyFileError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge import certificate as certificates
from feltrig.harness.judge import dsse
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.keys import key_id, known_by


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was examined."""

    what: str
    good: bool | None
    """None for what is not there and need not be."""
    detail: str


def verify(folder: Path, key: Ed25519PublicKey | None = None) -> list[Examined]:
    """Examine a run. With a key, a certificate of that key must be there."""
    return list(_examine(folder, key))


def _examine(folder: Path, key: Ed25519PublicKey | None) -> Iterator[Examined]:
    yield from _examine_evidence(folder, key)
    reports = [name for name in runs.REPORTS if (folder / name).exists()]
    if reports:
        yield Examined(
            "reports", None, f"{', '.join(reports)}: not examined; `feltrig report` makes them again from the journal"
        )


def _examine_evidence(folder: Path, key: Ed25519PublicKey | None) -> Iterator[Examined]:
    path = folder / runs.JOURNAL
    try:
        reading = journals.read(path)
    except JournalError as error:
        yield Examined("journal", False, str(error).removeprefix(f"{path}: "))
        return
    if reading.torn is not None or not reading.records:
        yield Examined("journal", False, "ends in the middle of a record" if reading.torn else "is empty")
        return
    yield Examined("journal", True, f"{len(reading.records)} records, each chained to the one before")
    # What follows from the journal is worked out again, by the same functions that wrote it.
    evidence = Evidence(reading.records)
    if evidence.begun is None:
        yield Examined("verdict", False, "cannot be worked out: the journal does not begin with a run")
        return
    try:
        written = judge(evidence).verdict
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        yield Examined("verdict", False, f"cannot be worked out: feltrig does not write such records ({error!r})")
        return
    derived = runs.verdict_bytes(written)
    found = _bytes(folder / runs.VERDICT)
    if isinstance(found, OSError):
        yield Examined("verdict", False, f"cannot be read: {found.strerror}")
    elif found is None:
        unended = ": the run is not finished; `feltrig resume` continues it" if evidence.end is None else ""
        yield Examined("verdict", False, f"there is no {runs.VERDICT}{unended}")
    elif found != derived:
        yield Examined("verdict", False, f"is not what follows from the journal{_by_another(evidence)}")
    else:
        yield Examined("verdict", True, f"{written['verdict']}: follows from the journal")
    sealed = _bytes(folder / runs.CERTIFICATE)
    if isinstance(sealed, OSError):
        yield Examined("certificate", False, f"cannot be read: {sealed.strerror}")
        return
    if sealed is None:
        unsigned = f"there is no {runs.CERTIFICATE}: nobody vouches for this run"
        yield Examined("certificate", None if key is None else False, unsigned)
        return
    try:
        keyid = signer(sealed, written)
        if key is not None and keyid != key_id(key):
            raise CertificateError(f"names the key {keyid[:16]}…, not this one")
    except CertificateError as error:
        yield Examined("certificate", False, str(error))
        return
    signed = "signed by this key" if key is not None else f"signed by the key {keyid[:16]}…, whoever has that"
    yield Examined("certificate", True, f"states this journal and the verdict that follows from it; {signed}")


def signer(sealed: bytes, written: Mapping[str, Any]) -> str:
    """The id of the key that signed the certificate of this verdict. Raises CertificateError when the certificate is of
    another verdict, or not signed by the key that it names."""
    stated, payload, signatures = certificates.opened(sealed)
    if stated != certificates.statement(written, runs.verdict_bytes(written)):
        raise CertificateError("belongs to another run or another verdict")
    for one in signatures:
        try:
            dsse.check(certificates.PAYLOAD, payload, one.data, known_by(one.keyid))
        except KeyFileError as error:
            raise CertificateError(str(error)) from error
    return signatures[0].keyid


def _by_another(evidence: Evidence) -> str:
    """Why that need not be anybody's fault."""
    begun, today = evidence.run.version, version("feltrig")
    return "" if begun == today else f" by feltrig {today}: it was judged by {begun}"


def _bytes(path: Path) -> bytes | OSError | None:
    """What is in a file, or why nobody can say; None when there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return error
