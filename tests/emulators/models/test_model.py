"""The registry of models: every kind of device has one, and each is built from the same setup."""

import pytest

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request


def test_every_kind_of_the_vocabulary_has_a_model() -> None:
    assert list(MODELS) == list(KINDS)


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_builds_a_device_of_its_kind(kind: str) -> None:
    model = MODELS[kind]
    device = model.build(Setup("box", 1))
    assert device.kind is model.kind is KINDS[kind]
    assert device.identity.serial == "EMU-box"
    assert all(place.startswith("box.") for place in device.mechanism.places)
    assert bool(device.mechanism.places) >= model.moves_cards


def test_the_deck_that_a_shuffler_counts_on_may_change() -> None:
    size = 54
    setup = Setup("box", 1, deck_size=lambda: size)
    setup.bench.put_new_deck("box.in.1", "red", range(52))
    device = MODELS["shuffler"].build(setup)
    size = 52
    device.handle(Request("shuffle", {"deck": 1}), 0.0)
    assert device.events(0, 0.0, 9).events[-1].values == {"deck": 1, "count": 52, "correct": True}
