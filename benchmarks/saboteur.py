"""The mutation score of the plans: the share of mutants, devices that each break one requirement of the wire documents,
that the rehearsal of a plan refuses for that requirement. `--help` lists the options.

Exit status: 0 at least 0.97 were refused for the right id and no honest device was, else 1.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from feltrig.emulators.saboteur.catalogue import MUTANTS
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.plan import plan
from feltrig.harness.saboteur import MISSED, Caught, Trial, by_requirement, sabotage, score, trials
from feltrig.harness.wires import WIRES
from feltrig.protocols.requirements import REQUIREMENTS

LEAST = 0.97
KINDS = [kind for kind, device in DEVICES.items() if device.planned]


def run(name: str | None, kind: str, wire: str, standard: str, seed: int) -> Caught:
    """One trial, in a process of its own or here."""
    with tempfile.TemporaryDirectory() as folder:
        mutant = None if name is None else MUTANTS[name]
        return asyncio.run(sabotage(mutant, kind, wire, plan(f"{kind}-{standard}"), seed, Path(folder)))


def chosen(options: argparse.Namespace) -> list[Trial]:
    """The trials that are asked for: honest devices first."""
    mutants = [m for m in MUTANTS.values() if not options.id or set(options.id) & set(m.breaks)]
    mutants = [m for m in mutants if not options.mutant or m.name in options.mutant]
    found = list(trials(mutants, options.kind or KINDS, options.wire or list(WIRES), every=options.all))
    if options.sample:
        found = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    honest = dict.fromkeys((trial.kind, trial.wire) for trial in found)
    return [*(Trial(None, kind, wire) for kind, wire in honest), *found]


def results(wanted: Iterable[Trial], jobs: int, standard: str, seed: int) -> Iterator[Caught]:
    """What the plan made of each, as they end."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        runs = [
            pool.submit(run, None if t.mutant is None else t.mutant.name, t.kind, t.wire, standard, seed)
            for t in wanted
        ]
        for each in as_completed(runs):
            yield each.result()


def line(caught: Caught) -> str:
    """One trial in a line."""
    mark = " " if caught.rightly or (not caught.breaks and caught.verdict in MISSED) else "!"
    why = f"  {caught.failures[0]}" if caught.failures else ""
    who = f"{mark} {caught.mutant:32} {caught.kind:8} {caught.wire:10} {caught.seconds:6.1f} s"
    return f"{who}  {caught.verdict} ({', '.join(caught.breaks)}){why}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--id", action="append", help="only mutants that break this requirement; can be repeated")
    parser.add_argument("--mutant", action="append", help="only this mutant; can be repeated")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--wire", action="append", choices=list(WIRES))
    parser.add_argument("--all", action="store_true", help="every kind on every wire; else one kind for each wire")
    parser.add_argument("--sample", type=int, default=0, help="only so many trials, drawn by the seed")
    parser.add_argument("--standard", default="nj")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write every trial to this file, one a line")
    options = parser.parse_args(arguments)

    wanted, found = chosen(options), list[Caught]()
    with (options.json or Path(os.devnull)).open("w") as out:
        for caught in results(wanted, options.jobs, options.standard, options.seed):
            found.append(caught)
            print(f"{len(found):4}/{len(wanted)} {line(caught)}", flush=True)
            print(json.dumps(caught.record()), file=out, flush=True)
    honest, struck = [f for f in found if not f.breaks], [f for f in found if f.breaks]
    print(f"\n{'id':8} {'tried':>5} {'right':>5} {'other':>5} {'incon':>5} {'share':>6}")
    for number, each in by_requirement(struck).items():
        print(f"{number:8} {each.tried:5} {each.rightly:5} {each.otherwise:5} {each.inconclusive:5} {each.share:6.2f}")
    bare = [each for each in REQUIREMENTS if each not in {number for m in MUTANTS.values() for number in m.breaks}]
    if bare:
        print(f"\nwithout a mutant: {', '.join(bare)}")
    total, passed = score(struck), sum(each.verdict in MISSED for each in honest)
    print(
        f"\n{total.tried} mutants: {total.share:.3f} refused for the right id; {total.otherwise} refused for another "
        f"reason, {total.inconclusive} inconclusive, {sum(f.verdict in MISSED for f in struck)} let pass\n"
        f"{passed} of {len(honest)} honest devices let pass"
    )
    return int(total.share < LEAST or passed < len(honest))


if __name__ == "__main__":
    sys.exit(main())
