"""How long `feltrig emulate` takes until its devices can be reached, beside what the interpreter and the libraries of
its command line need by themselves. Runs take turns, so that a busy machine is busy for all; the figure is the ratio.

    python benchmarks/startup.py [--runs N]
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FELTRIG = "from feltrig.harness.cli.entry import main; main()"
SECONDS = 60.0

RIG = """\
feltrig = 1
name = "startup"
seed = 1
[game]
name = "supreme_pai_gow"
jurisdiction = "NJ"
start = ["dice", "rng"]
deal = "automated_shoe"
"""
WIRES = {"serial": "serial", "all wires": None}
MIXED = {"shuffler": "serial", "shoe": "modbus-tcp", "shaker": "mqtt", "rng": "mqtt", "reader": "modbus-rtu"}


def rig_file(folder: Path, wire: str | None) -> str:
    """A rig with five emulated devices, all on one kind of wire or each on its own."""
    path = folder / f"{wire or 'mixed'}.toml"
    tables = (f'[devices.{k}]\nkind = "{k}"\nwire = "{wire or own}"\nemulator = {{}}\n' for k, own in MIXED.items())
    path.write_text(RIG + "".join(tables))
    return str(path)


def to_the_end(program: str) -> float:
    """Seconds that a program takes from start to end."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, timeout=SECONDS)
    return time.perf_counter() - began


def to_the_first_line(rig: str) -> float:
    """Seconds until `feltrig emulate` says where its devices are: they can be reached then."""
    began = time.perf_counter()
    command = [sys.executable, "-c", FELTRIG, "emulate", rig, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            took = time.perf_counter() - began
            assert len(json.loads(said)["devices"]) == len(MIXED)
        finally:
            process.terminate()
            process.wait(SECONDS)
    return took


def main() -> None:
    """Print the medians and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        rigs = {name: rig_file(Path(folder), wire) for name, wire in WIRES.items()}
        taken: dict[str, list[float]] = {}
        for _ in range(runs):
            taken.setdefault("python -c pass", []).append(to_the_end("pass"))
            taken.setdefault('python -c "import typer, rich"', []).append(to_the_end("import typer, rich"))
            for name, rig in rigs.items():
                taken.setdefault(f"feltrig emulate, {name}", []).append(to_the_first_line(rig))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    bare, libraries, *_ = medians.values()
    print(f"{'median of ' + str(runs) + ' runs':34} {'ms':>7} {'/ pass':>7} {'/ libraries':>12}")
    for name, median in medians.items():
        print(f"{name:34} {median * 1000:7.0f} {median / bare:7.1f} {median / libraries:12.1f}")


if __name__ == "__main__":
    main()
