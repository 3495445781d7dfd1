"""What a person sees at the terminal when a run is over: what failed, what is missing, then all that was found."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from feltrig.harness.cli.console import table
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.journal.records import RESUMABLE
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.finding import ENDED_EARLY, Finding, Verdict, clause_order, under_test
from feltrig.harness.judge.limits import limit_words
from feltrig.harness.judge.outcome import NOT_UNDER_TEST
from feltrig.harness.run import Run

COLOURS = {
    "pass": "green",
    "fail": "bold red",
    "attested": "cyan",
    "not tested": "yellow",
    "certified": "bold green",
    "rehearsed": "bold cyan",
    "no failure seen": "bold cyan",
    "refused": "bold red",
    NOT_UNDER_TEST: "dim",
    "inconclusive": "bold yellow",
}

OFTEN_WIDTH = 22
"""Columns for how often something was seen: more would leave too few for the rest on a terminal of eighty."""


def show_verdict(console: Console, finished: Run) -> None:
    """Failures and their clauses first, then what is missing, what was found of each device that is judged, and the
    verdict. What the rig itself did is one line."""
    written = finished.verdict
    against = list(_against(finished))
    for line in against:
        console.print(line)
    if against:
        console.print()
    found = [f for f in finished.findings if _of_a_device(finished, f)]
    judged = [name for name, device in written["devices"].items() if device["verdict"] != NOT_UNDER_TEST]
    for shown in (_findings_table(finished, found) if found else None, _devices_table(finished, judged)):
        if shown is not None and judged:
            console.print(shown)
            console.print()
    if not judged:
        console.print("no device was under test", style="yellow")
    for limit in written["limits"]:
        console.print(limit_words(limit), style="yellow", highlight=False)
    console.print(_played(finished), highlight=False)
    left_out_clauses = sum(f.verdict is Verdict.NOT_TESTED and not f.required for f in finished.findings)
    left_out = f"{_count(left_out_clauses, 'clause')} not tested in this run, with the reason in verdict.json"
    console.print(f"{_rounds(finished)} · {left_out}")
    idle = [name for name, device in written["devices"].items() if device["kind"] not in written["uses"]]
    if idle:
        console.print(f"the game as chosen has no use for {', '.join(idle)}: not judged", style="yellow")
    if finished.clock_jumps:
        first, *others = finished.clock_jumps
        more = f", and was set {_count(len(others), 'time')} more" if others else ""
        words = f"{first.words} before record {first.record.seq}{more}: nothing is judged by it"
        console.print(words, style="yellow", highlight=False)
    _show_early_end(console, finished)
    console.print(_summary(finished), soft_wrap=True)


def show_played(console: Console, finished: Run) -> None:
    """What was played, without a judgement."""
    console.print(_rounds(finished))
    _show_early_end(console, finished)
    console.print(str(finished.folder), highlight=False, soft_wrap=True)


def _against(finished: Run) -> Iterator[Text]:
    """What failed, then what is missing; of the devices under test before the others, which hold up nobody."""
    failed = [f for f in finished.findings if f.verdict is Verdict.FAIL]
    missing = [f for f in finished.findings if f.verdict is Verdict.NOT_TESTED and f.required]
    for finding in sorted(failed, key=lambda f: not under_test(finished.verdict, f)) + missing:
        device = finding.device
        if not under_test(finished.verdict, finding):
            device = f"{device} (not under test)"
        elif finding.basis is Basis.PLAYED:
            device = f"{device} ({finding.basis.words})"
        line = f" {finding.clause or 'rig'} {device}: {finding.check}: {finding.detail}"
        yield Text.assemble(_coloured(finding.verdict.value), line)


def _of_a_device(finished: Run, finding: Finding) -> bool:
    """Whether a finding is about a device that the run judges, and stands in the table."""
    device = finished.verdict["devices"].get(finding.device)
    judged = device is not None and device["verdict"] != NOT_UNDER_TEST
    shown = finding.verdict is not Verdict.NOT_TESTED or finding.required
    return judged and shown and finding.basis is not Basis.PLAYED


def _findings_table(finished: Run, found: Sequence[Finding]) -> Table:
    """Device by device in the rig's order, each from what the rig itself asks to the last clause. The detail of what
    did not pass is long: it stands above the table."""
    order = {name: place for place, name in enumerate(finished.verdict["devices"])}
    several = len({f.device for f in found}) > 1
    rows = []
    for f in sorted(found, key=lambda f: (order[f.device], clause_order(f.clause))):
        detail = _short(f.detail) if f.verdict is Verdict.PASS else ""
        device = (f.device,) if several else ()
        rows.append((f.clause or "rig", *device, f.check, _coloured(f.verdict.value), f.basis.words, detail))
    often = Column("how often", max_width=OFTEN_WIDTH)
    return table(("clause", *(("device",) if several else ()), "what was checked", "verdict", "basis", often), rows)


def _short(detail: str) -> str:
    """What fits into a cell: the report has the rest."""
    first, _, rest = detail.partition("; ")
    return f"{first} …" if rest else first


def _played(finished: Run) -> str:
    """What the rig's own dealer, players and engine did, and who helped: all of it says nothing of a device."""
    own = [f for f in finished.findings if f.basis is Basis.PLAYED]
    passed = sum(f.verdict is Verdict.PASS for f in own)
    wrong = sum(f.verdict is Verdict.FAIL for f in own)
    failed = f", {wrong} not as they should be" if wrong else ""
    used, devices = finished.verdict["uses"], finished.verdict["devices"].items()
    others = [name for name, device in devices if device["verdict"] == NOT_UNDER_TEST and device["kind"] in used]
    helped = f" · with the help of {', '.join(others)}" if others else ""
    return f"{Basis.PLAYED.words}: {_count(passed, 'clause')} of the game{failed}{helped}"


def _devices_table(finished: Run, judged: Sequence[str]) -> Table:
    rows = []
    for name in judged:
        device = finished.verdict["devices"][name]
        identity = device["identity"]
        made = f"{identity['vendor']} {identity['model']}" + (" (emulated)" if device["emulated"] else "")
        rows.append((name, device["wire"], made, identity["firmware"], _coloured(device["verdict"])))
    return table(("device", "wire", "vendor and model", "firmware", "verdict"), rows)


def _summary(finished: Run) -> Text:
    """The verdict, of what and by what."""
    written = finished.verdict
    plan = written["plan"]
    of, by = written["rig"], ""
    if plan is not None:
        device = written["devices"].get(plan["device"])
        made = ", emulated" if device is not None and device["emulated"] else ""
        of, by = f"{written['rig']}: {plan['device']}{made}", f" by {plan['name']}"
        if plan["shortened"]:
            by += f" ({'; '.join(plan['shortened'])})"
    return Text.assemble(f"{of}: ", _coloured(written["verdict"]), f"{by} · {finished.folder}")


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
