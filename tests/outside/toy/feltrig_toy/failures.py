"""A report format of its own: one line for each failure."""

from feltrig.harness.judge.finding import Verdict
from feltrig.harness.reports.blocks import Report
from feltrig.harness.reports.contents import Source
from feltrig.harness.reports.format import ReportFormat


def failures(source: Source, contents: Report) -> bytes:
    found = source.judgement.findings
    return "".join(f"{f.device}: {f.check}\n" for f in found if f.verdict is Verdict.FAIL).encode()


FORMAT = ReportFormat("failures.txt", failures)
