"""The key `profile` of a rig file: the profile by which a device talks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from feltrig.protocols.schema import Mismatch, Scope, either, path, shown

if TYPE_CHECKING:
    from feltrig.protocols.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class ProfileName:
    """A profile of the package by its name, or any other by the path of its file from the folder of the rig file."""

    expected: str = "the name of a built-in profile, or the path of a .toml file"

    def read(self, value: object, key: str, scope: Scope) -> "Profile":
        if not isinstance(value, str):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        profile = _profile(value, key, str(scope["source"]))
        kind, wire = scope["kind"], scope["wire"]
        if profile.kind.name != kind:
            raise Mismatch(key, f"{shown(value)} is for the kind {profile.kind.name}, and this is kind {shown(kind)}")
        if wire not in profile.wires():
            raise Mismatch(key, f"{shown(value)} is for wire {either(map(shown, profile.wires()))}, not {shown(wire)}")
        return profile


def filled_in(document: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A rig file in which each device with a profile has the kind that its profile says, and the wire if there is only
    one for it. What the file says itself stays. Raises Mismatch."""
    devices = document.get("devices")
    if not isinstance(devices, dict):
        return dict(document)
    return {**document, "devices": {name: _from_profile(device, name, source) for name, device in devices.items()}}


def _from_profile(device: object, name: str, source: str) -> object:
    if not isinstance(device, dict) or not isinstance(device.get("profile"), str) or {"kind", "wire"} <= set(device):
        return device
    profile = _profile(device["profile"], path(path("devices", name), "profile"), source)
    wire = {"wire": profile.wires()[0]} if len(profile.wires()) == 1 else {}
    return {"kind": profile.kind.name, **wire, **device}


def _profile(name: str, key: str, source: str) -> "Profile":
    # few rigs have profiles, and reading them takes a while to import
    from feltrig.protocols.profiles import profilefile  # noqa: PLC0415
    from feltrig.protocols.profiles.profile import ProfileError  # noqa: PLC0415

    try:
        return profilefile.load(Path(source).parent / name) if name.endswith(".toml") else profilefile.builtin(name)
    except ProfileError as error:
        raise Mismatch(key, str(error)) from error
