"""Running a command, and reading what it answers."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar, Union

from warpspan import _native
from warpspan._errors import Caution, Disagreement, Error, InputError, InternalError, Stopped
from warpspan._result import Answer

#: Who is told of progress: a function of two numbers, `(lower, upper)` of the interval of cycles that is known, or
#: `(done, all)` of cells, which stops the command by returning False; or a bar of tqdm; or True for a new such bar.
Progress = Union[Callable[[int, int], object], bool, Any, None]
#: What a flag is given: its text, several texts, or whether it is there.
Word = Union[str, int, float, bool, Sequence[str], None, Any]

_A = TypeVar("_A", bound=Answer)


def words(values: Mapping[str, Word], positional: Sequence[str] = ()) -> list[str]:
    """Write arguments as the command line takes them."""
    written: list[str] = []
    for flag, value in values.items():
        if value is True:
            written.append(f"--{flag}")
        elif isinstance(value, (list, tuple)):
            written.extend(f"--{flag}={one}" for one in value)
        elif value is not None and value is not False:
            written.append(f"--{flag}={value}")
    return [*written, *(["--", *positional] if positional else [])]


def run(arguments: Sequence[str], progress: Progress = None) -> tuple[str, int]:
    """Run a command, and return what it prints and its exit code.

    Raises:
        InputError, Stopped, Disagreement, InternalError: If there is no answer.
        KeyboardInterrupt: After Ctrl-C, once the command has stopped.
    """
    told, close = _observer(progress)
    try:
        out, messages, code, failure = _native.run(list(arguments), told)
    finally:
        close()
    for message in messages:
        warnings.warn(message, Caution, stacklevel=4)
    if failure is not None:
        raise _error(code, failure)
    return out, code


def ask(
    kind: type[_A],
    command: str,
    values: Mapping[str, Word],
    positional: Sequence[str] = (),
    progress: Progress = None,
) -> _A:
    """Run a command that answers with one record."""
    arguments = [command, "--format=json", *words(values, positional)]
    out, _ = run(arguments, progress)
    if not out:
        # The file of declarations was not there, and `extract` has written it: now it is read.
        out, _ = run(arguments, progress)
    record = json.loads(out)
    if record["schema"] != kind.SCHEMA:
        name = record["schema"].split("/")[1].replace("-", "_")
        raise TypeError(f"the answer is a record of the schema {record['schema']}: call warpspan.{name}")
    return kind.of_line(out, arguments)


def _error(code: int, failure: tuple[str, str | None, int | None, list[str]]) -> Error:
    message, place, line, remedies = failure
    if code == 2:
        return InputError(message, place, line, tuple(remedies))
    return {3: Stopped, 4: Disagreement}.get(code, InternalError)(message)


def _observer(progress: Progress) -> tuple[Callable[[int, int], object] | None, Callable[[], object]]:
    """Return the function that the command calls, and one for when it has ended."""
    if progress is None or progress is False:
        return None, lambda: None
    if progress is True:
        from tqdm.auto import tqdm

        bar = tqdm()
        return _shown_on(bar), bar.close
    if hasattr(progress, "set_postfix_str"):
        return _shown_on(progress), lambda: None
    return progress, lambda: None


def _shown_on(bar: Any) -> Callable[[int, int], object]:
    """Show progress on a bar of tqdm: the gap of an interval, or how many cells are done."""

    def show(first: int, second: int) -> None:
        bar.set_postfix_str(f"{first}..{second}", refresh=False)
        bar.total, bar.n = second, first
        bar.refresh()

    return show
