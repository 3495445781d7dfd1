"""What a round refuses says why, and by which rule."""

from feltrig.engine.rulings import Illegal


def test_a_refusal_names_its_rules() -> None:
    refused = Illegal("seat 8: no such seat", "34.2(a)", "34.7(a)")
    assert (str(refused), refused.rules) == ("seat 8: no such seat (34.2(a), 34.7(a))", ("34.2(a)", "34.7(a)"))
    assert str(Illegal("nobody plays")) == "nobody plays"
