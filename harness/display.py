"""What a person sees at the terminal."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from feltrig.engine.games import GAMES
from feltrig.harness.emulation import Place
from feltrig.harness.findings import Finding, Verdict
from feltrig.harness.run import Finished
from feltrig.harness.runner import OnProgress
from feltrig.harness.runner import Progress as RoundsPlayed

COLOURS = {
    "pass": "green",
    "fail": "bold red",
    "attested": "cyan",
    "not tested": "yellow",
    "certified": "bold green",
    "refused": "bold red",
    "inconclusive": "bold yellow",
}


@contextmanager
def rounds_bar(console: Console, total: int) -> Iterator[OnProgress]:
    """A bar that moves with the rounds."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rounds"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("opening the wires", total=total)

        def played(progress: RoundsPlayed) -> None:
            bar.update(task, completed=progress.done, description=progress.variant)

        yield played


def show_verdict(console: Console, finished: Finished) -> None:
    """The table of findings, the devices, and the verdict."""
    console.print(_findings_table(finished.findings))
    console.print(_devices_table(finished))
    written = finished.verdict
    left_out = sum(f.verdict is Verdict.NOT_TESTED and not f.required for f in finished.findings)
    rounds = written["rounds"]
    console.print(
        f"{rounds['played']} rounds played, {rounds['void']} void · seed {written['seed']} · "
        f"{left_out} clauses not tested in this run, with the reason in verdict.json"
    )
    for finding in finished.findings:
        if finding.verdict is Verdict.FAIL or (finding.verdict is Verdict.NOT_TESTED and finding.required):
            line = f"{finding.device}: {finding.check}: {finding.detail}"
            console.print(_coloured(finding.verdict.value), Text(f"{finding.clause or 'rig'} {line}"))
    for name, device in written["devices"].items():
        if device["kind"] not in written["uses"]:
            console.print(f"{name}: the game as chosen has no use for it: not judged", style="yellow")
    if written["ended"] != "finished":
        console.print(f"the run ended early: {written['ended']}", style="yellow")
    console.print(Text.assemble(f"{written['rig']}: ", _coloured(written["verdict"]), f" · {finished.folder}"))


def show_played(console: Console, finished: Finished) -> None:
    """What was played, without a judgement."""
    rounds = finished.verdict["rounds"]
    console.print(f"{rounds['played']} rounds played, {rounds['void']} void · seed {finished.verdict['seed']}")
    if finished.verdict["ended"] != "finished":
        console.print(f"the run ended early: {finished.verdict['ended']}", style="yellow")
    console.print(str(finished.folder), highlight=False)


def show_places(console: Console, places: Iterable[Place], broker: str | None) -> None:
    """Where each emulated device listens."""
    table = Table("device", "kind", "wire", "where", box=None, pad_edge=False)
    for place in places:
        table.add_row(place.name, place.kind, place.wire, place.where)
    console.print(table)
    if broker:
        console.print(f"MQTT broker at {broker}")


def show_games(console: Console) -> None:
    """The games that the engine knows."""
    table = Table("game", "title", "jurisdictions", "start", "deal", box=None, pad_edge=False)
    for game in GAMES.values():
        ways = (game.jurisdictions, game.start_methods, game.dealing_methods)
        table.add_row(game.name, game.title, *(", ".join(way) for way in ways))
    console.print(table)


def _findings_table(findings: Iterable[Finding]) -> Table:
    table = Table("clause", "device", "what was checked", "verdict", "detail", box=None, pad_edge=False)
    for finding in findings:
        if finding.verdict is not Verdict.NOT_TESTED or finding.required:
            table.add_row(
                finding.clause or "rig",
                finding.device,
                Text(finding.check),
                _coloured(finding.verdict.value),
                Text(finding.detail),
            )
    return table


def _devices_table(finished: Finished) -> Table:
    table = Table("device", "wire", "vendor and model", "firmware", "verdict", box=None, pad_edge=False)
    for name, device in finished.verdict["devices"].items():
        identity = device["identity"]
        made = f"{identity['vendor']} {identity['model']}" + (" (emulated)" if device["emulated"] else "")
        table.add_row(name, device["wire"], Text(made), Text(identity["firmware"]), _coloured(device["verdict"]))
    return table


def _coloured(word: str) -> Text:
    return Text(word, style=COLOURS[word])
