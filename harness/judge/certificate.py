"""The certificate of a run: an in-toto test-result statement in a DSSE envelope, signed with Ed25519.

It names the firmware that was judged, and seals the journal by its last hash and the verdict by its digest.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from feltrig.errors import CertificateError
from feltrig.harness.judge.keys import key_id

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
PAYLOAD = "application/vnd.in-toto+json"

RESULTS = {"certified": "PASSED", "refused": "FAILED", "inconclusive": "WARNED"}


def statement(verdict: Mapping[str, Any], verdict_bytes: bytes) -> dict[str, Any]:
    """What the certificate states: which firmware, which result, by which evidence."""
    plan = verdict["plan"]
    configuration = [
        _resource("journal.jsonl", verdict["journal"]["hash"], records=verdict["journal"]["records"]),
        _resource("verdict.json", sha256(verdict_bytes).hexdigest()),
        _resource(f"rig {verdict['rig']}", verdict["rig_digest"]),
    ]
    if plan is not None:
        configuration.append(_resource(f"plan {plan['name']}", plan["digest"], device=plan["device"]))
    tests = [(f"{f['clause'] or 'rig'} {f['device']}: {f['check']}", f["verdict"]) for f in verdict["findings"]]
    return {
        "_type": STATEMENT,
        "subject": subjects(verdict),
        "predicateType": PREDICATE,
        "predicate": {
            "result": RESULTS[verdict["verdict"]],
            "configuration": configuration,
            "passedTests": [name for name, found in tests if found in ("pass", "attested")],
            "warnedTests": [name for name, found in tests if found == "not tested"],
            "failedTests": [name for name, found in tests if found == "fail"],
            "feltrig": {
                "version": verdict["version"],
                "game": verdict["game"],
                "jurisdiction": verdict["jurisdiction"],
                "plan": None if plan is None else plan["name"],
                "rounds": verdict["rounds"]["played"],
                "emulated": sorted(n for n, device in verdict["devices"].items() if device["emulated"]),
            },
        },
    }


def journal_of(stated: Mapping[str, Any]) -> tuple[int, str]:
    """How many records the journal has that a statement is about, and the hash of the last. Raises CertificateError."""
    try:
        journal = stated["predicate"]["configuration"][0]
        return journal["annotations"]["records"], journal["digest"]["sha256"]
    except (KeyError, IndexError, TypeError) as error:
        raise CertificateError("names no journal") from error


def subjects(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The device under test, or every device that the run judged, by the digest of its firmware; none when none of them
    said who it is."""
    plan = verdict["plan"]
    judged = {name: device for name, device in verdict["devices"].items() if plan is None or name == plan["device"]}
    return [
        {
            "name": f"{identity['vendor']} {identity['model']}, serial number {identity['serial']}, {name}",
            "digest": {"sha256": identity["digest"]},
        }
        for name, device in judged.items()
        for identity in (device["identity"],)
        if device["kind"] in verdict["uses"]
    ]


def envelope(stated: Mapping[str, Any], key: Ed25519PrivateKey) -> bytes:
    """The signed statement, as the file has it."""
    payload = _encode(stated).encode()
    signature = key.sign(_pre_authentication(payload))
    return _written(payload, key_id(key.public_key()), signature)


def opened(data: bytes) -> tuple[dict[str, Any], bytes, str, bytes]:
    """The statement in an envelope, its bytes, the key's id and the signature. Every byte must be as it is written."""
    try:
        document = json.loads(data)
        payload = base64.b64decode(document["payload"], validate=True)
        (signed,) = document["signatures"]
        signature = base64.b64decode(signed["sig"], validate=True)
        keyid = signed["keyid"]
        stated = json.loads(payload)
        same = _written(payload, keyid, signature) == data and _encode(stated).encode() == payload
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error) as error:
        raise CertificateError("is not a DSSE envelope with one signature") from error
    if not same or document["payloadType"] != PAYLOAD:
        raise CertificateError("is not in the form that feltrig writes")
    if not isinstance(stated, dict):
        raise CertificateError("contains no statement")
    return stated, payload, keyid, signature


def check_signature(payload: bytes, signature: bytes, key: Ed25519PublicKey) -> None:
    """Raise CertificateError unless the key has signed the payload."""
    try:
        key.verify(signature, _pre_authentication(payload))
    except InvalidSignature as error:
        raise CertificateError("was not signed by this key, or was changed since") from error


def _pre_authentication(payload: bytes) -> bytes:
    """What is signed: the type and the payload, each with its length."""
    kind = PAYLOAD.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _written(payload: bytes, keyid: str, signature: bytes) -> bytes:
    document = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD,
        "signatures": [{"keyid": keyid, "sig": base64.b64encode(signature).decode()}],
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def _resource(name: str, digest: str, **annotations: Any) -> dict[str, Any]:
    resource: dict[str, Any] = {"name": name, "digest": {"sha256": digest}}
    return {**resource, "annotations": annotations} if annotations else resource


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode
