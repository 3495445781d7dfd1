"""The PDF of a report: the same bytes each time, its number on each page."""

import base64
import re
import zlib

from report_parts import source_of

from feltrig.harness.reports.contents import report
from feltrig.harness.reports.html import html
from feltrig.harness.reports.pdf import pdf


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
