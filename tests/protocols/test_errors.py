"""Families of errors, each of which becomes another finding."""

from feltrig.errors import FeltrigError
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, NotAdmitted, Refused, SilentConnection, WireError


def test_what_the_wire_does_is_told_from_what_the_device_answers() -> None:
    assert all(issubclass(kind, WireError) for kind in (NoAnswer, SilentConnection, LineLost, NotAdmitted, Garbage))
    refused = Refused("box", "shake", "wrong_state")
    assert isinstance(refused, FeltrigError)
    assert not isinstance(refused, WireError)
    assert str(refused) == "box: shake: refused: wrong_state"


def test_who_is_not_let_in_is_told_what_to_look_at() -> None:
    assert NotAdmitted("box: no", "password").key == "password"
    assert NotAdmitted("box: no").key == ""
