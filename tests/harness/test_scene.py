"""The scenes of conformance: each can be loaded, and each has a name of its own."""

import inspect

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import MALFORMED
from feltrig.harness.plan.conformance.scenes import EVERY_DEVICE, scenes_of
from feltrig.harness.scene import Scene
from feltrig.harness.wires import WIRES

PLAYED = [(kind, name) for kind, device in DEVICES.items() if device.planned for name in WIRES]


@pytest.mark.parametrize(("kind", "wire"), PLAYED)
def test_a_device_has_the_scenes_of_its_wire_of_every_device_and_of_its_kind(kind, wire):
    scenes = scenes_of(kind, WIRES[wire])
    expected = (*WIRES[wire].scenes, *EVERY_DEVICE, *DEVICES[kind].scenes)
    assert scenes == tuple(scene for scene in expected if kind in (scene.kinds or (kind,)))


@pytest.mark.parametrize(("kind", "wire"), PLAYED)
def test_names_of_states_and_scenes_differ(kind, wire):
    names = [MALFORMED, *(cases.state for cases in DEVICES[kind].states)]
    names += [scene.name for scene in scenes_of(kind, WIRES[wire])]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("kind", "wire"), PLAYED)
def test_every_scene_can_be_loaded(kind, wire):
    for scene in scenes_of(kind, WIRES[wire]):
        assert inspect.isasyncgenfunction(scene.load()), scene.name


def test_a_scene_can_be_for_some_kinds_only():
    class Wire:
        scenes = (Scene("dice only", "os:sep", kinds=("shaker",)), Scene("all", "os:sep"))

    assert [scene.name for scene in scenes_of("shaker", Wire())][:2] == ["dice only", "all"]
    assert "dice only" not in [scene.name for scene in scenes_of("rng", Wire())]
