"""Records of drills, as steps of check_steps, and what the judge of a drill makes of them."""

from dataclasses import dataclass

from check_steps import M, call, event, note

from feltrig.harness.devices import DEVICES

DRILLS = {drill.name: drill for device in DEVICES.values() for drill in device.drills}
WHOLE = 54
BEFORE, AFTER = "deck before the drill", "deck after the drill"

power_back = (note("power", device=M, on=False), note("power", device=M, on=True), event("started"))


def faulted(fault):
    """A fault, and the reset after it."""
    return event("faulted", fault=fault), call("reset"), event("cleared")


@dataclass(frozen=True)
class Wrong:
    """Records of a drill in which one thing is wrong, and the words for it."""

    drill: str
    steps: tuple
    detail: str

    def __str__(self):
        return f"{self.drill}: {self.detail}"


def fault(log, name, steps):
    """What was wrong in a drill with these records."""
    for step in steps:
        step(log)
    return DRILLS[name].fault(log.records, WHOLE)


def names(kind):
    """The drills of a kind of device."""
    return {drill.name for drill in DEVICES[kind].drills}
