"""`feltrig oracle` in a process of its own: between pipes, asked and answered in turn, ended from either side."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SECONDS = 30.0

QUESTION = {"id": 1, "game": "pai_gow", "op": "tile_rank", "input": {"tiles": ["2-4", "1-2"]}}
LINE = json.dumps(QUESTION) + "\n"


def interruptible():
    """Whoever runs the tests in the background has told them to ignore Ctrl-C, and that is inherited."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def started(feltrig_command, environment):
    @contextmanager
    def start() -> Iterator[subprocess.Popen[str]]:
        pipe = subprocess.PIPE
        with subprocess.Popen(
            [*feltrig_command, "oracle"],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env=environment,
            preexec_fn=interruptible,  # noqa: PLW1509 - no threads here
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    return start


def test_a_file_of_questions_gives_a_file_of_answers_in_order(feltrig_command, environment):
    asked = "".join(json.dumps({**QUESTION, "id": number}) + "\n" for number in range(3000))
    done = subprocess.run(
        [*feltrig_command, "oracle"],
        input=asked + "\nnonsense\n",
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert [found["id"] for found in answered] == [*range(3000), None, None]
    assert all("result" in found for found in answered[:3000])
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_that_waits_for_each_answer_gets_it(started):
    with started() as process:
        for number in range(3):
            process.stdin.write(json.dumps({**QUESTION, "id": number}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == ""


def test_it_ends_quietly_when_nobody_reads_on(started):
    with started() as process:
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(LINE)
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == ""


def test_it_ends_quietly_when_interrupted(started):
    with started() as process:
        process.stdin.write(LINE)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert process.stderr.read() == ""
