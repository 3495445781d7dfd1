"""Runs: what `import feltrig` can do to make, continue, check and report one. The command line and the pytest plugin
call these functions too."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from feltrig.errors import RigError
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal import folder
from feltrig.harness.judge import checklist as checklists
from feltrig.harness.judge import keys
from feltrig.harness.judge import verify as verification
from feltrig.harness.judge.verify import Examined
from feltrig.harness.laboratory.signing import Laboratory
from feltrig.harness.plan import planfile
from feltrig.harness.plan.checkpoints import OnStep
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import Plan
from feltrig.harness.plan.rehearsal import rehearsal
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run
from feltrig.harness.run import resume as resume_run
from feltrig.harness.run import run as run_rig
from feltrig.harness.table.prompts import Prompter
from feltrig.harness.table.rounds import OnProgress
from feltrig.harness.table.runner import OnSample
from feltrig.harness.table.terminal import Ask, terminal

__all__ = ["Run", "certify", "report", "resume", "verify"]

File = str | os.PathLike[str]

PATIENCE = 1800.0
"""Seconds that a prompt waits for the technician."""


def _nothing(_: object) -> None:
    """Where nobody follows the progress."""


async def certify(
    rig: Rig,
    *,
    plan: Plan | File | None = None,
    device: str | None = None,
    sequential: bool | None = None,
    samples: int | None = None,
    steps: Sequence[str] | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    out: File = "runs",
    drills: bool = True,
    checklist: File | None = None,
    key: File | None = None,
    register: File | None = None,
    signer: str | None = None,
    operator: Operator | None = None,
    prompt: Ask | Prompter | None = None,
    on_progress: OnProgress = _nothing,
    on_sample: OnSample = _nothing,
    on_step: OnStep = _nothing,
) -> Run:
    """Run a rig and judge it: by a plan for one device, or by full rounds and drills. The run gets a folder in `out`.

    `plan` is a Plan, the name of one, or the file of one. `samples` and `steps` shorten it to a rehearsal. Without a
    plan nothing is certified, and nothing is signed.

    Without `drills` the rounds are only played, and nothing is certified. `key` is the file of a private key: a process
    of its own registers the run in `register`, by default register.jsonl beside the key, and signs the certificate.
    `signer` is a command that starts this process instead. `checklist` is the file of an inspector's answers. On
    hardware `prompt` asks the technician, by
    default on the terminal; `operator` takes the technician's place. Raises RigError when something given cannot be
    used. A task that is cancelled leaves an inconclusive run.
    """
    laboratory = _laboratory(key, register, signer)
    inspection = None if checklist is None else checklists.read(Path(checklist), rig.game.name, rig.game.jurisdiction)
    chosen = plan if plan is None or isinstance(plan, Plan) else planfile.plan(plan)
    if chosen is not None:
        chosen = rehearsal(chosen, samples, steps)
    elif samples is not None or steps is not None:
        raise RigError("samples and steps: need a plan that they shorten")
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
        on_step=on_step,
        laboratory=laboratory,
    )


async def resume(
    run: File,
    *,
    key: File | None = None,
    register: File | None = None,
    signer: str | None = None,
    prompt: Ask | Prompter | None = None,
    on_progress: OnProgress = _nothing,
    on_sample: OnSample = _nothing,
    on_step: OnStep = _nothing,
) -> Run:
    """Continue a run that was killed or interrupted, at its last checkpoint, and judge it. Raises RunError when the rig
    file, the plan, the program or a device has changed, or when it is to be signed and the laboratory's register does
    not know this journal."""
    laboratory = _laboratory(key, register, signer)
    return await resume_run(Path(run), on_progress, prompt or terminal(PATIENCE), on_sample, laboratory, on_step)


def _laboratory(key: File | None, register: File | None, signer: str | None) -> Laboratory | None:
    if signer is not None:
        if key is not None or register is not None:
            raise RigError("--signer: not with --key or --register, which its command names")
        return Laboratory(signer=tuple(shlex.split(signer)))
    if key is None:
        if register is not None:
            raise RigError("--register: needs --key, which signs its entries")
        return None
    return Laboratory(Path(key), None if register is None else Path(register))


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
