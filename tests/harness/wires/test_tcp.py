"""What the wires on TCP have in common."""

import pytest

from feltrig.harness.wires.tcp import host_and_port


@pytest.mark.parametrize(
    ("address", "parts"), [("127.0.0.1:502", ("127.0.0.1", 502)), ("box.local:8502", ("box.local", 8502))]
)
def test_an_address_is_a_host_and_a_port(address: str, parts: tuple[str, int]) -> None:
    assert host_and_port(address) == parts
