"""Identity and proofs: each way to fail is found."""

import hashlib
import hmac
from itertools import count

import pytest

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error

SCENE = "feltrig.harness.plan.conformance.scenes.identity:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_good_device_passes(played, kind):
    records = await played(SCENE, kind)
    assert [r for r in records if r["fault"]] == []
    tested = {each for r in records for each in r["requirements"]}
    assert tested == {demands.IDENTITY, demands.DIGEST, demands.PROOF, demands.NONCE_LENGTH}


def proves(made):
    """Another proof for a nonce."""

    def answered(machine, request, answer):
        honest = answer()
        right = request.command == "challenge" and honest.error is Error.OK
        return Reply(values={"proof": tuple(made(bytes(request.values["nonce"])))}) if right else honest

    return answered


NUMBERS = count()
WRONG_PROOFS = {
    "always the same": lambda nonce: bytes(32),
    "by sixteen bytes of the nonce": lambda nonce: hmac.digest(nonce[:16], b"image", hashlib.sha256),
    "by thirty-one bytes of the nonce": lambda nonce: hmac.digest(nonce[:31], b"image", hashlib.sha256),
    "too short": lambda nonce: hmac.digest(nonce, b"image", hashlib.sha1),
    "another each time": lambda nonce: hmac.digest(nonce, next(NUMBERS).to_bytes(8, "big"), hashlib.sha256),
}


@pytest.mark.parametrize("how", WRONG_PROOFS)
async def test_a_wrong_proof_is_found(blamed, spoil, how):
    assert await blamed(SCENE, "rng", spoil(proves(WRONG_PROOFS[how]))) == {demands.PROOF}


@pytest.mark.parametrize("size", [0, 15, 33, 40])
async def test_a_nonce_of_a_wrong_length_that_is_taken_is_found(blamed, spoil, size):
    def takes(machine, request, answer):
        taken = request.command == "challenge" and len(request.values["nonce"]) == size
        return Reply(values={"proof": tuple(range(32))}) if taken else answer()

    assert await blamed(SCENE, "rng", spoil(takes)) == {demands.NONCE_LENGTH}


@pytest.mark.parametrize("size", [16, 17, 24, 32])
async def test_a_nonce_of_a_right_length_that_is_refused_is_found(blamed, spoil, size):
    def refuses(machine, request, answer):
        refused = request.command == "challenge" and len(request.values["nonce"]) == size
        return Reply(Error.BAD_ARGUMENT) if refused else answer()

    assert demands.PROOF in await blamed(SCENE, "rng", spoil(refuses))


def says(**values):
    def answered(machine, request, answer):
        honest = answer()
        return Reply(values={**honest.values, **values}) if request.command == "identify" else honest

    return answered


async def test_another_kind_is_found(blamed, spoil):
    def other(machine, request, answer):
        return says(kind=2)(machine, request, answer) if machine.asked else answer()

    def spoilt(machine):
        machine.asked = False
        spoil(other)(machine)
        handle = machine.handle

        def handled(request, now):
            reply = handle(request, now)
            machine.asked = machine.asked or request.command == "status"  # it has said who it is
            return reply

        machine.handle = handled

    assert demands.IDENTITY in await blamed(SCENE, "rng", spoilt)


@pytest.mark.parametrize("digest", ["", "ab" * 31, "g" * 64, "ab" * 33])
async def test_a_digest_that_is_none_is_found(blamed, spoil, digest):
    assert await blamed(SCENE, "rng", spoil(says(digest=digest))) == {demands.DIGEST}


async def test_a_device_that_is_another_each_time_is_found(blamed, spoil):
    def other(machine, request, answer):
        return says(serial=str(next(NUMBERS)))(machine, request, answer)

    assert demands.IDENTITY in await blamed(SCENE, "rng", spoil(other))
