"""Every machine of the zoo by the kind of device and by name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import FOR_EVER, MACHINE, WIRE, Fault
from feltrig.emulators.models.model import Model
from feltrig.emulators.zoo.specimen import Specimen


def _specimens(model: Model) -> Iterable[Specimen]:
    yield from model.specimens
    for what, sort in model.faults.items():
        if not (sort.unobservable or what in WIRE):
            at = 2 if sort.later or what in MACHINE else 1
            fault = Fault(what, at=at, times=FOR_EVER if sort.persistent else 1)
            yield Specimen(what, sort.effect, fault=fault)


ZOO: Mapping[str, Mapping[str, Specimen]] = {
    kind: {specimen.name: replace(specimen, kind=kind) for specimen in _specimens(model)}
    for kind, model in MODELS.items()
    if model.specimens
}
"""The specimens, by kind of device and by name. One with a fault has the name of that fault."""


def build(name: str, kind: str) -> Callable[..., Any]:
    """New mechanics of a name. Raises ValueError with the names that there are."""
    known = {known: found.build for known, found in ZOO.get(kind, {}).items() if found.build is not None}
    made = known.get(name)
    if made is None:
        raise ValueError(f"zoo:{name}: no such {kind} in the zoo; there are {', '.join(known) or 'none'}")
    return made()
