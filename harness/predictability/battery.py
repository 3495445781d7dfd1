"""All searches, the likely ones first, until the machine is foretold, all is searched or the time is used up."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from feltrig.harness.predictability.foretelling import Foretold
from feltrig.harness.predictability.targets import UNITS, Target
from feltrig.harness.predictability.trials import Trial, trials
from feltrig.harness.predictability.whole_search import OutOfTime


class TooFew(ValueError):
    """Samples of which nothing could be kept aside."""


@dataclass
class Searched:
    """How much of a family was searched: against how many programs and scalings, of all."""

    family: str
    searched: str
    of: int = 0
    done: int = 0

    def as_json(self) -> dict[str, Any]:
        """As a journal or a file has it."""
        return {"family": self.family, "searched": self.searched, "of": self.of, "done": self.done}


@dataclass
class Battery:
    """What came of all searches."""

    foretold: Foretold | None = None
    families: list[Searched] = field(default_factory=list)
    seconds: float = 0.0
    whole: bool = False
    """Whether all was searched."""

    @property
    def done(self) -> int:
        """How many searches were finished."""
        return sum(family.done for family in self.families)

    @property
    def of(self) -> int:
        """How many searches there are."""
        return sum(family.of for family in self.families)

    def as_json(self) -> dict[str, Any]:
        """As a journal or a file has it."""
        return {
            "foretold": None if self.foretold is None else self.foretold.as_json(),
            "families": [family.as_json() for family in self.families],
            "done": self.done,
            "of": self.of,
            "seconds": round(self.seconds, 1),
            "whole": self.whole,
        }


OnSearch = Callable[[float, str], None]
"""Told, after each search, the share of the budget that is used up and the family."""


def search(
    targets: Sequence[Target],
    budget: float,
    clock: Sequence[range] = (),
    on_search: OnSearch = lambda share, family: None,
    only: Callable[[Trial], bool] = lambda trial: True,
) -> Battery:
    """Search for the generator behind samples, for so many seconds of processor time. `clock` has ranges of times that
    may have been seeds. Raises TooFew when nothing could be kept aside."""
    if not targets or len(targets[0].units) < UNITS:
        raise TooFew("nothing could be kept aside")
    begun = time.process_time()
    found = Battery()

    def goes() -> bool:
        return found.foretold is None and time.process_time() - begun < budget

    every = [trial for trial in trials(targets, clock) if only(trial)]
    counted: dict[tuple[str, str], Searched] = {}
    for trial in every:
        counted.setdefault((trial.family, trial.searched), Searched(trial.family, trial.searched)).of += 1
    found.families = list(counted.values())
    cores = len(os.sched_getaffinity(0))
    waiting = iter(every)
    with ThreadPoolExecutor(cores) as pool:  # NumPy works beside other threads
        running: dict[Future[Foretold | None], Trial] = {}
        while True:
            for trial in islice(waiting, 2 * cores - len(running) if goes() else 0):
                running[pool.submit(trial.attack, trial.target, goes)] = trial
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                trial = running.pop(future)
                try:
                    foretold = future.result()
                except OutOfTime:
                    continue
                counted[trial.family, trial.searched].done += 1
                found.foretold = found.foretold or foretold
                on_search(min(1.0, (time.process_time() - begun) / budget), trial.family)
    found.seconds = time.process_time() - begun
    found.whole = found.done == len(every)
    return found
