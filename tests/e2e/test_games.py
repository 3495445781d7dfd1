"""Every game on the embedded rig, in every way that the rig can play it: good devices, no failed finding, no ruling."""

import os
from dataclasses import replace

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import from_plain
from feltrig.engine.table.house import House
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import Ruled
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.table.sessions import Session, session_record, used_kinds, variants

EACH = int(os.environ.get("FELTRIG_ROUNDS_EACH", "1"))
"""Rounds of each game, but at least one of each way; `FELTRIG_ROUNDS_EACH=1000` plays a thousand of every game."""
CHECKED_ALONE = "results follow from the recorded cards when the engine plays them alone"


@pytest.mark.parametrize("game", GAMES)
async def test_every_way_to_play_ends_without_a_failed_finding_or_a_ruling_against_a_device(play, game):
    rig = rigfile.embedded(game)
    ways = variants(rig.game)
    rounds = max(EACH, len(ways))
    finished = await play(rig, rounds)
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)

    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []
    assert [r.data for r in evidence.of(Ruled) if r.data["device"] is not None] == []
    assert [f for f in finished.findings if f.check == "no irregularity"] == []
    assert finished.verdict["rounds"] == {"asked": rounds, "played": rounds, "void": 0}
    alone = next(f for f in finished.findings if f.check == CHECKED_ALONE)
    assert (alone.verdict, alone.detail) == (Verdict.PASS, f"{rounds} rounds")
    assert finished.verdict["verdict"] == "no failure seen"

    assert [{**s.table, "rounds": 1} for s in evidence.sessions] == [
        session_record(rig.game, Session(w, 1)) for w in ways
    ]
    devices = finished.verdict["devices"].values()
    judged = {device["kind"] for device in devices if device["verdict"] == "no failure seen"}
    assert judged == set(used_kinds(rig.game)) - {"reader"}


@pytest.mark.parametrize("game", GAMES)
def test_the_ways_use_every_device_and_every_method_of_the_game(game):
    rig = rigfile.embedded(game)
    assert set(used_kinds(rig.game)) - {"reader"} == set(GAMES[game].uses)
    if GAMES[game].dealing_methods:
        records = [session_record(rig.game, Session(way, 1)) for way in variants(rig.game)]
        deals = {record["deal"] if "deal" in record else _house(record).deal.value for record in records}
        assert deals == set(GAMES[game].dealing_methods)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "supreme_pai_gow"])
async def test_a_choice_that_no_way_makes_is_played_as_the_rig_file_says(play, game):
    """Of the options with a closed list of values."""
    rig = rigfile.embedded(game)
    for name, value in _never_chosen(rig):
        chosen = replace(rig, game=replace(rig.game, options={name: value}))
        finished = await play(chosen, 1)
        assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []
        assert finished.verdict["rounds"] == {"asked": 1, "played": 1, "void": 0}
        [session] = Evidence(journals.read(finished.folder / "journal.jsonl").records).sessions
        assert session.table["options"][name] == value


def _never_chosen(rig):
    game = GAMES[rig.game.name]
    chosen = [game.options_of(session_record(rig.game, Session(way, 1))) for way in variants(rig.game)]
    return [
        (name, value)
        for name, values in game.known_options.items()
        for value in values or ()
        if all(getattr(getattr(options, name), "value", getattr(options, name)) != value for options in chosen)
    ]


def _house(record):
    return from_plain(House, record["house"])
