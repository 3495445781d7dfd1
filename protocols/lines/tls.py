"""What a failed TLS connection means, in words for whoever set it up."""

import ssl

from feltrig.protocols.errors import LineLost, NotAdmitted

UNTRUSTED = {18, 19, 20, 21}
"""OpenSSL's verification errors for a certificate of an unknown authority, or of none."""

REFUSALS = {
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "it asks for a certificate",
    "SSLV3_ALERT_HANDSHAKE_FAILURE": "no agreement: it may ask for a certificate",
    "SSLV3_ALERT_BAD_CERTIFICATE": "it takes our certificate for a bad one",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "it has no use for our kind of certificate",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "our certificate was revoked",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "our certificate has expired",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "it does not accept our certificate",
    "TLSV1_ALERT_UNKNOWN_CA": "it does not know the authority of our certificate",
    "TLSV1_ALERT_ACCESS_DENIED": "it denies access to our certificate",
}
"""The alerts by which a peer refuses what we show, or that we show nothing (RFC 8446, 6.2), by OpenSSL's names. In TLS
1.3 they come when our side already takes the connection for open."""

CLOSED_EARLY = "closed right after the TLS handshake: it may ask for a certificate"


def failure(where: str, error: OSError) -> LineLost:
    """What to raise when a connection over TLS failed with this error."""
    match error:
        case ssl.SSLCertVerificationError(verify_code=code, verify_message=said):
            key = "ca" if code in UNTRUSTED else ""
            return NotAdmitted(f"{where}: its certificate is not accepted: {said.lower().rstrip('.')}", key)
        case ssl.SSLError(reason=reason) if reason in REFUSALS:
            return NotAdmitted(f"{where}: {REFUSALS[reason]}", "certificate")
        case ssl.SSLError(reason=reason):
            return LineLost(f"{where}: TLS failed: {(reason or str(error)).lower().replace('_', ' ')}")
    return LineLost(f"{where}: {(error.strerror or str(error)).lower()}")
