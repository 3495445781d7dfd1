"""Keys, certificates, and that no byte of journal, verdict or certificate can change unseen."""

import asyncio
import base64
import json
import random
import shutil

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rigs import nobody

from feltrig.errors import KeyFileError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import RunEnded, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge import certificate, keys
from feltrig.harness.judge import verify as verifying
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.reports.contents import report
from feltrig.harness.reports.writing import source
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import certify, resume, run

FILES = (runs.JOURNAL, runs.VERDICT, runs.CERTIFICATE)


@pytest.fixture(scope="module")
def key():
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(scope="module")
def sealed(tmp_path_factory, key):
    out = tmp_path_factory.mktemp("sealed")
    finished = asyncio.run(run(rigfile.embedded(), 2, 1, out, lambda _: None, nobody, key=key))
    return finished.folder


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


def test_the_statement_is_a_test_result_about_firmware(sealed):
    stated, _, _, _ = certificate.opened((sealed / runs.CERTIFICATE).read_bytes())
    verdict = json.loads((sealed / runs.VERDICT).read_bytes())
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    assert stated["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    digests = {
        device["identity"]["digest"] for device in verdict["devices"].values() if device["kind"] in verdict["uses"]
    }
    assert {subject["digest"]["sha256"] for subject in stated["subject"]} == digests
    assert stated["predicate"]["result"] == {"certified": "PASSED", "inconclusive": "WARNED"}[verdict["verdict"]]
    journal = stated["predicate"]["configuration"][0]
    assert (journal["name"], journal["digest"]["sha256"]) == ("journal.jsonl", verdict["journal"]["hash"])


def test_the_signature_is_over_the_pre_authentication_encoding_of_dsse(sealed, key):
    document = json.loads((sealed / runs.CERTIFICATE).read_bytes())
    payload = base64.b64decode(document["payload"])
    kind = document["payloadType"].encode()
    signed = b" ".join([b"DSSEv1", str(len(kind)).encode(), kind, str(len(payload)).encode(), payload])
    key.public_key().verify(base64.b64decode(document["signatures"][0]["sig"]), signed)


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
    certify(folder, Ed25519PrivateKey.generate())
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


def test_a_report_does_not_call_a_run_signed_by_the_certificate_of_another(sealed, tmp_path, key):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    assert source(folder).key == keys.key_id(key.public_key())
    other = json.loads((folder / runs.VERDICT).read_bytes()) | {"seed": 2}
    stated = certificate.statement(other, runs.verdict_bytes(other))
    (folder / runs.CERTIFICATE).write_bytes(certificate.envelope(stated, key))
    made_of = source(folder)
    assert (made_of.key, made_of.wrong_certificate) == (None, "belongs to another run or another verdict")
    assert any("does not hold: it belongs to another run" in notice for notice in report(made_of).notices)


def test_a_device_that_never_said_who_it_is_is_not_signed_for(log, tmp_path, key):
    with Journal(tmp_path / runs.JOURNAL) as journal:
        log.run("rng", plan=PlanOrder(plan("rng-nj"), "rng", False).record())
        journal.append(log.records[0].body)
        journal.append(Trouble("rng", "no answer", "no answer"))
        journal.append(RunEnded("wire"))
    assert certify(tmp_path, key).verdict["verdict"] == "inconclusive"
    assert sorted(path.name for path in tmp_path.iterdir()) == [runs.JOURNAL, runs.VERDICT]


async def test_a_signed_run_is_not_taken_up_without_a_key(sealed, tmp_path, key):
    folder = tmp_path / "run"
    folder.mkdir()
    lines = (sealed / runs.JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / runs.JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    certify(folder, key)
    with pytest.raises(RunError, match=r"was signed, .*certificate\.json states: --key is needed"):
        await resume(folder, lambda _: None, nobody)


async def test_a_run_that_ended_is_not_judged_by_another_program(sealed, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    monkeypatch.setattr("feltrig.harness.run.version", lambda _: "9.9")
    with pytest.raises(RunError, match=r"cannot be resumed by feltrig 9\.9"):
        await resume(folder, lambda _: None, nobody)


def test_a_key_is_made_for_its_owner_only_and_never_overwritten(tmp_path):
    file = tmp_path / "lab.key"
    public = keys.new(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert keys.key_id(keys.private(file).public_key()) == keys.key_id(public)
    assert keys.key_id(keys.public(tmp_path / "lab.key.pub")) == keys.key_id(public)
    assert keys.key_id(keys.known_by(keys.key_id(public))) == keys.key_id(public)
    with pytest.raises(KeyFileError, match="never overwritten"):
        keys.new(file)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda file: None, "cannot be read"),
        (lambda file: file.write_text("nonsense"), "other users can read|is not a private key"),
        (lambda file: (keys.new(file), file.chmod(0o640)), "other users can read or change it"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_in_one_line(tmp_path, make, words):
    file = tmp_path / "lab.key"
    make(file)
    with pytest.raises(KeyFileError, match=words) as refusal:
        keys.private(file)
    assert str(refusal.value).startswith(f"{file}: ")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("identity", ["", "zz", "00", "AB" * 32])
def test_what_is_no_id_of_a_key_is_refused(identity):
    with pytest.raises(KeyFileError):
        keys.known_by(identity)
