"""The firmware image that was submitted: the file, the digest that follows from it, and the challenge on record."""

import hashlib
import hmac

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.errors import RigError
from feltrig.harness.rig.model import IdentityConfig
from feltrig.harness.table import firmware
from feltrig.harness.table.firmware import challenge, digest, read_image, submitted
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error

KEY = "devices.rng.identity.image"
TEXT = rng_rig_text(
    'wire = "serial"\nidentity.image = "fw/rng.bin"',
    'identity.image = "fw/other.bin"',
)


@pytest.fixture
def rig(tmp_path):
    (tmp_path / "fw").mkdir()
    (tmp_path / "fw" / "rng.bin").write_bytes(b"firmware")
    return make_rig(TEXT, tmp_path / "rig.toml")


def test_the_images_are_named_from_the_folder_of_the_rig_file(rig, tmp_path):
    device = rig.devices["rng"]
    assert (device.identity.image, device.emulator.identity.image) == ("fw/rng.bin", "fw/other.bin")
    assert read_image(rig, KEY, "fw/rng.bin") == b"firmware"
    assert read_image(rig, KEY, str(tmp_path / "fw" / "rng.bin")) == b"firmware"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("none.bin", None, "cannot be read: No such file or directory"),
        (".", None, "cannot be read: Is a directory"),
        ("empty.bin", b"", "expected 1 to 10 bytes"),
        ("large.bin", bytes(11), "expected 1 to 10 bytes"),
    ],
)
def test_an_image_that_cannot_be_used_is_one_line(rig, tmp_path, monkeypatch, name, content, why):
    monkeypatch.setattr(firmware, "LARGEST_IMAGE", 10)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RigError) as refused:
        read_image(rig, KEY, name)
    assert str(refused.value) == f"{tmp_path / 'rig.toml'}: {KEY}: {tmp_path / name}: {why}"


def test_with_the_image_its_digest_is_submitted(rig):
    assert submitted(rig, "rng", IdentityConfig(serial="7", image="fw/rng.bin"), b"firmware") == {
        "serial": "7",
        "digest": hashlib.sha256(b"firmware").hexdigest(),
    }
    assert submitted(rig, "rng", IdentityConfig(serial="7"), None) == {"serial": "7"}


def test_a_digest_that_is_not_that_of_the_image_is_one_line(rig):
    with pytest.raises(
        RigError, match=r"rig\.toml: devices\.rng\.identity\.digest: 0{64} is not that of fw/rng\.bin, [0-9a-f]"
    ):
        submitted(rig, "rng", IdentityConfig(digest="0" * 64, image="fw/rng.bin"), b"firmware")


async def test_a_challenge_is_on_record_with_a_nonce_of_its_own(felt):
    table = felt()
    driver = table.devices["rng"]
    image = table.machines["rng"].image
    for _ in range(3):
        await challenge(driver, image, table.journal)
    records = table.noted("challenge")
    for record in records:
        assert record["image"] == digest(image)
        assert len(record["nonce"]) == 64
        expected = hmac.new(bytes.fromhex(record["nonce"]), image, hashlib.sha256).hexdigest()
        assert record["proof"] == record["expected"] == expected
    assert len({record["nonce"] for record in records}) == 3


async def test_the_proof_of_another_image_is_on_record_beside_the_one_expected(felt):
    table = felt()
    table.machines["rng"].image = b"tampered with"
    await challenge(table.devices["rng"], b"firmware", table.journal)
    (record,) = table.noted("challenge")
    nonce = bytes.fromhex(record["nonce"])
    assert record["proof"] == hmac.new(nonce, b"tampered with", hashlib.sha256).hexdigest()
    assert record["expected"] == hmac.new(nonce, b"firmware", hashlib.sha256).hexdigest()


async def test_a_device_that_knows_no_challenge_is_on_record(felt, monkeypatch):
    table = felt()
    monkeypatch.setattr(table.machines["rng"], "handle", lambda request, now: Reply(Error.UNKNOWN_COMMAND))
    await challenge(table.devices["rng"], b"firmware", table.journal)
    (record,) = table.noted("challenge")
    assert (record["error"], record["proof"]) == ("unknown_command", None)
