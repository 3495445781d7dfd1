"""`feltrig signer`: the process that holds the laboratory's key, for `--signer`."""

from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.parameters import RegisterFile
from feltrig.harness.laboratory.register import NAME
from feltrig.harness.laboratory.signer import main


def signer(
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key.")], register: RegisterFile = None
) -> None:
    """Register and sign for one run, which asks on standard input.

    `feltrig certify --signer "sudo -u lab feltrig signer --key /home/lab/lab.key"` starts it as another user, so that
    no code of the rig file can read the key.
    """
    main(key, register or key.parent / NAME)
