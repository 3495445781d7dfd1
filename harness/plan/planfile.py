"""A plan of the user's: a TOML file that changes a plan of `feltrig plan list`. docs/plans.md describes the format."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Limit
from feltrig.harness.plan.needs import Needs
from feltrig.harness.plan.plan import STEPS, Plan, plans
from feltrig.harness.plan.plan import plan as known
from feltrig.harness.rig.model import IdentityConfig
from feltrig.protocols.schema import Choice, Flag, Key, Mismatch, Number, Plain, Several, Shape, Table, Text, Whole

SUFFIX = ".toml"
LARGEST_FILE = 1 << 20
PARTS = tuple(part.name for part in fields(IdentityConfig) if part.name != "image")  # which a digest stands for


EYES = tuple(eye.name for device in DEVICES.values() for eye in device.eyes)


class Groups:
    """Groups of parts of an identity, all of one of which must have been submitted."""

    expected = "an array of arrays of " + ", ".join(PARTS)

    def read(self, value: object, key: str, scope: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """The groups. Raises Mismatch."""
        if not isinstance(value, list) or not all(isinstance(group, list) and group for group in value):
            raise Mismatch(key, f"is not {self.expected}")
        return tuple(Several(Choice(PARTS)).read(group, key, scope) for group in value)


def _key(name: str, shape: Shape, doc: str) -> Key:
    return Key(name, shape, doc, None)


NEEDS = Table(
    dict,
    (
        _key("identity", Groups(), "parts of the identity that must have been submitted: all of one of the groups"),
        _key("checklist", Flag(), "whether every item of the inspector's checklist must be answered"),
        _key("eye", Several(Choice(EYES)), "what a person must read off the machine"),
        _key("looks", Whole(1, 1000), "how many times, each"),
    ),
)
FILE = Table(
    dict,
    (
        Key("name", Text(r"[A-Za-z0-9][A-Za-z0-9._-]*", "a name of letters, digits, dots and hyphens"), "its own name"),
        Key("base", Choice(plans()), "the plan that it changes"),
        _key("title", Text(r"[^\n]*\S[^\n]*", "text"), "its name for readers"),
        _key("jurisdiction", Choice(JURISDICTIONS), "whose rules the rounds must follow"),
        _key("level", Number(1e-9, 0.5), "share of good machines that may be refused"),
        _key("samples", Whole(1, 100_000_000), "how many samples are taken"),
        _key("rounds", Whole(1, 10_000), "rounds of every way to play"),
        _key("least_rounds", Whole(1, 1_000_000), "rounds in all, however few ways the rig file names"),
        _key("steps", Several(Choice(STEPS)), "the steps"),
        _key("limits", Plain(), "the longest times in seconds: of an `answer`, or of a command's operation"),
        _key("needs", NEEDS, "what a certificate of a physical machine needs besides"),
    ),
)


def load(file: str | os.PathLike[str]) -> Plan:
    """Read a plan. What the file does not say is as in its base. Raises RigError."""
    try:
        data = Path(file).read_bytes()[: LARGEST_FILE + 1]
    except OSError as error:
        raise RigError(f"{file}: cannot be read: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise RigError(f"{file}: is larger than {LARGEST_FILE} bytes, not a plan")
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise RigError(f"{file}: is not TOML: {' '.join(str(error).split())}") from error
    try:
        return _plan({key: value for key, value in FILE.read(document, "", {}).items() if value is not None})
    except Mismatch as error:
        raise RigError(f"{file}: {error}") from error


def _plan(said: dict[str, Any]) -> Plan:
    base = plans()[said["base"]]
    if said["name"] in plans():
        raise Mismatch("name", f"{said['name']!r} is the name of a plan in `feltrig plan list`; choose another")
    changes: dict[str, Any] = {key: said[key] for key in KEPT if key in said}
    changes.setdefault("title", f"{base.title}, as {said['name']}")
    if "samples" in said:
        if base.sampling is None:
            raise Mismatch("samples", f"{base.name} takes no samples")
        changes["sampling"] = replace(base.sampling, most=said["samples"])
    if "steps" in said:
        changes["steps"] = tuple(step for step in STEPS if step in said["steps"])
    changes["limits"] = _limits(base, said.get("limits", {}))
    changes["needs"] = _needs(base, said.get("needs", {}))
    return replace(base, **changes)


KEPT = ("name", "title", "jurisdiction", "level", "rounds", "least_rounds")


def _limits(base: Plan, said: Mapping[str, object]) -> tuple[Limit, ...]:
    known = [limit.of for limit in base.limits]
    for name, value in said.items():
        Choice(known).read(name, "limits", {})
        Number(0.001, 86_400).read(value, f"limits.{name}", {})
    return tuple(replace(limit, most=float(str(said.get(limit.of, limit.most)))) for limit in base.limits)


def _needs(base: Plan, said: Mapping[str, Any]) -> Needs:
    for name in said.get("eye") or ():
        if name not in {eye.name for eye in DEVICES[base.kind].eyes}:
            raise Mismatch("needs.eye", f"nobody can read off a {name} of a {base.kind}")
    return replace(base.needs, **{key: value for key, value in said.items() if value is not None})


def plan(name: str | os.PathLike[str]) -> Plan:
    """The plan of `feltrig plan list` with this name, or the plan in this file, whose name ends in .toml. Raises
    RigError."""
    if isinstance(name, os.PathLike) or name.endswith(SUFFIX):
        return load(name)
    return known(name)
