"""Ten thousand seeded faults on the wires, over full rounds: every run must end as it should.

    python benchmarks/wire_faults.py [--faults N] [--seed N] [--jobs N] [--only TEXT]

Five emulated devices play on one kind of wire behind relays that make one sort of noise. What a run may come to:

| the machines | the noise | the verdict must be |
|---|---|---|
| good | on this wire it shows, or only delays | no failure seen, or inconclusive: noise is not the device's breach |
| the shuffler jams | the same | refused or inconclusive, never "no failure seen" |
| any | changes bytes, and nothing on this wire shows it | inconclusive: nothing is proved |

Besides the verdict, each run is compared with what truly happened inside the emulated machines:

- no lost event: the events in the journal are those of the machine, number by number, without a gap;
- no double command: between a command and the next, its operation happened once and no other one did. It may be missing
  if the device refused or never confirmed the command, or if a fault, a power cut or a hand ended the operation;
- no lost card: every round that was played to its end dealt one whole deck;
- no hang: the run ended within LIMIT seconds.

Where nothing shows a changed byte, only the verdict and the end are demanded. The exit status is 1 if a run went wrong.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

from feltrig.emulators.relays.noise import LINE, NOISES
from feltrig.engine.cards import deck, names
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import (
    Body,
    Called,
    EventSeen,
    NoiseEnded,
    Recovered,
    Replied,
    RunEnded,
    Told,
    Trouble,
)
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge as judge_run
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import wires_with
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.runner import Runner, run_record
from feltrig.harness.wires import WIRES as RECORDS
from feltrig.harness.wires.connecting import wire
from feltrig.protocols.errors import Refused, WireError
from feltrig.protocols.messages import Event

LIMIT = 120.0
ROUNDS = 2
DEADLINE = 0.6

WIRES: Mapping[str, str] = {
    "serial": 'wire = "serial"',
    "modbus-rtu": 'wire = "modbus-rtu"',
    "modbus-tcp": 'wire = "modbus-tcp"',
    "modbus-tls": 'wire = "modbus-tls"',
    "mqtt-3.1.1": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "mqtt-5": 'wire = "mqtt"\nmqtt = "5"',
    "mqtt-5-tls": 'wire = "mqtt"\nmqtt = "5"',
}

TLS_BROKER = """
[broker]
tls = true
[broker.embedded]
"""

STRENGTH: Mapping[str, tuple[float, float]] = {
    "corrupt": (0.02, 0),
    "drop": (0.02, 0),
    "duplicate": (0.1, 0),
    "reorder": (0.02, 0),
    "garbage": (0.1, 0),
    "delay": (0.05, 0.03),
    "split": (0.2, 0.001),
    "half_open": (0.01, 0.05),
    "disconnect": (0.02, 0.02),
    "broker_restart": (0.02, 0.02),
    "wrong_baud": (0.005, 0.03),
}
"""How likely each sort of noise strikes a chunk, and how many seconds it lasts. One strike on each wire is certain."""

OPERATIONS: Mapping[str, str] = {
    "shuffle": "shuffling",
    "select": "selected",
    "shake": "shaken",
    "cover": "covered",
    "scan": "scanned",
    "reset": "cleared",
    "dispense": "dispensed",
}
"""Commands that must run once, and the event by which a machine shows that one ran."""

ENDINGS = ("faulted", "started")
"""Events that show that something ended an operation before its time. A lid that a hand lifts does so too."""


@dataclass(frozen=True, slots=True)
class Case:
    """A wire, a sort of noise on it, and whether the shuffler jams."""

    wire: str
    what: str
    jams: bool = False

    @property
    def shows(self) -> bool:
        """Whether a changed byte would show on this wire: by its CRC, or because TLS lets none through."""
        return LINE in RECORDS[self._kind].media or self.wire.endswith("-tls") or not NOISES[self.what].alters

    @property
    def possible(self) -> bool:
        """Whether this wire has this noise."""
        return self._kind in wires_with(NOISES[self.what])

    @property
    def allowed(self) -> set[str]:
        """The verdicts that are right."""
        if not self.shows:
            return {"inconclusive"}
        return {"inconclusive", "refused" if self.jams else "no failure seen"}

    @property
    def _kind(self) -> str:
        return "mqtt" if self.wire.startswith("mqtt") else self.wire

    def __str__(self) -> str:
        return f"{self.wire} {self.what}{' (jams)' if self.jams else ''}"


CASES = [case for wire_ in WIRES for what in NOISES if (case := Case(wire_, what)).possible]


@dataclass(slots=True)
class Report:
    """What came of a run."""

    case: Case
    seed: int
    verdict: str = "none"
    struck: Counter[str] = field(default_factory=Counter)
    recovered: int = 0
    trouble: str = ""
    """The last failure of a wire on record."""
    wrong: list[str] = field(default_factory=list)


async def play(case: Case, seed: int, folder: Path, deadline: float = DEADLINE, strength: float = 1.0) -> Report:
    """One run, and what was wrong with it. With less strength, chance strikes less often."""
    report = Report(case, seed)
    rig = make_rig(case, seed, deadline, strength)
    file = folder / f"{str(case).replace(' ', '-')}-{seed}.jsonl"
    truth: dict[str, tuple[Event, ...]] = {}
    with Journal(file) as journal:
        journal.append(run_record(rig, "benchmark", seed, ROUNDS))
        try:
            async with asyncio.timeout(LIMIT):
                await _play(rig, seed, journal, truth)
        except TimeoutError:
            report.wrong.append(f"did not end within {LIMIT:g} s")
        except (WireError, Refused, Faulted, Stalled):
            journal.append(RunEnded("wire", 0))
    evidence = Evidence(journals.read(file).records)
    file.unlink()
    report.verdict = judge_run(evidence).verdict["verdict"]
    for record in evidence.every:
        match record.body:
            case NoiseEnded(times=times):
                report.struck.update(times)
            case Recovered():
                report.recovered += 1
            case Trouble(detail=detail):
                report.trouble = detail
    if report.verdict not in case.allowed:
        report.wrong.append(f"verdict {report.verdict}: {_failures(evidence)}")
    if case.shows:
        report.wrong += judge(evidence, truth)
    return report


async def _play(rig: Rig, seed: int, journal: Journal, truth: dict[str, tuple[Event, ...]]) -> None:
    async with wire(rig, journal, seed, nobody) as wired:
        try:
            await Runner(rig, wired, journal, seed, lambda _: None).play(ROUNDS)
        finally:
            for name, machine in wired.emulated.machines.items():
                truth[name] = machine.board.events(0, sys.maxsize)


async def nobody(prompt: str) -> str:
    """There is no technician."""
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")


def judge(evidence: Evidence, truth: Mapping[str, Sequence[Event]]) -> Iterator[str]:
    """What the journal has otherwise than the machines."""
    for device, happened in truth.items():
        yield from _events_lost(device, evidence, happened)
        yield from _commands_miscarried(device, evidence, happened)
    whole = sorted(names(deck(jokers=2)))
    for round_ in evidence.rounds:
        finished = round_.result is not None and not round_.result.body.result["void"]
        if finished and sorted(_cards(round_.records)) != whole:
            yield f"round {round_.number}: the cards dealt are not one deck"


def _events_lost(device: str, evidence: Evidence, happened: Sequence[Event]) -> Iterator[str]:
    known = {event.number: event for event in happened}
    seen = [record.body for record in evidence.throughout(EventSeen, device)]
    for before, after in pairwise(seen):
        if after.number != before.number + 1:
            yield f"{device}: event {after.number} follows {before.number} in the journal"
    for body in seen:
        event = known.get(body.number)
        if event is None or event.name != body.event or _plain(event) != body.values:
            yield f"{device}: event {body.number} is {body.event} in the journal, {event} in the machine"


@dataclass(slots=True)
class _Span:
    """From one command that must run once up to the next: how it was answered, and what the machine did."""

    command: str | None
    after: int
    """The last event that was seen before."""
    answer: str | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether something ended the operation before its time."""
        return any(e.name in ENDINGS or (e.name, e.values.get("commanded")) == ("uncovered", 0) for e in self.events)


def _commands_miscarried(device: str, evidence: Evidence, happened: Sequence[Event]) -> Iterator[str]:
    for number, span in enumerate(_spans(device, evidence, happened)):
        for command, sign in OPERATIONS.items():
            ran = sum(event.name == sign for event in span.events)
            commanded = command == span.command
            most = commanded and span.answer in ("ok", None)
            least = commanded and span.answer == "ok" and not span.ended
            if not least <= ran <= most:
                after = f"command {number}, {span.command}, answered {span.answer}" if number else "the start"
                yield f"{device}: {command} ran {ran} times after {after}"


def _spans(device: str, evidence: Evidence, happened: Sequence[Event]) -> Sequence[_Span]:
    spans = [_Span(None, 0)]
    seen = 0
    for record in evidence.every:
        match record.body:
            case EventSeen(name, number=number) if name == device:
                seen = number
            case Called(name, command) if name == device and command in OPERATIONS:
                spans.append(_Span(command, seen))
            case Replied(name, command, error) if name == device and command == spans[-1].command:
                spans[-1].answer = error
    for event in happened:
        next(span for span in reversed(spans) if event.number > span.after or span is spans[0]).events.append(event)
    return spans


def _cards(records: Sequence[Record[Body]]) -> Iterator[str]:
    for record in records:
        match record.body:
            case Told({"is": "StackDispensed" | "StubRacked", "cards": cards}):
                yield from cards
            case Told({"is": "CardDealt", "card": card}):
                yield card


def _plain(event: Event) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in event.values.items()}


def _failures(evidence: Evidence) -> str:
    found = [f for f in judge_run(evidence).findings if f.verdict.value == "fail"]
    return "; ".join(f"{f.device}: {f.check}: {f.detail}" for f in found)


def make_rig(case: Case, seed: int, deadline: float, strength: float) -> Rig:
    """The rig of a case, by a rig file as any other."""
    chance, seconds = STRENGTH[case.what]
    text = f"""
feltrig = 1
name = "noisy"
seed = {seed}
{TLS_BROKER if case.wire == "mqtt-5-tls" else ""}
[game]
name = "supreme_pai_gow"
house_way = "balanced"
jurisdiction = "NJ"
start = ["dice", "rng"]
deal = ["automated_shoe"]
"""
    for kind in ("rng", "shaker", "shuffler", "shoe", "reader"):
        text += f"""
[devices.{kind}]
kind = "{kind}"
{WIRES[case.wire]}
deadline = {deadline}
patience = 20
reconnect = 5
noise = [
    {{ what = "{case.what}", at = 9, seconds = {seconds} }},
    {{ what = "{case.what}", at = 10, seconds = {seconds}, probability = {chance * strength}, times = 0 }},
]
[devices.{kind}.emulator]
"""
        if case.jams and kind == "shuffler":
            text += 'faults = [{ what = "jam", at = 2 }]\n'
    return rigfile.loads(text, f"{case}.toml")


async def campaign(faults: int, seed: int, jobs: int, only: str) -> list[Report]:
    """Runs over all cases in turn, until so many faults have struck. Every fourth time around, the shuffler jams."""
    reports: list[Report] = []
    chosen = [case for case in CASES if only in str(case)]
    numbers = iter(range(seed, sys.maxsize))
    cases = cycle([Case(c.wire, c.what, jams) for jams in (False, False, False, True) for c in chosen])

    async def work(folder: Path) -> None:
        while sum(report.struck.total() for report in reports) < faults:
            report = await play(next(cases), next(numbers), folder)
            reports.append(report)
            for wrong in report.wrong:
                print(f"WRONG: {report.case} seed {report.seed}: {wrong}", flush=True)

    with tempfile.TemporaryDirectory(prefix="feltrig-") as folder:
        async with asyncio.TaskGroup() as workers:
            for _ in range(jobs):
                workers.create_task(work(Path(folder)))
    return reports


def table(reports: Sequence[Report]) -> Iterator[str]:
    """The lines of the result."""
    yield "| wire | noise | runs | faults struck | no failure seen | refused | inconclusive | lines recovered | wrong |"
    yield "|---|---|---|---|---|---|---|---|---|"
    rows: dict[tuple[str, str], list[Report]] = defaultdict(list)
    for report in reports:
        rows[report.case.wire, report.case.what + (", shuffler jams" if report.case.jams else "")].append(report)
    for (wire_, what), group in sorted(rows.items()):
        yield f"| {wire_} | {what} | {_row(group)} |"
    yield f"| all | | {_row(reports)} |"


def _row(group: Sequence[Report]) -> str:
    verdicts = Counter(report.verdict for report in group)
    counts = [len(group), sum(r.struck.total() for r in group)]
    counts += [verdicts[v] for v in ("no failure seen", "refused", "inconclusive")]
    counts += [sum(r.recovered for r in group), sum(bool(r.wrong) for r in group)]
    return " | ".join(map(str, counts))


def main() -> int:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=8, help="runs at a time, in one event loop")
    parser.add_argument("--only", default="", help="only cases whose name holds this text, such as 'serial drop'")
    chosen = parser.parse_args()
    began = time.monotonic()
    reports = asyncio.run(campaign(chosen.faults, chosen.seed, chosen.jobs, chosen.only))
    print("\n".join(table(reports)))
    for report in reports:
        if report.case.shows and report.verdict == "inconclusive":
            print(f"inconclusive: {report.case} seed {report.seed}: {report.trouble}")
    wrong = sum(bool(report.wrong) for report in reports)
    struck = sum(report.struck.total() for report in reports)
    print(f"\n{struck} faults in {len(reports)} runs, {time.monotonic() - began:.0f} s; {wrong} runs went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
