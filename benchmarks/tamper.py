"""Changes single bytes anywhere in a run's folder, and counts how many `feltrig verify` notices.

A change in the journal is noticed by the first line that does not verify, so only those up to it are read.
"""

import argparse
import asyncio
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.harness.judge import verify as verifying
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run


async def nobody(prompt: str) -> str:
    """No hands are needed on an emulated rig."""
    raise AssertionError(prompt)


def main() -> None:
    """Print for each file how many changes lay in it, and how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    key, chance = Ed25519PrivateKey.generate(), random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as scratch:
        finished = asyncio.run(
            run(rigfile.embedded(), chosen.rounds, 1, Path(scratch), lambda _: None, nobody, key=key)
        )
        folder = finished.folder
        assert all(one.good for one in verifying.verify(folder, key.public_key())), "the run itself does not verify"
        files = sorted(folder.iterdir())
        sizes = [file.stat().st_size for file in files]
        whole = {file: file.read_bytes() for file in files}
        made, noticed = Counter[str](), Counter[str]()
        for _ in range(chosen.changes):
            (file,) = chance.choices(files, sizes)
            data = whole[file]
            at = chance.randrange(len(data))
            other = chance.randrange(255)
            other += other >= data[at]
            file.write_bytes(data[:at] + bytes([other]) + data[at + 1 :])
            made[file.name] += 1
            noticed[file.name] += not all(one.good for one in verifying.verify(folder, key.public_key()))
            file.write_bytes(data)
        shutil.rmtree(folder)
    for name in sorted(made):
        print(f"{name}: {made[name]} changes, {noticed[name]} noticed")
    print(f"all: {made.total()} changes, {made.total() - noticed.total()} unnoticed")


if __name__ == "__main__":
    main()
