"""How many good machines are refused: certifications with different seeds, over real wires, of each kind of device.

    python benchmarks/falsealarms.py --runs 200 [--kind rng] [--sequential] [--samples 512] [--keep DIR]

The share of good machines refused is to stay at or below the level of the plan. Beside the count stands its
Clopper-Pearson interval; a run that is inconclusive counts as neither, and is printed.

With --keep, the run of each seed stays in a folder of its own (60 to 130 MB each at the plans' own sizes), and a seed
that has a finished one there is not played again: its journal is judged again, by the statistics as they are now. So
two hundred runs can be played in parts, by several processes, and counted by one.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from scipy import stats

from feltrig.emulators.zoo.catalogue import ZOO
from feltrig.harness.journal.folder import VERDICT
from feltrig.harness.plan.plan import Plan, plan
from feltrig.harness.run import certify
from feltrig.harness.zoo import judged, show

CONFIDENCE = 0.95


def interval(refused: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's bounds of a share."""
    tail = (1 - CONFIDENCE) / 2
    low = float(stats.beta.ppf(tail, refused, runs - refused + 1)) if refused else 0.0
    high = float(stats.beta.ppf(1 - tail, refused + 1, runs - refused)) if refused < runs else 1.0
    return low, high


def shortened(chosen: Plan, samples: int | None) -> Plan:
    """The plan, or the same with fewer samples: the level holds for every number of them."""
    if samples is None or chosen.sampling is None:
        return chosen
    most = min(samples, chosen.sampling.most)
    return replace(chosen, name=f"{chosen.name}-{most}", sampling=replace(chosen.sampling, most=most))


def count(kind: str, chosen: Plan, seeds: range, sequential: bool, keep: Path | None) -> Counter[str]:
    """The verdicts on good machines of a kind. Whatever is not a certificate is printed with its reason."""
    verdicts: Counter[str] = Counter()
    specimen = ZOO[kind]["good"]
    for seed in seeds:
        with tempfile.TemporaryDirectory() as passing:
            folder = Path(passing) if keep is None else keep / f"{chosen.name}{'-sequential' * sequential}" / str(seed)
            played = next((path.parent for path in folder.glob(f"*/{VERDICT}")), None)
            if played is not None:
                seen = judged(specimen, certify(played))
            else:
                folder.mkdir(parents=True, exist_ok=True)
                seen = asyncio.run(show(specimen, chosen, seed, folder, sequential=sequential))
        verdicts[seen.verdict] += 1
        if not seen.right:
            print(f"  {kind}, seed {seed}: {seen.verdict}: {seen.finding}: {seen.detail}", flush=True)
    return verdicts


def main() -> int:
    """Print a line for each kind; 1 when the level lies below an interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--kind", choices=ZOO, action="append")
    parser.add_argument("--profile", default="nj")
    parser.add_argument("--samples", type=int, help="at most so many, instead of the plan's")
    parser.add_argument("--sequential", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where runs stay, and are judged again")
    args = parser.parse_args()
    above = False
    for kind in args.kind or ZOO:
        chosen = shortened(plan(f"{kind}-{args.profile}"), args.samples)
        verdicts = count(kind, chosen, range(args.first, args.first + args.runs), args.sequential, args.keep)
        refused = verdicts["refused"]
        judged = refused + verdicts["certified"] + verdicts["rehearsed"]
        low, high = interval(refused, judged) if judged else (0.0, 1.0)
        above |= low > chosen.level
        size = f"{chosen.sampling.most} {chosen.sampling.unit}" if chosen.sampling else "no samples"
        print(
            f"{kind:8}  {refused} of {judged} refused, {CONFIDENCE:.0%} interval {low:.4f} to {high:.4f}, "
            f"level {chosen.level:g}; {verdicts['inconclusive']} inconclusive; {size} each",
            flush=True,
        )
    return int(above)


if __name__ == "__main__":
    sys.exit(main())
