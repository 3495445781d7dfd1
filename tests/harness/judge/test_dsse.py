"""DSSE envelopes: read as they are written, and by a reader that is not ours."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

from feltrig.errors import CertificateError
from feltrig.harness.judge import dsse, keys

KIND = "application/x-test"


def signed(*signers):
    return dsse.written(KIND, b"payload", [dsse.sign(KIND, b"payload", key) for key in signers])


def test_every_signature_is_read_and_checked():
    one, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    payload, signatures = dsse.read(KIND, signed(one, other))
    assert payload == b"payload"
    assert [each.keyid for each in signatures] == [keys.key_id(key.public_key()) for key in (one, other)]
    dsse.check(KIND, payload, signatures[1].data, other.public_key())
    with pytest.raises(CertificateError, match="was not signed by this key"):
        dsse.check(KIND, payload, signatures[1].data, one.public_key())
    with pytest.raises(CertificateError, match="was not signed by this key"):
        dsse.check("application/x-other", payload, signatures[0].data, one.public_key())


def test_a_reader_that_is_not_ours_accepts_every_signature():
    signers = [Ed25519PrivateKey.generate() for _ in range(2)]
    envelope = Envelope.from_dict(json.loads(signed(*signers)))
    known = [SSlibKey.from_crypto(key.public_key(), keys.key_id(key.public_key())) for key in signers]
    assert len(envelope.verify(known, 2)) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"keyid": "', '"keyid": "", "keyid": "', 1),
        lambda text: text.replace('"payload"', '"payload": "", "payload"', 1),
        lambda text: text.replace("\n", "", 1),
        lambda text: text.replace(KIND, "application/x-other"),
        lambda text: json.dumps(json.loads(text) | {"signatures": []}, indent=1) + "\n",
        lambda text: json.dumps(json.loads(text) | {"signatures": json.loads(text)["signatures"] * 2}, indent=1) + "\n",
        lambda text: "[" * 100_000,
    ],
    ids=["key id twice", "payload twice", "white space", "type", "no signature", "one key twice", "deep"],
)
def test_what_feltrig_does_not_write_is_refused(change):
    with pytest.raises(CertificateError):
        dsse.read(KIND, change(signed(Ed25519PrivateKey.generate()).decode()).encode())
