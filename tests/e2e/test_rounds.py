"""Full rounds in every way to start, deal and bank: no failed finding, no card lost, money exact."""

import json
import os
from dataclasses import replace
from fractions import Fraction

import pytest

from feltrig.engine.cards import deck, names
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import BytesPassed, RoundBegun, RoundEnded
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict

DEALS = ("automated_shoe", "manual_shoe", "hand")
BANKS = ("none", "player", "co_bank")
WIRE_OF = dict(zip(DEALS, ("modbus-tcp", "serial", "modbus-rtu"), strict=True))
EACH = int(os.environ.get("FELTRIG_ROUNDS_EACH", "12"))
"""Rounds of each of the 21 ways to start, deal and bank; `FELTRIG_ROUNDS_EACH=48` plays a thousand in all."""
ROUNDS = {"automated_shoe": 9 * EACH, "manual_shoe": 6 * EACH, "hand": 6 * EACH}
CHECKED_ALONE = "results follow from the recorded cards when the engine plays them alone"


@pytest.mark.parametrize("deal", DEALS)
async def test_every_way_to_start_and_bank_is_played_without_a_failed_finding(make_rig, play, deal):
    starts = ("dice", "rng", "button") if deal == "automated_shoe" else ("dice", "rng")
    rig = make_rig(WIRE_OF[deal], start=starts, deal=(deal,), bank=BANKS)
    finished = await play(rig, ROUNDS[deal])

    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []
    assert finished.verdict["verdict"] == "no failure seen"
    assert finished.verdict["rounds"] == {"asked": ROUNDS[deal], "played": ROUNDS[deal], "void": 0}
    alone = next(f for f in finished.findings if f.check == CHECKED_ALONE)
    assert (alone.verdict, alone.detail) == (Verdict.PASS, f"{ROUNDS[deal]} rounds")

    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    tables = [opened.table for opened in evidence.sessions]
    ways = {(t["options"]["start"], t["house"]["deal"], _bank(t["options"])) for t in tables}
    assert ways == {(start, deal, bank) for start in starts for bank in BANKS}
    banked = [r for r in evidence.of(RoundEnded) if r.data["result"]["bank"] is not None]
    assert len(banked) > ROUNDS[deal] / 3
    for round_ in evidence.rounds:
        _no_card_is_lost_or_doubled(round_.records)
        _what_the_players_lose_the_house_and_the_bank_win(round_.result.data["result"])


def _bank(options):
    return "co_bank" if options["co_banking"] else "player" if options["banking"] else "none"


@pytest.mark.parametrize("wire", ["serial", "modbus-rtu", "modbus-tcp", "modbus-tls", "mqtt-3.1.1", "mqtt-5"])
async def test_every_device_plays_on_every_wire(make_rig, play, wire):
    rig = make_rig(wire, start=("dice", "rng", "button"), bank=("none", "player"), decks=2)
    finished = await play(rig, 12)
    assert finished.verdict["verdict"] == "no failure seen"
    assert {d["verdict"] for d in finished.verdict["devices"].values()} == {"no failure seen", "not under test"}


async def test_massachusetts_cites_its_own_sections(make_rig, play):
    finished = await play(make_rig(jurisdiction="MA"), 2)
    assert finished.verdict["verdict"] == "no failure seen"
    cited = {f.clause for f in finished.findings if f.clause}
    assert "MA SPG 8(e)" in cited
    assert all(clause.startswith("MA SPG ") for clause in cited)


async def test_a_deck_shuffled_by_hand_is_cut_before_it_is_dealt(make_rig, play):
    """34.6(b)2."""
    finished = await play(make_rig(machine_shuffle=False, deal=("manual_shoe",)), 6)
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    assert finished.verdict["verdict"] == "no failure seen"
    for round_ in evidence.rounds:
        told = [r.data["is"] for r in round_.records if r.kind == "tell"]
        assert told.index("Shuffled") < told.index("DeckCut") < told.index("CardDealt")


async def test_a_shuffler_that_feeds_the_shoe_is_certified(make_rig, play):
    finished = await play(make_rig(decks=2, extra={"shuffler": 'feeds = "shoe"'}), 6)
    assert finished.verdict["verdict"] == "no failure seen"


async def test_the_same_seed_plays_the_same_rounds(make_rig, play):
    rig = make_rig(bank=("player",))
    results = []
    for _ in range(2):
        finished = await play(rig, 4)
        evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
        results.append([json.dumps(r.data) for r in evidence.of(RoundEnded)])
    assert results[0] == results[1]


async def test_every_byte_of_every_wire_is_in_the_journal(make_rig, play):
    finished = await play(make_rig("mqtt-5"), 1)
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    for device in ("shaker", "shuffler", "shoe", "reader"):
        for outgoing in (True, False):
            assert any(r.data["outgoing"] is outgoing and r.data["bytes"] for r in evidence.of(BytesPassed, device))


def _no_card_is_lost_or_doubled(records):
    """Hands, stub and discards of a round are one deck."""
    seen = [
        card
        for record in records
        if record.kind == "tell"
        for card in {
            "StackDispensed": lambda d: d["cards"],
            "CardDealt": lambda d: [d["card"]],
            "StubRacked": lambda d: d["cards"],
        }.get(record.data["is"], lambda d: [])(record.data)
    ]
    assert sorted(seen) == sorted(names(deck(jokers=2)))


async def test_more_players_than_the_game_has_seats_are_as_many_as_it_has(make_rig, play):
    rig = make_rig()
    finished = await play(replace(rig, game=replace(rig.game, players=8)), 3)
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    assert {seat for record in evidence.of(RoundBegun) for seat in record.data["wagers"]} <= {
        str(n) for n in range(1, 7)
    }
    assert finished.verdict["rounds"]["played"] == 3


def _what_the_players_lose_the_house_and_the_bank_win(result):
    """A settlement names every party's net, and in a banked round the main wagers sum to zero with the vigorish."""
    bank = result["bank"]
    if bank is None:
        return
    players = sum(Fraction(s["main_net"]) for s in result["settlements"])
    vigorish = sum(Fraction(v) for v in bank["player_vigorish"].values()) + Fraction(bank["bank_vigorish"])
    others = sum(Fraction(bank[party] or 0) for party in ("bank_net", "dealer_wager_net", "house_share_net"))
    assert players + others + vigorish == 0
