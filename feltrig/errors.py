"""The errors that feltrig raises for a caller to catch. Each message is one line: what is wrong, where, what to do."""


class FeltrigError(Exception):
    """Any error of feltrig."""


class RigError(FeltrigError):
    """Something that the user gave cannot be used: a rig file, a plan, a checklist, a firmware image."""


class RunError(FeltrigError):
    """The folder of a run cannot be written, read or resumed."""


class JournalError(FeltrigError):
    """A journal that cannot be written, or whose bytes are not what a run wrote."""


class RegisterError(JournalError):
    """A laboratory's register that cannot be written, or whose bytes are not what the laboratory wrote."""


class KeyFileError(FeltrigError):
    """A signing key that cannot be made or used."""


class CertificateError(FeltrigError):
    """A certificate that is not one, or does not belong to the run."""


class RegistryError(FeltrigError):
    """An entry point of an installed package cannot be used."""
