"""The key `profile` of a rig file: the profile by which a device talks."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from feltrig.protocols.schema import Mismatch, Scope, either, shown

if TYPE_CHECKING:
    from feltrig.protocols.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class ProfileName:
    """A profile of the package by its name, or any other by the path of its file from the folder of the rig file."""

    expected: str = "the name of a built-in profile, or the path of a .toml file"

    def read(self, value: object, key: str, scope: Scope) -> "Profile":
        # few rigs have profiles, and reading them takes a while to import
        from feltrig.protocols.profiles import profilefile  # noqa: PLC0415
        from feltrig.protocols.profiles.profile import ProfileError  # noqa: PLC0415

        if not isinstance(value, str):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        try:
            if value.endswith(".toml"):
                profile = profilefile.load(Path(str(scope["source"])).parent / value)
            else:
                profile = profilefile.builtin(value)
        except ProfileError as error:
            raise Mismatch(key, str(error)) from error
        kind, wire = scope["kind"], scope["wire"]
        if profile.kind.name != kind:
            raise Mismatch(key, f"{shown(value)} is for the kind {profile.kind.name}, and this is kind {shown(kind)}")
        if wire not in profile.wires():
            raise Mismatch(key, f"{shown(value)} is for wire {either(map(shown, profile.wires()))}, not {shown(wire)}")
        return profile
