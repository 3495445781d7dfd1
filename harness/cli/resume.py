"""`feltrig resume`: continue a run that was interrupted."""

from feltrig.harness.cli.certify import conclude, prompter
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import (
    Hands,
    Json,
    KeyFile,
    OperatorName,
    RegisterFile,
    Report,
    RunFolder,
    SignerCommand,
)
from feltrig.harness.cli.progress import progress
from feltrig.harness.run import by_hand
from feltrig.runs import resume as resume_run


def resume(
    run: RunFolder,
    key: KeyFile = None,
    register: RegisterFile = None,
    signer: SignerCommand = None,
    report: Report = None,
    operator: OperatorName = None,
    as_json: Json = False,
) -> None:
    """Continue a run that was killed or interrupted, and judge it.

    Nothing that was recorded is lost or counted twice. Refused when the rig file, the plan, the program or a device
    changed in between. A run is signed only if the laboratory's register has known it from its beginning.
    """
    with progress(Console(stderr=True, quiet=as_json), by_hand=by_hand(run)) as shown:
        resuming = resume_run(
            run,
            key=key,
            register=register,
            signer=signer,
            prompt=prompter(operator),
            on_progress=shown.rounds,
            on_sample=shown.samples,
            on_step=shown.steps,
        )
        resumed = until_interrupted(resuming)
    conclude(resumed, report, as_json, signed=(key or signer) is not None, aside=operator is Hands.JSONL)
