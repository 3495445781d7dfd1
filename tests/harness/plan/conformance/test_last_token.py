"""Registers 8 to 9 hold the token of the last command that acts, also when it was refused."""

import pytest

from feltrig.emulators.saboteur.catalogue import MUTANTS
from feltrig.harness.plan.plan import plan
from feltrig.harness.saboteur import sabotage


@pytest.mark.parametrize(("name", "kind"), [("token-register-obeyed", "rng"), ("token-register-not-empty", "shoe")])
async def test_a_token_that_is_left_out_after_a_refusal_is_found(name, kind, tmp_path):
    caught = await sabotage(MUTANTS[name], kind, "modbus-tcp", plan(f"{kind}-nj"), 2, tmp_path)
    assert caught.rightly, caught
