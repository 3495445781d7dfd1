"""What a plan asks of hands: how many prompts, and how long they take."""

from math import ceil

from feltrig.harness.devices.device import DeviceKind, Drill
from feltrig.harness.plan.plan import Sampling

PROMPT_SECONDS = 8.0
"""About how long a technician needs for a prompt."""


LAID = 1
"""The prompt before each drill with cards: a whole deck is laid on the table."""


def drill_prompts(device: DeviceKind, drill: Drill) -> int:
    """The prompts of a drill if all goes well."""
    return drill.prompts + LAID * device.handles_cards


def sample_prompts(sampling: Sampling) -> int:
    """The prompts of all samples of a plan."""
    if not sampling.prompts:
        return 0
    return sampling.most * sampling.prompts + ceil(sampling.most / sampling.anew_every)


def sample_seconds(sampling: Sampling) -> float:
    """How long all samples of a plan take: the machine and the hands."""
    return sampling.most * sampling.seconds + sample_prompts(sampling) * PROMPT_SECONDS
