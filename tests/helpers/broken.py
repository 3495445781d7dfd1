"""A pytest plugin that breaks one thing which the clause register names, so that the tests named with it must fail.

`BREAK=check:NAME pytest -p broken …` lets a check of devices find everything good, or a drill nothing wrong; the same
for the statistics of a plan, and for what a person reads off a machine.
`BREAK=games.roulette.settlement.settle pytest -p broken …` lets a function of the engine do nothing, empties a table,
and takes the conditions out of a class.
"""

import dataclasses
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator
from enum import EnumMeta
from types import FunctionType
from typing import Any

from feltrig import engine
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge import device_findings, need_findings
from feltrig.harness.judge.check import Look, Sighting
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict

RANDOM = "its results are random"


def looks() -> dict[str, tuple[str, str]]:
    """What a judge calls that a person read off a machine: the kind of device, and the role of its clause."""
    eyes = ((kind, eye) for kind, device in DEVICES.items() for eye in device.eyes)
    return {f"a person reads off its {eye.name} what it says": (kind, eye.role) for kind, eye in eyes}


def pytest_configure() -> None:
    """Break what the environment names."""
    if name := os.environ.get("BREAK"):
        (_break_check if name.startswith("check:") else _break_rule)(name.removeprefix("check:"))


def _break_check(name: str) -> None:
    if name == RANDOM:
        _rebind(device_findings.statistical_findings, "statistical_findings", _never_failing)
        return
    if name in looks():
        need_findings._eye = _seen_as_said
        return
    found = [check for _, check in all_checks() if check.name == name]
    drills = [drill for kind in DEVICES.values() for drill in kind.drills if drill.name == name]
    assert found or drills, f"no check and no drill is called {name!r}"
    for check in found:
        object.__setattr__(check, "look", _all_good(check.look))
    for drill in drills:
        object.__setattr__(drill, "fault", lambda records, size: None)


_statistics, _eye = device_findings.statistical_findings, need_findings._eye


def _never_failing(*args: Any) -> Iterator[Finding]:
    yield from map(_passing, _statistics(*args))


def _seen_as_said(*args: Any) -> Finding:
    return _passing(_eye(*args))


def _passing(finding: Finding) -> Finding:
    good = finding.verdict is not Verdict.FAIL
    return finding if good else dataclasses.replace(finding, verdict=Verdict.PASS, detail="")


def _all_good(look: Look) -> Look:
    def seen(evidence: Evidence, device: str) -> Iterator[Sighting]:
        for sighting in look(evidence, device):
            yield dataclasses.replace(sighting, good=True, detail="")

    return seen


def everything() -> None:
    """Import the whole engine, so that whatever holds a name is there to be broken."""
    for module in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}."):
        importlib.import_module(module.name)


def _break_rule(name: str) -> None:
    everything()
    path = f"{engine.__name__}.{name}"
    owner, _, attribute = path.rpartition(".")
    while owner not in sys.modules:
        owner, _, more = owner.rpartition(".")
        attribute = f"{more}.{attribute}"
    broken: Any = sys.modules[owner]
    for part in attribute.split("."):
        broken = getattr(broken, part)
    _spoil(broken, attribute)


def _spoil(broken: Any, name: str) -> None:
    broken = getattr(broken, "__wrapped__", broken)
    match broken:
        case FunctionType():
            _do_nothing(broken)
        case EnumMeta():
            broken._value2member_map_.clear()
        case type():
            _spoil_class(broken)
        case dict():
            broken.clear()
        case _ if dataclasses.is_dataclass(broken):
            for field in dataclasses.fields(broken):
                object.__setattr__(broken, field.name, _nothing(getattr(broken, field.name)))
        case _:
            _rebind(broken, name, _nothing(broken))


def _spoil_class(broken: type) -> None:
    """A class that checks itself checks nothing; of any other none can be made."""
    checks = vars(broken).get("__post_init__")
    if isinstance(checks, FunctionType):
        _do_nothing(checks)
    else:
        broken.__init__ = _refuse  # type: ignore[misc]


def _refuse(*args: object, **kwargs: object) -> None:
    raise TypeError("broken")


def _do_nothing(function: FunctionType) -> None:
    def gone(*args: object, **kwargs: object) -> None:
        return None

    def gone_script(*args: object, **kwargs: object) -> Iterator[None]:
        return
        yield

    scripted = function.__code__.co_flags & 0x20  # a generator
    made: Callable[..., Any] = gone_script if scripted else gone
    assert not function.__code__.co_freevars, f"{function.__qualname__} cannot be broken: it has a closure"
    function.__code__ = made.__code__


def _nothing(value: Any) -> Any:
    return type(value)() if isinstance(value, dict | tuple | frozenset | str | int) else None


def _rebind(broken: Any, name: str, nothing: Any) -> None:
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get(name) is broken:
            setattr(module, name, nothing)
