"""A check that this package adds for every device on the table."""

from collections.abc import Iterator

from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence


@check("draws in every round", kind="drum")
def draws_in_every_round(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """A round has one ball."""
    drawn = list(evidence.events(device, "drawn"))
    rounds = len(evidence.rounds)
    yield Sighting(len(drawn) == rounds, tuple(r.seq for r in drawn[:3]), f"{len(drawn)} balls in {rounds} rounds")
