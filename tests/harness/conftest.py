"""Devices without a wire, journals written by hand, and one run that was really played."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from time import monotonic
from typing import Any, get_origin, get_type_hints

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from laboratories import certified_shoe, new_laboratory, private
from rigs import nobody

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.setup import Setup
from feltrig.engine.cards import deck
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import KINDS, Body, EventSeen
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.laboratory.signing import Laboratory
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run
from feltrig.harness.table.bench_machines import BenchMachines, EmulatedMachine
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.driver import Driver
from feltrig.harness.table.technician import Technician
from feltrig.protocols.errors import NoAnswer
from feltrig.protocols.messages import Channel, EventBatch, Reply, Request

CODES = deck(jokers=2)


def body_of(kind: str, /, **data: Any) -> Body:
    """A record of a kind, with what does not matter to the test left blank."""
    hints = get_type_hints(KINDS[kind])
    needed = [f.name for f in fields(KINDS[kind]) if f.default is MISSING] if KINDS[kind].WHOLE is None else []
    blank = {str: "", int: 0, float: 0.0, bool: False, tuple: [], Mapping: {}}
    filled = {name: blank.get(get_origin(hints[name]) or hints[name]) for name in needed}
    return from_plain(kind, json.loads(json.dumps(filled | data)))


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return new_laboratory(tmp_path_factory.mktemp("laboratory"))


@pytest.fixture(scope="session")
def key(laboratory: Laboratory) -> Ed25519PrivateKey:
    return private(laboratory)


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory, laboratory: Laboratory) -> Path:
    """A run of a shoe with its certificate."""
    return certified_shoe(tmp_path_factory.mktemp("sealed"), laboratory)


@pytest.fixture
def body() -> Callable[..., Body]:
    return body_of


class Log:
    """A journal written by hand: what is added gets the next number, which is returned."""

    def __init__(self, records: Iterable[Record[Body]] = ()) -> None:
        self.records = list(records)

    def add(self, kind: str, /, **data: Any) -> int:
        return self.put(0.0, body_of(kind, **data))

    def put(self, moment: float, body: Body) -> int:
        seq = len(self.records) + 1
        self.records.append(Record(seq, "", moment, body))
        return seq

    def event(self, device: str, event: str, **values: Any) -> int:
        number = 1 + sum(isinstance(r.body, EventSeen) and r.device == device for r in self.records)
        return self.add("event", device=device, number=number, event=event, values=values)

    def call(self, device: str, command: str, **values: Any) -> int:
        return self.add("call", device=device, command=command, values=values)

    def reply(self, device: str, command: str, error: str = "ok", **values: Any) -> int:
        return self.add("reply", device=device, command=command, error=error, values=values)

    def read(self, what: str, cards: Iterable[int], face_up: Iterable[int] = (), deck: str = "red") -> int:
        return self.add("read", what=what, deck=deck, cards=list(cards), face_up=list(face_up))

    def tell(self, name: str, **data: Any) -> int:
        return self.add("tell", **{"is": name, **data})

    def device(self, name: str, kind: str = "", submitted: Mapping[str, str] = {}, /, **identity: str) -> int:
        said = {"kind": kind or name, "vendor": "Acme", "model": "M", "serial": "7", "firmware": "1.0", "digest": "00"}
        where = {"wire": "serial", "where": "/dev/ttyS1", "emulated": False, "looks": ["memory"]}
        known = {"identity": said | identity, "submitted": dict(submitted)}
        return self.add("device", name=name, kind=kind or name, **where, **known)

    def run(
        self,
        *uses: str,
        jurisdiction: str = "NJ",
        drills: Iterable[str] = (),
        plan: Mapping[str, Any] | None = None,
    ) -> int:
        chosen = {"game": "supreme_pai_gow", "jurisdiction": jurisdiction, "deck_size": 54, "uses": list(uses)}
        chosen |= {"drills": list(drills), "plan": plan}
        return self.add("run", version="0.1.0", rig="test", digest="ff", seed=1, rounds=1, **chosen)

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.records)


@pytest.fixture
def log() -> Log:
    return Log()


class Direct:
    """A channel straight into a model of a device, which hands out its events a few at a time. Its clock stands."""

    def __init__(self, machine: Device[Any], most: int) -> None:
        self.machine = machine
        self.closed = False
        self._most = most

    async def open(self) -> None:
        self.closed = False

    async def close(self) -> None:
        self.closed = True

    async def request(self, request: Request) -> Reply:
        reply = self.machine.handle(request, 0.0)
        if self.machine.board.off:
            raise NoAnswer(f"{self.machine.board.name}: no answer")
        return reply

    async def events(self, after: int) -> EventBatch:
        return self.machine.events(after, 0.0, self._most)

    async def idle(self, seconds: float) -> None:
        await asyncio.sleep(0)


@dataclass(frozen=True)
class Felt:
    """A bench, a model of every kind of device, a driver of each, and an operator; nothing between them is a wire."""

    bench: Bench
    machines: Mapping[str, Device[Any]]
    devices: Mapping[str, Driver]
    operator: BenchOperator
    journal: Journal

    def noted(self, kind: str) -> list[Mapping[str, Any]]:
        """What the journal has of a kind."""
        self.journal.flush()
        return [record.data for record in journals.read(self.journal.path).records if record.kind == kind]


@pytest.fixture
def journal(tmp_path: Path) -> Iterable[Journal]:
    with Journal(tmp_path / "journal.jsonl") as opened:
        yield opened


@pytest.fixture
async def nothing_left(journal: Journal) -> AsyncIterator[None]:
    """Whatever the test opened or started is closed and done when it ends."""
    before = _left()
    yield
    assert _left() == before


@pytest.fixture
def closed_again() -> Callable[[], AbstractAsyncContextManager[None]]:
    """A context after which everything that was opened or started in it ends, once the other side has noticed."""

    @asynccontextmanager
    async def watch() -> AsyncIterator[None]:
        before = _left()
        yield
        for _ in range(2000):
            if _left() == before:
                return
            await asyncio.sleep(0.001)
        assert _left() == before

    return watch


def _left() -> tuple[list[Path], set[asyncio.Task[Any]]]:
    """The open file descriptors, and the tasks other than this one."""
    current = asyncio.current_task()
    return sorted(Path("/proc/self/fd").iterdir()), {task for task in asyncio.all_tasks() if task is not current}


MakeFelt = Callable[..., Felt]


@pytest.fixture
def felt(journal: Journal) -> MakeFelt:
    """Makes a felt: `faults` by kind of device, `slow` for those that never end what they do."""

    def make(
        faults: Mapping[str, Fault] = {},
        slow: Iterable[str] = (),
        patience: float = 5.0,
        batch: int = 32,
        seed: int = 1,
        live: Callable[[Device[Any]], Channel] | None = None,
    ) -> Felt:
        bench = Bench()
        machines = {}
        for kind, model in MODELS.items():
            strikes = (faults[kind],) if kind in faults else ()
            machines[kind] = model.build(Setup(kind, 1, float(kind in slow), strikes, bench=bench, decks=2))
        channels = {k: live(m) if live else Direct(m, batch) for k, m in machines.items()}
        devices = {k: Driver(k, m.kind, channels[k], journal, patience) for k, m in machines.items()}
        at_hand = BenchMachines(
            bench, {k: EmulatedMachine(m, m) for k, m in machines.items()}, monotonic if live else lambda: 0.0
        )
        operator = BenchOperator(at_hand, CODES, {}, random.Random(1), Technician(nobody))
        return Felt(bench, machines, devices, operator, journal)

    return make


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record[Body], ...]:
    """The records of a run on the embedded rig: two rounds with dice, two with the generator, all devices good."""

    embedded = rigfile.embedded()
    rig = replace(
        embedded, game=replace(embedded.game, start=("dice", "rng"), deal=("automated_shoe",), bank=("none",))
    )
    finished = asyncio.run(run(rig, 4, 1, tmp_path_factory.mktemp("runs"), lambda _: None, nobody))
    return journals.read(finished.folder / "journal.jsonl").records


@pytest.fixture
def drill(log):
    """A run with one shuffler that is to be drilled, and the drill of the missing card begun."""
    log.run("shuffler", drills=["shuffler"])
    log.device("mixer", "shuffler")
    log.add("drill", name="reports a missing card", device="mixer")
    return log


@pytest.fixture(scope="session")
def judged_run(tmp_path_factory):
    """One round and the drills of the embedded rig."""
    out = tmp_path_factory.mktemp("runs")
    return asyncio.run(run(rigfile.embedded(), 1, 1, out, lambda _: None, nobody)).folder
