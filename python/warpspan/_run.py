"""Running a command, and reading what it answers."""

from __future__ import annotations

import json
import re
import time
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar, Union

from warpspan import _native
from warpspan._errors import Caution, Disagreement, Error, InputError, InternalError, Stopped
from warpspan._result import Answer
from warpspan._values import Given
from warpspan._wording import in_arguments

#: Who is told of progress: a function of two numbers, `(lower, upper)` of the interval of cycles that is known, or
#: `(done, all)` of cells, which stops the command by returning False; or a bar of tqdm; or True for a new such bar.
Progress = Union[Callable[[int, int], object], bool, Any, None]
#: What a flag is given: its text, several texts, or whether it is there.
Word = Union[str, int, float, bool, Sequence[str], None, Any]

_A = TypeVar("_A", bound=Answer)


#: Texts by the path under which a command reads them.
Texts = dict[str, str]


def words(values: Mapping[str, Word], positional: Sequence[str | Given] = ()) -> tuple[list[str], Texts]:
    """Write arguments as the command line takes them, and return the texts that they name."""
    written: list[str] = []
    texts: Texts = {}

    def said(value: object) -> str:
        if not isinstance(value, Given):
            return str(value)
        if texts.setdefault(value.path, value.text) != value.text:
            raise ValueError(f"{value.path}: two texts have this name")
        return value.path

    for flag, value in values.items():
        if value is True:
            written.append(f"--{flag}")
        elif isinstance(value, (list, tuple)):
            written.extend(f"--{flag}={said(one)}" for one in value)
        elif value is not None and value is not False:
            written.append(f"--{flag}={said(value)}")
    places = [said(one) for one in positional]
    return [*written, *(["--", *places] if places else [])], texts


#: The arguments of `solve` that only builds with HiGHS have.
ILP = ("formulation", "horizon", "plain", "write_model", "solver_log")


def ilp_flags(values: Mapping[str, Any]) -> dict[str, Word]:
    """Return the flags of the ILP for these arguments.

    Raises:
        TypeError: If one of them has another name.
    """
    for name in values:
        if name not in ILP:
            raise TypeError(f"solve() got an unexpected keyword argument '{name}'")
    return {name.replace("_", "-"): value for name, value in values.items()}


def places(*files: str | Given | None) -> list[str | Given]:
    """Return the files that a command is given by their place.

    Raises:
        TypeError: If one is left out that another follows.
    """
    given = [file for file in files if file is not None]
    if list(files[: len(given)]) != given:
        raise TypeError("a file is missing before another one")
    return given


def run(arguments: Sequence[str], progress: Progress = None, texts: Texts | None = None) -> tuple[str, int]:
    """Run a command, and return what it prints and its exit code.

    Raises:
        InputError, Stopped, Disagreement, InternalError: If there is no answer.
        KeyboardInterrupt: After Ctrl-C, once the command has stopped.
    """
    told, close = _observer(progress)
    try:
        out, messages, code, failure = _native.run(list(arguments), told, texts)
    finally:
        close()
    for message in messages:
        warnings.warn(in_arguments(arguments[0], message)[0], Caution, stacklevel=4)
    if failure is not None:
        raise _error(arguments[0], code, failure)
    return out, code


def ask(
    kind: type[_A],
    command: str,
    values: Mapping[str, Word],
    positional: Sequence[str | Given] = (),
    progress: Progress = None,
) -> _A:
    """Run a command that answers with one record."""
    written, texts = words(values, positional)
    arguments = [command, "--format=json", *written]
    begun = time.monotonic()
    out, _ = run(arguments, progress, texts)
    if not out:
        # The file of declarations was not there, and `extract` has written it: now it is read.
        out, _ = run(arguments, progress, texts)
    lines = out.splitlines()
    if len(lines) > 1:
        raise ValueError(f"{command}: {len(lines)} records are answers to this: want one record at a time")
    return _answer(kind, lines[0], arguments, texts, time.monotonic() - begun)


def ask_all(kind: type[_A], command: str, positional: Sequence[str]) -> tuple[_A, ...]:
    """Run a command that answers with a record for each of several things."""
    arguments = [command, "--format=json", *words({}, positional)[0]]
    out, _ = run(arguments)
    return tuple(_answer(kind, line, arguments, {}, 0.0) for line in out.splitlines())


def _answer(kind: type[_A], line: str, arguments: Sequence[str], texts: Texts, took: float) -> _A:
    record = json.loads(line)
    if record["schema"] != kind.SCHEMA:
        name = record["schema"].split("/")[1].replace("-", "_")
        raise TypeError(f"the answer is a record of the schema {record['schema']}: call warpspan.{name}")
    return kind.of_line(line, arguments, texts, took)


def _error(command: str, code: int, failure: tuple[str, str | None, int | None, list[str]]) -> Error:
    message, place, line, remedies = failure
    text, named = in_arguments(command, message)
    if code != 2:
        return {3: Stopped, 4: Disagreement}.get(code, InternalError)(text)
    # Those that would mend it, if the command tells them apart from the others that it names.
    mending = tuple(dict.fromkeys(name for one in remedies for name in in_arguments(command, one)[1]))
    wrong = re.search(r"(?:^|for ')(--[a-z0-9-]+)", place if place is not None else message)
    argument = in_arguments(command, wrong[1])[0] if wrong and (place is None or place.startswith("--")) else None
    return InputError(text, None if argument else place, line, mending or named, argument)


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
