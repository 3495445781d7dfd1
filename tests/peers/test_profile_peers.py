"""Programs that are not ours, and know nothing of profiles, talk to the emulators by the descriptions alone."""

import asyncio
import json
import subprocess

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.profiles.mqtt import mqtt_station
from feltrig.emulators.profiles.registers import on_registers
from feltrig.emulators.profiles.serial import serial_station
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.profiles import profilefile


async def run(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    async with asyncio.timeout(20):
        output, _ = await process.communicate()
    assert process.returncode == 0, output
    return output.decode()


async def test_mosquitto_rr_shakes_dice_and_detects_them_on_either_broker(peer, broker_port):
    peer("mosquitto_rr")
    profile = profilefile.builtin("lookalike-listens-says-shaker")
    topic = "studio/shaker1"
    station = mqtt_station(profile, shaker(Setup("shaker", 1)), topic, Server("127.0.0.1", broker_port))
    await station.start()
    ask = ("mosquitto_rr", "-p", str(broker_port), "-W", "10")
    cycle = ("-t", f"{topic}/listens", "-e", f"{topic}/says", "-m", "/cycle/?pattern=0&shakes=3")
    assert await run(*ask, *cycle) == "S2\n"
    detect = ("-t", f"{topic}/command", "-e", f"{topic}/response", "-m", '{"command":"detect","arg":{"round_id":7}}')
    result = json.loads(await run(*ask, *detect))
    assert (result["response"], result["arg"]["round_id"], len(result["arg"]["res"])) == ("result", 7, 3)
    await station.stop()


async def test_mbpoll_shakes_dice_on_coils_and_registers(peer):
    peer("mbpoll")
    station = ModbusTcpStation(on_registers(profilefile.builtin("plc-shaker"), shaker(Setup("shaker", 1))))
    host, _, port = (await station.start()).rpartition(":")
    to = ("mbpoll", "-m", "tcp", "-0", "-q", "-p", port)
    await run(*to, "-t", "4", "-r", "0", host, "3")
    await run(*to, "-t", "0", "-r", "0", host, "1")
    state = await run(*to, "-1", "-t", "3", "-r", "0", "-c", "4", host)
    assert [line.split()[-1] for line in state.splitlines() if line.startswith("[")] == ["2", "0", "1", "3"]
    lid = await run(*to, "-1", "-t", "1", "-r", "0", "-c", "1", host)
    assert "[0]: \t1" in lid
    await station.stop()


async def test_socat_selects_a_number_on_status_lines(peer):
    peer("socat")
    station = serial_station(profilefile.builtin("lookalike-status-lines-rng"), rng(Setup("rng", 1)))
    where = await station.start()
    socat = await asyncio.create_subprocess_exec(
        "socat", "-", f"{where},raw,echo=0", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert socat.stdin is not None
    assert socat.stdout is not None
    async with asyncio.timeout(20):
        assert await socat.stdout.readline() == b"*X;2;000;00;0;000;0\r\n"
        socat.stdin.write(b"*s 1\r\n")
        heard = [await socat.stdout.readline()]
        while not heard[-1].startswith(b"*X;5;001;"):
            heard.append(await socat.stdout.readline())
    assert b"*s OK\r\n" in heard
    socat.terminate()
    await socat.wait()
    await station.stop()
