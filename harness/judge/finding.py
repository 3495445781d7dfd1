"""A finding: one clause, one verdict, the evidence for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import Evidence

SHOWN = 10
"""Journal numbers that a passing finding names; a failing one names up to ten times as many."""

TABLE = "table"
"""What findings about no single device are called."""


ENDED_EARLY = {
    "unfit": "a device failed again and again, or where the rules give no remedy",
    "wire": "a device could not be reached any more",
    "operator": "the technician did not answer",
    "breakdown": "the mechanics of an emulated device failed",
    "interrupted": "it was interrupted",
    "cut off": "the journal has no end",
}
"""Why a run did not play all of its rounds, by what the journal's last record says."""


class Verdict(Enum):
    """What a finding says of its clause."""

    PASS = "pass"
    FAIL = "fail"
    ATTESTED = "attested"
    NOT_TESTED = "not tested"


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
    basis: Basis = Basis.SEEN
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it is about, by their ids; those that are broken in a failure."""
    lacks: tuple[str, ...] = ()
    """What the device or its own protocol does not have, so that this is not tested, or not all of it, and limits the
    certificate by name."""

    def record(self) -> dict[str, Any]:
        """The finding as `verdict.json` has it."""
        return {
            "game": self.game,
            "clause": self.clause,
            "device": self.device,
            "check": self.check,
            "verdict": self.verdict.value,
            "basis": self.basis.value,
            "detail": self.detail,
            "evidence": list(self.evidence),
            "requirements": list(self.requirements),
            "lacks": list(self.lacks),
        }


def often(number: int) -> str:
    """How many times something was seen, in words."""
    return "once" if number == 1 else f"{number} times"


def clause_of(evidence: Evidence, rule: str) -> str | None:
    """The clause that a rule of the game is, as the run's jurisdiction prints it; None when it prints none."""
    try:
        return GAMES[evidence.run.game].cite(rule, evidence.run.jurisdiction)
    except KeyError:
        return None


def clause_served(evidence: Evidence, role: str) -> str | None:
    """The clause of the game that a machine serves by what it is checked for."""
    key = GAMES[evidence.run.game].roles.get(role)
    return None if key is None else clause_of(evidence, key)


def under_test(written: Mapping[str, Any], finding: Finding) -> bool:
    """Whether a finding counts for the verdict of a run. A plan judges one device and the table; its neighbours only
    serve it."""
    plan = written["plan"]
    return plan is None or finding.device in (plan["device"], TABLE)


def clause_order(clause: str | None) -> list[tuple[int, str]]:
    """Clauses in the order of the text: numbers by their value, and none before any."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.findall(r"\d+|\D+", clause or "")]
