"""The tables of requirements."""

import pytest

from feltrig.harness.wires import WIRES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.requirements import EVERY, REQUIREMENTS, known


def test_ids_are_numbered_without_a_gap_within_each_prefix():
    numbers: dict[str, list[int]] = {}
    for each in REQUIREMENTS:
        prefix, number = each.split("-")
        numbers.setdefault(prefix, []).append(int(number))
    assert list(numbers) == ["DEV", "SER", "MOD", "MQT"]
    for found in numbers.values():
        assert found == list(range(1, len(found) + 1))


@pytest.mark.parametrize("requirement", REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_a_requirement_is_one_demand_that_holds_for_somebody(requirement):
    assert requirement.level in ("mandatory", "optional")
    assert requirement.area
    assert " must " in requirement.says
    assert requirement.says.endswith(".")
    assert not requirement.untested or requirement.untested.endswith(".")
    assert set(requirement.kinds) <= {EVERY, *KINDS}
    assert set(requirement.wires) <= {EVERY, *WIRES}


def test_a_requirement_holds_for_its_kinds_and_its_wires_only():
    lock, wrong_crc = REQUIREMENTS["DEV-23"], REQUIREMENTS["SER-26"]
    assert lock.holds("shoe", "mqtt")
    assert not lock.holds("rng", "mqtt")
    assert wrong_crc.holds("rng", "serial")
    assert not wrong_crc.holds("rng", "mqtt")


def test_ids_are_put_into_the_order_of_the_pages():
    assert known(("SER-3", "DEV-9", "DEV-2", "SER-3")) == ("DEV-2", "DEV-9", "SER-3")


def test_an_unknown_id_is_an_error():
    with pytest.raises(KeyError, match="DEV-1000"):
        known(("DEV-1", "DEV-1000"))
