"""Every mutant by its name."""

from collections.abc import Mapping

from feltrig.emulators.saboteur import (
    commands,
    events,
    faults,
    identity,
    modbus,
    mqtt,
    reader,
    rng,
    serial,
    shaker,
    shoe,
    shuffler,
    starts,
    states,
    times,
    tokens,
)
from feltrig.emulators.saboteur.mutant import Mutant

OF_DEVICES = (tokens, events, times, starts, states, commands, faults, identity, rng, shaker, shuffler, shoe, reader)

FILES = (*OF_DEVICES, *serial.FILES, *modbus.FILES, *mqtt.FILES)

MUTANTS: Mapping[str, Mutant] = {mutant.name: mutant for file in FILES for mutant in file.MUTANTS}


def mutant(name: str, kind: str, wire: str) -> Mutant:
    """The mutant of a name. Raises ValueError if there is none, or none of this kind on this wire."""
    found = MUTANTS.get(name)
    if found is None:
        raise ValueError(f"{name!r}: no such mutant; see `feltrig zoo --saboteur --list`")
    if not found.fits(kind, wire):
        raise ValueError(f"{name}: no {kind} on {wire} can be this mutant")
    return found
