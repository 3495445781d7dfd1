"""What is known of a kind of device or of a wire stands in one place: nobody else asks for it by its name."""

import ast
from pathlib import Path

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.wires import WIRES

ROOT = Path(__file__).parents[1]

OWN = {
    "kind": ("harness/devices/", "emulators/models/", "emulators/zoo/", "protocols/kinds/"),
    "wire": (
        "harness/wires/__init__.py",
        "harness/wires/serial.py",
        "harness/wires/modbus.py",
        "harness/wires/mqtt.py",
    ),
}
"""Where the names of kinds and of wires may stand."""

OTHER_WORDS = {
    ("harness/rig/model.py", "rng"): "a way to find the starting position",
    ("harness/cli/predict.py", "rng"): "a sort of sample",
    ("harness/cli/stats.py", "rng"): "a sort of sample",
    ("harness/judge/certificate.py", "serial"): "a serial number",
    ("harness/laboratory/history.py", "serial"): "a serial number",
    ("harness/plan/conformance/identification.py", "serial"): "a serial number",
    ("harness/plan/conformance/registers.py", "serial"): "a serial number",
    ("harness/reports/contents.py", "serial"): "a serial number",
    ("harness/table/driver.py", "serial"): "a serial number",
}
"""Strings that only look like one of the names."""


def strings(path):
    """Every string of a module that is a value, not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize(("what", "names"), [("kind", DEVICES), ("wire", WIRES)], ids=["kind", "wire"])
def test_no_other_file_names_it(what, names):
    found = {
        (file, name)
        for folder in ("feltrig", "harness", "fixtures")
        for path in (ROOT / folder).rglob("*.py")
        if not (file := path.relative_to(ROOT).as_posix()).startswith(OWN[what])
        for name in strings(path)
        if name in names
    }
    assert found - set(OTHER_WORDS) == set()
