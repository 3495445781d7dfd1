"""The terminal, or the file, that commands show tables on."""

import rich.console


class Console(rich.console.Console):
    """Says that nobody reads on as `print` does; Rich's own way ends the program wherever it is, with the status of a
    refusal."""

    def on_broken_pipe(self) -> None:
        """Called by Rich."""
        raise BrokenPipeError
