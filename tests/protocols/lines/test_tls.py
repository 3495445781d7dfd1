"""What a failed TLS connection means, in words."""

import ssl

import pytest

from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.lines.tls import REFUSALS, failure


def told(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, "of OpenSSL")
    error.reason = reason
    return error


@pytest.mark.parametrize("reason", REFUSALS)
def test_an_alert_about_our_certificate_points_to_it(reason: str) -> None:
    found = failure("box:802", told(reason))
    assert isinstance(found, NotAdmitted)
    assert (found.key, str(found)) == ("certificate", f"box:802: {REFUSALS[reason]}")


def test_any_other_failure_is_a_lost_line_with_its_reason() -> None:
    found = failure("box:802", told("WRONG_VERSION_NUMBER"))
    assert not isinstance(found, NotAdmitted)
    assert str(found) == "box:802: TLS failed: wrong version number"
    assert str(failure("box:802", OSError(111, "Connection refused"))) == "box:802: connection refused"
    assert isinstance(found, LineLost)
