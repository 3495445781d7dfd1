"""What changed between two runs: worse, better, or merely different. Both are judged again from their journals."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.judge.finding import TABLE, Finding, Verdict
from feltrig.harness.judge.judgement import Judgement
from feltrig.harness.judge.planned import times

WORSE, BETTER, DIFFERENT = "worse", "better", "different"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was."""

    change: str
    part: str
    """`verdict`, `finding`, `timing`, `statistics`, `identity` or `setup`."""
    device: str
    what: str
    before: str
    now: str


def differences(run: Judgement, baseline: Judgement, margin: float = 0.2) -> list[Difference]:
    """All that changed since the baseline, the worst first. Times must differ by more than `margin`, a share."""
    found = [
        *_verdicts(run, baseline),
        *_findings(run, baseline),
        *_statistics(run, baseline),
        *_timings(run, baseline, margin),
        *_identities(run, baseline),
        *_setup(run, baseline),
    ]
    return sorted(found, key=lambda difference: (WORSE, BETTER, DIFFERENT).index(difference.change))


def unlike(run: Judgement, baseline: Judgement) -> str | None:
    """Why two runs cannot be compared: they play other games, or judge other kinds of machine. None when they can."""
    games = run.verdict["game"], baseline.verdict["game"]
    if games[0] != games[1]:
        return f"plays {games[0]}, the baseline {games[1]}"
    now, before = run.planned, baseline.planned
    if now is not None and before is not None and now.plan.kind != before.plan.kind:
        return f"judges a {now.plan.kind} by plan {now.plan.name}, the baseline a {before.plan.kind}"
    return None


RANKS = {"refused": 0, "inconclusive": 1, "no failure seen": 2, "rehearsed": 2, "certified": 2}
"""The last three differ by what was asked, which is a difference of the set-up."""

FINDING_RANKS = {Verdict.FAIL: 0, Verdict.NOT_TESTED: 1, Verdict.ATTESTED: 2, Verdict.PASS: 2}
ABSENT = "not in the run"


def _change(before: float, now: float) -> str:
    return WORSE if now < before else BETTER if now > before else DIFFERENT


def _verdicts(run: Judgement, baseline: Judgement) -> Iterator[Difference]:
    before, now = baseline.verdict["verdict"], run.verdict["verdict"]
    if before != now:
        yield Difference(_change(RANKS[before], RANKS[now]), "verdict", "run", "verdict", before, now)


def _findings(run: Judgement, baseline: Judgement) -> Iterator[Difference]:
    """A requirement that passed and is not tested any more is worse; so is one that is gone although the runs were set
    up alike."""
    before, now = by_requirement(baseline), by_requirement(run)
    alike = not any(difference.what in SAME for difference in _setup(run, baseline))
    for key in dict.fromkeys([*now, *before]):
        clause, device, check = key
        old, new = before.get(key), now.get(key)
        if old is not None and new is not None:
            if old.verdict is new.verdict:
                continue
            change = _change(FINDING_RANKS[old.verdict], FINDING_RANKS[new.verdict])
            if _by_the_cards(old, new):
                change = DIFFERENT
        elif new is not None:
            change = WORSE if new.verdict is Verdict.FAIL else DIFFERENT
        else:
            assert old is not None
            gone = WORSE if alike and old.verdict in (Verdict.PASS, Verdict.ATTESTED) else DIFFERENT
            change = BETTER if old.verdict is Verdict.FAIL else gone
        yield Difference(change, "finding", device, f"{clause or 'rig'} {check}", _words(old), _words(new))


def _by_the_cards(old: Finding, new: Finding) -> bool:
    """Whether a rule of the game merely came up in one run and not in the other: which hands are dealt is chance."""
    untested = next((finding for finding in (old, new) if finding.verdict is Verdict.NOT_TESTED), None)
    failed = Verdict.FAIL in (old.verdict, new.verdict)
    return untested is not None and untested.device == TABLE and not untested.required and not failed


def by_requirement(judged: Judgement) -> dict[tuple[str | None, str, str], Finding]:
    """The findings by clause, device and check; where there are several, the worst."""
    found: dict[tuple[str | None, str, str], Finding] = {}
    for finding in judged.findings:
        key = finding.clause, finding.device, finding.check
        if key not in found or FINDING_RANKS[finding.verdict] < FINDING_RANKS[found[key].verdict]:
            found[key] = finding
    return found


def _words(finding: Finding | None) -> str:
    if finding is None:
        return ABSENT
    passed = finding.verdict in (Verdict.PASS, Verdict.ATTESTED)
    return finding.verdict.value if passed else f"{finding.verdict.value}: {finding.detail}"


def _statistics(run: Judgement, baseline: Judgement) -> Iterator[Difference]:
    before, now = baseline.verdict["statistics"], run.verdict["statistics"]
    if before is None and now is None:
        return
    device = (run.verdict["plan"] or baseline.verdict["plan"])["device"]
    words = _decided(before), _decided(now)
    if before is None or now is None:
        yield Difference(WORSE if now is None else DIFFERENT, "statistics", device, "decision", *words)
    elif before["refused"] != now["refused"]:
        yield Difference(WORSE if now["refused"] else BETTER, "statistics", device, "decision", *words)
    elif before["sample"] != now["sample"] or before["method"] != now["method"]:
        yield Difference(DIFFERENT, "statistics", device, "sample", *words)


def _decided(decided: Mapping[str, Any] | None) -> str:
    if decided is None:
        return "none"
    word = "refused" if decided["refused"] else "not refused"
    if decided["p"] is not None:
        chance = f"p = {decided['p']:.3g}"
    else:
        chance = "e infinite" if decided["log_e"] is None else f"log e = {decided['log_e']:.3g}"
    return f"{word}, {chance}, {decided['sample']} {decided['unit']}"


@dataclass(frozen=True, slots=True)
class Span:
    """A median, with the interval that holds the true one in 95 of 100 samples."""

    median: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.median * 1000:.3g} ms ({self.low * 1000:.3g} to {self.high * 1000:.3g}, {self.count} times)"


FEWEST = 6
"""With fewer values, no interval between two of them holds the median in 95 of 100 samples."""


def span(seconds: list[float]) -> Span | None:
    """The median by order statistics: one slow answer does not move it. None when there are too few."""
    n = len(seconds)
    if n < FEWEST:
        return None
    ordered = sorted(seconds)
    reach = 1.96 * math.sqrt(n)
    low, high = max(math.floor((n - reach) / 2), 0), min(math.ceil((n + reach) / 2), n - 1)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    return Span(middle, ordered[low], ordered[high], n)


def _timings(run: Judgement, baseline: Judgement, margin: float) -> Iterator[Difference]:
    """Medians that differ by more than the margin and whose intervals do not meet. The times of an emulated device say
    more of the computer than of the device: they are merely different."""
    before, now = _spans(baseline), _spans(run)
    for (device, what), new in now.items():
        old = before.get((device, what))
        if old is None:
            continue
        slower = new.median > old.median * (1 + margin) and new.low > old.high
        faster = old.median > new.median * (1 + margin) and old.low > new.high
        if slower or faster:
            emulated = run.evidence.devices[device].emulated or baseline.evidence.devices[device].emulated
            change = DIFFERENT if emulated else WORSE if slower else BETTER
            yield Difference(change, "timing", device, f"{what}, median", str(old), str(new))


def _spans(judged: Judgement) -> dict[tuple[str, str], Span]:
    spans = {}
    for name in judged.evidence.devices:
        answers, operations = times(judged.evidence, name)
        for what, taken in {"answer": answers, **operations}.items():
            measured = span([each.seconds for each in taken])
            if measured is not None:
                spans[name, what] = measured
    return spans


def _identities(run: Judgement, baseline: Judgement) -> Iterator[Difference]:
    before, now = baseline.verdict["devices"], run.verdict["devices"]
    for name in dict.fromkeys([*now, *before]):
        old, new = _identity(before.get(name)), _identity(now.get(name))
        if not old or not new:
            yield Difference(DIFFERENT, "identity", name, "device", _there(old), _there(new))
            continue
        for key in dict.fromkeys([*old, *new]):
            if old.get(key) != new.get(key):
                yield Difference(DIFFERENT, "identity", name, key, str(old.get(key)), str(new.get(key)))


def _identity(device: Mapping[str, Any] | None) -> dict[str, Any]:
    if device is None:
        return {}
    made = "emulated" if device["emulated"] else "physical"
    return {**device["identity"], "wire": device["wire"], "hardware": made}


def _there(identity: Mapping[str, Any]) -> str:
    return f"{identity['vendor']} {identity['model']}" if identity else ABSENT


SAME = ("game", "jurisdiction", "rig file", "plan", "program", "rounds asked")
"""What must be the same for two runs to have been set up alike."""


def _setup(run: Judgement, baseline: Judgement) -> Iterator[Difference]:
    before, now = _settings(baseline.verdict), _settings(run.verdict)
    for key, value in now.items():
        if before[key] != value:
            yield Difference(DIFFERENT, "setup", "run", key, before[key], value)


def _settings(written: Mapping[str, Any]) -> dict[str, str]:
    plan = written["plan"]
    return {
        "program": written["version"],
        "rig": written["rig"],
        "rig file": written["rig_digest"],
        "plan": f"{plan['name']} {plan['digest']}" if plan else "none",
        "game": written["game"],
        "jurisdiction": written["jurisdiction"],
        "seed": str(written["seed"]),
        "rounds asked": str(written["rounds"]["asked"]),
    }
