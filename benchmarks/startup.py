"""How long `import feltrig` takes beside `import typer`, and `feltrig emulate` until its devices can be reached.

    python benchmarks/startup.py [--runs N]

Each run is a fresh process, and all take turns, so that a busy machine is busy for all. What counts are ratios of
medians. Of an import, the start of the interpreter is taken off. Exit status 1 when `import feltrig` takes a tenth of
`import typer` or more.
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
LIMIT = 0.1
"""What `import feltrig` may take of `import typer`."""
PASS, TYPER, API = "pass", "import typer", "import feltrig"

RIG = """\
feltrig = 1
name = "startup"
seed = 1
[game]
name = "supreme_pai_gow"
house_way = "balanced"
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
            for program in (PASS, TYPER, API, "import typer, rich"):
                taken.setdefault(f'python -c "{program}"', []).append(to_the_end(program))
            for name, rig in rigs.items():
                taken.setdefault(f"feltrig emulate, {name}", []).append(to_the_first_line(rig))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    bare, typer, api, libraries, *_ = medians.values()
    print(f"{'median of ' + str(runs) + ' runs':34} {'ms':>7} {'/ pass':>7} {'/ libraries':>12}")
    for name, median in medians.items():
        print(f"{name:34} {median * 1000:7.1f} {median / bare:7.1f} {median / libraries:12.1f}")
    ratio = (api - bare) / (typer - bare)
    print(f"import feltrig / import typer, each without the interpreter: {ratio:.3f}, limit {LIMIT}")
    sys.exit(int(ratio >= LIMIT))


if __name__ == "__main__":
    main()
