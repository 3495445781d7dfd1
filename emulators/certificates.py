"""Throw-away certificates for TLS on this computer: an authority that is made in memory and forgotten with its keys."""

import ssl
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK = ("localhost", "127.0.0.1", "::1")
LIFETIME = timedelta(days=7)
"""Longer than any run lasts."""
SKEW = timedelta(hours=1)
"""Valid since before now: the clock of another computer may be late."""

_USES = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its private key, both in PEM; good for either end of a connection."""

    certificate: bytes
    key: bytes = field(repr=False)

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """Write `name.pem` and `name.key`, which only the user can read; returns their paths."""
        paths = folder / f"{name}.pem", folder / f"{name}.key"
        paths[1].touch(mode=0o600)
        for path, content in zip(paths, (self.certificate, self.key), strict=True):
            path.write_bytes(content)
        return paths

    def load_into(self, context: ssl.SSLContext) -> None:
        """Let the context show this certificate."""
        # ssl reads certificates of its own only from files
        with tempfile.TemporaryDirectory() as folder:
            context.load_cert_chain(*self.write(Path(folder), "own"))


class Authority:
    """A certificate authority of our own, known to no other program."""

    def __init__(self, name: str = "feltrig throw-away authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        public = self._key.public_key()
        builder = _builder(self._name, self._name, public, LIFETIME)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        builder = builder.add_extension(_key_usage(signs_certificates=True), critical=True)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        self.pem = builder.sign(self._key, SHA256()).public_bytes(Encoding.PEM)
        """The authority's own certificate, for those who are to trust it."""

    def issue(self, name: str, hosts: Iterable[str] = LOOPBACK, lifetime: timedelta = LIFETIME) -> Certificate:
        """A certificate for a host or for whoever connects to one. With a negative lifetime it has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(_named(name), self._name, key.public_key(), lifetime)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(_key_usage(signs_certificates=False), critical=True)
        builder = builder.add_extension(_USES, critical=False)
        builder = builder.add_extension(x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False)
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        signed = builder.add_extension(authority, critical=False).sign(self._key, SHA256())
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Certificate(signed.public_bytes(Encoding.PEM), private)


def _builder(
    subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey, lifetime: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    end = now + lifetime
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(min(now, end) - SKEW)
        .not_valid_after(end)
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
