"""Runs: what `import feltrig` can do to make, continue, check and report one. The command line and the pytest plugin
call these functions too."""

import os
from pathlib import Path

from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal import folder
from feltrig.harness.judge import checklist as checklists
from feltrig.harness.judge import keys
from feltrig.harness.judge import verify as verification
from feltrig.harness.judge.verify import Examined
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import Plan
from feltrig.harness.plan.plan import plan as named_plan
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run
from feltrig.harness.run import resume as resume_run
from feltrig.harness.run import run as run_rig
from feltrig.harness.table.rounds import OnProgress
from feltrig.harness.table.runner import OnSample
from feltrig.harness.table.technician import Ask, terminal

__all__ = ["Run", "certify", "report", "resume", "verify"]

File = str | os.PathLike[str]

PATIENCE = 1800.0
"""Seconds that a prompt waits for the technician."""


def _nothing(_: object) -> None:
    """Where nobody follows the progress."""


async def certify(
    rig: Rig,
    *,
    plan: Plan | str | None = None,
    device: str | None = None,
    sequential: bool | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    out: File = "runs",
    drills: bool = True,
    checklist: File | None = None,
    key: File | None = None,
    operator: Operator | None = None,
    prompt: Ask | None = None,
    on_progress: OnProgress = _nothing,
    on_sample: OnSample = _nothing,
) -> Run:
    """Run a rig and judge it: by a plan for one device, or by full rounds and drills. The run gets a folder in `out`.

    Without `drills` the rounds are only played, and nothing is certified. `key` is the file of a private key that signs
    the certificate, `checklist` the file of an inspector's answers. On hardware `prompt` asks the technician, by
    default on the terminal; `operator` takes the technician's place. Raises RigError when something given cannot be
    used. A task that is cancelled leaves an inconclusive run.
    """
    signing = None if key is None else keys.private(Path(key))
    inspection = None if checklist is None else checklists.read(Path(checklist), rig.game.name)
    chosen = named_plan(plan) if isinstance(plan, str) else plan
    order = None if chosen is None else plan_order(rig, chosen, device, sequential)
    return await run_rig(
        rig,
        rounds or rig.game.rounds,
        rig.choose_seed(seed),
        Path(out),
        on_progress,
        prompt or terminal(PATIENCE),
        drills=drills,
        operator=operator,
        inspection=inspection,
        plan=order,
        on_sample=on_sample,
        key=signing,
    )


async def resume(
    run: File,
    *,
    key: File | None = None,
    prompt: Ask | None = None,
    on_progress: OnProgress = _nothing,
    on_sample: OnSample = _nothing,
) -> Run:
    """Continue a run that was killed or interrupted, at its last checkpoint, and judge it. Raises RunError when the rig
    file, the plan, the program or a device has changed."""
    signing = None if key is None else keys.private(Path(key))
    return await resume_run(Path(run), on_progress, prompt or terminal(PATIENCE), on_sample, signing)


def verify(run: File, *, key: File | None = None) -> list[Examined]:
    """Check the folder of a run: the journal's chain, the verdict that follows from it, the certificate. With `key`,
    the file of a public key, a certificate signed by it must be there. Raises RunError when there is no run."""
    public = None if key is None else keys.public(Path(key))
    folder.journal_path(Path(run))
    return verification.verify(Path(run), public)


def report(run: File, *, out: File | None = None, lab: File | None = None) -> list[Path]:
    """Write the reports of a run into its folder, or into `out`; returns the files. `lab` is a TOML file that describes
    the laboratory. Raises RunError or JournalError."""
    from feltrig.harness.reports import lab as labs  # noqa: PLC0415 - the libraries that draw take a while to load
    from feltrig.harness.reports.writing import write  # noqa: PLC0415

    return write(Path(run), Path(out or run), None if lab is None else labs.read(Path(lab)))
