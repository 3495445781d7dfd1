"""Runs the steps of a certification on a rig, and records how it ended."""

import platform
import random
from collections.abc import Callable, Sequence

from feltrig.engine.games import GAMES
from feltrig.harness.devices.failures import DEVICE_FAILURES, Stalled
from feltrig.harness.journal.records import RoundEnded, RunBegun, RunEnded, Trouble
from feltrig.harness.journal.segments import Completed
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import Fixed, OnStep, RunContext, Step, run_segments
from feltrig.harness.plan.conformance.by_profile import by_profile
from feltrig.harness.plan.conformance.step import conformance
from feltrig.harness.plan.drills import segments as drills_of
from feltrig.harness.plan.looking import segments as eyes_of
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import CONFORMANCE, EYE, IRREGULARITIES, STATISTICS
from feltrig.harness.plan.sampling import SampleProgress, SamplingStep
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.prompts import OPERATOR
from feltrig.harness.table.readiness import make_ready
from feltrig.harness.table.rounds import OnProgress, Rounds, Unfit
from feltrig.harness.table.sessions import drilled_kinds, used_kinds
from feltrig.harness.wires.connecting import WiredRig, attended
from feltrig.harness.wires.endpoints import numbers_taken
from feltrig.protocols.errors import WireError

OnSample = Callable[[SampleProgress], None]


class Runner:
    """Plays a rig's rounds. `play` returns when they are played, or when the devices let it go no further."""

    def __init__(
        self,
        rig: Rig,
        wired: WiredRig,
        journal: Journal,
        seed: int,
        on_progress: OnProgress,
        on_step: OnStep = lambda _: None,
    ) -> None:
        self._rig = rig
        self._wired = wired
        self._journal = journal
        self._seed = seed
        self._rounds = Rounds(on_progress)
        self._on_step = on_step

    async def play(self, rounds: int, *, drills: bool = True, done: Sequence[Completed] = ()) -> str:
        """Play the rounds, then the drills, and record how it ended: `finished`, `unfit`, `wire` or `operator`."""
        return await self.go(self.steps(rounds, drills), done)

    def steps(self, rounds: int, drills: bool) -> list[Step]:
        """The rounds, one segment for each session, and the drills, one segment each."""
        parts: list[Step] = [Fixed("rounds", self._rounds.segments(self._rig.game, rounds))]
        if drills:
            parts.append(Fixed(IRREGULARITIES, drills_of(drilled_kinds(self._rig.game))))
        return parts

    def plan_steps(self, order: PlanOrder, on_sample: OnSample) -> list[Step]:
        """The steps of a plan; who the devices are was seen when their wires were opened."""
        plan, device = order.plan, self._rig.devices[order.device]
        after = order.rounds_after(self._rig)
        parts = self.steps(order.rounds(self._rig) - after, drills=False)
        if plan.drills and IRREGULARITIES in plan.steps:
            parts.append(Fixed(IRREGULARITIES, drills_of((plan.kind,))))
            parts.append(Fixed("rounds again", self._rounds.segments(self._rig.game, after, again=True)))
        if EYE in plan.steps and device.emulator is None:
            parts.append(Fixed("eye", eyes_of(plan, device.name)))
        if CONFORMANCE in plan.steps:
            taken, own = numbers_taken(self._rig), device.profile is not None
            parts.append(by_profile(device) if own else conformance(order.plan.kind, device, taken))
        if STATISTICS in plan.steps and plan.sampling is not None:
            hands = attended(self._rig)
            parts.append(SamplingStep(order.plan, order.device, order.sequential, hands, on_sample))
        return parts

    async def go(self, steps: Sequence[Step], done: Sequence[Completed] = ()) -> str:
        """Run the steps of a plan, and record how it ended."""
        reason = "finished"
        self._rounds.played = sum(isinstance(record.body, RoundEnded) for segment in done for record in segment.records)
        context = RunContext(self._rig, self._wired, self._journal, self._seed, random.Random(self._seed))
        try:
            await make_ready(self._rig, self._wired)
            await run_segments(steps, context, done, self._on_step)
            for driver in self._wired.devices.values():
                await driver.look()  # what a device did after it was last asked is evidence too
        except WireError:
            reason = "wire"  # the driver has it on record, with the device's name
        except DEVICE_FAILURES as failure:
            reason = "operator" if failure.device == OPERATOR else "unfit"
            broken = failure.requirements if isinstance(failure, Stalled) else ()
            self._journal.append(Trouble(failure.device, reason, str(failure), broken))
        except Unfit as failure:
            self._journal.append(Trouble(failure.args[0], "unfit", failure.args[1]))
            reason = "unfit"
        self._journal.append(RunEnded(reason, self._rounds.played))
        return reason


def run_record(
    rig: Rig, version: str, seed: int, rounds: int, *, judged: bool = True, plan: PlanOrder | None = None
) -> RunBegun:
    """The first record of a run: what will be played, on which rig, by which program."""
    return RunBegun(
        version=version,
        computer=f"Python {platform.python_version()}, {platform.platform()}",
        rig=rig.name,
        digest=rig.digest,
        source=rig.origin,
        seed=seed,
        rounds=rounds,
        game=rig.game.name,
        jurisdiction=rig.game.jurisdiction,
        deck_size=len(GAMES[rig.game.name].cards),
        uses=tuple(used_kinds(rig.game)),
        drills=tuple(sorted(drilled_kinds(rig.game))) if plan is None else (plan.plan.kind,) * plan.plan.drills,
        judged=judged,
        plan=plan.record() if plan else None,
    )
