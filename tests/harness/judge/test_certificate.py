"""The certificate of a run: a signed statement about firmware, or none."""

import base64
import json
import shutil

from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import RunEnded, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge import certificate, keys
from feltrig.harness.laboratory.signing import Signing
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.reports.contents import report
from feltrig.harness.reports.writing import source
from feltrig.harness.run import certify


def test_the_statement_is_a_test_result_about_firmware(sealed):
    stated, _, _ = certificate.opened((sealed / runs.CERTIFICATE).read_bytes())
    verdict = json.loads((sealed / runs.VERDICT).read_bytes())
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    assert stated["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    (subject,) = stated["subject"]
    assert subject["digest"]["sha256"] == verdict["devices"]["shoe"]["identity"]["digest"]
    assert subject["name"].endswith("shoe, emulated")
    assert (verdict["verdict"], stated["predicate"]["result"]) == ("certified", "PASSED")
    journal = stated["predicate"]["configuration"][0]
    assert (journal["name"], journal["digest"]["sha256"]) == ("journal.jsonl", verdict["journal"]["hash"])


def test_the_signature_is_over_the_pre_authentication_encoding_of_dsse(sealed, key):
    document = json.loads((sealed / runs.CERTIFICATE).read_bytes())
    payload = base64.b64decode(document["payload"])
    kind = document["payloadType"].encode()
    signed = b" ".join([b"DSSEv1", str(len(kind)).encode(), kind, str(len(payload)).encode(), payload])
    key.public_key().verify(base64.b64decode(document["signatures"][0]["sig"]), signed)


def test_a_report_does_not_call_a_run_signed_by_the_certificate_of_another(sealed, tmp_path, key):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    assert source(folder).key == keys.key_id(key.public_key())
    other = json.loads((folder / runs.VERDICT).read_bytes()) | {"seed": 2}
    stated = certificate.statement(other, runs.verdict_bytes(other))
    (folder / runs.CERTIFICATE).write_bytes(certificate.envelope(stated, key))
    made_of = source(folder)
    assert (made_of.key, made_of.wrong_certificate) == (None, "belongs to another run or another verdict")
    assert any("is not valid: it belongs to another run" in notice for notice in report(made_of).notices)


def test_a_device_that_never_said_who_it_is_is_not_signed_for(log, tmp_path, laboratory):
    log.run("rng", plan=PlanOrder(plan("rng-nj"), "rng", False).record())
    with Signing(laboratory) as signing, Journal(tmp_path / runs.JOURNAL, written=signing.written) as journal:
        journal.append(log.records[0].body)
        signing.begin(journal, "rng")
        journal.append(Trouble("rng", "no answer", "no answer"))
        journal.append(RunEnded("wire"))
        assert certify(tmp_path, signing).verdict["verdict"] == "inconclusive"
        assert signing.judge(tmp_path) == (None, "rng never said who it is")
    assert sorted(path.name for path in tmp_path.iterdir()) == [runs.JOURNAL, runs.VERDICT]
