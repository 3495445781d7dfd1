"""The machines of the zoo do what their words say, and each built one has a memory of its own."""

import random

import pytest
from zoo_machines import DECK, many

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import WIRE
from feltrig.emulators.zoo import dice, displays
from feltrig.emulators.zoo.catalogue import ZOO, build

MECHANICS = [(kind, s.name) for kind, known in ZOO.items() for s in known.values() if s.build is not None]


@pytest.mark.parametrize(("kind", "name"), MECHANICS)
def test_every_machine_gives_what_a_machine_of_its_kind_can_give(kind, name):
    for seen in many(kind, name, 30):
        match kind:
            case "shuffler":
                assert sorted(seen) == DECK
            case "rng":
                assert seen in range(1, 8)
            case "shaker":
                assert len(seen) == 3
                assert set(seen) <= set(range(1, 7))


@pytest.mark.parametrize(("kind", "name"), MECHANICS)
def test_the_same_seed_gives_the_same_again_and_another_does_not(kind, name):
    assert many(kind, name, 40) == many(kind, name, 40)
    assert many(kind, name, 40) != many(kind, name, 40, seed=2)


@pytest.mark.parametrize("machine", [dice.Keeping(1.0), dice.RepeatingRoll(1.0), displays.Sticky(1.0)])
def test_what_always_stays_stays(machine):
    rng = random.Random(1)
    assert len({machine(rng) for _ in range(20)}) == 1


def test_two_devices_share_no_memory():
    one, other = build("repeats-5", "shuffler"), build("repeats-5", "shuffler")
    assert one is not other
    assert build("period-50", "rng") is not build("period-50", "rng")


def test_an_unknown_name_or_one_of_another_kind_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"zoo:riffles-4: no such rng in the zoo; there are good, good-bits"):
        build("riffles-4", "rng")
    with pytest.raises(ValueError, match="zoo:jam: no such shoe in the zoo; there are none"):
        build("jam", "shoe")


@pytest.mark.parametrize("kind", ZOO)
def test_every_fault_of_the_catalogue_is_there_but_those_that_no_plan_can_see(kind):
    shown = {s.fault.what for s in ZOO[kind].values() if s.fault is not None}
    unobservable = {what for what, sort in MODELS[kind].faults.items() if sort.unobservable}
    assert set(MODELS[kind].faults) - shown == unobservable | set(WIRE)
    assert unobservable <= {"few_shakes_unreported"}
    assert any(s.good for s in ZOO[kind].values())
