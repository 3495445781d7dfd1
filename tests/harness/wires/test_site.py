"""What the wires of a rig share."""

import errno
from contextlib import AsyncExitStack

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.errors import RigError
from feltrig.harness.wires.site import RigSite, reason


async def test_a_broker_is_started_once_it_is_needed_and_is_found_at_its_address() -> None:
    site = RigSite(None)
    assert (site.broker_address, site.made_up, site.broker_context()) == (None, None, None)
    async with AsyncExitStack() as stack:
        assert await site.serve_broker(stack) is not None
        assert site.broker_address is not None
        assert site.broker_address.startswith("127.0.0.1:")


async def test_a_port_in_use_is_named_with_the_key_of_the_rig_file(broker) -> None:
    rig = make_rig(rng_rig_text('wire = "mqtt"', more=f"[broker]\nport = {broker.port}\n[broker.embedded]"))
    async with AsyncExitStack() as stack:
        with pytest.raises(RigError, match=rf"broker.embedded: \S+:{broker.port}: Address already in use"):
            await RigSite(rig).serve_broker(stack)


def test_a_reason_is_in_the_words_of_the_system() -> None:
    assert reason(OSError(errno.EADDRINUSE, "('127.0.0.1', 80) in use")) == "Address already in use"
    assert reason(OSError("no words")) == "no words"
