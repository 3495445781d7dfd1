"""Sound machines are certified: a table of machines that was written from the documents alone is put through the plans.

    python benchmarks/sound.py [--samples N] [--seeds N] [--kinds rng,shoe] [--only quick] [--load] [--whole]

Each variant of the table (wire, quick or slow, with and without a memory that outlives its power, few or many events
and tokens kept, without a stop button, with few sizes of stack, with hands that are late) is certified by the plan of
each kind of machine. MQTT is tried on the broker of the rig and on mosquitto. Prompts are answered by the table itself,
by `--operator jsonl`. Prints a line for each run and the share that ended well: rehearsed with `--samples`, certified
with `--whole`. `--load` keeps two processes busy meanwhile. Exits with 1 if any sound machine was refused or left open.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "tests" / "peers" / "from_the_document" / "table.py"
FELTRIG = [str(Path(sys.executable).parent / "feltrig")]
KINDS = ("rng", "shaker", "shuffler", "shoe")
LONGEST = 1800
"""Seconds for one run."""

VARIANTS: dict[str, dict[str, Any]] = {
    "serial quick": {"wire": "serial", "work": 0.0},
    "serial quick, no button": {"wire": "serial", "work": 0.0, "button": False},
    "serial working": {"wire": "serial", "work": 0.02, "machines": {"rng": {"button": False}}},
    "serial late hands, stacks of 4": {"wire": "serial", "work": 0.05, "late": True, "sizes": [4]},
    "serial slow answers, no memory": {"wire": "serial", "work": 0.02, "answer": 0.03, "nvram": False},
    "serial slow machine": {"wire": "serial", "work": 0.25, "events": 4000, "tokens": 100},
    "modbus-tcp quick, no memory": {"wire": "modbus-tcp", "work": 0.0, "nvram": False},
    "modbus-tcp working": {"wire": "modbus-tcp", "work": 0.02},
    "modbus-tcp slow answers": {"wire": "modbus-tcp", "work": 0.1, "answer": 0.02},
    "modbus-tcp stacks of 4 and 7": {"wire": "modbus-tcp", "work": 0.02, "sizes": [7, 4]},
    "modbus-tls quick, no memory": {"wire": "modbus-tls", "work": 0.0, "nvram": False},
    "modbus-tls working": {"wire": "modbus-tls", "work": 0.05},
    "pymodbus quick": {"wire": "pymodbus", "work": 0.0},
    "pymodbus working, no memory": {"wire": "pymodbus", "work": 0.1, "nvram": False},
    "modbus-rtu quick": {"wire": "modbus-rtu", "work": 0.0},
    "modbus-rtu working, no memory": {"wire": "modbus-rtu", "work": 0.02, "nvram": False},
    "mqtt 3.1.1 quick, no memory": {"wire": "mqtt", "work": 0.0, "nvram": False, "broker": {"version": "3.1.1"}},
    "mqtt 3.1.1 working": {"wire": "mqtt", "work": 0.05, "broker": {"version": "3.1.1"}},
    "mqtt 5 quick": {"wire": "mqtt", "work": 0.0, "broker": {"version": "5"}},
    "mqtt 5 slow": {"wire": "mqtt", "work": 0.2, "lag": 0.1, "answer": 0.02, "broker": {"version": "5"}},
    "mqtt 3.1.1 on mosquitto, slow": {
        "wire": "mqtt",
        "work": 0.2,
        "lag": 0.1,
        "broker": {"version": "3.1.1", "mosquitto": True},
    },
    "mqtt 5 on mosquitto, quick": {"wire": "mqtt", "work": 0.0, "broker": {"version": "5", "mosquitto": True}},
    "mqtt 5 on mosquitto, working, no memory": {
        "wire": "mqtt",
        "work": 0.05,
        "nvram": False,
        "broker": {"version": "5", "mosquitto": True},
    },
}

RIG = """feltrig = 1
name = "foreign"
[game]
name = "supreme_pai_gow"
house_way = "balanced"
jurisdiction = "NJ"
start = ["dice", "rng", "button"]
deal = ["automated_shoe", "manual_shoe", "hand"]
bank = ["none"]
decks = 2
players = 2
machine_shuffle = true
"""


def certify(variant: str, kind: str, seed: int, folder: Path, options: list[str]) -> tuple[str, str]:
    """The verdict of one run, and what stands in its way."""
    answers, to_rig = os.pipe()
    prompts, to_table = os.pipe()
    settings = {**VARIANTS[variant], **_secured(VARIANTS[variant], folder)}
    with (folder / "table.log").open("w+") as log, _broker(settings, folder) as broker:
        script = [sys.executable, "-I", str(TABLE), json.dumps(settings)]
        table = subprocess.Popen(script, stdin=prompts, stdout=to_rig, stderr=log)
        os.close(prompts)
        os.close(to_rig)  # so that the rig sees it if the table dies
        try:
            where = json.loads(_line(answers))
            rig = folder / "rig.toml"
            rig.write_text(RIG + broker + "".join(_device(name, at, settings) for name, at in where.items()))
            command = [*FELTRIG, "certify", str(rig), "--plan", f"{kind}-nj", "--device", kind, "--seed", str(seed)]
            command += ["--operator", "jsonl", "--out", str(folder / "runs"), "--no-report", *options]
            command += ["--checklist", str(_checklist(folder))]
            done = subprocess.run(
                command, stdin=answers, stdout=to_table, stderr=subprocess.PIPE, text=True, timeout=LONGEST, check=False
            )
        finally:
            died = table.poll() is not None
            table.kill()
            table.wait()
            os.close(answers)
            os.close(to_table)
        log.seek(0)
        broken = log.read()
    found = sorted((folder / "runs").glob("*/verdict.json"))
    if not found:
        return f"exit {done.returncode}", (done.stderr + broken)[-500:]
    verdict = json.loads(found[-1].read_text())
    return verdict["verdict"], _against(verdict, kind) + (f" | the table died: {broken[-300:]}" if died else "")


def _against(verdict: dict[str, Any], kind: str) -> str:
    own = [f for f in verdict["findings"] if f["device"] in (kind, "table")]
    failed = [f"{f['check']}: {f['detail']}" for f in own if f["verdict"] == "fail"]
    missing = [f"not tested: {f['check']}: {f['detail']}" for f in own if f["verdict"] == "not tested"]
    limits = [each for limit in verdict["limits"] for each in limit["not_tested"]]
    missing = [each for each in missing if not any(limit in each for limit in limits)]
    return "; ".join(failed or (missing if verdict["verdict"] == "inconclusive" else []))


def _secured(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The certificate of machines that speak TLS, and of who signed it."""
    if settings["wire"] != "modbus-tls":
        return {}
    from feltrig.emulators.certificates import Authority  # noqa: PLC0415 - for TLS only

    authority = Authority()
    certificate, key = authority.issue("foreign works").write(folder, "machine")
    (folder / "ca.pem").write_bytes(authority.pem)
    return {"tls": {"certificate": str(certificate), "key": str(key), "ca": str(folder / "ca.pem")}}


@contextmanager
def _broker(settings: dict[str, Any], folder: Path) -> Iterator[str]:
    """The table of a rig file for the broker, which runs meanwhile unless the rig runs it."""
    if "broker" not in settings:
        yield ""
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mosquitto = settings["broker"].get("mosquitto", False)
    settings["broker"] = {**settings["broker"], "host": "127.0.0.1", "port": port}
    table = f'[broker]\nhost = "127.0.0.1"\nport = {port}\n'
    if not mosquitto:
        yield table + "[broker.embedded]\n"
        return
    file = folder / "mosquitto.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([shutil.which("mosquitto", path=PATH), "-c", file], stdout=quiet, stderr=quiet)
    try:
        yield table
    finally:
        process.terminate()
        process.wait()


PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))
"""Debian keeps servers where not every user looks."""


def _device(name: str, where: dict[str, Any], settings: dict[str, Any]) -> str:
    if name == "shoe" and "sizes" in settings:
        where = {**where, "stack_sizes": settings["sizes"]}
    keys = "".join(f"{key} = {json.dumps(value)}\n" for key, value in where.items())
    number = KINDS_BY_CODE.index(name) + 1
    identity = f'serial = "FW-{number:04}"\nfirmware = "3.1"\n'
    return f'\n[devices.{name}]\nkind = "{name}"\npatience = 10.0\n{keys}[devices.{name}.identity]\n{identity}'


KINDS_BY_CODE = ("rng", "shaker", "shuffler", "shoe", "reader")


def _checklist(folder: Path) -> Path:
    """All questions of the inspector, answered with yes."""
    from feltrig.engine.games import GAMES  # noqa: PLC0415 - quick to import, and needed once

    file = folder / "checklist.toml"
    items = "".join(f'{item} = "yes"\n' for item in GAMES["supreme_pai_gow"].checklist_of("NJ"))
    file.write_text(f'game = "supreme_pai_gow"\ninspector = "A. Inspector"\n[answers]\n{items}')
    return file


def _line(end: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(end, 1)
    return line


@contextmanager
def _loaded(busy: bool) -> Iterator[None]:
    """Two processes that do nothing but keep the processor busy, if that is asked."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 if busy else 0)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=40, help="samples of a rehearsal")
    parser.add_argument("--whole", action="store_true", help="the whole plan, so that machines are certified")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--only", default="", help="variants whose name contains this")
    parser.add_argument("--load", action="store_true", help="keep two processes busy meanwhile")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the runs that did not end well")
    given = parser.parse_args()
    wanted = "certified" if given.whole else "rehearsed"
    cases = [
        (variant, kind, seed)
        for variant in VARIANTS
        if given.only in variant
        for kind in given.kinds.split(",")
        for seed in range(1, given.seeds + 1)
    ]

    def run(case: tuple[str, str, int]) -> bool:
        variant, kind, seed = case
        options = [] if given.whole else ["--samples", str(given.samples)]
        options = [] if kind == "shoe" and not given.whole else options
        with tempfile.TemporaryDirectory() as folder:
            verdict, against = certify(variant, kind, seed, Path(folder), options)
            good = verdict in (wanted, "certified")
            if given.keep is not None and not good:
                shutil.copytree(folder, given.keep / f"{variant}, {kind}, seed {seed}", dirs_exist_ok=True)
        print(f"{'ok ' if good else 'BAD'} {variant}, {kind}, seed {seed}: {verdict} {against}", flush=True)
        return good

    with _loaded(given.load), ThreadPoolExecutor(given.jobs) as pool:
        right = list(pool.map(run, cases))
    print(f"{sum(right)} of {len(right)} sound machines {wanted}: {sum(right) / len(right):.3f}, target 1.000")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
