"""What a scene of conformance is: something that is tried on a device beyond single commands and single messages, such
as a reset while it works, a repeated token or a power cycle.

A scene is data. Wires list theirs, kinds of device list theirs, and `harness.plan.conformance.scenes` has those of
every device on every wire.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # kinds and wires list scenes, and know no stage
    from feltrig.harness.plan.conformance.stage import Stage


@dataclass(frozen=True, slots=True)
class Tried:
    """One thing that was tried, and what was wrong. Each becomes one `Probed` record."""

    what: str
    fault: str | None = None
    """What was wrong; None when nothing was."""
    requirements: tuple[str, ...] = ()
    """The ids that it tests; without any, those of its scene."""
    expected: str = "ok"
    values: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """What a reader of a pass must know: that a quick machine was never caught at work, or how far numbers went."""
    untested: str = ""
    """Why it could not be tried. Its requirements are then not tested; a sound device is never at fault for that."""
    during: str = ""
    """The command in the middle of whose work hands could not act, if that is why."""


Run = Callable[["Stage"], AsyncIterator[Tried]]
"""Plays a scene. Raises what stops any run; the stage brings the device to rest afterwards."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. `target` is its function, `module:name`, which is imported only when it is played."""

    name: str
    """Its own among all scenes and states of a device: journals and findings call it so."""
    target: str
    requirements: tuple[str, ...] = ()
    """All that it tests, as ids of the wire documents."""
    kinds: tuple[str, ...] = ()
    """The kinds of device that it is for; empty for every one."""
    first: bool = False
    """Whether it is played before the commands, so that wrong bytes are named as such."""
    basis: str = "claimed"
    """What its findings rest on: `seen` by the rig itself, such as bytes on the wire, or `claimed` by the device."""

    def load(self) -> Run:
        """The function that plays it."""
        run: Run = resolve_name(self.target)
        return run
