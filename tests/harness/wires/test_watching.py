"""The device under test is watched during a whole run, and what it says wrongly goes on record."""

import pytest
from rigs import make_rig, nobody, rng_rig_text

from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Probed
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.connecting import wire
from feltrig.harness.wires.watching import MOST, UNASKED

MQTT = 'wire = "mqtt"'


async def complaints(rig: Rig, journal: Journal) -> list[Probed]:
    """What is on record about a display that was reset a few times."""
    async with wire(rig, journal, 3, nobody, under_test=rig.devices["rng"]) as wired:
        for _ in range(MOST + 2):
            await wired.devices["rng"].perform("reset", "cleared")
    journal.flush()
    return [record.body for record in read(journal.path).records if isinstance(record.body, Probed)]


@pytest.fixture
def _events_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    send = Presence.send

    def kept(presence: Presence, topic: str, payload: bytes, retain: bool = False, properties=None) -> bool:  # type: ignore[no-untyped-def]
        return send(presence, topic, payload, retain or topic.endswith("event"), properties)

    monkeypatch.setattr(Presence, "send", kept)


async def test_a_sound_device_leaves_no_record(journal: Journal) -> None:
    assert await complaints(make_rig(rng_rig_text(MQTT)), journal) == []


@pytest.mark.usefixtures("_events_are_kept")
async def test_what_is_wrong_goes_on_record_but_not_without_end(journal: Journal) -> None:
    found = await complaints(make_rig(rng_rig_text(MQTT)), journal)
    assert [(each.device, each.state, each.requirements) for each in found] == [("rng", UNASKED, ("MQT-4",))] * MOST


@pytest.mark.usefixtures("_events_are_kept")
@pytest.mark.parametrize(
    "device", [f'{MQTT}\nnoise = [{{ what = "delay", at = 1000, seconds = 0.01 }}]', 'wire = "serial"']
)
async def test_a_disturbed_wire_and_one_without_unasked_messages_are_not_watched(device: str, journal: Journal) -> None:
    rig = make_rig(rng_rig_text(device))
    assert await complaints(rig, journal) == []
