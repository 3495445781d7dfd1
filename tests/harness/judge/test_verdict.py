"""What `verdict.json` says of a run: all of it from the journal, and all of it plain JSON."""

import json
from dataclasses import replace

from feltrig.harness.journal.records import RoundEnded
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge


def test_a_good_run_is_told_with_its_devices_rounds_and_seal(played):
    judged = judge(Evidence(played))
    written, found = judged.verdict, judged.findings
    assert (written["verdict"], written["ended"], written["jurisdiction"]) == ("no failure seen", "finished", "NJ")
    assert written["rounds"] == {"asked": 4, "played": 4, "void": 0}
    assert written["journal"] == {"records": played[-1].seq, "hash": played[-1].hash}
    assert (written["rig"], written["seed"], written["game"]) == ("embedded", 1, "supreme_pai_gow")
    assert written["findings"] == [finding.record() for finding in found]
    assert written["findings"] == [finding.record() for finding in found]


def test_each_device_is_named_with_who_it_is_where_it_is_and_its_own_verdict(played):
    devices = judge(Evidence(played)).verdict["devices"]
    seen = dict.fromkeys(("shuffler", "shoe", "shaker", "rng"), "no failure seen")
    assert {name: device["verdict"] for name, device in devices.items()} == {**seen, "reader": "not under test"}
    shaker = devices["shaker"]
    assert (shaker["kind"], shaker["wire"], shaker["where"]) == ("shaker", "mqtt", "feltrig/table1/shaker")
    assert shaker["emulated"] is True
    assert shaker["identity"]["serial"] == "EMU-shaker"


def test_the_verdict_survives_json(played):
    written = judge(Evidence(played)).verdict
    assert json.loads(json.dumps(written, allow_nan=False)) == written


def test_a_run_that_was_cut_off_counts_the_rounds_that_it_finished_and_is_open(played):
    second = [r.seq for r in played if r.kind == "result"][1]
    written = judge(Evidence([r for r in played if r.seq < second])).verdict
    assert (written["verdict"], written["ended"]) == ("inconclusive", "cut off")
    assert written["rounds"] == {"asked": 4, "played": 1, "void": 0}


def test_a_void_round_is_counted_as_void(played):
    result = next(r for r in played if r.kind == "result")
    void = replace(result, body=RoundEnded(result.body.result | {"void": True}))
    written = judge(Evidence([void if r is result else r for r in played])).verdict
    assert written["rounds"] == {"asked": 4, "played": 4, "void": 1}


def test_a_run_whose_first_device_never_answered_has_a_verdict_too(log):
    log.run("shoe")
    log.add("trouble", device="box", what="no answer", detail="box: identify: no answer within 2 s")
    log.add("end", reason="wire", rounds=0)
    written = judge(log.evidence).verdict
    assert (written["verdict"], written["ended"], written["devices"]) == ("inconclusive", "wire", {})
    assert written["rounds"] == {"asked": 1, "played": 0, "void": 0}
    assert any("box: identify: no answer within 2 s" in finding["detail"] for finding in written["findings"])
