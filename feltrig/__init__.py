"""A hardware-in-the-loop rig that certifies the machines on casino tables, or emulates them.

The names below are the whole public interface; docs/python.md shows each in use. They are imported when they are first
used, so that `import feltrig` costs next to nothing.
"""

from os.path import dirname, isdir

TYPE_CHECKING = False  # type checkers take it for true, and importing typing would cost more than all the rest here
if TYPE_CHECKING:
    from feltrig.devices import connect, emulate, replay
    from feltrig.engine.oracle import ask
    from feltrig.errors import CertificateError, FeltrigError, JournalError, KeyFileError, RigError, RunError
    from feltrig.harness.judge.finding import Finding
    from feltrig.harness.plan.plan import Plan
    from feltrig.harness.plan.planfile import plan
    from feltrig.harness.rig.loading import embedded, load
    from feltrig.harness.rig.model import Rig
    from feltrig.runs import Run, certify, report, resume, verify

__all__ = [
    "CertificateError",
    "FeltrigError",
    "Finding",
    "JournalError",
    "KeyFileError",
    "Plan",
    "Rig",
    "RigError",
    "Run",
    "RunError",
    "ask",
    "certify",
    "connect",
    "embedded",
    "emulate",
    "load",
    "plan",
    "replay",
    "report",
    "resume",
    "verify",
]

_HOMES = {
    "feltrig.devices": ("connect", "emulate", "replay"),
    "feltrig.engine.oracle": ("ask",),
    "feltrig.errors": ("CertificateError", "FeltrigError", "JournalError", "KeyFileError", "RigError", "RunError"),
    "feltrig.harness.judge.finding": ("Finding",),
    "feltrig.harness.plan.plan": ("Plan",),
    "feltrig.harness.plan.planfile": ("plan",),
    "feltrig.harness.rig.loading": ("embedded", "load"),
    "feltrig.harness.rig.model": ("Rig",),
    "feltrig.runs": ("Run", "certify", "report", "resume", "verify"),
}
"""The module in which each name is at home."""

if not isdir(f"{dirname(__file__)}/engine"):  # noqa: PTH112, PTH120 - pathlib would cost more than all the rest here
    __path__.append(dirname(dirname(__file__)))  # noqa: PTH120 - in a checkout the folders lie beside this one


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 - nobody pays for it who only imports feltrig

            found: object = getattr(import_module(home), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'feltrig' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
