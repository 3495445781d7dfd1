"""The firmware image that was submitted, and the salted challenge whether a device holds it."""

import hashlib
import secrets
from dataclasses import asdict

from feltrig.errors import RigError
from feltrig.harness.devices.values import bytes_of
from feltrig.harness.journal.records import Challenged
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig.model import IdentityConfig, Rig
from feltrig.harness.table.driver import Driver
from feltrig.protocols.challenge import NONCE_SIZES, proof
from feltrig.protocols.errors import Refused

LARGEST_IMAGE = 1 << 28


def read_image(rig: Rig, key: str, name: str) -> bytes:
    """A firmware image that the rig file names under a key. Raises RigError."""
    path = rig.path(name)
    try:
        with path.open("rb") as stream:
            image = stream.read(LARGEST_IMAGE + 1)
    except OSError as error:
        raise RigError(f"{rig.source}: {key}: {path}: cannot be read: {error.strerror}") from error
    if not 0 < len(image) <= LARGEST_IMAGE:
        raise RigError(f"{rig.source}: {key}: {path}: expected 1 to {LARGEST_IMAGE} bytes")
    return image


def digest(image: bytes) -> str:
    """The SHA-256 of an image, as devices report it."""
    return hashlib.sha256(image).hexdigest()


def submitted(rig: Rig, name: str, identity: IdentityConfig, image: bytes | None) -> dict[str, str]:
    """What a device of this name must say of itself; with an image, its digest too. Raises RigError."""
    said = {key: value for key, value in asdict(identity).items() if value is not None and key != "image"}
    if image is not None and said.setdefault("digest", digest(image)) != digest(image):
        key = f"devices.{name}.identity.digest"
        raise RigError(f"{rig.source}: {key}: {said['digest']} is not that of {identity.image}, {digest(image)}")
    return said


async def challenge(driver: Driver, image: bytes, journal: Journal) -> None:
    """Ask a device to prove, for a nonce never used before, that it holds the image; what came goes on record."""
    nonce = secrets.token_bytes(NONCE_SIZES[-1])
    answer, error = None, "ok"
    try:
        answer = bytes(bytes_of((await driver.call("challenge", nonce=tuple(nonce)))["proof"])).hex()
    except Refused as refusal:
        error = refusal.error
    journal.append(
        Challenged(
            device=driver.name,
            image=digest(image),
            nonce=nonce.hex(),
            error=error,
            proof=answer,
            expected=proof(image, nonce).hex(),
        )
    )
