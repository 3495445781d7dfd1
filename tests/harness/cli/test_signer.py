"""`feltrig signer`: the signing process as a command of its own."""

import sys

from laboratories import new_laboratory, private

from feltrig.harness.judge.keys import key_id
from feltrig.harness.laboratory.signing import Laboratory, Signing


def test_a_run_is_registered_by_the_process_that_a_command_starts(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    feltrig = (sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()")
    with Signing(Laboratory(signer=(*feltrig, "signer", "--key", str(laboratory.key)))) as signing:
        assert signing.key == key_id(private(laboratory).public_key())
    assert (tmp_path / "lab" / "register.jsonl").is_file()
