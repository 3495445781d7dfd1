"""Devices that were left in the middle of something, and a task that is done again."""

from played_rounds import EMBEDDED

from feltrig.harness.devices.failures import Redo
from feltrig.harness.journal import reader as journals
from feltrig.harness.plan.checkpoints import Fixed, RunContext, Segment, run_segments
from feltrig.harness.table.readiness import make_ready
from feltrig.harness.wires.connecting import WiredRig
from feltrig.protocols.vocabulary import State


class NoMemory:
    """The emulated side of a rig of which nothing is remembered."""

    def reseed(self, _: str) -> None:
        """Nothing draws by chance."""

    def memory(self) -> dict[str, object]:
        return {}


async def test_a_task_is_done_again_with_machines_that_are_empty_at_rest_and_closed(felt, journal):
    table = felt()
    for driver in table.devices.values():
        await driver.open()
    wired = WiredRig(table.devices, table.operator, NoMemory())
    done = []

    async def drill(context: RunContext) -> None:
        done.append(context.rng.random())
        await table.operator.bring_deck("red")
        if len(done) > 1:
            return
        await table.operator.load("shuffler", "red")
        await table.operator.stop_at_work("shuffler")
        await table.devices["shuffler"].call("shuffle", deck=1)
        await table.devices["shaker"].perform("uncover", "rolled")
        raise Redo("drill")

    step = Fixed("drills", [Segment("drill", {}, drill)])
    await run_segments([step], RunContext(EMBEDDED, wired, journal, 1, None))
    assert done[0] == done[1]
    assert {(await driver.status()).state for driver in table.devices.values()} == {State.IDLE}
    assert table.machines["shaker"].mechanism.covered
    assert {place: table.bench.count(place) for place in table.bench.places()} == {"deck.red": 54}
    (again,) = table.noted("redone")
    begun = next(r.seq for r in journals.read(journal.path).records if r.kind == "segment")
    assert again == {"what": "drill", "since": begun + 1}


async def test_devices_at_rest_are_left_alone(felt):
    table = felt()
    for driver in table.devices.values():
        await driver.open()
    before = {kind: (await driver.status()).latest for kind, driver in table.devices.items()}
    await make_ready(EMBEDDED, WiredRig(table.devices, table.operator, NoMemory()))
    assert {kind: (await driver.status()).latest for kind, driver in table.devices.items()} == before
