"""Findings: one clause, one verdict, the evidence for it. All of them are functions of the journal."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from feltrig.engine.clauses import Clause, cite, register
from feltrig.engine.rounds.irregular import Irregularity
from feltrig.engine.rulings import Order
from feltrig.harness.checks import CHECKS, Check, Sighting
from feltrig.harness.conformance import left_out, states
from feltrig.harness.drills import DRILLS, drilled
from feltrig.harness.evidence import Evidence
from feltrig.harness.journal import Record
from feltrig.harness.lacking import outweighs_failure, unproven
from feltrig.harness.planned import Planned, decision, planned, samples, timings
from feltrig.harness.playing.played import played
from feltrig.harness.replay import disagreements

if TYPE_CHECKING:  # the statistics load numpy and scipy
    from feltrig.harness.statistics.outcome import Decision

SHOWN = 10
"""Journal numbers that a passing finding names; a failing one names up to ten times as many."""


class Verdict(Enum):
    """What a finding says of its clause."""

    PASS = "pass"
    FAIL = "fail"
    ATTESTED = "attested"
    NOT_TESTED = "not tested"


class Outcome(Enum):
    """What a run, or a device in it, comes to."""

    CERTIFIED = "certified"
    REFUSED = "refused"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Finding:
    """One clause, or None where the rig asks more than the text, as judged for one device or for the table."""

    game: str
    clause: str | None
    device: str
    check: str
    verdict: Verdict
    detail: str
    evidence: tuple[int, ...] = ()
    required: bool = True
    """Whether a certificate needs this to be tested."""

    def record(self) -> dict[str, Any]:
        """The finding as `verdict.json` has it."""
        return {
            "game": self.game,
            "clause": self.clause,
            "device": self.device,
            "check": self.check,
            "verdict": self.verdict.value,
            "detail": self.detail,
            "evidence": list(self.evidence),
        }


def findings(evidence: Evidence) -> list[Finding]:
    """All findings of a run: of each device, of the table, and of the clauses that nothing in the run touched."""
    if not evidence.run:
        return []
    found = [_proven(evidence, finding) for make in MAKERS for finding in make(evidence)]
    beside = not_judged(evidence)
    found = [replace(finding, required=False) if finding.device in beside else finding for finding in found]
    found = _with_earlier_failures(evidence, found)
    return [*found, *_untouched(evidence, found)]


def _with_earlier_failures(evidence: Evidence, found: list[Finding]) -> list[Finding]:
    """What was seen to fail before a run was broken off stays a failure: beginning a leg again does not undo it. The
    statistics are left out: they judge whole batches, and what was sampled twice is counted once."""
    makers = [make for make in MAKERS if make is not _statistical_findings]
    failed: dict[tuple[str | None, str, str], Finding] = {}
    for before in evidence.broken_off():
        for finding in (_proven(before, finding) for make in makers for finding in make(before)):
            if finding.verdict is Verdict.FAIL:
                failed.setdefault((finding.clause, finding.device, finding.check), finding)
    kept = []
    for finding in found:
        earlier = failed.pop((finding.clause, finding.device, finding.check), None)
        kept.append(finding if earlier is None or finding.verdict is Verdict.FAIL else _earlier(earlier))
    return [*kept, *map(_earlier, failed.values())]


def _earlier(finding: Finding) -> Finding:
    return replace(finding, detail=f"{finding.detail}; so before the run was broken off and taken up again")


TABLE = "table"
"""What findings about no single device are called."""


def not_judged(evidence: Evidence) -> set[str]:
    """The devices on which the run passes no judgement: the game as chosen has no use for them, or a plan judges
    another one."""
    chosen = planned(evidence)
    return {
        name
        for name, device in evidence.devices.items()
        if device["kind"] not in evidence.run["uses"] or (chosen is not None and chosen.device != name)
    }


def _proven(evidence: Evidence, finding: Finding) -> Finding:
    """The finding, or that nothing was tested where the device's wire does not carry what it rests on."""
    why = unproven(evidence.devices.get(finding.device, {}), finding.check)
    if why is None or (finding.verdict is Verdict.FAIL and not outweighs_failure(finding.check)):
        return finding
    return replace(finding, verdict=Verdict.NOT_TESTED, detail=why)


def outcome(evidence: Evidence, found: Iterable[Finding], device: str | None = None) -> Outcome:
    """What the findings come to, for one device or for the run. A failure outweighs an unfinished run. A device that
    is not judged does not hold up the others. Nothing is proved where noise on a wire may have changed bytes and
    nothing would show it."""
    beside = not_judged(evidence)
    if device in beside:
        return Outcome.INCONCLUSIVE
    if any(record.data["unseen"] for record in evidence.of("noise")):
        return Outcome.INCONCLUSIVE
    relevant = [f for f in found if (f.device == device if device else f.device not in beside)]
    if any(f.verdict is Verdict.FAIL for f in relevant):
        return Outcome.REFUSED
    judged = evidence.run.get("judged", True)  # rounds that were only played are no certification
    finished = judged and evidence.end is not None and evidence.end["reason"] == "finished"
    missing = any(f.verdict is Verdict.NOT_TESTED and f.required for f in relevant)
    return Outcome.CERTIFIED if finished and not missing else Outcome.INCONCLUSIVE


def _wire_findings(evidence: Evidence) -> Iterator[Finding]:
    """What the wire did, apart from what the device did: a missing answer is not a broken rule. A device that never
    said who it is has only its trouble on record."""
    troubled = [r for r in evidence.every if r.kind == "trouble" and r.data["what"] in WIRE_TROUBLES]
    for name in dict.fromkeys([*evidence.devices, *(r.data["device"] for r in troubled)]):
        troubles = [r for r in troubled if r.data["device"] == name]
        lasting, recovered = _recovered(evidence, name)
        unseen = [r.seq for r in evidence.of("noise", name) if r.data["unseen"]]
        calls = [r.seq for r in evidence.every if r.kind == "reply" and r.data["device"] == name]
        if lasting:
            detail, seen, verdict = lasting[0].data["detail"], tuple(r.seq for r in troubles), Verdict.NOT_TESTED
        elif unseen:
            detail, seen, verdict = "noise may have changed bytes unseen", tuple(unseen), Verdict.NOT_TESTED
        elif recovered:
            detail = f"{len(calls)} requests answered; line lost and recovered {_times(len(recovered))}"
            seen, verdict = tuple(r.seq for r in recovered[: 10 * SHOWN]), Verdict.PASS
        elif calls:
            detail, seen, verdict = f"{len(calls)} requests answered", tuple(calls[:SHOWN]), Verdict.PASS
        else:
            detail, seen, verdict = "never spoken to", (), Verdict.NOT_TESTED
        yield Finding(evidence.run["game"], None, name, "answers on its wire", verdict, detail, seen)


WIRE_TROUBLES = {"no answer", "line lost", "garbage", "breakdown", "unidentified"}


def _recovered(evidence: Evidence, device: str) -> tuple[list[Record], list[Record]]:
    """The troubles of a device's wire that lasted, and those after which it was heard again."""
    lasting: list[Record] = []
    recovered: list[Record] = []
    for record in evidence.every:
        if record.data.get("device") != device:
            continue
        if record.kind == "trouble" and record.data["what"] in WIRE_TROUBLES:
            lasting.append(record)
        elif record.kind == "recovered" and lasting:
            recovered.append(lasting.pop())
    return lasting, recovered


def _device_findings(evidence: Evidence) -> Iterator[Finding]:
    for check in CHECKS:
        for name, device in evidence.devices.items():
            if check.kind in (None, device["kind"]):
                yield _judge(evidence, check, name)


def _judge(evidence: Evidence, check: Check, device: str) -> Finding:
    sightings = list(check.look(evidence, device))
    broken = [s for s in sightings if not s.good]
    if broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        verdict, detail, seen = Verdict.FAIL, broken[0].detail + more, _numbers(broken, 10 * SHOWN)
    elif sightings:
        detail = "; ".join(filter(None, (_times(len(sightings)), sightings[0].note, check.limits)))
        verdict, seen = Verdict.PASS, _numbers(sightings, SHOWN)
    else:
        verdict, detail, seen = Verdict.NOT_TESTED, check.absent, ()
    clause = _serves(evidence, check.role) if check.role else None
    return Finding(evidence.run["game"], clause, device, check.name, verdict, detail, seen, check.required)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _numbers(sightings: Iterable[Sighting], most: int) -> tuple[int, ...]:
    return tuple(sorted({number for s in sightings for number in s.evidence}))[:most]


def _drill_findings(evidence: Evidence) -> Iterator[Finding]:
    """What came of each drill, and which ones are missing."""
    done = {drill.name: records for drill, records in drilled(evidence)}
    for drill in DRILLS:
        name = evidence.name_of(drill.kind)
        if drill.kind not in evidence.run["drills"] or name is None:
            continue
        verdict, detail, records = Verdict.NOT_TESTED, "the drill was not held", done.get(drill.name, [])
        troubles = (r.data for r in records if r.kind == "trouble" and r.data["device"] == name)
        unfit = next((trouble for trouble in troubles if trouble["what"] == "unfit"), None)
        if unfit is not None:
            verdict, detail = Verdict.FAIL, unfit["detail"]
        elif records and records[-1].kind == "drilled":
            fault = drill.fault(records, evidence.run["deck_size"])
            verdict, detail = (Verdict.FAIL, fault) if fault else (Verdict.PASS, "provoked once")
        seen = tuple(r.seq for r in records if r.kind in ("drill", "call", "event", "trouble", "drilled"))
        clause = _serves(evidence, drill.role)
        yield Finding(evidence.run["game"], clause, name, drill.name, verdict, detail, seen)


PLAYERS_DOING = {
    Order.WAGER_LOSES.value,
    Order.RESET_HANDS.value,
    Order.RECUT.value,
    Order.OFFER_VOID.value,
    Order.LAST_ROUND.value,
}
"""Orders that follow from how people play, or from the end of a shoe: no irregularity of a machine."""

BY_CHANCE = {Irregularity.DOUBLE_ZERO.value, Irregularity.BETWEEN_STOPS.value}
"""What a good wheel shows now and then."""

SEEN_BY = {"DiceRolled": "shaker", "NumberSelected": "rng", "StackDispensed": "shoe"}
"""The machine that an observation comes from, where the engine leaves open whose fault it is."""


def _ruling_findings(evidence: Evidence) -> Iterator[Finding]:
    """A ruling that a machine made necessary counts against it, under the clause that orders it. One that no machine
    is known to have caused leaves the run open."""
    by_rule: dict[tuple[str | None, str], list[Record]] = defaultdict(list)
    told = ""
    for record in evidence.records:
        if record.kind == "tell":
            told = record.data["is"]
        ordinary = record.data.get("order") in PLAYERS_DOING or record.data.get("why") in BY_CHANCE
        if record.kind == "ruling" and not ordinary:
            kind = record.data["device"] or SEEN_BY.get(told)
            by_rule[evidence.name_of(kind) if kind else None, record.data["rules"][0]].append(record)
    for (name, rule), records in by_rule.items():
        first = records[0].data
        times = f" ({len(records)} times)" if len(records) > 1 else ""
        yield Finding(
            evidence.run["game"],
            _cite(evidence, rule),
            name or "table",
            "no irregularity",
            Verdict.FAIL if name else Verdict.NOT_TESTED,
            f"{first['why']}: {first['order']}{times}",
            tuple(r.seq for r in records),
        )


def _table_findings(evidence: Evidence) -> Iterator[Finding]:
    """The rules that the rounds were played by, and that the settlements follow from the cards."""
    game = evidence.run["game"]
    cited: dict[str, list[int]] = defaultdict(list)
    for record in evidence.records:
        for rule in _rules_of(record):
            cited[rule].append(record.seq)
    clauses = register(game)
    for rule, numbers in cited.items():
        clause = clauses[rule]
        verdict, detail = Verdict.PASS, _times(len(numbers))
        if clause.kind in CONDUCT:
            verdict, detail = Verdict.NOT_TESTED, f"{REASONS[clause.kind]}; the rig itself did so {detail}"
        yield Finding(
            game,
            _cite(evidence, rule),
            "table",
            clause.summary.rstrip("."),
            verdict,
            detail,
            tuple(numbers[:SHOWN]),
            required=clause.kind not in CONDUCT,
        )
    results = [r.seq for r in evidence.of("result")]
    wrong = disagreements(evidence)
    if wrong:
        verdict, detail, seen = Verdict.FAIL, wrong[0].detail, tuple(n for d in wrong for n in d.evidence)
    elif results:
        verdict, detail, seen = Verdict.PASS, f"{len(results)} rounds", tuple(results[:SHOWN])
    else:
        verdict, detail, seen = Verdict.NOT_TESTED, "no round was finished", ()
    check = "results follow from the recorded cards when the engine plays them alone"
    yield Finding(game, _serves(evidence, "settlement"), "table", check, verdict, detail, seen)


def _attested_findings(evidence: Evidence) -> Iterator[Finding]:
    """What the inspector confirmed. An item that was answered with no is a failure of the table; one that does not
    apply was not confirmed."""
    answered = {record.data["item"]: record for record in evidence.of("attested")}
    game = evidence.run["game"]
    for key, clause in register(game).items():
        items = [name.removeprefix("item:") for name in clause.covered_by if name.startswith("item:")]
        records = [answered[item] for item in items if item in answered]
        number = _cite(evidence, key)
        if clause.coverage != "attested" or number is None or not records or len(records) < len(items):
            continue
        denied = [record for record in records if record.data["answer"] == "no"]
        confirmed = [record for record in records if record.data["answer"] == "yes"]
        said = (denied or confirmed or records)[0]
        detail = f"{said.data['inspector']}: {said.data['answer']} {said.data['note']}".rstrip()
        verdict = Verdict.FAIL if denied else Verdict.ATTESTED if confirmed else Verdict.NOT_TESTED
        seen = tuple(record.seq for record in records)
        yield Finding(game, number, "table", clause.summary.rstrip("."), verdict, detail, seen, required=False)


def _conformance_findings(evidence: Evidence) -> Iterator[Finding]:
    """What came of the probes of a plan. A device with a profile of its own is bound by another document."""
    chosen = planned(evidence)
    if chosen is None or chosen.device not in evidence.devices:
        return
    probes = list(evidence.of("probe", chosen.device))
    wrong = [record for record in probes if record.data["fault"]]
    own = "profile" in evidence.devices[chosen.device]
    kind, disturbed = chosen.plan.kind, any(evidence.of("noise", chosen.device))
    if wrong:
        first = wrong[0].data
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        verdict, detail = Verdict.FAIL, f"{first['state']}: {first['command']}: {first['fault']}{more}"
    elif own:
        verdict, detail = Verdict.NOT_TESTED, "talks by a profile: what it must refuse is not in our documents"
    elif {record.data["state"] for record in probes} != set(states(kind, disturbed)):
        verdict, detail = Verdict.NOT_TESTED, f"{len(probes)} messages, not all"
    else:
        verdict, detail = Verdict.PASS, f"{len(probes)} messages, in every state{left_out(kind, disturbed)}"
    seen = tuple(record.seq for record in (wrong or probes)[:SHOWN])
    name = "answers every command, legal or not, as documented"
    yield Finding(evidence.run["game"], None, chosen.device, name, verdict, detail, seen, required=not own)


CHANCE = {"shuffler": "shuffle", "rng": "range", "shaker": "shakes"}
"""What the statistics of each kind of device are about."""


def _statistical_findings(evidence: Evidence) -> Iterator[Finding]:
    """One finding for the family-wise decision of a plan. What a pass does not show stands beside it."""
    chosen = planned(evidence)
    if chosen is None or chosen.plan.sampling is None:
        return
    taken = samples(evidence, chosen.device)
    decided = decision(evidence)
    clause = _serves(evidence, CHANCE[chosen.plan.kind])
    wanted = chosen.plan.sampling
    if decided is None:
        verdict, detail = Verdict.NOT_TESTED, "no sample that could be judged"
    elif decided.refused:
        verdict, detail = Verdict.FAIL, _reason(chosen, decided)
    elif decided.finished and (chosen.sequential or decided.sample >= wanted.most):
        verdict, detail = Verdict.PASS, _reason(chosen, decided)
    else:
        verdict, detail = Verdict.NOT_TESTED, f"{decided.sample} {wanted.unit} of {wanted.most}"
    seen = tuple(seq for seq, _ in taken[-SHOWN:])
    yield Finding(evidence.run["game"], clause, chosen.device, "leaves its results to chance", verdict, detail, seen)


def _reason(chosen: Planned, decided: "Decision") -> str:
    """Why it was decided so; a test that looks as it goes says itself after how many samples."""
    return decided.reason if chosen.sequential else f"{decided.sample} {decided.unit}: {decided.reason}"


def _timing_findings(evidence: Evidence) -> Iterator[Finding]:
    """The times that a plan limits. A pass near the limit says so."""
    chosen = planned(evidence)
    for timed in timings(evidence):
        assert chosen is not None
        limit = timed.limit
        if not timed.seconds:
            verdict, detail = Verdict.NOT_TESTED, "did not occur in this run"
        else:
            verdict = Verdict.PASS if timed.longest <= limit.most else Verdict.FAIL
            near = ", marginal" if limit.margin * limit.most < timed.longest <= limit.most else ""
            detail = f"{timed.longest:.3g} {limit.unit} at most, {limit.most:g} {limit.unit} allowed{near}"
        seen = timed.evidence[timed.seconds.index(timed.longest) :][:1] if timed.seconds else ()
        yield Finding(
            evidence.run["game"],
            None,
            chosen.device,
            f"{limit.name} within {limit.most:g} {limit.unit}",
            verdict,
            detail,
            seen,
        )


MAKERS = (
    _wire_findings,
    _device_findings,
    _drill_findings,
    _ruling_findings,
    _table_findings,
    _attested_findings,
    _conformance_findings,
    _statistical_findings,
    _timing_findings,
)
"""What looks at a journal, in the order in which a verdict lists the findings."""


def _rules_of(record: Record) -> Iterator[str]:
    """The rules that a record of the round was made by."""
    match record.kind:
        case "ask" | "ruling":
            yield from record.data["rules"]
        case "result":
            result = record.data["result"]
            for settled in (*result["settlements"], *([result["bank"]] if result.get("bank") else [])):
                yield from settled["rules"]


CONDUCT = {"procedure", "inspection", "admin"}
"""Kinds of clause that bind people: that the rig's own dealer keeps them says nothing of those at a table."""

REASONS = {
    "definition": "a definition: it is applied by the rules that use the word",
    "option": "not chosen in this run",
    "device": "did not occur in this run",
    "round": "did not occur in this run",
    "procedure": "conduct of people at the table: needs an inspector",
    "inspection": "needs an inspector",
    "admin": "office work: nothing for a rig",
}
"""Why a clause that nothing touched was not tested, by the kind of clause."""


def _untouched(evidence: Evidence, found: Iterable[Finding]) -> Iterator[Finding]:
    touched = {f.clause for f in found}
    for key, clause in register(evidence.run["game"]).items():
        number = cite(evidence.run["game"], key, evidence.run["jurisdiction"])
        if number is not None and number not in touched:
            yield _not_tested(evidence, clause, number)


def _not_tested(evidence: Evidence, clause: Clause, number: str) -> Finding:
    return Finding(
        evidence.run["game"],
        number,
        "table",
        clause.summary.rstrip("."),
        Verdict.NOT_TESTED,
        REASONS[clause.kind],
        required=False,
    )


def _cite(evidence: Evidence, rule: str) -> str | None:
    try:
        return cite(evidence.run["game"], rule, evidence.run["jurisdiction"])
    except KeyError:
        return None


def _serves(evidence: Evidence, role: str) -> str | None:
    """The clause of the game that a machine serves by what it is checked for."""
    key = played(evidence.run["game"]).roles.get(role)
    return None if key is None else _cite(evidence, key)
