"""The errors that feltrig raises for a caller to catch. Each message is one line: what is wrong, where, what to do."""


class FeltrigError(Exception):
    """Any error of feltrig."""


class JournalError(FeltrigError):
    """A journal that cannot be written, or whose bytes are not what a run wrote."""
