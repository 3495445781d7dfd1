"""How far a run has come: a bar for each step, or lines between the prompts of a technician."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from feltrig.harness.plan.checkpoints import OnStep, StepProgress
from feltrig.harness.plan.plan import ROUNDS, STATISTICS
from feltrig.harness.plan.sampling import SampleProgress
from feltrig.harness.table.rounds import OnProgress, RoundProgress
from feltrig.harness.table.runner import OnSample


@dataclass(frozen=True, slots=True)
class Shown:
    """Who is told, each of one sort of progress."""

    rounds: OnProgress
    samples: OnSample
    steps: OnStep


def progress(console: Console, *, by_hand: bool) -> AbstractContextManager[Shown]:
    """Shows how far a run has come. A bar would write over the prompts of a technician."""
    return (lines if by_hand else bars)(console)


@contextmanager
def bars(console: Console) -> Iterator[Shown]:
    """A bar for each step of the run, as it is reached; nothing when no person is watching."""
    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[words]}", style="dim"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        tasks: dict[str, TaskID] = {}
        opening = shown.add_task("wires", total=None, words="opening the wires")

        def task(step: str) -> TaskID:
            if step not in tasks:
                shown.update(opening, visible=False)
                tasks[step] = shown.add_task(step, total=None, words="")
            return tasks[step]

        def stepped(progress: StepProgress) -> None:
            task(progress.step)
            if progress.step not in (ROUNDS, STATISTICS):  # which tell more often themselves
                shown.update(task(progress.step), completed=progress.done, total=progress.total)

        def played(progress: RoundProgress) -> None:
            shown.update(task(ROUNDS), completed=progress.done, total=progress.total, words=progress.variant)

        def sampled(progress: SampleProgress) -> None:
            words = f"{progress.unit}{_evidence(progress)}"
            shown.update(task(STATISTICS), completed=progress.taken, total=progress.most, words=words)

        yield Shown(played, sampled, stepped)


@contextmanager
def lines(console: Console) -> Iterator[Shown]:
    """A line for each step, each round and each batch of samples."""

    def stepped(progress: StepProgress) -> None:
        if progress.done == 0:
            console.print(f"step: {progress.step}", highlight=False)

    def played(progress: RoundProgress) -> None:
        void = ", void" if progress.void else ""
        console.print(f"round {progress.done} of {progress.total} is played{void} · {progress.variant}")

    yield Shown(played, lambda progress: console.print(sampling(progress)), stepped)


def sampling(progress: SampleProgress) -> str:
    """How far the samples of a plan have come."""
    return f"{progress.taken} of at most {progress.most} {progress.unit}{_evidence(progress)}"


def _evidence(progress: SampleProgress) -> str:
    words = "" if progress.evidence is None else f" · evidence against the machine {progress.evidence:.3g}"
    return words if not progress.rest else f"{words} · about {progress.rest} more"
