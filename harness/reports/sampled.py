"""The statistics of a report: the decision, every test that it rests on, and the pictures of what was seen."""

from collections.abc import Iterator, Mapping
from typing import Any

from feltrig.harness.evidence import Evidence
from feltrig.harness.planned import Planned, planned, samples
from feltrig.harness.reports import plots
from feltrig.harness.reports.blocks import Block, Cell, Facts, Figure, Mark, Paragraph, Table
from feltrig.harness.reports.observed import SAMPLED, Observed, observed
from feltrig.harness.sampling import Running
from feltrig.harness.statistics.outcome import counted, p_text
from feltrig.harness.statistics.outcome import evidence as evidence_of

UNITS = {"shuffler": "shuffles", "rng": "numbers", "shaker": "rolls"}
PICTURES = {
    "shuffler": (plots.heat_map, plots.valleys, plots.rising_sequences),
    "rng": (plots.numbers,),
    "shaker": (plots.faces, plots.totals),
}
BLOCK = 64
CAPTION = "Bars: seen. Dots: expected of a fair machine; the strokes through them hold 95 of 100 fair counts."
HEAT = "Heat map: residuals from equal counts in standard deviations; a fair machine shows no pattern."


def statistics(evidence: Evidence, decided: Mapping[str, Any] | None) -> list[Block]:
    """The decision of the verdict if there is one, and the pictures of every machine of chance."""
    blocks: list[Block] = []
    chosen = planned(evidence)
    if chosen is not None and decided is not None:
        blocks += _decision(chosen, decided)
    else:
        blocks.append(Paragraph("No statistical decision was taken. The pictures show what there was of chance."))
    for seen in observed(evidence):
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
        rows.append(("e-value", f"{evidence_of(decided['log_e']):.3g}, refused at {1 / decided['level']:g}"))
    rows.append(("strongest evidence", decided["decided_by"]))
    rows.append(("reason", decided["reason"]))
    effects = {outcome["detectable"]["words"] for outcome in decided["outcomes"]}
    together = len(effects) == 1  # as of a sequential test, whose bettors share one evidence
    if together:
        rows.append(("what this sample would have shown", *effects))
    yield Facts(tuple(rows))
    head = ("test", "what it looks for", "statistic", "p or e", "what this sample would have shown")
    tests = tuple(map(_test, decided["outcomes"]))
    if together:
        yield Table(head[:-1], tuple(test[:-1] for test in tests), (0.16, 0.5, 0.17, 0.17))
    else:
        yield Table(head, tests, (0.09, 0.33, 0.12, 0.11, 0.35))


def _test(outcome: Mapping[str, Any]) -> tuple[Cell, ...]:
    """One test. A value that JSON has no word for is infinite."""
    statistic = "infinite" if outcome["statistic"] is None else f"{outcome['statistic']:.6g}"
    if outcome["p"] is not None:
        chance = f"p = {p_text(outcome['p'])}"
    else:
        chance = "e infinite" if outcome["log_e"] is None else f"e = {evidence_of(outcome['log_e']):.3g}"
    return outcome["test"], outcome["looks_for"], statistic, chance, outcome["detectable"]["words"]


def _pictures(seen: Observed, chosen: Planned | None, evidence: Evidence) -> Iterator[Block]:
    drawings = [draw(seen.rows) for draw in PICTURES[seen.kind]]
    count = counted(len(seen.rows), UNITS[seen.kind])
    caption = f"{seen.device}: {count}, from the {seen.source}. {CAPTION}"
    if seen.kind == "shuffler":
        caption = f"{caption} {HEAT}"
    if seen.left_out:
        caption = f"{caption} {seen.left_out} results that are no {UNITS[seen.kind]} of one kind are left out."
    if chosen is not None and seen.source == SAMPLED:
        curve = _curve(chosen, evidence)
        if curve:
            drawings.append(plots.evidence_curve(curve, chosen.plan.level, UNITS[seen.kind]))
            if not chosen.sequential:
                caption = (
                    f"{caption} The evidence over time is for information: the decision is that of the fixed sample."
                )
    yield Figure(tuple(drawings), caption)


def _curve(chosen: Planned, evidence: Evidence) -> list[float]:
    """Log of the evidence after each sample, as a sequential test would have seen it."""
    running = Running(chosen.plan)
    taken = [seen for _, seen in samples(evidence, chosen.device)]
    for start in range(0, len(taken), BLOCK):
        running.add(taken[start : start + BLOCK])
    return running.curve
