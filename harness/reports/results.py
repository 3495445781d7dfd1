"""The results of a report: clause by clause, drill by drill, and what happened besides."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.records import (
    Attested,
    Body,
    Checkpoint,
    DeviceChanged,
    MoveRefused,
    NoiseBegun,
    Recovered,
    Resumed,
    Ruled,
    RunEnded,
    SampleTaken,
    SegmentBegun,
    Trouble,
)
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import ENDED_EARLY, TABLE, Finding, Verdict, clause_order, often
from feltrig.harness.judge.judgement import Judgement
from feltrig.harness.judge.outcome import NOT_UNDER_TEST
from feltrig.harness.judge.planned import times
from feltrig.harness.reports.blocks import Block, Cell, Code, Mark, Paragraph, Refs, Table

SHOWN = {Verdict.FAIL: 12}
FEW = 3
"""Records of a finding that the appendix shows; of a failure there are more."""
LONGEST = 300
"""Letters of a record that the appendix shows: the journal has the rest."""
LONG_DETAIL = 160


def origin(emulated: bool) -> str:
    """Whether a result comes from a real machine."""
    return "emulated" if emulated else "physical"


def shown_of(evidence: Evidence, written: Mapping[str, Any], found: Iterable[Finding]) -> list[Finding]:
    """What a report lists one by one, in its order: everything that was found, or had to be, of the devices that the
    run judges, what an inspector said, and whatever failed."""
    places = {name: place for place, name in enumerate(evidence.devices)}
    judged = {TABLE, *(name for name, device in written["devices"].items() if device["verdict"] != NOT_UNDER_TEST)}
    own = [f for f in found if f.basis is not Basis.PLAYED and (f.verdict is not Verdict.NOT_TESTED or f.required)]
    wrong = [f for f in found if f.basis is Basis.PLAYED and f.verdict is Verdict.FAIL]
    shown = [*(f for f in own if f.device in judged), *wrong]
    return sorted(shown, key=lambda f: (places.get(f.device, len(places)), clause_order(f.clause), f.check))


def matrix(evidence: Evidence, shown: Sequence[Finding], found: Iterable[Finding]) -> list[Block]:
    """The findings of the devices that the run judges; the rig's own part in one line."""
    rows = [(f.clause or "rig", f.check, f.device, _origin(evidence, f.device), *_result(f)) for f in shown]
    count = {word: sum(f.verdict is word for f in shown) for word in Verdict}
    summary = ", ".join(f"{number} {word.value}" for word, number in count.items() if number)
    words = (
        f"{len(shown)} results: {summary or 'none'}. Requirements are summarised, not quoted. “rig” marks what the rig "
        "requires beyond the rules. Evidence is given as numbers of journal records; “+7” means that "
        "verdict.json lists seven more."
    )
    columns = {"clause": 0.14, "requirement": 0.23, "device": 0.08, "hardware": 0.085, "verdict": 0.09, "basis": 0.08}
    table = Table({**columns, "occasions or reason": 0.165, "evidence": 0.13}, rows)
    return [Paragraph(words), table, Paragraph(_played(shown, found))]


def _played(shown: Sequence[Finding], found: Iterable[Finding]) -> str:
    """The rig's own part, and the devices that helped: nothing of it is a result of the device."""
    left = [f for f in found if f.verdict is Verdict.PASS and f not in shown]
    rules = sum(f.basis is Basis.PLAYED for f in left)
    others = [f.device for f in left if f.basis is not Basis.PLAYED]
    words = f"Played by the rig: {rules} clauses of the game."
    if others:
        words += f" Not under test: {', '.join(dict.fromkeys(others))}, with {len(others)} results."
    return f"{words} verdict.json lists them. They say nothing of the device under test."


def _result(finding: Finding) -> tuple[Cell, Cell, Cell, Cell]:
    return Mark(finding.verdict.value), finding.basis.words, _short(finding.detail), refs(finding)


def _short(detail: str) -> str:
    """What fits into a cell: the statistics are told in a section of their own."""
    return detail if len(detail) <= LONG_DETAIL else f"{detail[:LONG_DETAIL].rpartition(' ')[0]} …"


def _origin(evidence: Evidence, name: str) -> str:
    if name in evidence.devices:
        return origin(evidence.devices[name].emulated)
    kinds = {origin(device.emulated) for device in evidence.devices.values()}
    return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else "none"


def refs(finding: Finding) -> Refs:
    """The records of a finding that the appendix shows."""
    few = SHOWN.get(finding.verdict, FEW)
    numbers = tuple(dict.fromkeys(finding.evidence))
    return Refs(numbers[:few], max(len(numbers) - few, 0))


def drills(evidence: Evidence, found: Iterable[Finding]) -> list[Block]:
    """What was provoked, and how each machine met it."""
    names = {drill.name for device in DEVICES.values() for drill in device.drills}
    held = [f for f in found if f.check in names and f.device in evidence.devices]
    if not held:
        return [Paragraph("No irregularity was provoked in this run.")]
    rows = [(f.check, f.device, _origin(evidence, f.device), f.clause or "rig", *_result(f)) for f in held]
    columns = {"what the machine must do": 0.24, "device": 0.09, "hardware": 0.09, "clause": 0.14, "verdict": 0.09}
    return [Table({**columns, "basis": 0.07, "what happened": 0.13, "evidence": 0.15}, rows)]


def timing(judgement: Judgement) -> list[Block]:
    """The times that a plan limits, and for information the times of every device."""
    blocks: list[Block] = []
    evidence, limited = judgement.evidence, judgement.timings
    if limited:
        rows: list[tuple[Cell, ...]] = []
        for timed in limited:
            limit, unit = timed.limit, timed.limit.unit
            marginal = limit.margin * limit.most
            allowed = (f"{marginal:g} {unit}", f"{limit.most:g} {unit}")
            if not timed.seconds:
                rows.append((limit.name, "0", "", "", *allowed, Mark("not tested"), ""))
                continue
            word = "pass" if timed.longest <= limit.most else "fail"
            near = "marginal" if marginal < timed.longest <= limit.most else ""
            usual, longest = duration(timed.median), duration(timed.longest)
            rows.append((limit.name, str(len(timed.seconds)), usual, longest, *allowed, Mark(word), near))
        columns = {"limited by the plan": 0.25, "times": 0.08, "median": 0.11, "longest": 0.11}
        blocks.append(
            Table({**columns, "marginal above": 0.13, "maximum allowed": 0.12, "verdict": 0.1, "": 0.1}, rows)
        )
    measured = [(name, what, seconds) for name, what, seconds in all_times(evidence) if seconds]
    if not measured:
        return [*blocks, Paragraph("Nothing was timed in this run.")]
    table = [
        (name, _origin(evidence, name), what, str(len(seconds)), *map(duration, _span(seconds)))
        for name, what, seconds in measured
    ]
    columns = {"device": 0.14, "hardware": 0.12, "measured": 0.26, "times": 0.1}
    note = "For information: times as seen by the rig. They include the wire and the computer."
    return [*blocks, Paragraph(note), Table({**columns, "shortest": 0.125, "median": 0.125, "longest": 0.13}, table)]


def duration(seconds: float) -> str:
    """Seconds, or thousandths of them."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def all_times(evidence: Evidence) -> list[tuple[str, str, list[float]]]:
    """For each device, the seconds of its answers and of each of its operations."""
    found = []
    for name in evidence.devices:
        answers, operations = times(evidence, name)
        found.append((name, "answer", [each.seconds for each in answers]))
        found += [(name, what, [each.seconds for each in taken]) for what, taken in sorted(operations.items())]
    return found


def _span(seconds: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(seconds)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1]


def checklist(evidence: Evidence) -> list[Block]:
    """The inspector's answers."""
    attested = [record.body for record in evidence.of(Attested)]
    if not attested:
        return [Paragraph("This run has no checklist: what only an inspector can confirm was not tested.")]
    rows = [(item.question, item.answer, item.note, item.inspector) for item in attested]
    return [Table({"question": 0.5, "answer": 0.1, "note": 0.22, "inspector": 0.18}, rows)]


CLOCK = "it was set, or the computer slept. Durations use another clock; nothing is judged by the time of day"


def deviations(evidence: Evidence, torn: bool) -> list[Block]:
    """Whatever did not go as it should: interruptions, troubles of wires, noise, rulings."""
    rows: list[tuple[Cell, ...]] = []
    segment, samples = "", 0  # under way: a resumed run repeats it
    for record in evidence.all:
        when = _moment(record.t)
        match record.body:
            case SegmentBegun(name):
                segment, samples = name, 0
            case Checkpoint():
                segment = ""
            case SampleTaken():
                samples += 1
            case Resumed():
                rows.append((str(record.seq), when, "run", "resumed", _begun_again(segment, samples)))
                segment = ""
            case RunEnded(reason) if reason != "finished":
                rows.append((str(record.seq), when, "run", "ended early", ENDED_EARLY[reason]))
            case incident:
                if (row := _incident(incident)) is not None:
                    rows.append((str(record.seq), when, *row))
    rows += [
        (str(jump.record.seq), _moment(jump.record.t), "run", "clock", f"{jump.words}: {CLOCK}")
        for jump in evidence.clock_jumps()
    ]
    if evidence.end is None:
        rows.append(("", "", "run", "cut off", ENDED_EARLY["cut off"]))
    if torn:
        rows.append(("", "", "run", "torn", "the last line of the journal is incomplete and was left out"))
    dropped = len(evidence.all) - len(evidence.every)
    blocks: list[Block] = []
    resumed = sum(isinstance(record.body, Resumed) for record in evidence.all)
    if resumed:
        words = (
            f"Interrupted and resumed {often(resumed)}. {dropped} records of work that was repeated do not count, "
            "except that a failure in them remains a failure."
        )
        blocks.append(Paragraph(words))
    if not rows:
        return [Paragraph("None: no interruption, no trouble on a wire, no noise, no irregularity outside the drills.")]
    return [*blocks, Table({"record": 0.08, "time": 0.17, "device": 0.12, "what": 0.13, "detail": 0.5}, rows)]


def _begun_again(segment: str, samples: int) -> str:
    """What was lost when a run was interrupted: the segment under way, from its first record."""
    if not segment:
        return "the run was interrupted between two segments, and resumed"
    lost = f"; {samples} of its samples do not count" if samples else ""
    return f"the run was interrupted in the segment “{segment}”, and resumed at the start of it{lost}"


def _moment(t: str) -> str:
    return f"{t[:10]} {t[11:19]}"


def _incident(body: Body) -> tuple[str, str, str] | None:
    """Whom an incident concerns, what it is called, and the detail; None for an ordinary record."""
    match body:
        case Trouble(device, what, detail):
            return device or TABLE, body.KIND, f"{what}: {detail}"
        case Ruled(ruling):
            rules = ", ".join(ruling["rules"])
            return ruling["device"] or TABLE, body.KIND, f"{ruling['why']}: {ruling['order']} ({rules})"
        case DeviceChanged(device, was, now):
            differs = ", ".join(f"{key} {now[key]} instead of {was[key]}" for key in was if was[key] != now[key])
            return device, body.KIND, f"another device answered, so the run was not resumed: {differs}"
        case MoveRefused(why):
            return TABLE, body.KIND, f"the rules refused a player's move: {why}"
        case Recovered(device, seconds):
            return device, body.KIND, f"the wire worked again after {seconds} s"
        case NoiseBegun(device, where, unseen, disturbances):
            hidden = ", which can change bytes undetected" if unseen else ""
            return device, body.KIND, f"noise on the wire at {where}{hidden}: {[*disturbances]}"
    return None


def untested(found: Iterable[Finding]) -> list[Block]:
    """The clauses that nothing in the run touched, with the reason."""
    left = sorted((f for f in found if f.verdict is Verdict.NOT_TESTED), key=lambda f: clause_order(f.clause))
    if not left:
        return [Paragraph("None.")]
    rows = [(f.clause or "rig", f.device, f.check, f.detail, "yes" if f.required else "no") for f in left]
    words = f"This run did not test {len(left)} requirements. A certificate needs those marked as required."
    columns = {"clause": 0.16, "device": 0.1, "requirement": 0.4, "reason": 0.25, "required": 0.09}
    return [Paragraph(words), Table(columns, rows)]


def appendix(evidence: Evidence, found: Iterable[Finding]) -> list[Block]:
    """The records that the report refers to."""
    cited = sorted({number for finding in found for number in refs(finding).numbers})
    by_number = {record.seq: record for record in evidence.all}
    records = [by_number[number] for number in cited if number in by_number]
    rows = [(str(r.seq), r.t[11:23], r.kind, Code(_excerpt(r.data)), Code(r.hash[:12])) for r in records]
    words = f"{len(records)} of {len(evidence.all)} records, shortened. The whole journal is kept with the run."
    columns = {"record": 0.08, "time, UTC": 0.12, "kind": 0.09, "contents": 0.57, "hash": 0.14}
    return [Paragraph(words), Table(columns, rows, [r.seq for r in records])]


def _excerpt(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
