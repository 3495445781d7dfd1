"""Ed25519 keys of a laboratory: made once, kept where only their owner can read them."""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from feltrig.errors import KeyFileError

PUBLIC = ".pub"
"""What is added to the name of a private key's file for that of the public one."""


def new(file: Path) -> Ed25519PublicKey:
    """Make a key pair: the private key in `file`, for its owner's eyes only, the public one beside it."""
    public_file = file.with_name(file.name + PUBLIC)
    for path in (file, public_file):
        if path.exists():
            raise KeyFileError(f"{path}: already exists, and a key is never overwritten")
    private = Ed25519PrivateKey.generate()
    try:
        _write(file, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
        public = private.public_key()
        _write(public_file, public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), 0o644)
    except OSError as error:
        raise KeyFileError(f"{file}: cannot be written: {error.strerror or error}") from error
    return public


def private(file: Path) -> Ed25519PrivateKey:
    """The private key in a file that nobody else can read."""
    data = _read(file)
    if file.stat().st_mode & 0o077:
        raise KeyFileError(f"{file}: other users can read or change it; run chmod 600 {file}")
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{file}: is not a private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{file}: is not an Ed25519 key")
    return key


def public(file: Path) -> Ed25519PublicKey:
    """The public key in a file."""
    try:
        key = load_pem_public_key(_read(file))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{file}: is not a public key in PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{file}: is not an Ed25519 key")
    return key


def key_id(key: Ed25519PublicKey) -> str:
    """By which a key is known: its thirty-two bytes in hex, so that whoever has the id can check what it signed."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def known_by(identity: str) -> Ed25519PublicKey:
    """The key of an id. Raises KeyFileError."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(identity))
    except ValueError as error:
        raise KeyFileError(f"{identity!r} is not the id of an Ed25519 key") from error
    if key_id(key) != identity:
        raise KeyFileError(f"{identity!r} is not a key id")
    return key


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise KeyFileError(f"{file}: cannot be read: {error.strerror or error}") from error


def _write(file: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
