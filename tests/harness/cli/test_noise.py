"""The command that stands in front of a device, as another program meets it."""

import asyncio
import json
import signal
import sys

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.errors import RigError
from feltrig.harness.cli.noise import noise
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.serial.channel import SerialChannel

PROGRAM = "import sys, typer; from feltrig.harness.cli.noise import noise; typer.run(noise)"
DEADLINE = 20.0


def tcp_channel(where):
    host, _, port = where.rpartition(":")
    return ModbusTcpChannel(RNG, host, int(port), deadline=DEADLINE)


@pytest.mark.parametrize(
    ("station_on", "channel_at", "what"),
    [
        (SerialStation, lambda where: SerialChannel(RNG, where, deadline=DEADLINE), "garbage"),
        (ModbusTcpStation, tcp_channel, "split"),
    ],
    ids=["serial", "tcp"],
)
async def test_a_program_talks_to_a_device_through_the_noise(station_on, channel_at, what):
    station = station_on(rng(Setup("rng", 1)))
    where = await station.start()
    command = [sys.executable, "-c", PROGRAM, where, "--disturb", f'what="{what}", times=0', "--seed", "4", "--json"]
    program = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(DEADLINE):
        place = json.loads(await program.stdout.readline())
        assert place["seed"] == 4
        channel = channel_at(place["where"])
        await channel.open()
        for _ in range(5):
            assert (await channel.request(Request("status"))).values["latest"] == 1
        await channel.close()
        program.send_signal(signal.SIGTERM)
        told = json.loads(await program.stdout.readline())
        assert await program.wait() == 0
    assert told["struck"][what] >= 10
    await station.stop()


@pytest.mark.parametrize(
    ("where", "disturb", "message"),
    [
        ("127.0.0.1:502", 'what="drop', "is not TOML"),
        ("127.0.0.1:502", 'what="dorp"', "--disturb: what: 'dorp' is not .*did you mean drop"),
        ("127.0.0.1:502", 'what="wrong_baud"', "--disturb: what: 'wrong_baud' is not for TCP"),
        ("/dev/ttyS0", 'what="broker_restart"', "--disturb: what: 'broker_restart' is not for a serial line"),
        ("/dev/no-such-port", 'what="drop"', "/dev/no-such-port: no such file"),
        ("127.0.0.1:99999", 'what="drop"', "127.0.0.1:99999: port: 99999 is not a whole number from 1 to 65535"),
        ("127.0.0.1:0", 'what="drop"', "127.0.0.1:0: port: 0 is not a whole number from 1 to 65535"),
    ],
)
def test_what_cannot_be_is_named_on_one_line(where, disturb, message):
    with pytest.raises(RigError, match=message):
        noise(where, [disturb])


@pytest.mark.parametrize("baud", [-5, 0, 299, 4_000_001, 99_999_999_999])
def test_a_baud_rate_is_one_that_a_rig_file_may_have(baud):
    with pytest.raises(RigError, match=rf"^--baud: {baud} is not a whole number from 300 to 4000000$"):
        noise("/dev/no-such-port", ['what="drop"'], baud=baud)
