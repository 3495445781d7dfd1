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
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import Plan, plans
from feltrig.harness.plan.plan import plan as named
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.sessions import variants

app = group("Show the certification plans.")

ROUND_SECONDS = 90.0
"""About how long a round takes with life-like machines and people."""

Name = Annotated[str, typer.Argument(metavar="PLAN", help="Name of the plan.")]
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
        print(json.dumps({**asdict(plan), "digest": plan.digest, "game": game, "steps": steps}, indent=2))
        return
    console = Console()
    console.print(f"{plan.name}: {plan.title} · level {plan.level:g} · digest {plan.digest[:16]}\n")
    rows = ((s["step"], s["what"], ", ".join(s["clauses"]), s["count"], _long(s["seconds"])) for s in steps)
    console.print(table(("step", "what is done", "why", "how much", "about"), rows))
    console.print(f"\nabout {_long(sum(step['seconds'] for step in steps))} on a real machine")


def steps_of(plan: Plan, config: GameConfig) -> list[dict[str, Any]]:
    """The steps in order, as plain values."""
    game, ways = config.name, len(variants(config))

    def why(*roles: str | None) -> list[str]:
        keys = (GAMES[game].roles.get(role) for role in roles if role)
        cited = (GAMES[game].cite(key, config.jurisdiction) if key else None for key in keys)
        return list(dict.fromkeys(number for number in cited if number))

    checks = [check for kind, check in all_checks() if kind in (None, plan.kind)]
    rounds = plan.rounds * ways
    drills = DEVICES[plan.kind].drills if plan.drills else ()
    played = f"full rounds in {ways} ways; {len(checks)} checks of every record"
    clauses = why(*(check.role for check in checks))
    steps = [
        _step("identity", "compare with what was submitted, salted challenge", [], "once", 1.0),
        _step("rounds", played, clauses, f"{rounds} rounds", rounds * ROUND_SECONDS),
    ]
    steps += [_step("irregularity", drill.name, why(drill.role), "once", 120.0) for drill in drills]
    conformance = "every command in every state that hands can reach, and malformed messages"
    steps.append(_step("conformance", conformance, [], "once", 60.0))
    if plan.sampling is not None:
        sampling = plan.sampling
        named = f", {', '.join(test.name for test in sampling.tests)} among them" if sampling.tests else ""
        what = f"one decision over all tests{named}; sequential on hardware, where a bad machine ends it earlier"
        role = sampler_of(plan).role
        count = f"{sampling.most} {sampling.unit}"
        steps.append(_step("statistics", what, why(role), count, sampling.most * sampling.seconds))
    for limit in plan.limits:
        within = f"{limit.name} within {limit.most:g} {limit.unit}, marginal from {limit.margin * limit.most:g}"
        steps.append(_step("timing", within, [], "every time", 0.0))
    items = len(GAMES[game].checklist)
    steps.append(
        _step("checklist", "the inspector answers, by `feltrig checklist`", [], f"{items} items", items * 30.0)
    )
    return steps


def _step(step: str, what: str, clauses: list[str], count: str, seconds: float) -> dict[str, Any]:
    return {"step": step, "what": what, "clauses": clauses, "count": count, "seconds": seconds}


def _long(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
