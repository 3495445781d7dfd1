"""The first lines of the `feltrig` command, which take no time to import."""

import signal


def main() -> None:
    """Entry point of the command. While the rest of it is imported there is nothing to wind up, and Ctrl-C ends the
    process at once, as it does a program that is not in Python."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from feltrig.harness.cli.app import main as run  # noqa: PLC0415 - this is what takes time

    signal.signal(signal.SIGINT, before)
    run()
