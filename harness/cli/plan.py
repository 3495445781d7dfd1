"""`feltrig plan`: what a certification will do, why, with how many samples and about how long."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from feltrig.engine.games import GAMES
from feltrig.harness.cli.console import Console, show_table, table
from feltrig.harness.cli.parameters import Json, group
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.decision import sampler_of
from feltrig.harness.plan.effort import drill_prompts, sample_prompts, sample_seconds
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import CONFORMANCE, EYE, IRREGULARITIES, ROUNDS, STATISTICS, Plan, plans
from feltrig.harness.plan.planfile import plan as named
from feltrig.harness.plan.shortened import shortened
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.sessions import variants

app = group("Show the certification plans.")

LOOK_SECONDS = 15.0
"""About how long it takes a person to read something off a machine."""
ROUND_SECONDS = 90.0
"""About how long a round takes with life-like machines and people."""

Name = Annotated[str, typer.Argument(metavar="PLAN", help="Name of the plan, or a .toml file of yours.")]
Game = Annotated[str, typer.Option("--game", metavar="GAME", help="The game that the device will serve.")]


@app.command("list")
def list_plans(as_json: Json = False) -> None:
    """List the plans."""
    rows = (
        (p.name, p.title, f"{p.level:g}", f"{p.sampling.most} {p.sampling.unit}" if p.sampling else "none")
        for p in plans().values()
    )
    plain = [{**asdict(plan), "digest": plan.digest} for plan in plans().values()]
    show_table(table(("plan", "what for", "level", "samples"), rows), plain, as_json)


@app.command("show")
def show(name: Name, game: Game = "supreme_pai_gow", as_json: Json = False) -> None:
    """Show the steps of a plan, their reasons and about how long they take."""
    plan = named(name)
    rig = rigfile.embedded(game, plan.jurisdiction)
    plan_order(rig, plan)  # a game that has no use for the device is refused here as there
    steps = steps_of(plan, rig.game)
    if as_json:
        told = {"digest": plan.digest, "game": game, "shortened": shortened(plan), "steps": steps}
        print(json.dumps({**asdict(plan), **told}, indent=2))
        return
    console = Console()
    console.print(f"{plan.name}: {plan.title} · level {plan.level:g} · digest {plan.digest[:16]}\n")
    rows = ((s["step"], s["what"], ", ".join(s["clauses"]), s["count"], _long(s["seconds"])) for s in steps)
    console.print(table(("step", "what is done", "why", "how much", "about"), rows))
    least = f"least numbers, whatever the rig file names: {plan.least_rounds} rounds in all"
    least += "".join(f", {event} {number} times" for event, number in plan.least)
    console.print(f"\n{least}", highlight=False)
    for need in plan.needs.words:
        console.print(f"needed for a certificate of a physical machine: {need}", highlight=False)
    for less in shortened(plan):
        console.print(f"a rehearsal, because it asks less than {plan.base}: {less}", style="yellow", highlight=False)
    prompts = sum(step["prompts"] for step in steps)
    about = _long(sum(step["seconds"] for step in steps))
    console.print(f"about {about} on a real machine; {prompts} prompts, and those of the rounds", highlight=False)


def steps_of(plan: Plan, config: GameConfig) -> list[dict[str, Any]]:
    """The steps in order, as plain values."""
    game, ways = config.name, len(variants(config))

    def why(*roles: str | None) -> list[str]:
        keys = (GAMES[game].roles.get(role) for role in roles if role)
        cited = (GAMES[game].cite(key, config.jurisdiction) if key else None for key in keys)
        return list(dict.fromkeys(number for number in cited if number))

    checks = [check for kind, check in all_checks() if kind in (None, plan.kind)]
    rounds = max(plan.rounds * ways, plan.least_rounds)
    drills = DEVICES[plan.kind].drills if plan.drills and IRREGULARITIES in plan.steps else ()
    played = f"full rounds in {ways} ways; {len(checks)} checks of every record"
    clauses = why(*(check.role for check in checks))
    steps = [
        _step("identity", "compare with what was submitted, salted challenge", [], "once", 1.0),
    ]
    if ROUNDS in plan.steps:
        steps.append(_step("rounds", played, clauses, f"{rounds} rounds", rounds * ROUND_SECONDS))
    for drill in drills:
        prompts = drill_prompts(DEVICES[plan.kind], drill)
        steps.append(_step("irregularity", drill.name, why(drill.role), "once", 120.0, prompts))
    if EYE in plan.steps:
        for eye in (eye for eye in DEVICES[plan.kind].eyes if eye.name in plan.needs.eye):
            looks = plan.needs.looks
            what = f"a person reads off its {eye.name}; not of an emulated device"
            steps.append(_step("eye", what, why(eye.role), f"{looks} times", looks * LOOK_SECONDS, looks))
    if CONFORMANCE in plan.steps:
        conformance = "every command in every state that hands can reach, and malformed messages"
        steps.append(_step("conformance", conformance, [], "once", 60.0))
    if STATISTICS in plan.steps and plan.sampling is not None:
        sampling = plan.sampling
        named = f", {', '.join(test.name for test in sampling.tests)} among them" if sampling.tests else ""
        what = f"one decision over all tests{named}; sequential on hardware, where a bad machine ends it earlier"
        role = sampler_of(plan).role
        count = f"{sampling.most} {sampling.unit}"
        prompts = sample_prompts(sampling)
        steps.append(_step("statistics", what, why(role), count, sample_seconds(sampling), prompts))
    for limit in plan.limits:
        within = f"{limit.name} within {limit.most:g} {limit.unit}, marginal from {limit.margin * limit.most:g}"
        steps.append(_step("timing", within, [], "every time", 0.0))
    items = len(GAMES[game].checklist_of(config.jurisdiction))
    steps.append(
        _step("checklist", "the inspector answers, by `feltrig checklist`", [], f"{items} items", items * 30.0)
    )
    return steps


def _step(step: str, what: str, clauses: list[str], count: str, seconds: float, prompts: int = 0) -> dict[str, Any]:
    return {
        "step": step,
        "what": what,
        "clauses": clauses,
        "count": count,
        "seconds": seconds,
        "prompts": prompts,
    }


def _long(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
