"""Plays the recorded observations of a run through the engine alone, and compares the results."""

from dataclasses import dataclass

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.table import Table
from feltrig.engine.table.wagers import wagers_from_record
from feltrig.harness.journal.plain import tell_from_record, to_record
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import RoundEnded, Told
from feltrig.harness.judge.evidence import Evidence, RoundEvidence


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A round whose recorded result is not what the engine makes of the recorded observations."""

    evidence: tuple[int, ...]
    detail: str


def disagreements(evidence: Evidence) -> list[Disagreement]:
    """The finished rounds whose result differs when the engine plays them alone from the same cards, the first of each
    session: after it the table is not as it was when the next round was played."""
    found = (_first(evidence, number) for number in range(len(evidence.sessions)))
    return [disagreement for disagreement in found if disagreement is not None]


def _first(evidence: Evidence, session: int) -> Disagreement | None:
    table = GAMES[evidence.run.game].table(evidence.sessions[session].table)
    rounds = (_play_again(table, r, r.result) for r in evidence.rounds if r.session == session and r.result is not None)
    return next((disagreement for disagreement in rounds if disagreement is not None), None)


def _play_again(table: Table, recorded: RoundEvidence, result: Record[RoundEnded]) -> Disagreement | None:
    opened = recorded.begun
    try:
        round_ = table.open_round(wagers_from_record(opened.body.wagers))
    except Illegal as error:
        return Disagreement((opened.seq,), f"round {recorded.number}: {error}")
    for record in recorded.records:
        if not isinstance(record.body, Told):
            continue
        try:
            round_.tell(tell_from_record(record.body.tell))
        except Illegal:
            continue  # It was refused when it was played, too: what came instead is the next record.
        except OutOfTurn as error:
            return Disagreement((record.seq,), f"round {recorded.number}: {error}")
    if round_.result is None:
        return Disagreement((result.seq,), f"round {recorded.number}: the recorded observations do not end the round")
    if to_record(round_.result) != result.body.result:
        return Disagreement((result.seq,), f"round {recorded.number}: the engine alone comes to another result")
    return None
