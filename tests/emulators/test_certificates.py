"""Throw-away certificates: what they say, and that both ends of a connection accept them and no others."""

import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from feltrig.emulators.certificates import LIFETIME, Authority


def handshake(client, server, host):
    """Let two contexts agree in memory; returns the client's end."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname=host),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    waiting = list(ends)
    while waiting:
        for end in tuple(waiting):
            try:
                end.do_handshake()
                waiting.remove(end)
            except ssl.SSLWantReadError:
                continue
    return ends[0]


def contexts(authority, certificate):
    client, server = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    client.load_verify_locations(cadata=authority.pem.decode())
    certificate.load_into(server)
    return client, server


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "shoe.example"])
def test_a_client_that_knows_the_authority_accepts_the_host(host):
    authority = Authority()
    client, server = contexts(authority, authority.issue("shoe", ["shoe.example", "localhost", "127.0.0.1", "::1"]))
    assert handshake(client, server, host).version() == "TLSv1.3"


def test_another_host_is_not_accepted():
    authority = Authority()
    client, server = contexts(authority, authority.issue("shoe", ["shoe.example"]))
    with pytest.raises(ssl.SSLCertVerificationError, match=r"127\.0\.0\.1"):
        handshake(client, server, "127.0.0.1")


def test_the_certificate_of_another_authority_is_not_accepted():
    client, server = contexts(Authority(), Authority().issue("shoe"))
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(client, server, "127.0.0.1")


def test_a_certificate_of_the_past_has_expired():
    authority = Authority()
    client, server = contexts(authority, authority.issue("shoe", lifetime=timedelta(seconds=-1)))
    with pytest.raises(ssl.SSLCertVerificationError, match="expired"):
        handshake(client, server, "127.0.0.1")


def test_a_certificate_is_short_lived_cannot_sign_and_serves_both_ends():
    certificate = x509.load_pem_x509_certificate(Authority().issue("shoe").certificate)
    now = datetime.now(UTC)
    assert certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc <= now + LIFETIME
    assert certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    uses = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(uses) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}


def test_keys_are_never_shown_and_only_the_user_can_read_them(tmp_path):
    issued = Authority().issue("shoe")
    assert "PRIVATE" not in repr(issued)
    certificate, key = issued.write(tmp_path, "shoe")
    assert (certificate, key) == (tmp_path / "shoe.pem", tmp_path / "shoe.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert certificate.read_bytes() == issued.certificate
    assert key.read_bytes() == issued.key


def test_two_certificates_of_one_authority_differ():
    authority = Authority()
    one, other = authority.issue("shoe"), authority.issue("shoe")
    assert one.key != other.key
    assert one.certificate != other.certificate
