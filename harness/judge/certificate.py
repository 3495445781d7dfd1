"""The certificate of a run: an in-toto test-result statement in a DSSE envelope, signed with Ed25519.

It names the firmware that was judged, and seals the journal by its last hash and the verdict by its digest.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.errors import CertificateError
from feltrig.harness.judge import dsse
from feltrig.harness.judge.limits import limit_words

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
PAYLOAD = "application/vnd.in-toto+json"

RESULTS = {"certified": "PASSED", "refused": "FAILED", "inconclusive": "WARNED"}
"""Of in-toto, by the verdict of a run that can be signed."""


def unsigned(verdict: Mapping[str, Any]) -> str | None:
    """Why nothing can be signed about a run: a certificate is about one device under test and one whole plan. None for
    a run that can be."""
    plan = verdict["plan"]
    if plan is None:
        return "the run followed no plan, so there is nothing to certify; name one with --plan"
    if plan["shortened"]:
        return f"this was a rehearsal of {plan['base']}: {', '.join(plan['shortened'])}"
    if plan["device"] not in verdict["devices"]:
        return f"{plan['device']} never said who it is"
    if not plan["took_part"]:
        return f"{plan['device']} took no part in the run"
    return None


def statement(verdict: Mapping[str, Any], verdict_bytes: bytes) -> dict[str, Any]:
    """What the certificate states: which firmware, which result, by which evidence. Raises CertificateError for a run
    about which nothing can be signed."""
    if (why := unsigned(verdict)) is not None:
        raise CertificateError(f"is about a run that is never signed: {why}")
    plan = verdict["plan"]
    configuration = [
        _resource("journal.jsonl", verdict["journal"]["hash"], records=verdict["journal"]["records"]),
        _resource("verdict.json", sha256(verdict_bytes).hexdigest()),
        _resource(f"rig {verdict['rig']}", verdict["rig_digest"]),
        _resource(f"plan {plan['name']}", plan["digest"], device=plan["device"]),
    ]
    own = [f for f in verdict["findings"] if f["device"] == plan["device"] and f["basis"] != "played"]
    tests = [(f"{f['clause'] or 'rig'}: {f['check']} ({f['basis']})", f["verdict"]) for f in own]
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
                "plan": plan["name"],
                "device": plan["device"],
                "rounds": verdict["rounds"]["played"],
                "emulated": sorted(n for n, device in verdict["devices"].items() if device["emulated"]),
                "limits": [limit_words(limit) for limit in verdict.get("limits", ())],
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
    """The device under test, by the digest of its firmware; one whose own protocol does not carry that is known by the
    digest of what it says of itself."""
    name = verdict["plan"]["device"]
    device = verdict["devices"][name]
    identity, made = device["identity"], ", emulated" if device["emulated"] else ""
    words = f"{identity['vendor']} {identity['model']}, serial number {identity['serial']}, {name}{made}"
    said = {"feltrigIdentity": sha256(_encode(identity).encode()).hexdigest()}
    known = re.fullmatch(r"[0-9A-Fa-f]{64}", identity["digest"]) or "profile" not in device
    return [{"name": words, "digest": {"sha256": identity["digest"]} if known else said}]


def envelope(stated: Mapping[str, Any], key: Ed25519PrivateKey) -> bytes:
    """The signed statement, as the file has it."""
    payload = _encode(stated).encode()
    return dsse.written(PAYLOAD, payload, [dsse.sign(PAYLOAD, payload, key)])


def opened(data: bytes) -> tuple[dict[str, Any], bytes, tuple[dsse.Signature, ...]]:
    """The statement in an envelope, its bytes, and the signatures, unchecked. Raises CertificateError unless every byte
    is as it is written."""
    payload, signatures = dsse.read(PAYLOAD, data)
    try:
        stated = json.loads(payload)
        same = _encode(stated).encode() == payload
    except (ValueError, TypeError, RecursionError) as error:
        raise CertificateError("contains no statement") from error
    if not same:
        raise CertificateError("is not in the form that feltrig writes")
    if not isinstance(stated, dict):
        raise CertificateError("contains no statement")
    return stated, payload, signatures


def _resource(name: str, digest: str, **annotations: Any) -> dict[str, Any]:
    resource: dict[str, Any] = {"name": name, "digest": {"sha256": digest}}
    return {**resource, "annotations": annotations} if annotations else resource


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode
