"""What a person sees at the terminal."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from feltrig.harness.cli.console import table
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.journal.records import RESUMABLE
from feltrig.harness.judge.finding import ENDED_EARLY, Verdict, clause_order, under_test
from feltrig.harness.plan.sampling import SampleProgress
from feltrig.harness.run import Run
from feltrig.harness.table.rounds import OnProgress, RoundProgress
from feltrig.harness.table.runner import OnSample

COLOURS = {
    "pass": "green",
    "fail": "bold red",
    "attested": "cyan",
    "not tested": "yellow",
    "certified": "bold green",
    "refused": "bold red",
    "inconclusive": "bold yellow",
}

OFTEN_WIDTH = 13
"""Columns for how often something was seen: more would leave too few for the rest on a terminal of eighty."""


def progress(
    console: Console, total: int | None, *, by_hand: bool
) -> AbstractContextManager[tuple[OnProgress, OnSample]]:
    """Who is told how far a run has come: a bar, or lines between the prompts of a technician."""
    return (rounds_lines if by_hand else rounds_bar)(console, total)


@contextmanager
def rounds_bar(console: Console, total: int | None) -> Iterator[tuple[OnProgress, OnSample]]:
    """A bar that moves with the rounds; nothing when no person is watching."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("opening the wires", total=total, unit="rounds")

        def played(progress: RoundProgress) -> None:
            bar.update(task, completed=progress.done, total=progress.total, description=progress.variant)

        def sampled(progress: SampleProgress) -> None:
            words = sampling(progress)
            bar.update(task, completed=progress.taken, total=progress.most, unit=progress.unit, description=words)

        yield played, sampled


@contextmanager
def rounds_lines(console: Console, total: int | None) -> Iterator[tuple[OnProgress, OnSample]]:
    """A line for each round: a bar would write over the prompts between them."""

    def played(progress: RoundProgress) -> None:
        void = ", void" if progress.void else ""
        console.print(f"round {progress.done} of {progress.total} is played{void} · {progress.variant}")

    yield played, lambda progress: console.print(sampling(progress))


def sampling(progress: SampleProgress) -> str:
    """How far the samples of a plan have come."""
    words = f"{progress.taken} of at most {progress.most} {progress.unit}"
    if progress.evidence is not None:
        words = f"{words} · evidence against the machine {progress.evidence:.3g}"
    return words if not progress.rest else f"{words} · about {progress.rest} more"


def show_verdict(console: Console, finished: Run) -> None:
    """The table of findings, the devices, and the verdict; what stands in the way of a certificate comes last."""
    written = finished.verdict
    console.print(_findings_table(finished))
    console.print()
    if written["devices"]:
        console.print(_devices_table(finished))
        console.print()
    left_out_clauses = sum(f.verdict is Verdict.NOT_TESTED and not f.required for f in finished.findings)
    left_out = f"{_count(left_out_clauses, 'clause')} not tested in this run, with the reason in verdict.json"
    console.print(f"{_rounds(finished)} · {left_out}")
    for finding in finished.findings:
        if finding.verdict is Verdict.FAIL or (finding.verdict is Verdict.NOT_TESTED and finding.required):
            device = finding.device if under_test(written, finding) else f"{finding.device} (not under test)"
            line = f" {finding.clause or 'rig'} {device}: {finding.check}: {finding.detail}"
            console.print(Text.assemble(_coloured(finding.verdict.value), line))
    for name, device in written["devices"].items():
        if device["kind"] not in written["uses"]:
            console.print(f"{name}: the game as chosen has no use for it: not judged", style="yellow")
    if finished.clock_jumps:
        first, *others = finished.clock_jumps
        more = f", and was set {_count(len(others), 'time')} more" if others else ""
        words = f"{first.words} before record {first.record.seq}{more}: nothing is judged by it"
        console.print(words, style="yellow", highlight=False)
    _show_early_end(console, finished)
    summary = Text.assemble(f"{written['rig']}: ", _coloured(written["verdict"]), f" · {finished.folder}")
    console.print(summary, soft_wrap=True)


def show_played(console: Console, finished: Run) -> None:
    """What was played, without a judgement."""
    console.print(_rounds(finished))
    _show_early_end(console, finished)
    console.print(str(finished.folder), highlight=False, soft_wrap=True)


def _findings_table(finished: Run) -> Table:
    """Device by device in the rig's order, the table last; each from what the rig itself asks to the last clause. The
    detail of what did not pass is long: it stands below the table."""
    order = {name: place for place, name in enumerate(finished.verdict["devices"])}
    shown = [f for f in finished.findings if f.verdict is not Verdict.NOT_TESTED or f.required]
    shown.sort(key=lambda f: (order.get(f.device, len(order)), f.device, clause_order(f.clause)))
    often = Column("how often", max_width=OFTEN_WIDTH)
    rows = []
    for f in shown:
        detail = f.detail if f.verdict is Verdict.PASS else ""
        rows.append((f.clause or "rig", f.device, f.check, _coloured(f.verdict.value), detail))
    return table(("clause", "device", "what was checked", "verdict", often), rows)


def _devices_table(finished: Run) -> Table:
    rows = []
    for name, device in finished.verdict["devices"].items():
        identity = device["identity"]
        made = f"{identity['vendor']} {identity['model']}" + (" (emulated)" if device["emulated"] else "")
        rows.append((name, device["wire"], made, identity["firmware"], _device_verdict(finished, name)))
    return table(("device", "wire", "vendor and model", "firmware", "verdict"), rows)


def _device_verdict(finished: Run, name: str) -> Text:
    """Of a device; a plan judges one of them, and the others only as far as they serve it."""
    plan = finished.verdict["plan"]
    if plan is not None and plan["device"] != name:
        return Text("not under test", style="dim")
    return _coloured(finished.verdict["devices"][name]["verdict"])


def _rounds(finished: Run) -> str:
    rounds = finished.verdict["rounds"]
    return f"{_count(rounds['played'], 'round')} played, {rounds['void']} void · seed {finished.verdict['seed']}"


def _show_early_end(console: Console, finished: Run) -> None:
    ended = finished.verdict["ended"]
    if ended != "finished":
        console.print(f"the run ended early: {ENDED_EARLY[ended]}", style="yellow")
    if ended in RESUMABLE:
        key = " --key FILE" if (finished.folder / CERTIFICATE).exists() else ""
        console.print(f"to continue it: feltrig resume {finished.folder}{key}", soft_wrap=True, highlight=False)


def _count(number: int, of: str) -> str:
    return f"{number} {of}" if number == 1 else f"{number} {of}s"


def _coloured(word: str) -> Text:
    return Text(word, style=COLOURS[word])
