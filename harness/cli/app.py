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

from feltrig.errors import FeltrigError, JournalError
from feltrig.harness.cli.interruption import end_with_the_terminal
from feltrig.harness.cli.output import let_go

PANELS = {
    "Certify a machine": ("certify", "resume", "play", "plan", "requirements", "checklist", "keys", "signer", "zoo"),
    "Runs and their evidence": ("runs", "verify", "register", "report", "compare", "export", "stats", "predict"),
    "Emulated devices and wires": ("emulate", "faults", "noise", "monitor", "replay", "profile"),
    "Rules of the games": ("games", "clauses", "oracle", "odds"),
}
"""The commands in the order in which they are listed, under the headings of the list."""

COMMANDS = {name: (f"feltrig.harness.cli.{name}", heading) for heading, names in PANELS.items() for name in names} | {
    "play": ("feltrig.harness.cli.certify", "Certify a machine")
}
"""The module of each command, and its heading. A command is the function of its own name, or a group called `app`."""

BAD_INPUT, INCONCLUSIVE, BROKEN, UNREAD = 2, 3, 70, 141
"""Status of exit. A mistake of our own says nothing about a device; nor does it if nobody reads on, which is what the
shell calls the end by SIGPIPE."""

UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why an output cannot be written that could be opened."""


class Commands(TyperGroup):
    """Finds a command in the table above when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        name, heading = COMMANDS[cmd_name]
        module = import_module(name)
        group = getattr(module, "app", None)
        if group is None:
            group = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            group.command(cmd_name)(getattr(module, cmd_name))
        command: Any = typer.main.get_command(group)
        command.name = cmd_name  # a group has no name of its own, and the list of commands shows one
        command.rich_help_panel = heading
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
    except JournalError as error:
        _end(str(error), INCONCLUSIVE)
    except FeltrigError as error:
        _end(str(error), BAD_INPUT)
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
