"""The mutation score of the engine: the share of small changes to its source that the tests of the package notice.

    python benchmarks/mutants.py [--sample N] [--package NAME ...] [--seed N] [--target X]

A mutant is one change: a comparison, a boolean or arithmetic operator, a number by one, a negated condition, a
statement or a returned value left out. Each of a seeded sample runs against the tests of its own package, and if they
do not notice it against all tests of the engine, in a forked process in which all that is not the engine is imported
already, and to the first failing test. One that takes far more of the processor than the unchanged source counts as
noticed. Exit status 1 when the share is below the target,
2 when the tests fail without a change.
"""

import argparse
import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import mutations
import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
TESTS = ROOT / "tests" / "engine"
GAMES = "games"
SHARED = {
    "ranking": ("ranking", "games/three_card_poker", "games/pai_gow_poker"),
    "table": ("table", "games/let_it_ride", "games/minibaccarat"),
    "games": ("games/test_game.py", "games/test_games.py", "table/test_every_table.py"),
    "jurisdictions": ("test_jurisdictions.py", "test_clauses.py"),
    "engine": (*sorted(file.name for file in TESTS.glob("test_*.py")), "table", "games/three_card_poker"),
}
"""Below tests/engine, the tests of a package that all games share; `engine` is the modules of no package. Every other
package has a folder of its name, and every game one below games."""
ALL = (str(TESTS), str(ROOT / "tests" / "harness" / "cli" / "test_oracle.py"))
PRELOADED = (
    *("numpy", "scipy.stats", "hypothesis", "pytest_asyncio", "_pytest.pytester"),
    *("typer", "rich", "cryptography.hazmat.primitives.asymmetric.ed25519", "aiomqtt", "serial"),
    *("feltrig.protocols.errors", "feltrig.protocols.vocabulary", "feltrig.emulators.machine"),
)
"""What the tests import that imports nothing of the engine."""
ARGUMENTS = ("-x", "-q", "-pno:cacheprovider", "-pno:xdist", "--assert=plain")
"""Plain assertions: pytest's rewriting would import the package past the finder of the mutant."""
MEMORY = 8 << 30
PATIENCE = 10.0
"""Times the processor time of the unchanged source, and seconds of a clock on the wall for each of the processor."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How the tests ended, and the processor time they took."""

    status: int
    """Of pytest; negative when a signal ended it."""
    seconds: float


class MutantFinder(importlib.abc.MetaPathFinder):
    """Finds one module of the engine, changed."""

    def __init__(self, mutant: mutations.Mutant) -> None:
        self._mutant = mutant
        self._name = module_name(mutant.file)

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        if fullname != self._name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec is not None
        spec.loader = MutantLoader(fullname, str(self._mutant.file), self._mutant.tree)
        return spec


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Makes the code of a module from its changed tree, and leaves no trace of it on disk."""

    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec", dont_inherit=True)


def module_name(file: Path) -> str:
    """As it is imported."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("feltrig", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def packages() -> dict[str, list[Path]]:
    """The source files of each package of the engine."""
    found: dict[str, list[Path]] = {}
    for file in sorted(ENGINE.rglob("*.py")):
        found.setdefault(file.parent.name, []).append(file)
    return found


def tests_of(package: str) -> tuple[str, ...]:
    """The folders and files of tests that are to notice a change in the package."""
    own = f"{GAMES}/{package}" if (ENGINE / GAMES / package).is_dir() else package
    return tuple(str(TESTS / name) for name in SHARED.get(package, (own,)))


def run_tests(tests: Sequence[str], mutant: mutations.Mutant | None, limit: float, output: Path) -> Ran:
    """The tests, in a forked process that may take so many seconds of the processor; what they print goes to a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if child == 0:
        os._exit(_in_the_child(tests, mutant, limit, output))
    status = _wait(child, PATIENCE * limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(os.waitstatus_to_exitcode(status), seconds)


def _in_the_child(tests: Sequence[str], mutant: mutations.Mutant | None, limit: float, output: Path) -> int:
    printed = os.open(output, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    for descriptor in (0, 1, 2):
        os.dup2(printed, descriptor)
    seconds = round(limit) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    try:
        return int(pytest.main([*ARGUMENTS, *LOADED, *tests]))
    except BaseException:  # whatever a mutant raises, it has been noticed
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _wait(child: int, seconds: float) -> int:
    """The status of the child, which is killed when it takes so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _loaded() -> list[str]:
    """How pytest comes to know the plugin of an uninstalled tree."""
    points = importlib.metadata.entry_points(group="pytest11")
    return [] if any(point.value == PLUGIN for point in points) else ["-p", PLUGIN]


PLUGIN = "feltrig.fixtures.plugin"
LOADED = _loaded()


def sample(chosen: dict[str, list[Path]], size: int, seed: int) -> tuple[list[tuple[str, Path, int]], int]:
    """Some of all mutants, each as package, file and number, in the order of the packages; and how many there are."""
    files = [(package, file) for package, sources in chosen.items() for file in sources]
    ends = list(accumulate(mutations.count(file) for _, file in files))
    total = ends[-1] if ends else 0
    drawn = sorted(random.Random(seed).sample(range(total), min(size, total)))
    located = []
    for number in drawn:
        place = next(i for i, end in enumerate(ends) if number < end)
        located.append((*files[place], number - (ends[place - 1] if place else 0)))
    return located, total


def main() -> None:
    """Prints the survivors as they come, and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="how many mutants")
    parser.add_argument("--package", nargs="+", choices=list(packages()), metavar="NAME", help="only of these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=float, default=0.9)
    options = parser.parse_args()
    chosen = {name: files for name, files in packages().items() if name in (options.package or packages())}
    drawn, total = sample(chosen, options.sample, options.seed)
    print(f"{len(drawn)} of {total} mutants in {', '.join(chosen)}", flush=True)
    for name in PRELOADED:
        importlib.import_module(name)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        killed = sum(judge(package, drawn, Path(folder, "output")) for package in chosen)
    score = killed / len(drawn) if drawn else 1.0
    print(f"{killed} of {len(drawn)} killed: {score:.3f}, target {options.target:g}")
    sys.exit(score < options.target)


def judge(package: str, drawn: Sequence[tuple[str, Path, int]], output: Path) -> int:
    """How many of a package's mutants are killed. Prints those that survive."""
    own = [(file, number) for name, file, number in drawn if name == package]
    if not own:
        return 0
    suites = [(tests, _seconds(tests)) for tests in (tests_of(package), ALL)]
    killed = 0
    for file, number in own:
        mutant = mutations.mutant(file, number)
        survives = all(run_tests(tests, mutant, limit, output).status == 0 for tests, limit in suites)
        killed += not survives
        if survives:
            where = f"{file.relative_to(ROOT)}:{mutant.line}"
            print(f"  survived {where}: {mutant.was}  ->  {mutant.becomes}", flush=True)
    print(f"{package}: {killed} of {len(own)}", flush=True)
    return killed


@cache
def _seconds(tests: tuple[str, ...]) -> float:
    """Of the processor, that tests may take: three times what they take without a change, in which they must pass."""
    with tempfile.NamedTemporaryFile() as output:
        unchanged = run_tests(tests, None, 600.0, Path(output.name))
        if unchanged.status != 0:
            print(f"the tests fail without a change:\n{Path(output.name).read_text()[-4000:]}", file=sys.stderr)
            sys.exit(2)
    return PATIENCE + 3 * unchanged.seconds


if __name__ == "__main__":
    main()
