"""Who a device says that it is, and how it proves its firmware."""

import random
import re
from collections.abc import AsyncIterator

from feltrig.harness import demands
from feltrig.harness.devices.values import bytes_of
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.harness.table.firmware import digest, read_image
from feltrig.protocols.challenge import NONCE_SIZES, PROOF_SIZE, proof
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error

TOO_SHORT, TOO_LONG = (0, 1, 8, 15), (33, 40)
"""Lengths of a nonce that must be refused. All of them fit every wire."""

TIMES = 3


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """The identity at any time, and proofs for nonces of every length."""
    prober = stage.prober
    image = _image(stage)
    stage.testing("identity", demands.IDENTITY)
    said = [await prober.call("identify") for _ in range(TIMES)]
    fault = None
    if any(each != said[0] for each in said):
        fault = "asked again, it says that it is another device"
    elif said[0]["kind"] != prober.kind.code:
        fault = f"says that it is of kind {said[0]['kind']}, expected {prober.kind.code}"
    yield Tried("identity", fault, (demands.IDENTITY,))
    known = str(said[0]["digest"])
    fault = None if re.fullmatch("[0-9a-fA-F]{64}", known) else f"{known!r} is not 64 hexadecimal digits"
    if fault is None and image is not None and known.lower() != digest(image):
        fault = f"{known} is not the digest of the image that was submitted"
    yield Tried("digest", fault, (demands.DIGEST,))
    async for tried in _proofs(stage, image):
        yield tried
    async for tried in _refused(stage):
        yield tried


async def _proof(stage: Stage, nonce: bytes) -> tuple[bytes, str | None]:
    prober = stage.prober
    reply = await prober.send(Request("challenge", {"nonce": tuple(nonce)}, prober.new_token()))
    if reply.error is not Error.OK:
        return b"", f"a nonce of {len(nonce)} bytes was answered {reply.error.name.lower()}, expected ok"
    made = bytes(bytes_of(reply.values["proof"]))
    return made, None if len(made) == PROOF_SIZE else f"a proof of {len(made)} bytes, expected {PROOF_SIZE}"


async def _proofs(stage: Stage, image: bytes | None) -> AsyncIterator[Tried]:
    """Nonces of every length. None ends in a zero: HMAC does not see zeros behind its key."""
    chance, ids = random.SystemRandom(), (demands.PROOF,)
    seen: dict[bytes, bytes] = {}
    for size in NONCE_SIZES:
        nonce = bytes(chance.randrange(1, 256) for _ in range(size))
        stage.testing(f"a nonce of {size} bytes", *ids)
        made, fault = await _proof(stage, nonce)
        same, _ = await _proof(stage, nonce)
        other = nonce[:-1] + bytes((nonce[-1] ^ 0x55 or 1,))
        changed, _ = await _proof(stage, other)
        if fault is None and same != made:
            fault = "the same nonce gave another proof"
        if fault is None and (changed == made or made in seen.values()):
            fault = "another nonce gave the same proof"
        if fault is None and image is not None and made != proof(image, nonce):
            fault = "the proof is not that of the image that was submitted"
        seen[nonce] = made
        yield Tried(f"a nonce of {size} bytes", fault, ids)


async def _refused(stage: Stage) -> AsyncIterator[Tried]:
    prober, ids = stage.prober, (demands.NONCE_LENGTH,)
    for size in (*TOO_SHORT, *TOO_LONG):
        stage.testing(f"a nonce of {size} bytes", *ids)
        nonce = tuple(range(1, size + 1))
        reply = await prober.send(Request("challenge", {"nonce": nonce}, prober.new_token()))
        said = reply.error.name.lower()
        fault = None if reply.error is Error.BAD_ARGUMENT else f"answered {said}, expected bad_argument"
        yield Tried(f"a nonce of {size} bytes", fault, ids, "bad_argument")


def _image(stage: Stage) -> bytes | None:
    name = stage.device.identity.image
    key = f"devices.{stage.device.name}.identity.image"
    return None if name is None else read_image(stage.context.rig, key, name)
