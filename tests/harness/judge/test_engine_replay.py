"""A run played again from its journal: whatever was altered in it after it was written is noticed."""

from dataclasses import replace

import pytest

from feltrig.engine.table.wagers import wagers_from_record
from feltrig.harness.journal.records import Told
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.engine_replay import disagreements
from feltrig.harness.judge.evidence import Evidence


def altered(records, kind, change, nth=0, told=None):
    """The records with the data of the nth of a kind changed; returns its number, too."""
    wanted = [r for r in records if r.kind == kind and (told is None or r.data["is"] == told)]
    target = wanted[nth]
    body = from_plain(kind, change(dict(target.data)))
    return [replace(r, body=body) if r.seq == target.seq else r for r in records], target.seq


def test_a_run_as_it_was_written_agrees_with_the_engine(played):
    assert disagreements(Evidence(played)) == []


@pytest.mark.parametrize("nth", range(4))
def test_an_altered_result_is_noticed_in_its_own_round(played, nth):
    def richer(data):
        result = dict(data["result"])
        first, *others = result["settlements"]
        result["settlements"] = [first | {"main_net": first["main_net"] + 1}, *others]
        return {"result": result}

    records, seq = altered(played, "result", richer, nth)
    (found,) = disagreements(Evidence(records))
    assert found.evidence == (seq,)
    assert found.detail == f"round {nth + 1}: the engine alone comes to another result"


def test_each_session_is_played_at_a_table_of_its_own(played):
    records = played
    for nth in (0, 3):
        records, _ = altered(records, "result", lambda data: {"result": data["result"] | {"void": True}}, nth)
    assert [found.detail[:8] for found in disagreements(Evidence(records))] == ["round 1:", "round 4:"]


def test_an_altered_card_is_noticed(played):
    """Two cards of two stacks change places: the deck is still whole, the hands are others."""
    first, second = [r for r in played if r.kind == "tell" and r.data["is"] == "StackDispensed"][:2]
    mine, theirs = list(first.data["cards"]), list(second.data["cards"])
    mine[0], theirs[0] = theirs[0], mine[0]
    swapped = {first.seq: mine, second.seq: theirs}
    records = [replace(r, body=Told(r.data | {"cards": swapped[r.seq]})) if r.seq in swapped else r for r in played]
    found = disagreements(Evidence(records))
    assert [d.detail[:8] for d in found] == ["round 1:"]


def test_a_card_that_appears_twice_is_noticed(played):
    records, _ = altered(
        played, "tell", lambda data: data | {"cards": [data["cards"][1], *data["cards"][1:]]}, told="StackDispensed"
    )
    assert disagreements(Evidence(records))


def test_an_altered_roll_is_noticed(played):
    def rolled_on(data):
        dice = [die % 6 + 1 for die in data["dice"][:1]] + data["dice"][1:]
        return data | {"dice": dice, "announced": sum(dice)}

    records, _ = altered(played, "tell", rolled_on, told="DiceRolled")
    assert disagreements(Evidence(records))


def test_a_missing_observation_is_noticed_where_the_next_does_not_fit(played):
    lost = next(r for r in played if r.kind == "tell" and r.data["is"] == "NoMoreBets")
    after = next(r for r in played if r.kind == "tell" and r.seq > lost.seq)
    (found,) = disagreements(Evidence([r for r in played if r is not lost]))
    assert found.evidence == (after.seq,)
    assert found.detail.startswith("round 1: ")


def test_a_round_without_its_last_observation_does_not_end(played):
    lost = next(r for r in played if r.kind == "tell" and r.data["is"] == "CardsCollected")
    (found,) = disagreements(Evidence([r for r in played if r is not lost]))
    assert found.detail == "round 1: the recorded observations do not end the round"


def test_an_altered_wager_is_noticed(played):
    def doubled(data):
        return data | {"wagers": {seat: w | {"main": 2 * w["main"]} for seat, w in data["wagers"].items()}}

    records, _ = altered(played, "round", doubled)
    (found,) = disagreements(Evidence(records))
    assert found.detail == "round 1: the engine alone comes to another result"


def test_a_wager_that_the_rules_forbid_is_noticed(played):
    def below_the_minimum(data):
        return data | {"wagers": {seat: w | {"main": 1} for seat, w in data["wagers"].items()}}

    records, seq = altered(played, "round", below_the_minimum)
    (found,) = disagreements(Evidence(records))
    assert found.evidence == (seq,)
    assert found.detail.startswith("round 1: seat 1: wager of 1")


def test_a_round_that_was_cut_off_is_not_compared(played):
    results = [r for r in played if r.kind == "result"]
    assert disagreements(Evidence([r for r in played if r.seq < results[-1].seq])) == []


def test_wagers_come_back_as_they_were_staked():
    plain = {"wagers": {"3": {"main": 2500, "bonus": 500}}}
    assert wagers_from_record(plain["wagers"]) == {3: {"main": 2500, "bonus": 500}}
