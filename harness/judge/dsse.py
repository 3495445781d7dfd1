"""DSSE envelopes: a payload, its type, and the Ed25519 signatures over both."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from feltrig.errors import CertificateError
from feltrig.harness.judge.keys import key_id


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature, and the id of the key that made it."""

    keyid: str
    data: bytes


def sign(kind: str, payload: bytes, key: Ed25519PrivateKey) -> Signature:
    """Sign a payload of a type."""
    return Signature(key_id(key.public_key()), key.sign(pre_authentication(kind, payload)))


def check(kind: str, payload: bytes, signature: bytes, key: Ed25519PublicKey) -> None:
    """Raise CertificateError unless the key has signed the payload."""
    try:
        key.verify(signature, pre_authentication(kind, payload))
    except InvalidSignature as error:
        raise CertificateError("was not signed by this key, or was changed since") from error


def pre_authentication(kind: str, payload: bytes) -> bytes:
    """What is signed: the type and the payload, each with its length."""
    name = kind.encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(payload), payload)


def written(kind: str, payload: bytes, signatures: Sequence[Signature]) -> bytes:
    """An envelope, as the file has it."""
    document = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": kind,
        "signatures": [{"keyid": one.keyid, "sig": base64.b64encode(one.data).decode()} for one in signatures],
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def read(kind: str, data: bytes) -> tuple[bytes, tuple[Signature, ...]]:
    """The payload and the signatures of an envelope, unchecked. Every byte must be as it is written, and no key
    signs twice. Raises CertificateError."""
    try:
        document = json.loads(data)
        payload = base64.b64decode(document["payload"], validate=True)
        signatures = tuple(
            Signature(one["keyid"], base64.b64decode(one["sig"], validate=True)) for one in document["signatures"]
        )
        if not signatures or len({one.keyid for one in signatures}) < len(signatures):
            raise ValueError("no signature, or two of one key")
        same = written(kind, payload, signatures) == data
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error) as error:
        raise CertificateError("is not a DSSE envelope with signatures") from error
    if not same:
        raise CertificateError("is not in the form that feltrig writes")
    return payload, signatures
