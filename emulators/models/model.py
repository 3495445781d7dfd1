"""The record of a model: all that the rest of the product must know of an emulated kind of device."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from feltrig.emulators.models.device import Commands, Device
from feltrig.emulators.models.faults import FaultTypes
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.zoo.specimen import Specimen
from feltrig.protocols.schema import Key
from feltrig.protocols.vocabulary import Kind


@dataclass(frozen=True, slots=True)
class HandAction:
    """Something that a hand can do to a device, besides moving cards."""

    part: str
    """The part of the device that it needs."""
    doc: str
    act: Callable[[Any, float], Mapping[str, object]]
    """Does it to the mechanism at a time; returns what to tell whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Model:
    """An emulated kind of device."""

    kind: Kind
    build: Callable[[Setup], Device[Any]]
    commands: Commands[Any]
    """What it does on each command of its own, and the states in which it does it."""
    faults: FaultTypes
    """Every fault that it can have, its own first."""
    keys: tuple[Key, ...] = ()
    """Keys of its own in the emulator table of a rig file; their values arrive in `Setup.settings`."""
    takes_mechanics: bool = False
    """Whether a function of the user's can take the place of its moving parts."""
    moves_cards: bool = False
    """Whether cards move through it, so that something can be in their way."""
    by_hand: Mapping[str, HandAction] = field(default_factory=dict)
    """What hands can do at it, by the name that the control interface has for it."""
    mid_work: int = 1
    """The step of its operation at which a hand that interrupts it acts: there cards lie inside."""
    specimens: tuple[Specimen, ...] = ()
    """Its good and bad machines in the zoo; each of its faults is one more. None for an instrument of the rig."""
