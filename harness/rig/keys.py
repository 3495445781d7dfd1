"""The tables of a rig file, from the keys that its classes, its wires and the models of its devices declare."""

from dataclasses import fields, replace
from functools import cache
from typing import Any

from feltrig.emulators.models import MODELS
from feltrig.emulators.relays.noise import NoiseType
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, EmulatorConfig, GameConfig
from feltrig.harness.rig.shapes import NAME, SEED
from feltrig.harness.wires import WIRES
from feltrig.protocols.schema import Choice, Key, Named, Table, keys_of, table_of


@cache
def rig_table() -> Table:
    """All keys of a rig file; those of every wire and every model with the condition under which they belong there."""
    return Table(
        dict,
        (
            Key("feltrig", Choice((1,)), "version of this format"),
            Key("name", NAME, "name of the rig; runs are filed under it"),
            Key("seed", SEED, "seed of a run; without it, each run has its own", None),
            Key("table", NAME, "name of the table, part of MQTT topics", "table1"),
            Key("game", table_of(GameConfig), "the game and its options"),
            Key("broker", table_of(BrokerConfig), "the MQTT broker; without it, one is started for the run", None),
            Key("devices", Named(NAME, _device_table()), "the devices, each under a name of yours"),
        ),
    )


def _device_table() -> Table:
    kind, *others = keys_of(DeviceConfig)
    keys = (
        kind,
        Key("wire", Choice(WIRES), "how it is connected; a profile for one wire says it too"),
        *(key for name, wire in WIRES.items() for key in keys_of(wire.config, {"wire": (name,)})),
        *others,
        Key("emulator", _emulator_table(), "with this table, the device is emulated", None),
    )
    return Table(_device, keys)


def _emulator_table() -> Table:
    mechanics = {"kind": tuple(kind for kind, model in MODELS.items() if model.takes_mechanics)}
    keys = (
        *(replace(key, when=mechanics) if key.name == "mechanics" else key for key in keys_of(EmulatorConfig)),
        *(replace(key, when={"kind": (kind,)}) for kind, model in MODELS.items() for key in model.keys),
        *(key for name, wire in WIRES.items() if wire.served for key in keys_of(wire.served, {"wire": (name,)})),
    )
    return Table(dict, keys)


def _device(*, kind: str, wire: str, emulator: dict[str, Any] | None, **values: Any) -> DeviceConfig:
    """A device from the values of all keys; those of its wire and its model go to where they were declared."""
    record = WIRES[wire]
    config = _built(record.config, values)
    if emulator is None:
        return DeviceConfig(kind=kind, wire=config, **values)
    settings = {key.name: emulator.pop(key.name) for key in MODELS[kind].keys if key.name in emulator}
    served = None if record.served is None else _built(record.served, emulator)
    emulated = EmulatorConfig(**emulator, settings=settings, served=served)
    return DeviceConfig(kind=kind, wire=config, emulator=emulated, **values)


def emulated_on(wire: str, kind: str, name: str) -> DeviceConfig:
    """An emulated device on a wire, with every key at its default."""
    document = {name: {"kind": kind, "wire": wire, "emulator": {}}}
    device = Named(NAME, _device_table()).read(document, "devices", {"table": "table1", "source": ""})[name]
    assert isinstance(device, DeviceConfig)
    return device


def _built(description: type, values: dict[str, Any]) -> Any:
    """A dataclass from its own values, which are taken out of those of all keys."""
    return description(**{each.name: values.pop(each.name) for each in fields(description) if each.name in values})


def wires_with(noise: NoiseType) -> list[str]:
    """The wires that noise of a sort can disturb."""
    return [name for name, wire in WIRES.items() if not set(wire.media).isdisjoint(noise.media)]
