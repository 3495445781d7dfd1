"""Has a person read off a physical machine what it shows, because its wire carries only its own word for it."""

from collections.abc import Iterator
from functools import partial

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Eye
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.harness.journal.records import Looked
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.plan.plan import Plan


def segments(plan: Plan, device: str) -> Iterator[Segment]:
    """One segment for each thing that the plan wants seen."""
    for eye in DEVICES[plan.kind].eyes:
        if eye.name in plan.needs.eye:
            looks = plan.needs.looks
            definition = {"eye": eye.name, "kind": plan.kind, "device": device, "looks": looks}
            run = partial(_look, kind=plan.kind, device=device, eye=eye, looks=looks)
            yield Segment(f"eye: {eye.name}", definition, run)


async def _look(context: RunContext, kind: str, device: str, eye: Eye, looks: int) -> None:
    """Ask as often as the plan wants it. Nobody is told what it should be. Who cannot look once is not asked again."""
    hands, operator = context.hands(kind), context.wired.operator
    operator.begin(f"what its {eye.name} shows", looks)
    for _ in range(looks):
        claimed = await eye.show(hands)
        try:
            shown: str | None = await operator.read_off(kind, eye.name)
            if shown != claimed:  # a slip of the pen is no fault of the machine
                shown = await operator.read_off(kind, eye.name)
        except CannotBeDone:
            shown = None
        context.journal.append(Looked(device, eye.name, shown, claimed))
        if eye.put_away is not None:
            await eye.put_away(hands)
        if shown is None:
            return
