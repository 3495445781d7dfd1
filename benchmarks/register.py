"""Whether the clause register is true: each rule or check that a clause names is broken, and the tests named with the
clause must fail. Prints the share that does, and the clauses for which none fails. `--help` lists the options.

Exit status: 0 every clause is proved, else 1.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import traceback
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest

from feltrig.engine.games import GAMES

ROOT = Path(__file__).parent.parent
OPTIONS = (
    "-q",
    "--assert=plain",
    "--continue-on-collection-errors",
    "--no-header",
    "--tb=no",
    "-rfE",
    *("-p", "broken"),
    *("-p", "no:cacheprovider"),
    *("-p", "no:xdist"),
)
UNCOLLECTED = int(pytest.ExitCode.USAGE_ERROR)
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::\w+)?)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Claim:
    """A clause says that this is what keeps it, and that these tests would miss it."""

    game: str
    key: str
    names: str
    """A name below `feltrig.engine`, or `check:` and the name of a check or drill."""
    tests: tuple[str, ...]


def claims() -> list[Claim]:
    """Everything that the register names, but items of the checklist."""
    return [
        Claim(game.name, key, name, clause.tests)
        for game in GAMES.values()
        for key, clause in game.clauses.items()
        if clause.coverage in ("automated", "played")
        for name in (*clause.rules, *(f"check:{check}" for check in clause.checks))
    ]


def failing(broken: str, tests: Iterable[str]) -> set[str]:
    """The tests that fail when this is broken, each as the register names it, and its file. They run in a fork, which
    has everything imported already."""
    tests = sorted(set(tests))
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as said:
        child = os.fork()
        if child == 0:
            _run(broken, tests, said.name)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        shown = said.read()
    found = set(FAILED.findall(shown))
    if code == UNCOLLECTED and len(tests) > 1:  # a file that cannot be collected any more keeps pytest from the others
        return set().union(*(failing(broken, [test]) for test in tests))
    if code not in (0, 1, 2) and not found:
        raise RuntimeError(f"{broken}: pytest ended with {code}:\n{shown}")
    return found | {node.partition("::")[0] for node in found}


def _run(broken: str, tests: Iterable[str], out: str) -> NoReturn:
    code = 70
    try:
        os.environ |= {"BREAK": broken, "COLUMNS": "1000"}
        os.chdir(ROOT)
        for stream in (1, 2):
            os.dup2(os.open(out, os.O_WRONLY | os.O_APPEND), stream)
        code = int(pytest.main([*OPTIONS, *sorted(set(tests))]))
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def survivors(chosen: Collection[Claim]) -> list[Claim]:
    """The claims for which no named test fails. What is named alike is broken once."""
    tests: dict[str, set[str]] = {}
    for claim in chosen:
        tests.setdefault(claim.names, set()).update(filter(partial(_concerned, claim.names), claim.tests))
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    import_module("broken").everything()
    found = {broken: failing(broken, named) for broken, named in tests.items()}
    return [claim for claim in chosen if not _failed(claim, found[claim.names])]


def _concerned(names: str, test: str) -> bool:
    """No test of the engine looks at a check of devices."""
    return not (names.startswith("check:") and test.startswith("tests/engine/"))


def _failed(claim: Claim, found: set[str]) -> bool:
    """Whether a test of the claim is among those that failed; one that could not be collected stands for its file."""
    files = {test for test in found if "::" not in test and not any(node.startswith(f"{test}::") for node in found)}
    return any(test in found or test.partition("::")[0] in files for test in claim.tests)


def sample(count: int, seed: int) -> list[Claim]:
    """Some claims: half of them about devices."""
    chance = random.Random(seed)
    every = claims()
    devices = [claim for claim in every if claim.names.startswith("check:")]
    others = [claim for claim in every if not claim.names.startswith("check:")]
    return [*chance.sample(devices, count // 2), *chance.sample(others, count - count // 2)]


def main() -> int:
    """Print the share that is proved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--names", help="only what is named so")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many claims, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = claims() if options.sample is None else sample(options.sample, options.seed)
    fits = partial(_fits, game=options.game, names=options.names)
    chosen = list(filter(fits, chosen))
    left = survivors(chosen)
    for claim in left:
        print(f"no named test fails: {claim.game} {claim.key}: {claim.names} ({len(claim.tests)} tests)")
    print(f"{len(chosen) - len(left)} of {len(chosen)} claims of the register are proved by the tests that it names")
    return 1 if left else 0


def _fits(claim: Claim, game: str | None, names: str | None) -> bool:
    return game in (None, claim.game) and names in (None, claim.names)


if __name__ == "__main__":
    sys.exit(main())
