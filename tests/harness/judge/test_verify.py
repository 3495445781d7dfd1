"""No byte of journal, verdict or certificate can change unseen, and what a run says of itself is examined again."""

import random
import shutil

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rigs import nobody

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import RunEnded
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge import certificate
from feltrig.harness.judge import verify as verifying
from feltrig.harness.run import certify, resume

FILES = (runs.JOURNAL, runs.VERDICT, runs.CERTIFICATE)


def good(folder, key=None):
    return all(one.good for one in verifying.verify(folder, key))


def test_a_run_is_as_it_was_and_its_key_is_known(sealed, key):
    assert good(sealed)
    assert good(sealed, key.public_key())
    assert [one.what for one in verifying.verify(sealed)] == ["journal", "verdict", "certificate"]


@pytest.mark.parametrize("name", [runs.VERDICT, runs.CERTIFICATE])
def test_a_folder_in_the_place_of_a_file_is_noticed(sealed, tmp_path, name):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    (bad,) = [one for one in verifying.verify(folder) if not one.good]
    assert (bad.what, bad.detail) == (name.removesuffix(".json"), "cannot be read: Is a directory")


def test_a_journal_of_something_else_is_noticed(tmp_path, body):
    with Journal(tmp_path / runs.JOURNAL) as journal:
        journal.append(body("run", game="chess"))
    (*_, bad) = verifying.verify(tmp_path)
    assert (bad.what, bad.good) == ("verdict", False)
    assert "feltrig does not write such records" in bad.detail


def test_reports_are_said_not_to_be_examined(sealed, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    (folder / "report.html").write_text("certified")
    (*_, last) = verifying.verify(folder)
    assert (last.what, last.good) == ("reports", None)
    assert last.detail.startswith("report.html: not examined")


@pytest.mark.parametrize("name", FILES)
def test_every_changed_byte_is_noticed(sealed, tmp_path, name):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    data = (folder / name).read_bytes()
    chance = random.Random(name)
    for _ in range(6 if name == runs.JOURNAL else 25):
        at = chance.randrange(len(data))
        other = chance.choice([byte for byte in range(256) if byte != data[at]])
        (folder / name).write_bytes(data[:at] + bytes([other]) + data[at + 1 :])
        assert not good(folder), (at, data[at], other)
    (folder / name).write_bytes(data)
    assert good(folder)


@pytest.mark.parametrize(
    "change", [lambda d: d[:-1], lambda d: d + b"\n", lambda d: d + b" ", lambda d: d[:-2] + b"\n"]
)
@pytest.mark.parametrize("name", FILES)
def test_a_byte_more_or_less_is_noticed(sealed, tmp_path, name, change):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    (folder / name).write_bytes(change((folder / name).read_bytes()))
    assert not good(folder)


def test_a_forged_verdict_with_a_certificate_of_another_key_is_noticed(sealed, tmp_path, key):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    stated, _, _ = certificate.opened((folder / runs.CERTIFICATE).read_bytes())
    (folder / runs.CERTIFICATE).write_bytes(certificate.envelope(stated, Ed25519PrivateKey.generate()))
    assert good(folder)
    (found,) = [one for one in verifying.verify(folder, key.public_key()) if not one.good]
    assert "not this one" in found.detail


def test_a_missing_file_is_noticed(sealed, tmp_path, key):
    for name in (runs.VERDICT, runs.CERTIFICATE):
        folder = tmp_path / name
        shutil.copytree(sealed, folder)
        (folder / name).unlink()
        assert not good(folder, key.public_key())


def test_a_run_that_nobody_signed_is_neither_good_nor_bad(sealed, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    (folder / runs.CERTIFICATE).unlink()
    *others, unsigned = verifying.verify(folder)
    assert [one.good for one in others] == [True, True]
    assert (unsigned.what, unsigned.good) == ("certificate", None)
    assert "nobody vouches" in unsigned.detail


def test_a_verdict_of_another_program_is_told_apart_from_a_forged_one(sealed, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    (folder / runs.VERDICT).write_bytes(b"{}")
    assert "is not what follows from the journal" in {one.detail for one in verifying.verify(folder)}
    monkeypatch.setattr("feltrig.harness.judge.verify.version", lambda _: "9.9")
    (found,) = [one.detail for one in verifying.verify(folder) if one.what == "verdict"]
    assert found.startswith("is not what follows from the journal by feltrig 9.9: it was judged by ")


def test_a_certificate_about_a_run_without_a_plan_is_no_longer_one(log, tmp_path, key):
    """Older versions signed such runs."""
    log.run()
    with Journal(tmp_path / runs.JOURNAL) as journal:
        journal.append(log.records[0].body)
        journal.append(RunEnded("finished", 0))
    written = certify(tmp_path).verdict
    stated = {"verdict": written["verdict"]}
    (tmp_path / runs.CERTIFICATE).write_bytes(certificate.envelope(stated, key))
    *_, found = verifying.verify(tmp_path)
    assert (found.what, found.good) == ("certificate", False)
    assert found.detail.startswith("is about a run that is never signed: the run followed no plan")


async def test_a_signed_run_is_not_taken_up_without_a_key(sealed, tmp_path, key):
    folder = tmp_path / "run"
    folder.mkdir()
    lines = (sealed / runs.JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / runs.JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    written = certify(folder).verdict
    stated = certificate.statement(written, runs.verdict_bytes(written))
    (folder / runs.CERTIFICATE).write_bytes(certificate.envelope(stated, key))
    with pytest.raises(RunError, match="this run is signed, and resuming changes it; give --key"):
        await resume(folder, lambda _: None, nobody)


async def test_a_run_that_ended_is_not_judged_by_another_program(sealed, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    monkeypatch.setattr("feltrig.harness.resuming.version", lambda _: "9.9")
    with pytest.raises(RunError, match=r"cannot be resumed: it was begun by feltrig .*, and this is feltrig 9\.9"):
        await resume(folder, lambda _: None, nobody)
