"""A plan for one device of a rig."""

from dataclasses import asdict, dataclass
from typing import Any

from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.plan import IRREGULARITIES, ROUNDS, Plan, plans
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.sessions import drilled_kinds, used_kinds, variants


@dataclass(frozen=True, slots=True)
class PlanOrder:
    """A plan, and the device that is judged by it."""

    plan: Plan
    device: str
    sequential: bool

    def rounds(self, rig: Rig) -> int:
        """How many rounds are played in all."""
        if ROUNDS not in self.plan.steps:
            return 0
        return max(self.plan.rounds * len(variants(rig.game)), self.plan.least_rounds) + self.rounds_after(rig)

    def rounds_after(self, rig: Rig) -> int:
        """How many of them are played after the irregularities: a machine may behave only before its first fault."""
        provoked = self.plan.drills and {ROUNDS, IRREGULARITIES} <= set(self.plan.steps)
        return self.plan.rounds_after * len(variants(rig.game)) if provoked else 0

    def record(self) -> dict[str, Any]:
        """As the first record of a run has it."""
        return {"plan": asdict(self.plan), "device": self.device, "sequential": self.sequential}


def plan_order(rig: Rig, plan: Plan, device: str | None = None, sequential: bool | None = None) -> PlanOrder:
    """A plan for the device that is named, or for the only one of its kind; sequential on hardware, unless it is said.
    Raises RigError when the rig has no such device, the game no use for it, or the plan asks for other rules or has the
    name of another plan."""
    if plan.name in plans() and plan.digest != plans()[plan.name].digest:
        raise RigError(f"plan {plan.name}: is not the plan of that name in `feltrig plan list`; give it another name")
    judged = rig.device(plan.kind) if device is None else rig.devices.get(device)
    if judged is None:
        wanted = f"plan {plan.name}: needs a {plan.kind}" if device is None else f"there is no device {device!r}"
        raise RigError(f"{rig.source}: {wanted}; there are {', '.join(rig.devices)}")
    if judged.kind != plan.kind:
        raise RigError(f"{rig.source}: device {device}: is a {judged.kind}, but plan {plan.name} is for a {plan.kind}")
    if judged.kind not in used_kinds(rig.game):
        raise RigError(f"{rig.source}: plan {plan.name}: the game with these options does not use the {judged.kind}")
    if plan.jurisdiction not in (None, rig.game.jurisdiction):
        raise RigError(
            f"{rig.source}: game.jurisdiction: {rig.game.jurisdiction!r} does not fit plan {plan.name}: "
            f"expected {plan.jurisdiction}"
        )
    if plan.drills and judged.kind not in drilled_kinds(rig.game):
        raise RigError(
            f"{rig.source}: game.{DEVICES[judged.kind].drills_need}: is false, but plan {plan.name} provokes "
            "irregularities that only a machine that counts can report"
        )
    return PlanOrder(plan, judged.name, judged.emulator is None if sequential is None else sequential)
