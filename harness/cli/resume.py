"""`feltrig resume`: continue a run that was interrupted."""

from feltrig.harness.cli import display
from feltrig.harness.cli.certify import conclude
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import Json, KeyFile, Report, RunFolder
from feltrig.harness.run import by_hand
from feltrig.runs import resume as resume_run


def resume(run: RunFolder, key: KeyFile = None, report: Report = None, as_json: Json = False) -> None:
    """Continue a run that was killed or interrupted, and judge it.

    Nothing that was recorded is lost or counted twice. Refused when the rig file, the plan, the program or a device
    changed in between.
    """
    with display.progress(Console(stderr=True, quiet=as_json), None, by_hand=by_hand(run)) as (on_round, on_sample):
        resumed = until_interrupted(resume_run(run, key=key, on_progress=on_round, on_sample=on_sample))
    conclude(resumed, report, as_json, signed=key is not None)
