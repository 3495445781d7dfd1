"""What the tests of reports share: a report of records, and a look into its parts."""

from html.parser import HTMLParser

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.reports.contents import Source
from feltrig.harness.reports.lab import Lab

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
