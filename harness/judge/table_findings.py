"""What is found of the table: rulings, the rules that the rounds were played by, what an inspector attests, and the
clauses that nothing touched."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Order
from feltrig.engine.table.irregular import Irregularity
from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Asked, Attested, Body, RoundEnded, Ruled, SessionOpened, Told
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.engine_replay import disagreements
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import SHOWN, TABLE, Finding, Verdict, clause_of, clause_served, often

BY_PLAYERS = (Order.WAGER_LOSES, Order.RESET_HANDS, Order.RECUT, Order.OFFER_VOID, Order.LAST_ROUND)
PLAYERS_DOING = {order.value for order in BY_PLAYERS}
"""Orders that follow from how people play, or from the end of a shoe: not an irregularity of a machine."""

BY_CHANCE = {
    Irregularity.DOUBLE_ZERO.why,
    Irregularity.BETWEEN_STOPS.why,
    Irregularity.DIE_FELL_OUT.why,
    Irregularity.NOT_THREE_DICE.why,
    Irregularity.DIE_NOT_FLAT.why,
    Irregularity.LID_BY_ANOTHER.why,
}
"""What a good wheel or a good shaker shows now and then. How often a shaker may is for its own checks."""


def ruling_findings(evidence: Evidence) -> Iterator[Finding]:
    """A ruling that a machine made necessary counts against it, under the clause that orders it. One that no machine
    is known to have caused leaves the run open."""
    by_rule: dict[tuple[str | None, str], list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    told = ""
    for record in evidence.records:
        match record.body:
            case Told(tell=tell):
                told = tell["is"]
            case Ruled(ruling) if ruling["order"] not in PLAYERS_DOING and ruling["why"] not in BY_CHANCE:
                kind = ruling["device"] or next((kind for kind, d in DEVICES.items() if told in d.tells), None)
                name = evidence.name_of(kind) if kind else None
                by_rule[name, ruling["rules"][0]].append((record.seq, ruling))
    for (name, rule), rulings in by_rule.items():
        first = rulings[0][1]
        times = f" ({len(rulings)} times)" if len(rulings) > 1 else ""
        detail, seen = f"{first['why']}: {first['order']}{times}", tuple(seq for seq, _ in rulings)
        verdict, clause = Verdict.FAIL if name else Verdict.NOT_TESTED, clause_of(evidence, rule)
        basis = Basis.SEEN if name else Basis.PLAYED
        yield Finding(evidence.run.game, clause, name or TABLE, "no irregularity", verdict, detail, seen, basis=basis)


def table_findings(evidence: Evidence) -> Iterator[Finding]:
    """The rules that the rounds were played by, and that the settlements follow from the cards."""
    game = evidence.run.game
    cited: dict[str, list[int]] = defaultdict(list)
    for record in evidence.records:
        for rule in _rules_of(record):
            cited[rule].append(record.seq)
    clauses = GAMES[game].clauses
    for rule, numbers in cited.items():
        clause = clauses[rule]
        verdict, detail = Verdict.PASS, often(len(numbers))
        if clause.kind in CONDUCT:
            verdict, detail = Verdict.NOT_TESTED, f"{REASONS[clause.kind]}; the rig did so {detail}"
        if rule == GAMES[game].roles.get("house way"):
            detail = f"{detail}, by the house way {' and '.join(_house_ways(evidence))}"
        number, check, seen = clause_of(evidence, rule), clause.summary.rstrip("."), tuple(numbers[:SHOWN])
        required = clause.kind not in CONDUCT
        yield Finding(game, number, TABLE, check, verdict, detail, seen, required, Basis.PLAYED)
    results = [r.seq for r in evidence.of(RoundEnded)]
    wrong = disagreements(evidence)
    if wrong:
        verdict, detail, seen = Verdict.FAIL, wrong[0].detail, tuple(n for d in wrong for n in d.evidence)
    elif results:
        verdict, detail, seen = Verdict.PASS, f"{len(results)} rounds", tuple(results[:SHOWN])
    else:
        verdict, detail, seen = Verdict.NOT_TESTED, "no round was finished", ()
    check = "results follow from the recorded cards when the engine plays them alone"
    settlement = clause_served(evidence, "settlement")
    yield Finding(game, settlement, TABLE, check, verdict, detail, seen, basis=Basis.PLAYED)


def _house_ways(evidence: Evidence) -> tuple[str, ...]:
    """The house ways of the sessions, by their names, versions and sources."""
    game = GAMES[evidence.run.game]
    named = game.house_way_named or str
    return tuple(dict.fromkeys(named(game.options_of(opened.body.table)) for opened in evidence.of(SessionOpened)))


def attested_findings(evidence: Evidence) -> Iterator[Finding]:
    """What the inspector confirmed. An item that was answered with no is a failure of the table; one that does not
    apply was not confirmed."""
    answered = {record.body.item: record for record in evidence.of(Attested)}
    game = evidence.run.game
    asked = GAMES[game].checklist_of(evidence.run.jurisdiction)
    for key, clause in GAMES[game].clauses.items():
        items = [item for item in clause.items if item in asked]
        records = [answered[item] for item in items if item in answered]
        number = clause_of(evidence, key)
        if number is None or not records or len(records) < len(items):
            continue
        denied = [record for record in records if record.body.answer == "no"]
        confirmed = [record for record in records if record.body.answer == "yes"]
        said = (denied or confirmed or records)[0]
        detail = f"{said.body.inspector}: {said.body.answer} {said.body.note}".rstrip()
        verdict = Verdict.FAIL if denied else Verdict.ATTESTED if confirmed else Verdict.NOT_TESTED
        seen = tuple(record.seq for record in records)
        check = clause.summary.rstrip(".")
        if clause.coverage != "attested":  # other findings are about what the rig or a device does of it
            check = f"{check}, as an inspector saw it"
        yield Finding(game, number, TABLE, check, verdict, detail, seen, required=False)


def _rules_of(record: Record[Body]) -> Iterator[str]:
    """The rules that a record of the round was made by."""
    match record.body:
        case Asked(value) | Ruled(value):
            yield from value["rules"]
        case RoundEnded(result):
            for settled in (*result["settlements"], *([result["bank"]] if result.get("bank") else [])):
                yield from settled["rules"]


CONDUCT = {"procedure", "inspection", "admin"}
"""Kinds of clause that bind people: that the rig's own dealer keeps them says nothing of those at a table."""

REASONS = {
    "definition": "a definition: the rules that use the word apply it",
    "option": "no record of this run cites it",
    "device": "no record of this run cites it",
    "round": "no record of this run cites it",
    "procedure": "conduct of people: needs an inspector",
    "inspection": "needs an inspector",
    "admin": "administration: not testable by a rig",
}
"""Why a clause that nothing touched was not tested, by the kind of clause."""


def untouched(evidence: Evidence, found: Iterable[Finding]) -> Iterator[Finding]:
    """The clauses of the game that no finding is about, each with the reason."""
    touched = {f.clause for f in found}
    game = GAMES[evidence.run.game]
    for key, clause in game.clauses.items():
        number = game.cite(key, evidence.run.jurisdiction)
        if number is not None and number not in touched:
            check, why = clause.summary.rstrip("."), REASONS[clause.kind]
            basis = Basis.PLAYED if clause.coverage in ("played", "not_applicable") else Basis.SEEN
            yield Finding(evidence.run.game, number, TABLE, check, Verdict.NOT_TESTED, why, (), False, basis)
