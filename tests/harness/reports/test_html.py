"""The page of a report: whole by itself, and safe from what devices say."""

from xml.etree import ElementTree

from report_parts import Tags, source_of

from feltrig.harness.reports.cases import suites
from feltrig.harness.reports.contents import report
from feltrig.harness.reports.html import html
from feltrig.harness.reports.junit import junit
from feltrig.harness.reports.pdf import pdf


def test_the_page_is_whole_needs_nothing_else_and_every_link_leads_somewhere(contents):
    page = html(contents)
    tags = Tags(page)
    assert not tags.open
    assert {"svg", "table", "figure"} <= tags.seen
    assert not {"script", "link", "img", "iframe"} & tags.seen
    assert "http" not in page
    assert "url(" not in page
    targets = {link.removeprefix("#") for link in tags.links if link}
    assert len(targets) > 60
    assert targets <= tags.ids


def test_what_a_device_says_of_itself_is_text_and_nothing_else(short):
    source = source_of(short)
    page = html(report(source))
    assert "script" not in Tags(page).seen
    assert page.count("alert(") == page.count("&lt;script&gt;alert(") > 0
    assert pdf(report(source)).startswith(b"%PDF")
    ElementTree.fromstring(junit("run", suites(source)))
