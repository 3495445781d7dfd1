"""Reports: everything a laboratory must state is there, follows from the journal, and survives hostile devices."""

import base64
import json
import platform
import re
import zlib
from dataclasses import replace
from datetime import datetime, timedelta
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from feltrig.errors import RigError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.reports import lab as labs
from feltrig.harness.reports.blocks import Gap, Mark, Paragraph, Table
from feltrig.harness.reports.cases import suites
from feltrig.harness.reports.contents import Source, report, report_number
from feltrig.harness.reports.html import html
from feltrig.harness.reports.junit import Case, Suite, junit
from feltrig.harness.reports.lab import Lab
from feltrig.harness.reports.pdf import pdf
from feltrig.harness.reports.results import deviations, timing
from feltrig.harness.reports.writing import write

HOSTILE = "</style><script>alert('1')</script>&amp;<b>\x07"


def source_of(records, **more):
    return Source(judge(Evidence(records)), more.pop("lab", Lab()), **more)


def section(contents, title):
    return next(section for section in contents.sections if section.title == title).blocks


class Tags(HTMLParser):
    """Whether every element that is opened is closed, and which there are."""

    VOID = ("meta", "col")

    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.ids, self.links = [], set(), set(), set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        about = dict(attrs)
        self.ids.add(about.get("id"))
        self.links.add(about.get("href"))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def contents(played):
    return report(source_of(played))


def members(record):
    """The line of a record."""
    return {name: getattr(record, name) for name in ("seq", "t", "m", "kind", "data", "prev", "hash")}


@pytest.fixture
def folder(played, tmp_path):
    """A folder of a run that has its journal and nothing else."""
    lines = (json.dumps(members(record), sort_keys=True, separators=(",", ":")) for record in played)
    (tmp_path / runs.JOURNAL).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def test_the_page_is_whole_needs_nothing_else_and_every_link_leads_somewhere(contents):
    page = html(contents)
    tags = Tags(page)
    assert not tags.open
    assert {"svg", "table", "figure"} <= tags.seen
    assert not {"script", "link", "img", "iframe"} & tags.seen
    assert "http" not in page
    assert "url(" not in page
    targets = {link.removeprefix("#") for link in tags.links if link}
    assert len(targets) > 100
    assert targets <= tags.ids


def test_what_a_laboratory_must_state_is_there(contents, played):
    page = html(contents)
    number = report_number(Evidence(played))
    for words in (
        number,
        "The results relate only to the items tested",
        "shall not be reproduced except in full",
        "Decision rule",
        "Risk of a false refusal" if "p-value" in page else "No decision about chance",
        "Risk of a false acceptance",
        "Emulated in this run, not physical",
        "No inspector&#x27;s checklist was handed in",
        "nothing was submitted: only its kind was compared",
        platform.python_version(),
        f"End of report {number}",
        played[-1].hash,
    ):
        assert words in page
    assert page.index("End of report") > page.index("journal excerpts")


def test_every_result_says_whether_it_is_of_a_real_machine(contents, log):
    (matrix,) = (block for block in section(contents, "Clause matrix") if isinstance(block, Table))
    assert {row[3] for row in matrix.rows} == {"emulated"}
    log.run("shoe")
    log.device("box", "shoe")
    log.add("end", reason="finished", rounds=0)
    physical = report(source_of(log.records))
    (matrix,) = (block for block in section(physical, "Clause matrix") if isinstance(block, Table))
    assert {row[3] for row in matrix.rows} == {"physical"}
    assert not any("Emulated" in notice for notice in physical.notices)


@pytest.mark.parametrize(("seconds", "word", "near"), [(0.8, "pass", ""), (0.9, "pass", "marginal"), (1.1, "fail", "")])
def test_a_limited_time_stands_beside_its_margin_and_its_limit(log, seconds, word, near):
    log.run("rng", plan=PlanOrder(plan("rng-nj"), "rng", False).record())
    log.device("rng")
    log.call("rng", "status")
    log.reply("rng", "status")
    log.records[-1] = replace(log.records[-1], m=seconds)
    limited, *_ = timing(judge(log.evidence))
    assert limited.rows[0][4:] == ("0.8 s", "1 s", Mark(word), near)
    assert limited.rows[1][4:] == ("8 s", "10 s", Mark("not tested"), "")


@pytest.fixture
def short(log):
    """A run of which there is little to say."""
    log.run("shoe")
    log.device("box", "shoe", {}, vendor=HOSTILE)
    log.add("trouble", device="box", what="no answer", detail=f"no answer {HOSTILE}")
    log.add("end", reason="wire", rounds=0)
    return log.records


def test_the_same_journal_gives_the_same_bytes(short):
    first, second = report(source_of(short)), report(source_of(short))
    assert html(first) == html(second)
    assert pdf(first) == pdf(second)


def test_id_and_page_number_stand_on_every_page_of_the_pdf(contents):
    streams = re.findall(rb"ASCII85Decode /FlateDecode.*?stream\r?\n(.*?~>)", pdf(contents), re.DOTALL)
    pages = [zlib.decompress(base64.a85decode(b"<~" + stream, adobe=True)) for stream in streams]
    assert len(pages) > 5
    for page, text in enumerate(pages, 1):
        assert f"({contents.number})".encode() in text
        assert f"page {page} of {len(pages)}".encode() in text
    assert f"End of report {contents.number}".encode() in pages[-1]


def test_what_a_device_says_of_itself_is_text_and_nothing_else(short):
    source = source_of(short)
    page = html(report(source))
    assert "script" not in Tags(page).seen
    assert page.count("alert(") == page.count("&lt;script&gt;alert(") > 0
    assert pdf(report(source)).startswith(b"%PDF")
    ElementTree.fromstring(junit("run", suites(source)))


@pytest.fixture(scope="module")
def failed(played):
    """The same, and the display selected numbers that there are not."""
    return [
        replace(r, body=replace(r.body, values={**r.body.values, "number": 9}))
        if r.kind == "event" and r.data["event"] == "selected"
        else r
        for r in played
    ]


def test_what_failed_in_a_neighbour_of_the_device_under_test_is_told_and_does_not_count(failed):
    chosen = PlanOrder(plan("shoe-nj"), "shoe", False).record()
    records = [replace(r, body=replace(r.body, plan=chosen)) if r.kind == "run" else r for r in failed]
    source = source_of(records)
    decided = section(report(source), "Conformity and decision rule")
    assert not any(row[1] == "rng" for block in decided if isinstance(block, Table) for row in block.rows)
    told = "Devices that are not under test failed requirements of their own: rng."
    assert any(block.text.startswith(told) for block in decided if isinstance(block, Paragraph))
    root = ElementTree.fromstring(junit("run", suites(source)))
    assert root.get("failures") == "0"
    reasons = [skipped.get("message") for skipped in root.findall(".//skipped")]
    assert any(reason.startswith("not under test, and failed: ") for reason in reasons)


def test_a_failure_is_shown_before_the_matrix_with_its_reason(failed):
    contents = report(source_of(failed))
    assert contents.verdict == "refused"
    reasons = next(b for b in section(contents, "Conformity and decision rule") if isinstance(b, Table))
    assert ("rng", "selects a number from 1 to 7", Mark("fail")) in {row[1:4] for row in reasons.rows}


def test_a_run_that_was_cut_off_says_so(played):
    half = played[: len(played) // 2]
    contents = report(source_of(half, torn=True))
    (table,) = section(contents, "Deviations and incidents")
    assert [row[3] for row in table.rows][-2:] == ["cut off", "torn"]
    assert contents.verdict == "inconclusive"


def test_a_leg_that_was_begun_again_is_a_deviation_with_the_samples_that_it_lost(log):
    log.run("rng")
    log.add("segment", name="samples 1 to 512", digest="ff")
    log.add("sample", device="rng", number=1, seen={"number": 3})
    log.add("resumed", torn="7b22")
    log.add("resumed", torn="")
    *_, table = deviations(log.evidence, torn=False)
    assert [row[-1] for row in table.rows[:2]] == [
        "the run was broken off in the segment “samples 1 to 512”, and taken up again at its beginning; "
        "1 of its samples do not count",
        "the run was broken off between two segments, and taken up again",
    ]


def test_a_clock_that_was_set_is_a_deviation(played):
    day, later = 86_400, len(played) // 2

    def moved(record):
        t = datetime.fromisoformat(record.t) + timedelta(seconds=day)
        return replace(record, t=t.isoformat().replace("+00:00", "Z"))

    assert list(Evidence(played).clock_jumps()) == []
    jumped = [*played[:later], moved(played[later]), *played[later + 1 :]]
    (table,) = deviations(Evidence(jumped), torn=False)
    rows = [row for row in table.rows if row[3] == "clock"]
    assert [row[0] for row in rows] == [str(played[later].seq), str(played[later + 1].seq)]
    assert [row[-1].split(":")[0] for row in rows] == [
        f"the computer's clock went ahead by {day} s",
        f"the computer's clock went back by {day} s",
    ]


def test_a_run_in_which_no_device_spoke_has_a_report_too(log):
    log.run("shoe")
    log.add("trouble", device="box", what="no answer", detail="box: identify: no answer within 2 s")
    log.add("end", reason="wire", rounds=0)
    contents = report(source_of(log.records))
    assert "no answer within 2 s" in html(contents)
    assert pdf(contents).startswith(b"%PDF")


def test_the_laboratory_fills_the_cover_and_gaps_are_marked(played, tmp_path):
    file = tmp_path / "lab.toml"
    file.write_text('[lab]\nname = "Felt & Sons"\nissued = 2026-05-01\n')
    cover = dict(report(source_of(played, lab=labs.read(file))).cover.rows)
    assert (cover["laboratory"], cover["date of issue"]) == ("Felt & Sons", "2026-05-01")
    assert cover["customer"] == Gap("customer")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lab: missing"),
        ("[lab]\nnmae = 'x'", "lab.nmae: no such key"),
        ("[lab]\nname = 3", "lab.name: 3 is not text"),
        ("[lab]\nname = ' '", "is not text"),
        ("[lab]\n[other]", "other: no such key"),
        ("lab", "is not TOML"),
    ],
)
def test_a_wrong_lab_file_is_refused_in_one_line(tmp_path, text, words):
    file = tmp_path / "lab.toml"
    file.write_text(text)
    with pytest.raises(RigError, match=re.escape(words)) as caught:
        labs.read(file)
    assert str(caught.value).startswith(str(file))


def test_all_files_are_written_and_the_verdict_is_that_of_the_journal(folder, tmp_path, played, monkeypatch):
    out = tmp_path / "new" / "reports"
    monkeypatch.setattr("feltrig.harness.reports.pdf.pdf", lambda contents: contents.number.encode())
    written = write(folder, out)
    assert sorted(path.name for path in written) == ["junit.xml", "report.html", "report.pdf", "verdict.json"]
    assert (out / "report.pdf").read_text() in (out / "report.html").read_text()
    assert (out / "verdict.json").read_bytes() == runs.verdict_bytes(judge(Evidence(played)).verdict)
    assert not (folder / "report.html").exists()


def test_a_verdict_that_a_run_has_is_left_as_it_is_and_the_report_says_that_it_is_another(folder):
    (folder / runs.VERDICT).write_text("{}")
    written = write(folder, folder, pdf=False)
    assert (folder / runs.VERDICT).read_text() == "{}"
    assert folder / runs.VERDICT not in written
    assert "is not what follows from its journal" in (folder / "report.html").read_text()


def test_what_is_no_run_has_no_report(tmp_path):
    with pytest.raises(RunError, match="is not the folder of a run"):
        write(tmp_path, tmp_path)


def test_junit_has_a_case_for_every_finding_and_counts_them(played):
    source = source_of(played)
    root = ElementTree.fromstring(junit("run", suites(source)))
    cases = root.findall(".//testcase")
    assert len(cases) == len(source.judgement.findings) + 1 == int(root.get("tests"))
    skipped = [f for f in source.judgement.findings if f.verdict.value == "not tested"]
    assert int(root.get("skipped")) == len(root.findall(".//skipped")) == len(skipped)
    assert root.get("failures") == root.get("errors") == "0"
    assert {s.get("name") for s in root} == {"run", "shuffler", "shoe", "shaker", "rng", "reader", "table"}


@pytest.mark.parametrize("result", ["failure", "error", "skipped"])
def test_junit_keeps_reason_and_detail_and_replaces_what_xml_cannot_hold(result):
    case = Case("a.b", "name\x00<", result, "why\x1b", "detail \ud800 & more")
    root = ElementTree.fromstring(junit("n", [Suite("s", [case], {"k": "\x01"}, "2026-01-01T00:00:00")]))
    (found,) = root.iter(result)
    assert found.get("message") == "why�"
    assert (found.text or "") == ("" if result == "skipped" else "detail � & more")
    assert root.get({"failure": "failures", "error": "errors"}.get(result, result)) == "1"
