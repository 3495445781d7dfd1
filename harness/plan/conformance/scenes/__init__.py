"""The scenes of every device on every wire, and where those of kinds and wires are found."""

from typing import Any

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.harness.scene import Scene
from feltrig.harness.wires.wire import Wire

EVERY_DEVICE: tuple[Scene, ...] = (
    Scene(
        "identity",
        f"{__name__}.identity:play",
        (demands.IDENTITY, demands.DIGEST, demands.PROOF, demands.NONCE_LENGTH),
    ),
    Scene(
        "tokens",
        f"{__name__}.tokens:play",
        (
            demands.SAME_ANSWER,
            demands.NOT_TWICE,
            demands.EIGHT_TOKENS,
            demands.OTHER_COMMAND,
            demands.ANSWERED_ANEW,
            demands.RESET,
        ),
    ),
    Scene(
        "events",
        f"{__name__}.events:play",
        (
            demands.NUMBERS,
            demands.EVENTS_KEPT,
            demands.EVENTS_AFTER,
            demands.NO_EVENTS_AFTER,
            demands.EVENTS_STAY,
            demands.OLDEST_AND_LATEST,
            demands.STATUS,
        ),
    ),
    Scene(
        "at work",
        f"{__name__}.at_work:play",
        (
            demands.REFUSALS_KEPT,
            demands.ANSWERED_IN_ALL,
            demands.STATUS,
            demands.BUSY,
            demands.WRONG_STATE,
            demands.REFUSED_CHANGES_NOTHING,
            demands.REASON_APPLIES,
            demands.EVENTS_IN_ORDER,
            demands.RESET,
            demands.RESET_ENDS_WORK,
        ),
    ),
    Scene("line lost", f"{__name__}.reconnect:play", (demands.LINE_LOST,)),
    Scene(
        "power",
        f"{__name__}.power:play",
        (
            demands.STARTED,
            demands.NUMBERS_GO_ON,
            demands.NUMBERS_FROM_1,
            demands.WORK_ABANDONED,
            demands.STARTS_IDLE,
        ),
    ),
)


def scenes_of(kind: str, wire: Wire[Any]) -> tuple[Scene, ...]:
    """All scenes that are played with a kind of device on a wire, in this order."""
    listed = (*wire.scenes, *EVERY_DEVICE, *DEVICES[kind].scenes)
    return tuple(scene for scene in listed if not scene.kinds or kind in scene.kinds)
