"""The command line. Each command is a function in a module of its own, imported when it is used: serving an emulated
device must not wait for what only a report needs."""

import errno
import sys
import traceback
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from feltrig.harness.cli.interruption import end_with_the_terminal
from feltrig.harness.cli.output import let_go
from feltrig.harness.journal.folder import RunError
from feltrig.harness.journal.journal import JournalError
from feltrig.harness.judge.keys import KeyProblem
from feltrig.harness.rig.loading import RigError
from feltrig.harness.wires.usercode import Breakdown

COMMANDS = {
    "certify": "feltrig.harness.cli.certify:certify",
    "play": "feltrig.harness.cli.certify:play",
    "emulate": "feltrig.harness.cli.emulate:emulate",
    "resume": "feltrig.harness.cli.resume:resume",
    "verify": "feltrig.harness.cli.verify:verify",
    "report": "feltrig.harness.cli.report:report",
    "compare": "feltrig.harness.cli.compare:compare",
    "runs": "feltrig.harness.cli.runs:runs",
    "keys": "feltrig.harness.cli.keys:app",
    "plan": "feltrig.harness.cli.plan:app",
    "zoo": "feltrig.harness.cli.zoo:zoo",
    "games": "feltrig.harness.cli.games:games",
    "oracle": "feltrig.harness.cli.oracle:oracle",
    "odds": "feltrig.harness.cli.odds:odds",
    "clauses": "feltrig.harness.cli.clauses:clauses",
    "checklist": "feltrig.harness.cli.checklist:checklist",
    "faults": "feltrig.harness.cli.faults:faults",
    "profile": "feltrig.harness.cli.profile:app",
    "noise": "feltrig.harness.cli.noise:noise",
    "monitor": "feltrig.harness.cli.monitor:monitor",
    "replay": "feltrig.harness.cli.replay:replay",
    "stats": "feltrig.harness.cli.stats:app",
}
"""Where each command is found, in the order in which they are listed."""

BAD_INPUT, INCONCLUSIVE, BROKEN, UNREAD = 2, 3, 70, 141
"""Status of exit. A mistake of our own says nothing about a device; nor does it if nobody reads on, which is what the
shell calls the end by SIGPIPE."""

UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why an output cannot be written that could be opened."""


class Commands(TyperGroup):
    """Finds a command in the table above when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All of them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The one of that name, None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        found = getattr(import_module(module), name)
        if not isinstance(found, typer.Typer):
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            single.command(cmd_name)(found)
            found = single
        command = typer.main.get_command(found)
        command.name = cmd_name  # a group has none of its own, and the list of commands shows it
        return command


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"feltrig {version('feltrig')}")
        raise typer.Exit


@app.callback()
def feltrig(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Certify the machines on a casino table, or emulate them."""


def main() -> None:
    """Entry point of the `feltrig` command."""
    end_with_the_terminal()
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # Python's own way out would complain in its own words
    except (RigError, RunError, KeyProblem, Breakdown) as error:
        _end(str(error), BAD_INPUT)
    except JournalError as error:
        _end(str(error), INCONCLUSIVE)
    except BrokenPipeError:
        let_go()
        sys.exit(UNREAD)
    except OSError as error:
        if error.errno not in UNWRITTEN:
            _break()
        let_go()
        _end(f"{error.filename or 'the output'}: cannot be written: {error.strerror}", INCONCLUSIVE)
    except Exception:
        _break()


def _break() -> NoReturn:
    traceback.print_exc()
    sys.exit(BROKEN)


def _end(line: str, status: int) -> NoReturn:
    print(f"feltrig: {line}", file=sys.stderr)
    sys.exit(status)
