"""A table of machines that was written from the documents alone, with hands that answer the prompts, goes through the
plans: none of them is refused. `benchmarks/sound.py` tries all variants, whole plans, and a busy computer."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "sound.py"
FEW = ["--samples", "8"]

spec = importlib.util.spec_from_file_location("benchmark_sound", SCRIPT)
assert spec is not None
assert spec.loader is not None
sound = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = sound
spec.loader.exec_module(sound)


@pytest.mark.parametrize(
    ("variant", "kind", "options", "verdict"),
    [
        ("serial quick, no button", "rng", FEW, "rehearsed"),
        ("serial working", "shuffler", FEW, "rehearsed"),
        ("serial late hands, stacks of 4", "shoe", [], "certified"),
        ("modbus-rtu working, no memory", "shaker", FEW, "rehearsed"),
        ("modbus-tcp stacks of 4 and 7", "shoe", [], "certified"),
        ("modbus-tls working", "rng", FEW, "rehearsed"),
        ("pymodbus quick", "shaker", FEW, "rehearsed"),
        ("pymodbus working, no memory", "shoe", [], "certified"),
        ("mqtt 5 quick", "shuffler", FEW, "rehearsed"),
        ("mqtt 3.1.1 on mosquitto, slow", "rng", FEW, "rehearsed"),
    ],
)
def test_a_sound_machine_is_not_refused(tmp_path, peer, variant, kind, options, verdict):
    if "mosquitto" in variant:
        peer("mosquitto")
    assert sound.certify(variant, kind, 1, tmp_path, options) == (verdict, "")
