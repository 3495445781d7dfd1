"""Every module has its test where a reader looks for it: `harness/judge/evidence.py` in
`tests/harness/judge/test_evidence*.py`."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("feltrig", "engine", "protocols", "emulators", "harness", "fixtures")

ELSEWHERE = {
    "emulators/machine.py": "the protocol that every model fulfils",
    "emulators/models/setup.py": "fields only; every model is made of one",
    "emulators/profiles/memory.py": "emulators/profiles/test_registers.py, test_serial.py",
    "emulators/profiles/station.py": "emulators/profiles/test_mqtt.py, test_serial.py",
    "emulators/profiles/teller.py": "emulators/profiles/test_mqtt.py, test_serial.py",
    "emulators/saboteur/": "emulators/saboteur/test_catalogue.py, test_hooks.py; harness/test_saboteur.py",
    "emulators/stations/mqtt_presence.py": "emulators/stations/test_mqtt_station.py",
    "emulators/stations/tcp_listener.py": "emulators/stations/test_listener.py",
    "emulators/zoo/specimen.py": "fields only; emulators/zoo/test_catalogue.py",
    "engine/asks.py": "fields only; engine/test_answers.py, test_tells.py",
    "engine/games/heads_up_holdem/readings.py": "choices only; test_settlement.py beside it",
    "engine/games/packs_poker/readings.py": "choices only; test_settlement.py beside it",
    "engine/games/supreme_pai_gow/result.py": "fields only; test_round_walk.py beside it",
    "feltrig/devices.py": "docs/test_python_page.py",
    "feltrig/runs.py": "docs/test_python_page.py; every command and the plugin call it",
    "fixtures/rigs.py": "fixtures/test_plugin.py",
    "harness/cli/certify.py": "e2e/test_cli.py, e2e/test_bad_input.py",
    "harness/cli/console.py": "e2e/test_cli.py",
    "harness/cli/entry.py": "e2e/test_cli.py, as a process",
    "harness/cli/output.py": "e2e/test_cli.py, as a process",
    "harness/cli/parameters.py": "declarations; every command takes them",
    "harness/cli/resume.py": "e2e/test_broken_off.py",
    "harness/devices/cases.py": "harness/plan/conformance/test_step.py",
    "harness/devices/hands.py": "protocols; harness/table/test_bench_operator.py, test_technician.py",
    "harness/devices/reader.py": "harness/table/test_dealer.py; harness/devices/test_device.py",
    "harness/devices/rng/": "harness/devices/rng/test_checks.py; harness/plan/conformance, test_sampling.py",
    "harness/devices/shaker/": "harness/devices/shaker/test_checks.py; harness/plan/conformance, test_sampling.py",
    "harness/devices/shoe/": "harness/devices/shoe/test_checks.py; harness/plan/conformance, test_drills.py",
    "harness/devices/shuffler/cases.py": "harness/plan/conformance/test_step.py",
    "harness/devices/shuffler/playing.py": "harness/table/test_dealer.py",
    "harness/plan/conformance/power.py": "harness/plan/conformance/scenes/test_power.py",
    "harness/plan/conformance/probe.py": "harness/plan/conformance/test_step.py",
    "harness/plan/conformance/stage.py": "fields only; harness/plan/conformance/scenes",
    "harness/plan/conformance/functions.py": "harness/plan/conformance/test_registers.py",
    "harness/reports/blocks.py": "fields only; harness/reports/test_html.py",
    "harness/reports/format.py": "fields only; harness/reports/test_writing.py",
    "harness/reports/sampled.py": "harness/reports/test_contents.py, test_plots.py",
    "harness/rig/": "harness/rig/test_loading.py reads all of a rig file",
    "harness/statistics/core/": "harness/statistics/core/test_sequential.py, streams/test_bettors.py",
    "harness/wires/modbus.py": "harness/wires/test_wires.py tries every wire",
    "harness/wires/mqtt.py": "harness/wires/test_wires.py tries every wire",
    "harness/wires/serial": "harness/wires/test_wires.py tries every wire; e2e/test_shared_lines.py",
    "harness/wires/relays.py": "harness/wires/test_serving.py; e2e/test_wire_faults.py",
    "harness/wires/replaying.py": "e2e/test_recorded_runs.py",
    "harness/wires/usercode.py": "e2e/test_user_mechanics.py",
    "protocols/kinds/": "data; protocols/test_vocabulary.py, test_golden_messages.py",
    "protocols/lines/fd_line.py": "protocols/lines/test_line.py",
    "protocols/profiles/": "protocols/profiles/test_profilefile.py, test_golden.py; emulators/profiles on real lines",
}
"""Modules without a test of their own, and what tests them. A folder stands for all of its modules."""


def modules() -> list[str]:
    """All modules of the package but those that only hold a package together."""
    found = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py") if file.name != "__init__.py")
    return sorted(str(file.relative_to(ROOT)) for file in found)


def has_test(module: str) -> bool:
    path = Path(module)
    return any((ROOT / "tests" / path.parent).glob(f"test_{path.stem}*.py"))


def test_every_module_has_its_test_or_a_reason_why_not() -> None:
    excused = tuple(ELSEWHERE)
    assert [name for name in modules() if not has_test(name) and not name.startswith(excused)] == []


def test_no_reason_is_left_over() -> None:
    bare = [name for name in modules() if not has_test(name)]
    assert [name for name in ELSEWHERE if not any(module.startswith(name) for module in bare)] == []
