"""What a profile's wire does not carry is no evidence: a check that rests on it is not tested, however it came out."""

from collections.abc import Mapping
from typing import Any

IDENTITY = "is the device that was submitted"

RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "proves its firmware with a salted challenge": ("command challenge",),
    "numbers its events without a gap": ("numbers",),
    "does what it is told": ("answers",),
    "completes its shuffle cycle": ("event shuffling", "event shuffled"),
    "counts the cards after each shuffle": ("event counted",),
    "reports the count that came out": ("counted.count",),
    "indicates whether the deck is complete": ("counted.correct",),
    "reports the size it dispensed": ("dispensed.size",),
    "holds three dice": ("rolled.dice",),
    "shows faces from 1 to 6": ("rolled.dice",),
    "lets the dice lie flat": ("rolled.flat",),
    "shakes as often as told, at least three times": ("shaken.times",),
    "keeps its lid on until told": ("event uncovered", "uncovered.commanded"),
    "says when its lid is off": ("event uncovered",),
    "does not roll the same again and again": ("rolled.dice",),
    "selects a number from 1 to 7": ("selected.number",),
    "displays the number selected": ("command display", "selected.number"),
    "does not select the same again and again": ("selected.number",),
    "reports a missing card": ("counted.count", "counted.correct"),
    "reports an extra card": ("counted.count", "counted.correct"),
    "reports a jam, and works again": ("event faulted",),
    "reports a jam of its stacks, and works again": ("event faulted",),
}
"""The checks and drills, and what each takes the device's word for, as `Profile.lacks` names it."""


def unproven(device: Mapping[str, Any], check: str) -> str | None:
    """Why a check proves nothing about a device, by the device's record; None when it does."""
    if "profile" not in device:
        return None
    lacks = device["profile"]["lacks"]
    if check == IDENTITY:
        return _unsaid_identity(device, lacks)
    missing = [what for what in RESTS_ON.get(check, ()) if what in lacks]
    return f"the wire of {device['profile']['name']} does not carry it: {', '.join(missing)}" if missing else None


def _unsaid_identity(device: Mapping[str, Any], lacks: list[str]) -> str | None:
    """The label is not the device's word. What the device itself says wrong stays wrong."""
    expected = {"kind": device["kind"], **device["submitted"]}
    unsaid = [name for name in expected if f"identity.{name}" in lacks]
    if any(device["identity"][name] != value for name, value in expected.items() if name not in unsaid):
        return None
    return f"the device does not say its {', '.join(unsaid)}: known by its label only" if unsaid else None


def outweighs_failure(check: str) -> bool:
    """Whether even a failure proves nothing: a label that differs from what was submitted is not the device's fault."""
    return check == IDENTITY
