"""The signing process takes well-formed requests about one run at a time, and signs nothing that it has not judged."""

import io
import json

import pytest
from laboratories import new_laboratory, register_of

from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import RunEnded, SegmentBegun
from feltrig.harness.journal.writer import Journal
from feltrig.harness.laboratory import register as books
from feltrig.harness.laboratory.signer import SigningDesk, serve


@pytest.fixture
def desk(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    return SigningDesk(laboratory.key, register_of(laboratory))


@pytest.fixture
def journal(tmp_path, log):
    folder = tmp_path / "run"
    folder.mkdir()
    log.run("rng")
    with Journal(folder / runs.JOURNAL) as journal:
        journal.append(log.records[0].body)
        yield journal


def asked(desk, **request):
    return desk.answer(json.dumps(request).encode())


def begin(desk, journal):
    return asked(desk, do="begin", folder=str(journal.path.parent), records=journal.seq)


def told(desk, journal, kind, **said):
    return asked(desk, do="tell", kind=kind, records=journal.seq, journal=journal.last, **said)


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"{}", b'{"do":"sign"}', b'{"do":"judge"}', b"\xff", b'{"do":"begin","folder":1,"records":1}']
)
def test_what_is_no_request_is_refused_in_one_line(desk, line):
    answer = desk.answer(line)
    assert (answer["error"], "\n" in answer["why"]) == ("RegisterError", False)


def test_nothing_is_told_of_a_run_that_has_not_begun(desk, journal):
    assert "is not to be told now" in told(desk, journal, "checkpoint", name="a")["why"]


@pytest.mark.parametrize("kind", ["opened", "key", "begun", "broken off", "judged", "signed", "other"])
def test_a_run_cannot_tell_what_the_process_decides_itself(desk, journal, kind):
    begin(desk, journal)
    assert "is not to be told now" in told(desk, journal, kind, verdict="certified")["why"]


def test_a_run_begins_once_and_never_goes_back(desk, journal):
    assert begin(desk, journal) == {"ok": {}}
    assert "is not a run that begins" in begin(desk, journal)["why"]
    early = journal.seq, journal.last
    journal.append(SegmentBegun("a", ""))
    assert told(desk, journal, "checkpoint", name="a") == {"ok": {}}
    back = asked(desk, do="tell", kind="checkpoint", records=early[0], journal=early[1], name="a")
    assert "is not to be told now" in back["why"]


def test_a_run_that_has_ended_tells_nothing_more(desk, journal):
    begin(desk, journal)
    journal.append(RunEnded("finished", 0))
    assert told(desk, journal, "ended", reason="finished") == {"ok": {}}
    assert "is not to be told now" in told(desk, journal, "failure", device="x", what="y")["why"]


def test_a_run_without_a_plan_is_judged_registered_and_not_signed(desk, journal):
    begin(desk, journal)
    journal.append(RunEnded("finished", 0))
    told(desk, journal, "ended", reason="finished")
    answer = asked(desk, do="judge", folder=str(journal.path.parent))
    assert answer["ok"]["why"].startswith("the run followed no plan")
    assert "certificate" not in answer["ok"]


def test_a_run_that_has_not_ended_is_not_signed(desk, journal):
    begin(desk, journal)
    answer = asked(desk, do="judge", folder=str(journal.path.parent))
    assert answer == {
        "error": "RunError",
        "why": f"{journal.path.parent}: cannot be signed: the register does not know its end",
    }


def test_a_run_that_goes_away_is_registered_as_far_as_its_journal_reaches(desk, journal, tmp_path):
    begin(desk, journal)
    journal.append(SegmentBegun("a", ""))
    desk.leave()
    entry = books.read(tmp_path / "lab" / "register.jsonl").entries[-1]
    assert (entry.kind, entry.data["records"], entry.data["journal"]) == ("broken off", journal.seq, journal.last)


def test_the_first_line_tells_whether_the_key_can_be_used(desk):
    answers = io.BytesIO()
    serve(lambda: desk, io.BytesIO(b"nonsense\n"), answers)
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert (first, second["error"]) == ({"ok": {"key": desk.key}}, "RegisterError")
