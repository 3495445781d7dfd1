"""Keys: made for their owner, read or refused in one line."""

import pytest

from feltrig.errors import KeyFileError
from feltrig.harness.judge import keys


def test_a_key_is_made_for_its_owner_only_and_never_overwritten(tmp_path):
    file = tmp_path / "lab.key"
    public = keys.new(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert keys.key_id(keys.private(file).public_key()) == keys.key_id(public)
    assert keys.key_id(keys.public(tmp_path / "lab.key.pub")) == keys.key_id(public)
    assert keys.key_id(keys.known_by(keys.key_id(public))) == keys.key_id(public)
    with pytest.raises(KeyFileError, match="never overwritten"):
        keys.new(file)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda file: None, "cannot be read"),
        (lambda file: file.write_text("nonsense"), "other users can read|is not a private key"),
        (lambda file: (keys.new(file), file.chmod(0o640)), "other users can read or change it"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_in_one_line(tmp_path, make, words):
    file = tmp_path / "lab.key"
    make(file)
    with pytest.raises(KeyFileError, match=words) as refusal:
        keys.private(file)
    assert str(refusal.value).startswith(f"{file}: ")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("identity", ["", "zz", "00", "AB" * 32])
def test_what_is_no_id_of_a_key_is_refused(identity):
    with pytest.raises(KeyFileError):
        keys.known_by(identity)
