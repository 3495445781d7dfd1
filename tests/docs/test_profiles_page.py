"""The page about profiles: its example works, and what is generated in it is fresh."""

import re
from pathlib import Path

import pytest
import references
from rigs import rng_rig_text

from feltrig.harness.rig import loading as rigfile
from feltrig.harness.wires.profile_check import WRONG, check_profile
from feltrig.protocols.profiles import profilefile

PAGE = Path(__file__).parents[2] / "docs" / "profiles.md"
EXAMPLE = next(
    block for block in re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL) if "feltrig_profile" in block
)


async def test_the_example_works_over_its_wire():
    profile = profilefile.loads(EXAMPLE.encode(), "acme-display.toml")
    rows = await check_profile(profile)
    assert [row for row in rows if row.outcome == WRONG] == []
    outcomes = {row.what: row.outcome for row in rows}
    assert outcomes["command select"] == outcomes["event selected"] == outcomes["event numbers"] == "carried"
    assert outcomes["command display"] == "supplied"


def test_the_example_can_be_named_in_a_rig_file(tmp_path):
    (tmp_path / "acme-display.toml").write_text(EXAMPLE)
    rig = tmp_path / "rig.toml"
    device = 'wire = "serial"\nport = "/dev/ttyUSB0"\nprofile = "acme-display.toml"'
    rig.write_text(rng_rig_text(device, None))
    device = rigfile.load(rig).devices["rng"]
    assert device.profile.name == "acme-display"
    assert device.wire.baud == 9600


@pytest.mark.parametrize("name", profilefile.names())
def test_every_profile_of_the_package_is_on_the_page(name):
    assert f"| `{name}` |" in PAGE.read_text()


def test_the_reference_is_fresh():
    _, _, reference = PAGE.read_text().partition("## Reference\n\n")
    assert reference == references.profiles(), "run `make docs`"


def test_the_reference_names_every_key():
    text = references.profiles()
    assert all(f"`{key}`" in text for key in ("feltrig_profile", "framing", "remembered", "modulus", "low_first"))
