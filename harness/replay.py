"""Plays the recorded observations of a run through the engine alone, and compares the results."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.supreme_pai_gow.table import Table
from feltrig.engine.supreme_pai_gow.wagers import Wager
from feltrig.harness.evidence import Evidence, RoundEvidence
from feltrig.harness.records import tell_from_record, to_record
from feltrig.harness.sessions import options


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A round whose recorded result is not what the engine makes of the recorded observations."""

    evidence: tuple[int, ...]
    detail: str


def disagreements(evidence: Evidence) -> list[Disagreement]:
    """Every finished round whose result differs when the engine plays it alone from the same cards."""
    return list(_compare(evidence))


def wagers_from_record(record: Mapping[str, Any]) -> dict[int, Wager]:
    """The wagers of a round, by seat."""
    return {int(seat): Wager(**{k: v for k, v in w.items() if k != "is"}) for seat, w in record["wagers"].items()}


def _compare(evidence: Evidence) -> Iterator[Disagreement]:
    for number, session in enumerate(evidence.sessions):
        table = Table(options(session))
        for round_ in evidence.rounds:
            if round_.session == number and round_.result is not None:
                yield from _play_again(table, round_, round_.result.data["result"], round_.result.seq)


def _play_again(table: Table, recorded: RoundEvidence, expected: Any, seq: int) -> Iterator[Disagreement]:
    round_ = table.open_round(wagers_from_record(recorded.records[0].data))
    for record in recorded.records:
        if record.kind != "tell":
            continue
        try:
            round_.tell(tell_from_record(record.data))
        except Illegal:
            continue  # It was refused when it was played, too: what came instead is the next record.
        except OutOfTurn as error:
            yield Disagreement((record.seq,), f"round {recorded.number}: {error}")
            return
    if round_.result is None:
        yield Disagreement((seq,), f"round {recorded.number}: the recorded observations do not end the round")
    elif to_record(round_.result) != expected:
        yield Disagreement((seq,), f"round {recorded.number}: the engine alone comes to another result")
