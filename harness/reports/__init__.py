"""The reports of a run, by format. They take what was judged and never judge."""

from feltrig.harness.reports.format import ReportFormat
from feltrig.registry import Registry

FORMATS: Registry[ReportFormat] = Registry(
    "feltrig.reports",
    {
        "html": "feltrig.harness.reports.html:FORMAT",
        "junit": "feltrig.harness.reports.cases:FORMAT",
        "pdf": "feltrig.harness.reports.pdf:FORMAT",
    },
    ReportFormat,
)
"""Every format, in the order in which `feltrig report` writes them."""
