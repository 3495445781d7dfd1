"""Runs the rounds of a rig: asks of the engine go to the dealer, what is seen goes back, all of it in the journal."""

import platform
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, Order, Ruling
from feltrig.engine.table.round import Round
from feltrig.engine.table.table import Table
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.failures import DEVICE_FAILURES
from feltrig.harness.journal.journal import Journal
from feltrig.harness.journal.plain import to_record
from feltrig.harness.journal.segments import Completed
from feltrig.harness.plan.checkpoints import Fixed, RunContext, Segment, Step, run_segments
from feltrig.harness.plan.conformance.step import conformance
from feltrig.harness.plan.drills import hold
from feltrig.harness.plan.plan import Plan
from feltrig.harness.plan.sampling import SampleProgress, SamplingStep
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.dealer import Dealer
from feltrig.harness.table.players import players as players_of
from feltrig.harness.table.sessions import (
    Session,
    drilled_kinds,
    session_record,
    sessions,
    used_kinds,
    variants,
)
from feltrig.harness.table.technician import OPERATOR
from feltrig.harness.wires.connecting import WiredRig, attended
from feltrig.harness.wires.endpoints import numbers_taken
from feltrig.protocols.errors import WireError
from feltrig.protocols.vocabulary import State

ENOUGH = 5
"""A device that needs this many rulings in one round is unfit: playing on would show nothing new."""


TOO_MANY = 40
"""No round of people who mean to play needs so many rulings."""


class Unfit(Exception):
    """A device fails again and again, or fails where the rules give no remedy: the rounds cannot go on."""


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """Told after every round."""

    done: int
    total: int
    variant: str
    void: bool


OnProgress = Callable[[RoundProgress], None]
OnSample = Callable[[SampleProgress], None]


@dataclass(frozen=True, slots=True)
class PlanOrder:
    """A plan, and the device that is judged by it."""

    plan: Plan
    device: str
    sequential: bool

    def rounds(self, rig: Rig) -> int:
        """How many rounds are played in all."""
        return self.plan.rounds * len(variants(rig.game))

    def record(self) -> dict[str, Any]:
        """As the first record of a run has it."""
        return {"plan": asdict(self.plan), "device": self.device, "sequential": self.sequential}


def plan_order(rig: Rig, plan: Plan, device: str | None = None, sequential: bool | None = None) -> PlanOrder:
    """A plan for the device that is named, or for the only one of its kind; sequential on hardware, unless it is said.
    Raises RigError when the rig has no such device, the game no use for it, or the plan asks for other rules."""
    judged = rig.device(plan.kind) if device is None else rig.devices.get(device)
    if judged is None:
        wanted = f"plan {plan.name}: needs a {plan.kind}" if device is None else f"device {device}: not there"
        raise RigError(f"{rig.source}: {wanted}; there are {', '.join(rig.devices)}")
    if judged.kind != plan.kind:
        raise RigError(f"{rig.source}: device {device}: is a {judged.kind}, not a {plan.kind} as in plan {plan.name}")
    if judged.kind not in used_kinds(rig.game):
        raise RigError(f"{rig.source}: plan {plan.name}: the game as chosen has no use for the {judged.kind}")
    if plan.jurisdiction not in (None, rig.game.jurisdiction):
        raise RigError(
            f"{rig.source}: game.jurisdiction: the rules of {rig.game.jurisdiction} are not those of plan {plan.name}: "
            f"expected {plan.jurisdiction}"
        )
    if plan.drills and judged.kind not in drilled_kinds(rig.game):
        raise RigError(
            f"{rig.source}: game.{DEVICES[judged.kind].drills_need}: false, and plan {plan.name} has irregularities "
            "that only a machine which counts can report"
        )
    return PlanOrder(plan, judged.name, judged.emulator is None if sequential is None else sequential)


class Runner:
    """Plays a rig's rounds. `play` returns when they are played, or when the devices let it go no further."""

    def __init__(self, rig: Rig, wired: WiredRig, journal: Journal, seed: int, on_progress: OnProgress) -> None:
        self._rig = rig
        self._wired = wired
        self._journal = journal
        self._seed = seed
        self._on_progress = on_progress
        self._played = 0

    async def play(self, rounds: int, *, drills: bool = True, done: Sequence[Completed] = ()) -> str:
        """Play the rounds, then the drills, and record how it ended: `finished`, `unfit`, `wire` or `operator`."""
        return await self.go(self.steps(rounds, drills), done)

    def steps(self, rounds: int, drills: bool) -> list[Step]:
        """The rounds, one segment for each session, and the drills, one segment each."""
        parts: list[Step] = [Fixed("rounds", self._rounds(rounds))]
        if drills:
            parts.append(Fixed("drills", self._drills()))
        return parts

    def plan_steps(self, order: PlanOrder, on_sample: OnSample) -> list[Step]:
        """The steps of a plan; who the devices are was seen when their wires were opened."""
        parts = self.steps(order.rounds(self._rig), order.plan.drills)
        device = self._rig.devices[order.device]
        if device.profile is None:
            parts.append(conformance(order.plan.kind, device, numbers_taken(self._rig)))
        if order.plan.sampling is not None:
            hands = attended(self._rig)
            parts.append(SamplingStep(order.plan, order.device, order.sequential, hands, on_sample))
        return parts

    async def go(self, steps: Sequence[Step], done: Sequence[Completed] = ()) -> str:
        """Run the steps of a plan, and record how it ended."""
        reason = "finished"
        self._played = sum(record.kind == "result" for segment in done for record in segment.records)
        context = RunContext(self._rig, self._wired, self._journal, self._seed, random.Random(self._seed))
        try:
            await self._make_ready()
            await run_segments(steps, context, done)
            for driver in self._wired.devices.values():
                await driver.look()  # what a device did after it was last asked is evidence too
        except WireError:
            reason = "wire"  # the driver has it on record, with the device's name
        except DEVICE_FAILURES as failure:
            reason = "operator" if failure.device == OPERATOR else "unfit"
            self._journal.append("trouble", {"device": failure.device, "what": reason, "detail": str(failure)})
        except Unfit as failure:
            self._journal.append("trouble", {"device": failure.args[0], "what": "unfit", "detail": failure.args[1]})
            reason = "unfit"
        self._journal.append("end", {"reason": reason, "rounds": self._played})
        return reason

    async def _make_ready(self) -> None:
        """A real device may have been left in the middle of something, by a run that was broken off or by somebody."""
        for kind in used_kinds(self._rig.game):
            device, driver = self._rig.device(kind), self._wired.devices.get(kind)
            if device is None or device.profile is not None or driver is None or driver.found is None:
                continue
            state = driver.found.state
            if state is State.BUSY:
                state = (await driver.rest()).state
            if state is State.FAULT:
                if DEVICES[kind].handles_cards:
                    await self._wired.operator.clear(kind)
                await driver.perform("reset", "cleared")
            if (restore := DEVICES[kind].restore) is not None:
                telling = (*restore.after, restore.done)
                past = [event.name for event in await driver.past() if event.name in telling]
                if past and past[-1] in restore.after:
                    await driver.perform(restore.command, restore.done)

    def _rounds(self, rounds: int) -> Iterator[Segment]:
        for number, session in enumerate(sessions(self._rig.game, rounds), start=1):
            record = session_record(self._rig.game, session)
            run = partial(self._play_session, session=session, record=record, total=rounds)
            yield Segment(f"rounds {number}", record, run)

    def _drills(self) -> Iterator[Segment]:
        drilled = drilled_kinds(self._rig.game)
        for kind in (kind for kind in DEVICES if kind in drilled):
            for drill in DEVICES[kind].drills:
                run = partial(_hold, kind, drill)
                yield Segment(f"drill: {drill.name}", {"drill": drill.name, "kind": kind}, run)

    async def _play_session(self, context: RunContext, *, session: Session, record: dict[str, Any], total: int) -> None:
        self._journal.append("session", record)
        game = GAMES[self._rig.game.name]
        players = players_of(self._rig.game, record, context.rng)
        uses = session.variant.uses
        dealer = Dealer(self._wired.devices, uses, self._wired.operator, players, self._journal, record)
        table = game.table(record)
        self._wired.use_cards(game.cards_of(record))
        for deck in record["decks"]:
            await self._wired.operator.bring_deck(deck)
        await self._wired.operator.place_button(table.button)
        for _ in range(session.rounds):
            wagers = players.wagers()
            round_ = table.open_round(wagers)
            self._played += 1
            self._journal.append("round", {"number": self._played, "wagers": game.wagers_to_record(wagers)})
            dealer.wagers = wagers
            await self._play_round(table, round_, dealer)
            await self._wired.operator.place_button(table.button)
            self._journal.sync()
            void = round_.result is not None and round_.result.void
            self._on_progress(RoundProgress(self._played, total, str(session.variant), void))
        await dealer.put_away(record["decks"])

    async def _play_round(self, table: Table, round_: Round, dealer: Dealer) -> None:
        against: Counter[str | None] = Counter()
        while (ask := round_.ask) is not None:
            for noticed in dealer.notices(ask):
                self._journal.append("tell", to_record(noticed))
                for ruling in round_.tell(noticed):
                    self._journal.append("ruling", to_record(ruling))
            self._journal.append("ask", to_record(ask))
            told = await dealer.fulfil(ask)
            self._journal.append("tell", to_record(told))
            try:
                rulings = round_.tell(told)
            except Illegal as refusal:
                self._journal.append("illegal", {"why": refusal.why, "rules": list(refusal.rules)})
                told = dealer.instead(ask)
                self._journal.append("tell", to_record(told))
                rulings = round_.tell(told)
            for ruling in rulings:
                self._journal.append("ruling", to_record(ruling))
                self._count(ruling, against)
                if ruling.order is Order.MOVE_BUTTON:
                    await self._wired.operator.place_button(table.button)
        self._journal.append("result", {"result": to_record(round_.result)})

    def _count(self, ruling: Ruling, against: Counter[str | None]) -> None:
        against[ruling.device] += 1
        if ruling.device is not None and against[ruling.device] >= ENOUGH:
            name = self._wired.devices[ruling.device].name
            raise Unfit(name, f"{ENOUGH} rulings in one round, the last: {ruling.why}")
        if against.total() >= TOO_MANY:
            raise Unfit("table", f"{TOO_MANY} rulings in one round, the last: {ruling.why}")


async def _hold(kind: str, drill: Drill, context: RunContext) -> None:
    context.wired.use_cards(GAMES[context.rig.game.name].cards)
    await hold(context.hands(kind), context.journal, drill)


def run_record(rig: Rig, version: str, seed: int, rounds: int) -> dict[str, Any]:
    """The first record of a run: what will be played, on which rig, by which program."""
    return {
        "version": version,
        "computer": f"Python {platform.python_version()}, {platform.platform()}",
        "rig": rig.name,
        "digest": rig.digest,
        "source": rig.origin,
        "seed": seed,
        "rounds": rounds,
        "game": rig.game.name,
        "jurisdiction": rig.game.jurisdiction,
        "deck_size": len(GAMES[rig.game.name].cards),
        "uses": used_kinds(rig.game),
        "drills": sorted(drilled_kinds(rig.game)),
    }
