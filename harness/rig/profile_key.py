"""The key `profile` of a rig file: which profile a device talks by, and whether the game can be played with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from feltrig.harness.devices import DEVICES
from feltrig.harness.rig.model import Rig, Serial
from feltrig.protocols.schema import Mismatch, Scope, either, shown

if TYPE_CHECKING:
    from feltrig.protocols.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class ProfileName:
    """A profile of the package by its name, or any other by the path of its file from the folder of the rig file."""

    expected: str = "the name of a profile of the package, or the path of a file .toml"

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
        _check(profile, str(scope["kind"]), str(scope["wire"]), value, key)
        return profile


def _check(profile: "Profile", kind: str, wire: str, value: str, key: str) -> None:
    if profile.kind.name != kind:
        raise Mismatch(key, f"{shown(value)} is for the kind {profile.kind.name}, and this is kind {shown(kind)}")
    if wire not in profile.wires():
        raise Mismatch(key, f"{shown(value)} is for wire {either(map(shown, profile.wires()))}, not {shown(wire)}")


def check_played(rig: Rig) -> Iterator[Mismatch]:
    """By a profile as by any other, a device must be able to do what a round asks of it."""
    for device in rig.devices.values():
        if device.profile is None:
            continue
        key, talk = f"devices.{device.name}.profile", device.profile.talk
        needed = DEVICES[device.kind]
        told, reported = talk.carried_commands() | talk.answered(), talk.events()
        lacking = [f"command {name}" for name in needed.commands if name not in told]
        lacking += [f"event {name}" for name in needed.events if name not in reported]
        for what in lacking:
            yield Mismatch(key, f"{shown(device.profile.name)} has no {what}, and no round can be played without it")


def check_lines(rig: Rig) -> Iterator[Mismatch]:
    """A serial profile knows no addresses: its device has the line for itself."""
    for device in rig.devices.values():
        alone = device.profile is not None and isinstance(device.wire, Serial)
        if alone and device.emulator is not None and device.emulator.line is not None:
            key = f"devices.{device.name}.emulator.line"
            yield Mismatch(key, "does not go with a profile: its messages carry no address")
