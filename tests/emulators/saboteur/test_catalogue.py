"""The mutants of the saboteur, as data."""

import pytest

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.misbehaviour import Misbehaviour
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.saboteur.catalogue import FILES, MUTANTS, mutant
from feltrig.emulators.saboteur.mutant import Mutant
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.requirements import REQUIREMENTS

WIRES = ("serial", "modbus-rtu", "modbus-tcp", "modbus-tls", "mqtt")


def test_no_two_mutants_have_one_name():
    assert len(MUTANTS) == sum(len(file.MUTANTS) for file in FILES)


@pytest.mark.parametrize("struck", MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_breaks_a_requirement_that_holds_somewhere(struck):
    assert struck.breaks
    assert set(struck.breaks) <= REQUIREMENTS.keys()
    assert struck.does
    assert not struck.does.endswith(".")
    assert not struck.survives or struck.survives.endswith(".")
    assert any(struck.fits(kind, wire) for kind in KINDS for wire in WIRES)


@pytest.mark.parametrize("struck", MUTANTS.values(), ids=MUTANTS)
def test_every_kind_of_device_can_be_struck_where_the_mutant_fits(struck):
    for kind in KINDS:
        if any(struck.fits(kind, wire) for wire in WIRES):
            honest = MODELS[kind].build(Setup("box", 1, bench=Bench()))
            assert struck.strike(honest, Misbehaviour(honest.board)).device is honest


def test_an_unknown_id_is_no_mutant():
    with pytest.raises(KeyError, match="DEV-1000"):
        Mutant("x", ("DEV-1000",), "does nothing", lambda _: None)


def test_a_mutant_fits_where_its_requirement_holds():
    assert mutant("stacks-from-zero", "shoe", "mqtt").breaks == ("DEV-88",)
    with pytest.raises(ValueError, match="stacks-from-zero: no rng on mqtt can be this mutant"):
        mutant("stacks-from-zero", "rng", "mqtt")
    with pytest.raises(ValueError, match="no such mutant"):
        mutant("unheard-of", "rng", "mqtt")


def test_every_requirement_has_a_mutant_that_breaks_it_first():
    assert {struck.breaks[0] for struck in MUTANTS.values()} == REQUIREMENTS.keys()


def test_a_mutant_that_survives_breaks_what_is_said_to_be_untested():
    told = {struck.breaks[0]: struck.survives for struck in MUTANTS.values() if struck.survives}
    untested = {requirement.id for requirement in REQUIREMENTS.values() if requirement.untested}
    assert untested <= told.keys()
