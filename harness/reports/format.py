"""A format of the report of a run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feltrig.harness.reports.blocks import Report
    from feltrig.harness.reports.contents import Source


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One file of a report, made from the judgement of a run."""

    file: str
    """The name of the file."""
    make: Callable[["Source", "Report"], bytes]
    """Its bytes, from what was judged and from the contents of the printed report."""
