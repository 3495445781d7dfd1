"""The statistics of a report: the decision, every test that it rests on, and the pictures of what was seen."""

from collections.abc import Iterable, Iterator, Mapping
from pkgutil import resolve_name
from typing import Any

from feltrig.harness.judge.decision import running_test
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import Judgement
from feltrig.harness.judge.planned import Planned, samples
from feltrig.harness.plan.plan import NamedTest
from feltrig.harness.reports import plots
from feltrig.harness.reports.blocks import Block, Cell, Facts, Figure, Mark, Paragraph, Table
from feltrig.harness.reports.observed import SAMPLED, Observed, observed
from feltrig.harness.statistics.core.planned import one_by_one
from feltrig.harness.statistics.core.results import counted, evidence_of, p_text

BLOCK = 64
CAPTION = "Bars: observed. Dots: expected of a fair machine. The strokes through them contain 95 of 100 fair counts."
DETECTABLE = "what this sample would have shown"


def statistics(judgement: Judgement) -> list[Block]:
    """The decision of the verdict if there is one, and the pictures of every machine of chance."""
    blocks: list[Block] = []
    evidence, chosen, decided = judgement.evidence, judgement.planned, judgement.verdict["statistics"]
    if chosen is not None and decided is not None:
        blocks += _decision(chosen, decided)
    else:
        blocks.append(Paragraph("No statistical decision was taken. The pictures show the random results of this run."))
    for seen in observed(judgement):
        blocks += _pictures(seen, chosen, evidence)
    return blocks


def _decision(chosen: Planned, decided: Mapping[str, Any]) -> Iterator[Block]:
    word = "refused" if decided["refused"] else "pass" if decided["finished"] else "inconclusive"
    rows: list[tuple[str, Cell]] = [
        ("device", chosen.device),
        ("decision", Mark(word)),
        ("level", f"{decided['level']:g}, for all tests together"),
        ("sample", counted(decided["sample"], decided["unit"])),
        ("method", decided["method"]),
    ]
    if decided["p"] is not None:
        rows.append(("p-value of the family", p_text(decided["p"])))
    if decided["log_e"] is not None:
        enough = 1 / one_by_one(decided["level"])
        rows.append(("e-value", f"{evidence_of(decided['log_e']):.3g}, refused at {enough:.3g}"))
    rows.append(("strongest evidence", decided["decided_by"]))
    rows.append(("reason", decided["reason"]))
    bettors = [outcome for outcome in decided["outcomes"] if outcome["p"] is None]
    tests = [outcome for outcome in decided["outcomes"] if outcome["p"] is not None]
    if bettors:  # they share one evidence
        rows.append((DETECTABLE, bettors[0]["detectable"]["words"]))
    yield Facts(tuple(rows))
    if chosen.plan.sampling is not None and chosen.plan.sampling.tests:
        yield _named(chosen.plan.sampling.tests, tests)
    if bettors:
        columns = {"test": 0.16, "what it looks for": 0.5, "statistic": 0.17, "p or e": 0.17}
        yield Table(columns, [_test(bettor)[:-1] for bettor in bettors])
    if tests:
        columns = {"test": 0.09, "what it looks for": 0.33, "statistic": 0.12, "p or e": 0.11, DETECTABLE: 0.35}
        yield Table(columns, [_test(test) for test in tests])


def _named(wanted: Iterable[NamedTest], tests: Iterable[Mapping[str, Any]]) -> Table:
    """The tests that the standard names, and which of ours they are."""
    made = {outcome["test"]: f"p = {p_text(outcome['p'])}" for outcome in tests}
    rows = [(test.name, ", ".join(f"{name} ({made.get(name, 'not made')})" for name in test.by)) for test in wanted]
    return Table({"test that the standard names": 0.3, "carried out as": 0.7}, rows)


def _test(outcome: Mapping[str, Any]) -> tuple[Cell, ...]:
    """One test. A value that JSON has no word for is infinite."""
    statistic = "infinite" if outcome["statistic"] is None else f"{outcome['statistic']:.6g}"
    if outcome["p"] is not None:
        chance = f"p = {p_text(outcome['p'])}"
    else:
        chance = "e infinite" if outcome["log_e"] is None else f"e = {evidence_of(outcome['log_e']):.3g}"
    return outcome["test"], outcome["looks_for"], statistic, chance, outcome["detectable"]["words"]


def _pictures(seen: Observed, chosen: Planned | None, evidence: Evidence) -> Iterator[Block]:
    drawings = [resolve_name(picture)(seen.rows) for picture in seen.sampler.pictures]
    unit = seen.sampler.unit
    count = counted(len(seen.rows), unit)
    caption = f"{seen.device}: {count}, from the {seen.source}. {CAPTION}"
    if seen.sampler.caption:
        caption += f" {seen.sampler.caption}"
    if seen.left_out:
        caption += f" {seen.left_out} results that are not {unit} of one kind are left out."
    if chosen is not None and seen.source == SAMPLED:
        curve = _curve(chosen, evidence)
        if curve:
            drawings.append(plots.evidence_curve(curve, one_by_one(chosen.plan.level), unit))
            if not chosen.sequential:
                caption += " The evidence over time is for information only: the fixed sample decides."
    yield Figure(tuple(drawings), caption)


def _curve(chosen: Planned, evidence: Evidence) -> list[float]:
    """Log of the evidence after each sample, as a sequential test would have seen it."""
    running = running_test(chosen.plan)
    taken = [seen for _, seen in samples(evidence, chosen.device)]
    for start in range(0, len(taken), BLOCK):
        running.add(taken[start : start + BLOCK])
    return running.curve
