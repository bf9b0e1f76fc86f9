"""What is raised. A limit that is reached is not raised: the answer is the interval that is known by then."""

from __future__ import annotations


class Error(Exception):
    """Why there is no answer."""


class InputError(Error, ValueError):
    """The input is wrong: nothing was computed.

    The message is that of the command line, with the arguments of the function in place of flags.

    Attributes:
        message: Where it is wrong, what was found there, and what would do.
        file: The file that is wrong, or the name of the text; None where it is an argument.
        line: Its line, from 1; None where the whole file is meant.
        argument: The argument that is wrong; None where it is a file, or several arguments together.
        found: What was found.
        remedy: What would do; None where the message names nothing.
        remedies: The arguments that the message names.
    """

    def __init__(
        self,
        message: str,
        place: str | None = None,
        line: int | None = None,
        remedies: tuple[str, ...] = (),
        argument: str | None = None,
    ) -> None:
        """Take the message apart."""
        super().__init__(message, place, line, remedies, argument)
        self.message = message
        self.file = place
        self.line = line
        self.argument = argument
        self.remedies = remedies
        prefix = "" if place is None else f"{place}: " if line is None else f"{place}:{line}: "
        found, wanted, remedy = message[len(prefix) :].rpartition(": want ")
        self.found: str = found if wanted else remedy
        self.remedy: str | None = remedy if wanted else ", ".join(remedies) or None

    def __str__(self) -> str:
        return self.message


class Stopped(Error):
    """A limit, or a callback that returned False, stopped the command before there was anything to answer."""


class Disagreement(Error):
    """Two engines, or an engine and the verifier, disagree. This is a bug of warpspan: please report it."""


class InternalError(Error):
    """The command failed for a reason that is not the input's."""


class Caution(UserWarning):
    """Something that should be known beside an answer; the command line says it on standard error."""
