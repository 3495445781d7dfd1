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
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import ENDED_EARLY, TABLE, Finding, Verdict, clause_order
from feltrig.harness.judge.judgement import Judgement
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


def clause_matrix(evidence: Evidence, found: Iterable[Finding]) -> list[Block]:
    """Every clause that was tested or had to be, for each device."""
    places = {name: place for place, name in enumerate(evidence.devices)}
    shown = [f for f in found if f.verdict is not Verdict.NOT_TESTED or f.required]
    shown.sort(key=lambda f: (clause_order(f.clause), places.get(f.device, len(places)), f.check))
    rows: list[tuple[Cell, ...]] = [
        (
            f.clause or "rig",
            f.check,
            f.device,
            _origin(evidence, f.device),
            Mark(f.verdict.value),
            _short(f.detail),
            refs(f),
        )
        for f in shown
    ]
    head = ("clause", "requirement", "device", "made as", "verdict", "occasions or reason", "evidence")
    count = {word: sum(f.verdict is word for f in shown) for word in Verdict}
    summary = ", ".join(f"{number} {word.value}" for word, number in count.items() if number)
    words = (
        f"{len(shown)} results: {summary}. The wording is the program's own summary, not the text of the rule. “rig” "
        "marks what the rig asks beyond the text. Evidence is given by the numbers of journal records; “+7” means that "
        "verdict.json names seven more."
    )
    return [Paragraph(words), Table(head, tuple(rows), (0.145, 0.255, 0.085, 0.09, 0.095, 0.18, 0.15))]


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
    rows: list[tuple[Cell, ...]] = [
        (f.check, f.device, _origin(evidence, f.device), f.clause or "rig", Mark(f.verdict.value), f.detail, refs(f))
        for f in held
    ]
    head = ("what the machine must do", "device", "made as", "clause", "verdict", "what came", "evidence")
    return [Table(head, tuple(rows), (0.25, 0.1, 0.1, 0.15, 0.1, 0.14, 0.16))]


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
        head = ("limited by the plan", "times", "median", "longest", "marginal above", "most allowed", "verdict", "")
        blocks.append(Table(head, tuple(rows), (0.25, 0.08, 0.11, 0.11, 0.13, 0.12, 0.1, 0.1)))
    measured = [(name, what, seconds) for name, what, seconds in all_times(evidence) if seconds]
    if not measured:
        return [*blocks, Paragraph("Nothing was timed in this run.")]
    table: tuple[tuple[Cell, ...], ...] = tuple(
        (name, _origin(evidence, name), what, str(len(seconds)), *(duration(value) for value in _span(seconds)))
        for name, what, seconds in measured
    )
    columns = ("device", "made as", "measured", "times", "shortest", "median", "longest")
    note = "For information: times as the rig saw them, with the wire and the computer in between."
    return [*blocks, Paragraph(note), Table(columns, table, (0.14, 0.12, 0.26, 0.1, 0.125, 0.125, 0.13))]


def duration(seconds: float) -> str:
    """Seconds, or thousandths of them."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def all_times(evidence: Evidence) -> list[tuple[str, str, list[float]]]:
    """For each device, the seconds of its answers and of each of its operations."""
    found = []
    for name in evidence.devices:
        answers, operations = times(evidence, name)
        found.append((name, "answer", [seconds for seconds, _ in answers]))
        found += [(name, what, [seconds for seconds, _ in taken]) for what, taken in sorted(operations.items())]
    return found


def _span(seconds: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(seconds)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1]


def checklist(evidence: Evidence) -> list[Block]:
    """The inspector's answers."""
    attested = [record.body for record in evidence.of(Attested)]
    if not attested:
        return [
            Paragraph("No checklist was handed in with this run: what only an inspector can confirm is not tested.")
        ]
    rows: list[tuple[Cell, ...]] = [(item.question, item.answer, item.note, item.inspector) for item in attested]
    return [Table(("question", "answer", "note", "inspector"), tuple(rows), (0.5, 0.1, 0.22, 0.18))]


CLOCK = "it was set, or the computer slept. Durations are by another clock; nothing is judged by the time of day"


def deviations(evidence: Evidence, torn: bool) -> list[Block]:
    """Whatever did not go as it should: interruptions, troubles of wires, noise, rulings."""
    rows: list[tuple[Cell, ...]] = []
    segment, samples = "", 0  # under way: it is begun again when the run is broken off in it
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
        rows.append(("", "", "run", "torn", "the last line of the journal is not whole, and was left out"))
    dropped = len(evidence.all) - len(evidence.every)
    blocks: list[Block] = []
    resumed = sum(isinstance(record.body, Resumed) for record in evidence.all)
    if resumed:
        words = (
            f"Broken off and taken up again {_times(resumed)}; {dropped} records of work begun twice count for "
            "nothing, except for what failed in them: that stays a failure."
        )
        blocks.append(Paragraph(words))
    if not rows:
        return [Paragraph("None: no interruption, no trouble on a wire, no noise, no irregularity outside the drills.")]
    return [*blocks, Table(("record", "time", "device", "what", "detail"), tuple(rows), (0.08, 0.17, 0.12, 0.13, 0.5))]


def _begun_again(segment: str, samples: int) -> str:
    """What was lost when a run was broken off: the segment under way, from its first record."""
    if not segment:
        return "the run was broken off between two segments, and taken up again"
    lost = f"; {samples} of its samples do not count" if samples else ""
    return f"the run was broken off in the segment “{segment}”, and taken up again at its beginning{lost}"


def _moment(t: str) -> str:
    return f"{t[:10]} {t[11:19]}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


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
            return device, body.KIND, f"another device answered, and the run was not taken up with it: {differs}"
        case MoveRefused(why):
            return TABLE, body.KIND, f"a player's act that the rules refuse: {why}"
        case Recovered(device, seconds):
            return device, body.KIND, f"the wire worked again: seconds {seconds}"
        case NoiseBegun(device, where, unseen, disturbances):
            rest = f"where {where}, unseen {unseen}, disturbances {[*disturbances]}"
            return device, body.KIND, f"noise on the wire: {rest}"
    return None


def untested(found: Iterable[Finding]) -> list[Block]:
    """The clauses that nothing in the run touched, with the reason."""
    left = sorted((f for f in found if f.verdict is Verdict.NOT_TESTED), key=lambda f: clause_order(f.clause))
    if not left:
        return [Paragraph("None.")]
    rows: list[tuple[Cell, ...]] = [
        (f.clause or "rig", f.device, f.check, f.detail, "yes" if f.required else "no") for f in left
    ]
    words = (
        f"{len(left)} requirements are neither met nor unmet by this run. A certificate needs those marked as required."
    )
    head = ("clause", "device", "requirement", "reason", "required")
    return [Paragraph(words), Table(head, tuple(rows), (0.16, 0.1, 0.4, 0.25, 0.09))]


def appendix(evidence: Evidence, found: Iterable[Finding]) -> list[Block]:
    """The records that the report refers to."""
    cited = sorted({number for finding in found for number in refs(finding).numbers})
    by_number = {record.seq: record for record in evidence.all}
    records = [by_number[number] for number in cited if number in by_number]
    rows: list[tuple[Cell, ...]] = [
        (str(r.seq), r.t[11:23], r.kind, Code(_excerpt(r.data)), Code(r.hash[:12])) for r in records
    ]
    words = f"{len(records)} of {len(evidence.all)} records, shortened. The whole journal is kept with the run."
    head = ("record", "time, UTC", "kind", "what it says", "hash")
    return [Paragraph(words), Table(head, tuple(rows), (0.08, 0.12, 0.09, 0.57, 0.14), tuple(r.seq for r in records))]


def _excerpt(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
