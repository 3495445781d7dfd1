"""The firmware of an emulated device: the image that it holds, the digest that it reports, the proof that it gives."""

import hashlib
import hmac

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.messages import Identity, Request
from feltrig.protocols.vocabulary import Error, FaultCode

NONCE = bytes(range(32))


def challenge(device, nonce, token=0):
    return device.handle(Request("challenge", {"nonce": nonce}, token), 0.0)


def test_the_digest_that_a_device_makes_up_is_that_of_its_image():
    device = rng(Setup("rng", 1))
    assert device.image == b"Emulated rng 1.0"
    assert device.identity.digest == hashlib.sha256(device.image).hexdigest()


@pytest.mark.parametrize("image", [None, b"x", bytes(100_000)], ids=["made up", "short", "long"])
def test_a_device_proves_its_image_for_whatever_nonce(image):
    device = rng(Setup("rng", 1))
    if image is not None:
        device.image = image
    for nonce in (NONCE, NONCE[:16], NONCE[::-1]):
        reply = challenge(device, tuple(nonce))
        assert reply.error is Error.OK
        assert bytes(reply.values["proof"]) == hmac.new(nonce, device.image, hashlib.sha256).digest()


def test_a_device_that_lies_about_its_digest_still_proves_the_image_that_it_holds():
    device = rng(
        Setup("rng", 1, identity=Identity("rng", "Acme", "R7", "1", "1.2", hashlib.sha256(b"good").hexdigest()))
    )
    device.image = b"bad"
    assert bytes(challenge(device, tuple(NONCE)).values["proof"]) == hmac.new(NONCE, b"bad", hashlib.sha256).digest()


@pytest.mark.parametrize("nonce", [(), (7,) * 15, (7,) * 33, (*(7,) * 31, 256), (-1,) * 16, 7, "x" * 16])
def test_a_nonce_of_another_length_or_kind_is_a_bad_argument(nonce):
    assert challenge(rng(Setup("rng", 1)), nonce).error is Error.BAD_ARGUMENT


def test_a_repeated_token_does_not_bring_the_proof_of_another_nonce():
    device = rng(Setup("rng", 1))
    first, second = (challenge(device, tuple(nonce), token=5) for nonce in (NONCE, NONCE[::-1]))
    assert first.values != second.values


def test_a_device_proves_its_firmware_in_any_state():
    device = rng(Setup("rng", 1))
    device.board.fail(FaultCode.SENSOR)
    assert challenge(device, tuple(NONCE)).error is Error.OK
